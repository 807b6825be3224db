//! What is logged.

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    Retain,
    Edit,
    Delete,
    Forget,
    /// An owner raised or lowered whose word a memory is.
    Trust,
    Reflect,
    Undo,
    Rename,
    Merge,
    /// Turns of a conversation, or lines of a day's note.
    Append,
    Compact,
    Import,
    /// What the policy forbids was taken out of what is stored.
    Apply,
    Encrypt,
    Decrypt,
    Rekey,
    /// Something sensitive was shown.
    Read,
    /// The head was gone: how far the log went before cannot be told.
    Lost,
    /// A key was there and no log: an earlier one was taken away.
    Restart,
}

impl Act {
    pub const ALL: &[Self] = &[
        Self::Retain,
        Self::Edit,
        Self::Delete,
        Self::Forget,
        Self::Trust,
        Self::Reflect,
        Self::Undo,
        Self::Rename,
        Self::Merge,
        Self::Append,
        Self::Compact,
        Self::Import,
        Self::Apply,
        Self::Encrypt,
        Self::Decrypt,
        Self::Rekey,
        Self::Read,
        Self::Lost,
        Self::Restart,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retain => "retain",
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Forget => "forget",
            Self::Trust => "trust",
            Self::Reflect => "reflect",
            Self::Undo => "undo",
            Self::Rename => "rename",
            Self::Merge => "merge",
            Self::Append => "append",
            Self::Compact => "compact",
            Self::Import => "import",
            Self::Apply => "apply",
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
            Self::Rekey => "rekey",
            Self::Read => "read",
            Self::Lost => "lost",
            Self::Restart => "restart",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.as_str() == word)
    }
}

/// What it was done to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum What {
    Fact,
    Note,
    Session,
    Entity,
    Query,
    Policy,
    Log,
    /// Of private notes.
    Key,
}

impl What {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Note => "note",
            Self::Session => "session",
            Self::Entity => "entity",
            Self::Query => "query",
            Self::Policy => "policy",
            Self::Log => "log",
            Self::Key => "key",
        }
    }
}
