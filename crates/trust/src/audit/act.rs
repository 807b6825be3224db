//! What is logged.

mindfile_note::word_enum! {
    /// What was done.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Act {
        Retain = "retain",
        Edit = "edit",
        /// Of facts that do not agree, one was said to hold, or all of them.
        Settle = "settle",
        /// A whole note.
        Write = "write",
        Delete = "delete",
        Forget = "forget",
        /// An owner raised or lowered whose word a memory is.
        Trust = "trust",
        Reflect = "reflect",
        Undo = "undo",
        Rename = "rename",
        Merge = "merge",
        /// Turns of a conversation, or lines of a day's note.
        Append = "append",
        Compact = "compact",
        Import = "import",
        /// What the policy forbids was taken out of what is stored.
        Apply = "apply",
        Encrypt = "encrypt",
        Decrypt = "decrypt",
        Rekey = "rekey",
        /// Something sensitive was shown.
        Read = "read",
        /// The head was gone: how far the log went before cannot be told.
        Lost = "lost",
        /// A key was there and no log: an earlier one was taken away.
        Restart = "restart",
    }
}

mindfile_note::word_enum! {
    /// What it was done to.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum What {
        Fact = "fact",
        Note = "note",
        Session = "session",
        Entity = "entity",
        Query = "query",
        Policy = "policy",
        Log = "log",
        /// Of private notes.
        Key = "key",
    }
}
