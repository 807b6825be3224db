//! Private notes: what stands in `memory/private/` is encrypted on the disk, and decrypted in memory alone.
//!
//! A private note is a file that age opens (`memory/private/NAME.md.age`); everywhere in the program it goes by the name
//! without `.age`. [`Vault`] holds the key, `workspace::sealed` reads and writes the files, and [`view`] keeps them
//! searchable in an index that is never written. Nothing of them goes to the index on the disk, to a journal or log, or
//! to a provider, and only whoever comes through the owner's door sees them.

mod change;
mod rekey;
mod vault;
mod view;

pub use change::Moved;
pub use rekey::{OldKeys, Protect, Rekeyed};
pub use vault::{KeyError, Keys, Lock, Vault};
pub use view::Closed;
pub(crate) use view::{Sight, View, beside};

/// The folder of private notes.
pub const FOLDER: &str = "memory/private";
/// Where what nobody trusts is kept among them.
pub(crate) const UNTRUSTED: &str = "memory/private/untrusted/";

/// Whether a note, by its path in the workspace, is one that must not stand on the disk in clear. A file system may
/// ignore case.
#[expect(clippy::module_name_repetitions, reason = "what is asked of a path is asked in one word")]
pub fn is_private(path: &str) -> bool {
    let mut parts = path.split('/');
    let is = |part: Option<&str>, name: &str| part.is_some_and(|part| part.eq_ignore_ascii_case(name));
    is(parts.next(), "memory") && is(parts.next(), "private") && parts.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_the_private_folder_is_private() {
        for (path, expected) in [
            ("memory/private/a.md", true),
            ("memory/private/deep/a.md", true),
            ("memory/Private/a.md", true),
            ("memory/private.md", false),
            ("memory/privately/a.md", false),
            ("bank/private/a.md", false),
            ("memory/a/private/a.md", false),
        ] {
            assert_eq!(is_private(path), expected, "{path}");
        }
    }
}
