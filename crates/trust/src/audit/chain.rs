//! A log entry: its content, its text, and its link to the entry before it.

use mindfile_note::hash::Digest;
use ring::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use mindfile_disk::secret_key::{hex, unhex};

/// What the first entry follows.
pub(super) const NOTHING: [u8; 32] = [0; 32];
const SEAL: &str = ",\"sig\":\"";

/// An entry as it stands in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Counted from 1, over all files of the log.
    pub seq: u64,
    /// Milliseconds since 1970.
    pub at: i64,
    /// Whose word the door makes it.
    pub who: String,
    pub door: String,
    pub act: String,
    pub what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Keyed: it tells nothing but whether two entries are about the same text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The SHA-256 of the line before, without its end.
    pub prev: String,
}

/// Where a chain ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) seq: u64,
    pub(super) hash: [u8; 32],
}

impl End {
    pub(super) const BEFORE_ALL: Self = Self { seq: 0, hash: NOTHING };

    pub(super) fn of(seq: u64, line: &[u8]) -> Self {
        Self { seq, hash: *Digest::of(line).as_bytes() }
    }
}

impl Entry {
    /// The signed line, without its end.
    pub(super) fn written(&self, key: &Ed25519KeyPair) -> Result<String, serde_json::Error> {
        let body = serde_json::to_string(self)?;
        let seal = hex(key.sign(body.as_bytes()).as_ref());
        Ok(sealed(&body, &seal))
    }

    /// Reads a line, whoever wrote it: the entry, what was signed, and the signature.
    pub(super) fn read(line: &[u8]) -> Option<(Self, String, String)> {
        let line = std::str::from_utf8(line).ok()?;
        let (body, seal) = line.rsplit_once(SEAL)?;
        let body = format!("{body}}}");
        let seal = seal.strip_suffix("\"}")?;
        let entry: Self = serde_json::from_str(&body).ok()?;
        Some((entry, body, seal.to_owned()))
    }

    /// Why a line cannot be the one that follows `before`; the entry, if it is.
    pub(super) fn checked(line: &[u8], before: &End, key: &[u8]) -> Result<Self, String> {
        let (entry, body, seal) = Self::read(line).ok_or("it cannot be read")?;
        let wanted = before.seq + 1;
        if entry.seq > wanted {
            return Err(format!("it is missing; entry {} stands in its place", entry.seq));
        }
        if entry.seq < wanted {
            return Err(format!("entry {} stands in its place", entry.seq));
        }
        let same = serde_json::to_string(&entry).is_ok_and(|again| sealed(&again, &seal).as_bytes() == line);
        let signature = unhex::<64>(&seal).filter(|_| same && seal == seal.to_ascii_lowercase());
        let signed = signature.is_some_and(|signature| {
            UnparsedPublicKey::new(&ED25519, key).verify(body.as_bytes(), &signature).is_ok()
        });
        if !signed {
            return Err("its signature is not that of this log's key".to_owned());
        }
        if entry.prev != hex(&before.hash) {
            return Err("it does not follow from the entry before it".to_owned());
        }
        Ok(entry)
    }
}

fn sealed(body: &str, seal: &str) -> String {
    format!("{}{SEAL}{seal}\"}}", body.strip_suffix('}').unwrap_or(body))
}
