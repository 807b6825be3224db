//! Base58 with a check, as wallets write keys.

use sha2::{Digest, Sha256};

const LETTERS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const CHECK: usize = 4;

/// Whether the last four bytes are the beginning of the digest's digest of the others.
pub(super) fn is_checked(text: &[u8]) -> bool {
    let Some(bytes) = decoded(text).filter(|bytes| bytes.len() > CHECK) else { return false };
    let (body, check) = bytes.split_at(bytes.len() - CHECK);
    Sha256::digest(Sha256::digest(body)).starts_with(check)
}

fn decoded(text: &[u8]) -> Option<Vec<u8>> {
    // The last byte first.
    let mut bytes: Vec<u8> = Vec::new();
    for letter in text {
        let mut carry = LETTERS.iter().position(|known| known == letter)?;
        for byte in &mut bytes {
            carry += usize::from(*byte) * 58;
            *byte = (carry & 255) as u8;
            carry >>= 8;
        }
        if carry > 0 {
            bytes.push(carry as u8);
        }
    }
    bytes.reverse();
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_the_public_documentation_is_checked_and_one_letter_more_is_not() {
        let key = ["5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVq", "vbTLvyTJ"].concat();
        assert!(is_checked(key.as_bytes()));
        assert!(!is_checked(key.replace("Hue", "Huf").as_bytes()));
        assert!(!is_checked(b"0OIl"));
    }
}
