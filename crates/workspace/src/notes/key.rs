//! Whose fault a failure of the private notes' key is, and what to do about it.

use mindfile_fault::Fault;
use mindfile_trust::age;
use mindfile_trust::vault::KeyError;

/// Who has to act before a private note can be read or written.
pub fn key_fault(error: &KeyError) -> Fault {
    match error {
        KeyError::Sealed { .. }
        | KeyError::NotPrivate { .. }
        | KeyError::NoPlace
        | KeyError::LongNote { .. } => Fault::Caller,
        KeyError::Missing { .. }
        | KeyError::Exposed { .. }
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
pub fn key_hint(error: &KeyError) -> Option<String> {
    match error {
        KeyError::Missing { .. } => Some(
            "put the key back from its copy, or name it with encryption.keyFile; everything else works without it"
                .to_owned(),
        ),
        KeyError::Exposed { .. } => {
            Some("chmod 600 it; if somebody may have read it, change it with mindfile rekey".to_owned())
        }
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
