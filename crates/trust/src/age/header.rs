//! The header of an age file: the file's key, wrapped for each recipient, and a code that authenticates the header.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::Error;
use super::wrap::FileKey;

const VERSION: &[u8] = b"age-encryption.org/v1\n";
const STANZA: &str = "-> ";
const END: &str = "---";
const COLUMNS: usize = 64;
/// Bytes of the code that authenticates the header.
const CODE: usize = 32;
/// A header of thousands of recipients is not one of ours.
const LONGEST: usize = 64 << 10;

/// One way to reach the file's key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stanza {
    pub(super) words: Vec<String>,
    pub(super) body: Vec<u8>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) stanzas: Vec<Stanza>,
    mac: Vec<u8>,
    /// How many bytes the code is over.
    bound: usize,
    /// Where the payload begins.
    pub(super) end: usize,
}

/// Whether a file begins as age's do.
pub fn is_age(file: &[u8]) -> bool {
    file.starts_with(VERSION)
}

impl Header {
    pub(super) fn read(file: &[u8]) -> Result<Self, Error> {
        let mut lines = HeaderLines { file, at: VERSION.len() };
        if !is_age(file) {
            return Err(Error::NotAge);
        }
        let mut stanzas = Vec::new();
        loop {
            let start = lines.at;
            let line = lines.next()?;
            if let Some(words) = line.strip_prefix(STANZA) {
                let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
                if !words.iter().all(|word| is_argument(word)) {
                    return Err(Error::Damaged { what: "its header names a recipient in no lawful way" });
                }
                stanzas.push(Stanza { words, body: body(&mut lines)? });
            } else if let Some(mac) = line.strip_prefix(END).and_then(|rest| rest.strip_prefix(' ')) {
                let mac = decoded(mac)?;
                if mac.len() != CODE {
                    return Err(Error::Damaged { what: "the code of its header has another length" });
                }
                return Ok(Self { stanzas, mac, bound: start + END.len(), end: lines.at });
            } else {
                return Err(Error::Damaged { what: "its header has a line that does not belong there" });
            }
        }
    }

    pub(super) fn write(stanza: &Stanza, file_key: &FileKey) -> Result<Vec<u8>, Error> {
        let mut text = VERSION.to_vec();
        text.extend(format!("{STANZA}{}\n", stanza.words.join(" ")).bytes());
        let body = STANDARD_NO_PAD.encode(&stanza.body);
        for line in body.as_bytes().chunks(COLUMNS) {
            text.extend(line);
            text.push(b'\n');
        }
        if body.len().is_multiple_of(COLUMNS) {
            text.push(b'\n');
        }
        text.extend(END.bytes());
        let code = mac(&text, file_key)?.finalize().into_bytes();
        text.extend(format!(" {}\n", STANDARD_NO_PAD.encode(code)).bytes());
        Ok(text)
    }

    pub(super) fn verify(&self, file: &[u8], file_key: &FileKey) -> Result<(), Error> {
        let damaged = Error::Damaged { what: "its header was changed" };
        let code = mac(&file[..self.bound], file_key)?;
        code.verify_slice(&self.mac).map_err(|_other| damaged)
    }
}

fn mac(text: &[u8], file_key: &FileKey) -> Result<Hmac<Sha256>, Error> {
    let key = file_key.derive(&[], b"header")?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&*key)
        .map_err(|_length| Error::Damaged { what: "its key has another length" })?;
    mac.update(text);
    Ok(mac)
}

/// One visible ASCII character or more.
fn is_argument(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic())
}

struct HeaderLines<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> HeaderLines<'a> {
    fn next(&mut self) -> Result<&'a str, Error> {
        let most = self.file.len().min(LONGEST);
        let rest = self.file.get(self.at..most).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b'\n');
        let end = end.ok_or(Error::Damaged { what: "its header does not end" })?;
        self.at += end + 1;
        std::str::from_utf8(&rest[..end]).map_err(|_other| Error::Damaged { what: "its header is not text" })
    }
}

/// HeaderLines of 64 columns, and a shorter one.
fn body(lines: &mut HeaderLines<'_>) -> Result<Vec<u8>, Error> {
    let mut text = String::new();
    loop {
        let line = lines.next()?;
        text.push_str(line);
        if line.len() > COLUMNS {
            return Err(Error::Damaged { what: "a line of its header is too long" });
        }
        if line.len() < COLUMNS {
            return decoded(&text);
        }
    }
}

pub(super) fn decoded(text: &str) -> Result<Vec<u8>, Error> {
    STANDARD_NO_PAD.decode(text).map_err(|_other| Error::Damaged { what: "its header is not base64" })
}

pub(super) fn encoded(bytes: &[u8]) -> String {
    STANDARD_NO_PAD.encode(bytes)
}
