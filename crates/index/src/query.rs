//! The questions that a snapshot answers, as values: one method answers many kinds of question, and many of them at once.

/// Which notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteQuery<'a> {
    /// Every note, by path.
    All,
    /// The known notes among these paths, by path.
    At(&'a [&'a str]),
}

/// Which rows of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowQuery {
    /// Every chunk and every fact.
    All,
    /// The chunks that contain this line.
    ChunksAt(u32),
    /// The chunks with the last start line; several when one long line was split.
    LastChunks,
}

/// Which facts. `Ids`, `Keys` and `Naming` give one list for each value, the others a single list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactQuery<'a> {
    /// Every fact, by path and line.
    All,
    /// The facts with an id, by path and line. More than one if a line was copied.
    Ids(&'a [&'a str]),
    /// The facts with a key, current or not, by path and line.
    Keys(&'a [&'a str]),
    /// The facts that name an entity by any of its names, newest first.
    Naming(&'a [&'a str]),
    /// The facts that share terms with a text, most shared terms first. Reads only the lists of its rarest terms, so that it
    /// is cheap enough to ask before every write.
    Sharing(&'a [String]),
}

/// Which entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityQuery<'a> {
    /// Every entity that a fact names, by name.
    All,
    /// One entity for each name, in the order asked for: with its name in force, and with zero facts if it is unknown.
    Named(&'a [&'a str]),
}
