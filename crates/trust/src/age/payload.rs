//! The payload of an age file: chunks of 64 KiB, each sealed with its number and a flag for the last one, so that no
//! chunk can be changed, dropped, moved or added unnoticed.

use chacha20poly1305::aead::Aead;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use zeroize::Zeroizing;

use super::wrap::FileKey;
use super::{Error, fill};

const PIECE: usize = 64 << 10;
const TAG: usize = 16;
const NONCE: usize = 16;

pub(super) fn seal(plain: &[u8], file_key: &FileKey, file: &mut Vec<u8>) -> Result<(), Error> {
    let mut nonce = [0; NONCE];
    fill(&mut nonce)?;
    let cipher = cipher(file_key, &nonce)?;
    file.reserve(NONCE + plain.len() + TAG * (plain.len() / PIECE + 1));
    file.extend(nonce);
    let pieces = pieces(plain, PIECE);
    let last = pieces.len() - 1;
    for (at, piece) in pieces.into_iter().enumerate() {
        let sealed = cipher.encrypt(&number(at, at == last).into(), piece);
        file.extend(sealed.map_err(|_failed| Error::Damaged { what: "it cannot be encrypted" })?);
    }
    Ok(())
}

pub(super) fn open(payload: &[u8], file_key: &FileKey) -> Result<Zeroizing<Vec<u8>>, Error> {
    let short = Error::Damaged { what: "it ends too soon" };
    let none = Error::Damaged { what: "it ends before its text begins" };
    let (nonce, sealed) = payload.split_at_checked(NONCE).ok_or(none)?;
    let cipher = cipher(file_key, nonce)?;
    let mut plain = Zeroizing::new(Vec::with_capacity(sealed.len()));
    let pieces = pieces(sealed, PIECE + TAG);
    let last = pieces.len() - 1;
    for (at, piece) in pieces.into_iter().enumerate() {
        if piece.len() < TAG || (at == last && last > 0 && piece.len() == TAG) {
            return Err(short);
        }
        let opened = cipher.decrypt(&number(at, at == last).into(), piece).map(Zeroizing::new);
        let opened = opened.map_err(|_other| Error::Damaged { what: "its text was changed or cut off" })?;
        plain.extend_from_slice(&opened);
    }
    Ok(plain)
}

/// At least one, which may be empty.
fn pieces(bytes: &[u8], size: usize) -> Vec<&[u8]> {
    if bytes.is_empty() { vec![bytes] } else { bytes.chunks(size).collect() }
}

fn cipher(file_key: &FileKey, nonce: &[u8]) -> Result<ChaCha20Poly1305, Error> {
    let key = file_key.derive(nonce, b"payload")?;
    Ok(ChaCha20Poly1305::new(&(*key).into()))
}

fn number(at: usize, last: bool) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[3..11].copy_from_slice(&(at as u64).to_be_bytes());
    nonce[11] = u8::from(last);
    nonce
}
