//! Finds armoured private keys, JSON web tokens, and bot tokens in three parts.

use std::ops::Range;

use memchr::{memchr_iter, memmem};

use super::Sink;
use super::alphabet::{Alphabet, entropy, joins};
use super::base58;
use super::pieces::Piece;

/// The longest private key that is read.
pub(super) const LONGEST_KEY: usize = 64 << 10;
/// The fewest characters of a key's body: less is a mention of one.
const LEAST_BODY: usize = 40;
const BEGIN: &str = "-----BEGIN ";
const DASHES: &str = "-----";
const PUTTY: &str = "PuTTY-User-Key-File-";
const JWT: &str = "eyJ";

pub(super) fn find(sink: &mut Sink<'_>, pieces: &[Piece]) {
    keys(sink);
    if sink.wants("jwt") {
        web_tokens(sink);
    }
    if sink.wants("discord-token") {
        bots(sink);
    }
    if sink.wants("wif-key") {
        wallets(sink, pieces);
    }
}

/// Private keys of several lines.
pub(super) fn keys(sink: &mut Sink<'_>) {
    if sink.wants("private-key") {
        armour(sink);
        putty(sink);
    }
}

fn armour(sink: &mut Sink<'_>) {
    let text = sink.text;
    let mut done = 0;
    for start in memmem::find_iter(text.as_bytes(), BEGIN.as_bytes()) {
        if start < done {
            continue;
        }
        if let Some(span) = armoured(text, start) {
            done = span.end;
            sink.put_named("private-key", span);
        }
    }
}

/// From `-----BEGIN … PRIVATE KEY-----` to its end, or to where the body ends if that was lost.
fn armoured(text: &str, start: usize) -> Option<Range<usize>> {
    let label_at = start + BEGIN.len();
    let label_end = label_at + text[label_at..].get(..64.min(text.len() - label_at))?.find(DASHES)?;
    let label = &text[label_at..label_end];
    if !label.contains("PRIVATE KEY") {
        return None;
    }
    let from = label_end + DASHES.len();
    let body = body_end(text.as_bytes(), from);
    let solid = text.as_bytes()[from..body].iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let end = format!("{DASHES}END {label}{DASHES}");
    let to = if text[body..].starts_with(&end) { body + end.len() } else { body };
    (solid >= LEAST_BODY).then_some(start..to)
}

/// Base64 with line ends of any sort, also as two characters, with headers such as `Proc-Type: 4,ENCRYPTED` and quote
/// marks before each line.
fn body_end(bytes: &[u8], from: usize) -> usize {
    let is_body = |byte: u8| Alphabet::Base64.has(byte) && byte != b'-' && byte != b'_';
    let mut at = from;
    let limit = bytes.len().min(from + LONGEST_KEY);
    let mut last = from;
    while at < limit {
        match bytes[at] {
            byte if is_body(byte) => {
                at += 1;
                last = at;
            }
            b'\n' | b'\r' | b' ' | b'\t' | b'>' | b'\\' | b'"' => at += 1,
            // A header, or the words of one.
            b':' | b',' | b'-' if !bytes[at..].starts_with(DASHES.as_bytes()) => at += 1,
            _ => break,
        }
    }
    if bytes[at.min(bytes.len())..].starts_with(DASHES.as_bytes()) { at } else { last }
}

fn putty(sink: &mut Sink<'_>) {
    let text = sink.text;
    for start in memmem::find_iter(text.as_bytes(), PUTTY.as_bytes()) {
        let rest = &text[start..text.floor_char_boundary((start + LONGEST_KEY).min(text.len()))];
        let Some(mac) = rest.find("Private-MAC:").or_else(|| rest.find("Private-Hash:")) else { continue };
        let end = rest[mac..].find('\n').map_or(rest.len(), |far| mac + far);
        if rest[..mac].contains("Private-Lines:") {
            sink.put_named("private-key", start..start + end);
        }
    }
}

/// Three parts with dots between, of which the first two are objects.
fn web_tokens(sink: &mut Sink<'_>) {
    let text = sink.text;
    let bytes = text.as_bytes();
    for start in memmem::find_iter(bytes, JWT.as_bytes()) {
        if start > 0 && (joins(bytes[start - 1]) || b"-.".contains(&bytes[start - 1])) {
            continue;
        }
        let head = Alphabet::Word.end(bytes, start, 4096);
        let body = Alphabet::Word.end(bytes, head + 1, 16 << 10);
        let is_object = bytes.get(head) == Some(&b'.') && bytes[head + 1..].starts_with(JWT.as_bytes());
        let sealed = bytes.get(body) == Some(&b'.');
        let end = if sealed { Alphabet::Word.end(bytes, body + 1, 4096) } else { body };
        if head - start >= 12 && is_object && sealed && end - body > 16 {
            sink.put_named("jwt", start..end);
        }
    }
}

/// `user id . time . seal`, each in Base64: 24 to 28, 6, and 27 to 40 characters.
fn bots(sink: &mut Sink<'_>) {
    let text = sink.text;
    let bytes = text.as_bytes();
    for dot in memchr_iter(b'.', bytes) {
        if bytes.get(dot + 7) != Some(&b'.') || Alphabet::Word.end(bytes, dot + 1, 7) != dot + 7 {
            continue;
        }
        let start = Alphabet::Word.start(bytes, dot, 30);
        let end = Alphabet::Word.end(bytes, dot + 8, 42);
        let fits = (23..=28).contains(&(dot - start)) && (27..=40).contains(&(end - dot - 8));
        if fits && b"MNO".contains(&bytes[start]) && entropy(&bytes[start..end]) > 4.0 {
            sink.put_named("discord-token", start..end);
        }
    }
}

/// A version, 32 bytes, perhaps a mark, and their check in Base58: 51 or 52 characters.
fn wallets(sink: &mut Sink<'_>, pieces: &[Piece]) {
    let bytes = sink.text.as_bytes();
    for piece in pieces.iter().filter(|piece| piece.may_be_key()) {
        let mut at = piece.span.start;
        while at < piece.span.end {
            let end = Alphabet::Alnum.end(bytes, at, piece.span.end - at);
            let run = &bytes[at..end];
            if (51..=52).contains(&run.len()) && b"5KL".contains(&run[0]) && base58::is_checked(run) {
                sink.put_named("wif-key", at..end);
            }
            at = end + 1;
        }
    }
}
