//! Another key for the private notes of a workspace. The old ones stay in the key file: the notes of other workspaces and
//! of backups may be encrypted for them. So every note can be opened, also when it is interrupted, and the same call begins
//! anew.

use mindfile_trust::age::{Identity, Passphrase};
use mindfile_trust::audit::{Act, What};
use mindfile_workspace::PrivateForm;

use super::{KeyError, KeyLock};
use crate::audit::Record;
use crate::corpus::Corpus;
use crate::draft::Notes;
use crate::error::Error;
use crate::wording;

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

/// What becomes of the keys that were used before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OldKeys {
    Keep,
    /// Leave them out of the key file, once every note of this workspace is encrypted for the new one.
    Drop,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rekeyed {
    /// Notes that are encrypted for the new key.
    pub notes: usize,
    /// The public half of the new key.
    pub recipient: String,
    /// Old keys that are in the key file.
    pub old_keys: usize,
    /// Notes that could not be opened, and why; the old keys stay in the key file for them.
    pub left: Vec<(String, String)>,
}

/// From now on this passphrase opens the key.
pub fn unlock(corpus: &Corpus, passphrase: Passphrase) {
    corpus.vault.unlock(passphrase);
}

/// Whether private notes are closed for want of a passphrase.
pub fn needs_passphrase(corpus: &Corpus) -> bool {
    let noted = corpus.workspace().and_then(|workspace| Ok(workspace.private_notes()?));
    noted.is_ok_and(|notes| !notes.is_empty()) && corpus.vault.is_locked()
}

pub fn rekey(corpus: &Corpus, protect: Protect, old_keys: OldKeys) -> Result<Rekeyed, Error> {
    let notes = Notes::open(corpus)?;
    let old = corpus.vault.keys()?;
    let lock = match protect {
        Protect::Same => corpus.vault.lock_kind()?,
        Protect::Without => KeyLock::Open,
        Protect::With(passphrase) => {
            corpus.vault.unlock(passphrase);
            KeyLock::Passphrase
        }
    };
    let generated = Identity::generate().map_err(|source| KeyError::NoRandomness { source })?;
    let recipient = generated.recipient().to_string();
    corpus.vault.replace(old.led_by(generated), lock)?;
    let (resealed, left) = reseal(&notes)?;
    if old_keys == OldKeys::Drop && left.is_empty() {
        corpus.vault.replace(corpus.vault.keys()?.first_alone(), lock)?;
    }
    corpus.audit(&Record { act: Act::Rekey, what: What::Key, id: Some(&recipient), text: None });
    drop(notes);
    let old_keys = corpus.vault.keys()?.count().saturating_sub(1);
    Ok(Rekeyed { notes: resealed, recipient, old_keys, left })
}

fn reseal(notes: &Notes<'_>) -> Result<(usize, Vec<(String, String)>), Error> {
    let (mut done, mut left) = (0, Vec::new());
    for note in notes.workspace().private_notes()?.iter().filter(|note| note.kept != PrivateForm::Clear) {
        match notes.reseal(&note.path) {
            Ok(_) => done += 1,
            Err(error) => left.push((note.path.to_string(), wording::with_cause(&error))),
        }
    }
    Ok((done, left))
}
