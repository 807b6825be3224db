//! Finds e-mail addresses, and URLs with a password.

use std::ops::Range;

use memchr::memchr_iter;

use super::Sink;
use super::alphabet::is_placeholder;

const LONGEST_LOCAL: usize = 64;
const LONGEST_DOMAIN: usize = 200;
const LONGEST_PATH: usize = 256;
/// `logo@2x.png` is a file.
const FILES: [&str; 12] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "css", "md", "rs", "py"];
/// What a document writes where a password would stand.
const SAMPLES: [&str; 10] =
    ["password", "pass", "passwd", "pwd", "secret", "pw", "token", "user", "postgres", "test"];

pub(super) fn find(sink: &mut Sink<'_>) {
    let mail = sink.wants("email");
    let url = sink.wants("url-credentials");
    if !mail && !url {
        return;
    }
    let text = sink.text;
    for at in memchr_iter(b'@', text.as_bytes()) {
        if let Some(span) = credentials(text, at).filter(|_| url) {
            sink.put_named("url-credentials", span);
        } else if let Some(span) = email(text, at).filter(|_| mail) {
            sink.put_named("email", span);
        }
    }
}

/// The password in `scheme://name:password@host`.
fn credentials(text: &str, at: usize) -> Option<Range<usize>> {
    let from = text.floor_char_boundary(at.saturating_sub(300));
    let before = &text[from..at];
    let ends = |c: char| c.is_whitespace() || "/?#\"'<>@".contains(c);
    let start = before.rfind(ends)? + 1;
    let user = before.get(start..).filter(|_| before[..start].ends_with("://"))?;
    let (_, password) = user.split_once(':')?;
    let is_sample =
        SAMPLES.contains(&password.trim_end_matches([']', '}', ')']).to_ascii_lowercase().as_str());
    let host = text[at + 1..].chars().next().is_some_and(|c| c.is_alphanumeric() || c == '[');
    let found = host && password.len() >= 3 && !is_sample && !is_placeholder(password);
    found.then(|| at - password.len()..at)
}

fn email(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_local = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte) || !byte.is_ascii();
    let local = bytes[..at].iter().rev().take(LONGEST_LOCAL + 1).take_while(is_local).count();
    let mut start = at - local;
    while start < at && !bytes[start].is_ascii_alphanumeric() && bytes[start].is_ascii() {
        start += 1;
    }
    let is_domain = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-".contains(byte) || !byte.is_ascii();
    let domain = bytes[at + 1..].iter().take(LONGEST_DOMAIN).take_while(is_domain).count();
    let mut end = at + 1 + domain;
    while end > at + 1 && b".-".contains(&bytes[end - 1]) {
        end -= 1;
    }
    let name = text.get(start..at)?;
    let host = text.get(at + 1..end)?;
    let remote = name == "git" || is_remote(&bytes[end..]) && !name.contains('.');
    let fits =
        !name.is_empty() && local <= LONGEST_LOCAL && bytes[at - 1] != b'.' && is_host(host) && !remote;
    fits.then_some(start..end)
}

/// `name@host:path/file`, as programs that copy files write it.
fn is_remote(after: &[u8]) -> bool {
    let path = after.iter().take(LONGEST_PATH).take_while(|byte| !byte.is_ascii_whitespace());
    after.first() == Some(&b':') && path.copied().any(|byte| byte == b'/')
}

fn is_host(host: &str) -> bool {
    let Some((rest, top)) = host.rsplit_once('.') else { return false };
    let labels = rest.split('.').all(|label| !label.is_empty() && !label.starts_with('-'));
    let top_fits = top.chars().count() >= 2 && top.chars().all(char::is_alphabetic);
    labels && top_fits && !FILES.contains(&top.to_ascii_lowercase().as_str())
}
