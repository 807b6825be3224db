//! Private notes: what stands in `memory/private/` is encrypted on the disk, and decrypted in memory alone.
//!
//! A private note is a file that age opens (`memory/private/NAME.md.age`); everywhere in the program it goes by the name
//! without `.age`. [`Vault`] holds the key, `workspace::sealed` reads and writes the files, and `private_rows` keeps them
//! searchable in an index that is never written. Nothing of them goes to the index on the disk, to a journal or log, or
//! to a provider, and only whoever comes through the owner's door sees them.

mod change;
mod rekey;

pub use crate::private_rows::Closed;
pub use change::{Moved, clear_private_notes, decrypt_note, encrypt_notes};
#[expect(clippy::module_name_repetitions, reason = "what is asked of a path is asked in one word")]
pub use mindfile_trust::place::is_private;
pub use mindfile_trust::place::{PRIVATE as FOLDER, PRIVATE_UNTRUSTED as UNTRUSTED};
pub use mindfile_trust::vault::{KeyError, KeyLock, KeySource, Keys, Vault};
pub use mindfile_workspace::{key_fault, key_hint};
pub use rekey::{OldKeys, Protect, Rekeyed, needs_passphrase, rekey, unlock};
