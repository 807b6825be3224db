//! The signed head: a small file beside the log that records its length, so that a truncated log is noticed.

use std::io;
use std::path::Path;

use ring::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};

use super::chain::End;
use mindfile_disk::absent::if_there;
use mindfile_disk::durable;
use mindfile_disk::secret_key::{hex, unhex};

/// What the file says, if it is there and signed by the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    Missing,
    /// It cannot be read, or another key signed it.
    Spoilt,
    At(End),
}

pub(super) fn read(path: &Path, key: &[u8]) -> io::Result<Head> {
    let Some(bytes) = if_there(std::fs::read(path))? else { return Ok(Head::Missing) };
    let end = std::str::from_utf8(&bytes).ok().and_then(|text| parsed(text, key));
    Ok(end.map_or(Head::Spoilt, Head::At))
}

/// `SEQ HASH SIGNATURE`
fn parsed(text: &str, key: &[u8]) -> Option<End> {
    let (said, seal) = text.strip_suffix('\n')?.rsplit_once(' ')?;
    let (seq, hash) = said.split_once(' ')?;
    let signature = unhex::<64>(seal)?;
    UnparsedPublicKey::new(&ED25519, key).verify(said.as_bytes(), &signature).ok()?;
    Some(End { seq: seq.parse().ok()?, hash: unhex(hash)? })
}

/// Whole or not at all. The entry itself is on the disk already: a head that is a moment old is no harm.
pub(super) fn write(path: &Path, end: &End, key: &Ed25519KeyPair) -> io::Result<()> {
    let said = format!("{} {}", end.seq, hex(&end.hash));
    let line = format!("{said} {}\n", hex(key.sign(said.as_bytes()).as_ref()));
    durable::put(path, line.as_bytes())
}
