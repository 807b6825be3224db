//! Another key for all private notes. The key file holds both keys until every note is encrypted for the new one, so that
//! whenever it is interrupted every note can be opened, and the same call begins anew.

use super::vault::{KeyError, Lock};
use crate::age::{Identity, Passphrase};
use crate::error::Error;
use crate::memory::Memory;
use crate::status::words;
use crate::workspace::PrivateKept;

/// How the new key file is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Protect {
    /// As the present one.
    Same,
    /// Encrypted with a passphrase.
    With(Passphrase),
    /// Readable by its owner.
    Without,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rekeyed {
    /// Notes that are encrypted for the new key.
    pub notes: usize,
    /// The public half of the new key.
    pub recipient: String,
    /// Notes that could not be opened, and why; the old keys stay in the key file for them.
    pub left: Vec<(String, String)>,
}

impl Memory {
    /// From now on this passphrase opens the key.
    pub fn unlock(&self, passphrase: Passphrase) {
        self.vault.unlock(passphrase);
    }

    /// Whether private notes are closed for want of a passphrase.
    pub fn needs_passphrase(&self) -> bool {
        let noted = self.workspace().and_then(|workspace| Ok(workspace.private_notes()?));
        noted.is_ok_and(|notes| !notes.is_empty()) && self.vault.is_locked()
    }

    pub fn rekey(&self, protect: Protect) -> Result<Rekeyed, Error> {
        let turn = self.take_turn()?;
        let old = self.vault.keys()?;
        let lock = match protect {
            Protect::Same => self.vault.lock_kind()?,
            Protect::Without => Lock::Open,
            Protect::With(passphrase) => {
                self.vault.unlock(passphrase);
                Lock::Passphrase
            }
        };
        let generated = Identity::generate().map_err(|source| KeyError::NoRandomness { source })?;
        let recipient = generated.recipient().to_string();
        self.vault.replace(old.led_by(generated), lock)?;
        let (notes, left) = self.reseal()?;
        if left.is_empty() {
            self.vault.replace(self.vault.keys()?.first_alone(), lock)?;
        }
        drop(turn);
        Ok(Rekeyed { notes, recipient, left })
    }

    fn reseal(&self) -> Result<(usize, Vec<(String, String)>), Error> {
        let workspace = self.workspace()?;
        let (mut done, mut left) = (0, Vec::new());
        for note in workspace.private_notes()?.iter().filter(|note| note.kept != PrivateKept::Clear) {
            match workspace.reseal(&note.path) {
                Ok(_) => done += 1,
                Err(error) => left.push((note.path.to_string(), words::with_cause(&error))),
            }
        }
        Ok((done, left))
    }
}
