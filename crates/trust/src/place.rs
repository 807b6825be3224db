//! Paths in a workspace that say something about the notes there: that they are private, or that nobody trusts them.

/// The folder of private notes.
pub const PRIVATE: &str = "memory/private";
/// Everything in this folder is untrusted unless it was raised: what comes through a door that nobody trusts is kept
/// here, away from the owner's lines.
pub const UNTRUSTED: &str = "memory/untrusted/";
/// The same in a folder of plain notes, which a folder `memory` would make a workspace of which they are no part.
pub const BESIDE: &str = "untrusted/";
/// The same among private notes.
pub const PRIVATE_UNTRUSTED: &str = "memory/private/untrusted/";

/// Whether a note, by its path in the workspace, is one that must not stand on the disk in clear. A file system may
/// ignore case.
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
