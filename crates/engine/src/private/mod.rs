//! Private notes: what stands in `memory/private/` is encrypted on the disk, and decrypted in memory alone.
//!
//! A private note is a file that age opens (`memory/private/NAME.md.age`); everywhere in the program it goes by the name
//! without `.age`. [`Vault`] holds the key, `workspace::sealed` reads and writes the files, and [`view`] keeps them
//! searchable in an index that is never written. Nothing of them goes to the index on the disk, to a journal or log, or
//! to a provider, and only whoever comes through the owner's door sees them.

mod change;
mod rekey;
mod view;

pub use change::Moved;
pub use mindfile_trust::place::is_private;
pub(crate) use mindfile_trust::place::{PRIVATE as FOLDER, PRIVATE_UNTRUSTED as UNTRUSTED};
pub use mindfile_trust::vault::{KeyError, KeyLock, KeySource, Keys, Vault};
pub use rekey::{OldKeys, Protect, Rekeyed};
pub use view::Closed;
pub(crate) use view::{Sight, View, beside};

use crate::age;
use crate::config::Encryption;
use crate::fault::Fault;

/// The vault that the settings name.
pub(crate) fn vault(settings: &Encryption) -> Vault {
    let source = match settings.key_command.clone() {
        Some(words) => KeySource::Command(words),
        None => KeySource::File(settings.key_file.clone()),
    };
    Vault::new(source, settings.passphrase.clone())
}

/// Who has to act before a private note can be read or written.
pub(crate) fn key_fault(error: &KeyError) -> Fault {
    match error {
        KeyError::Sealed { .. }
        | KeyError::NotPrivate { .. }
        | KeyError::NoPlace
        | KeyError::LongNote { .. } => Fault::Caller,
        KeyError::Missing { .. }
        | KeyError::Locked { .. }
        | KeyError::Unusable { .. }
        | KeyError::Command { .. }
        | KeyError::NotOurs { .. }
        | KeyError::Io { .. }
        | KeyError::Closed { .. }
        | KeyError::NoRandomness { .. } => Fault::Environment,
    }
}

/// What to do about a key.
pub(crate) fn key_hint(error: &KeyError) -> Option<String> {
    match error {
        KeyError::Missing { .. } => Some(
            "put the key back from its copy, or name it with encryption.keyFile; everything else works without it"
                .to_owned(),
        ),
        KeyError::Locked { .. } => Some("set MINDFILE_PASSPHRASE, or run it in a terminal".to_owned()),
        KeyError::Unusable { source: age::Error::WrongPassphrase, .. } => {
            Some("check MINDFILE_PASSPHRASE".to_owned())
        }
        KeyError::Unusable { .. } => Some("a key file has a line AGE-SECRET-KEY-1…".to_owned()),
        KeyError::Command { .. } => {
            Some("run the command of encryption.keyCommand by hand to see what it says".to_owned())
        }
        KeyError::NotOurs { .. } => {
            Some("keep the key in a file (encryption.keyFile) while it is changed".to_owned())
        }
        KeyError::Closed { source: age::Error::OtherKey, .. } => {
            Some("it was encrypted for another key: put that one into the key file, too".to_owned())
        }
        KeyError::Closed { .. } => Some("restore the file from a backup".to_owned()),
        KeyError::Sealed { .. } => Some("only its owner reads it: mindfile get in a terminal".to_owned()),
        KeyError::NotPrivate { .. } => Some("private notes are those in memory/private/".to_owned()),
        KeyError::NoPlace => Some("mindfile init makes a workspace of it".to_owned()),
        KeyError::LongNote { .. } => Some("split it first".to_owned()),
        KeyError::Io { .. } | KeyError::NoRandomness { .. } => None,
    }
}
