//! What a snapshot is asked: questions are values, so that one method answers many of them and many things are asked at once.

/// Which notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteQuery<'a> {
    /// Every note, by path.
    All,
    /// Those of these paths that are known, by path.
    At(&'a [&'a str]),
}

/// Which rows of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowQuery {
    /// Every chunk and every fact.
    All,
    /// The chunks whose lines hold this one.
    ChunksAt(u32),
    /// The chunks that begin in the last line that one begins in.
    LastChunks,
}

/// Which facts. All but [`FactQuery::All`] and [`FactQuery::Sharing`] ask for several lists, one for each value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactQuery<'a> {
    /// Every fact, by path and line.
    All,
    /// The facts that go by an id, by path and line: more than one if lines were copied.
    Ids(&'a [&'a str]),
    /// The values of a key, current or not, by path and line.
    Keys(&'a [&'a str]),
    /// The facts that name an entity by any of its names, the last first.
    Naming(&'a [&'a str]),
    /// Facts that share terms with a text: those with all of its terms and those with some of its rarest, most in common
    /// first. Nothing is ranked and little is read, so that it can be asked before every write.
    Sharing(&'a [String]),
}

/// Which entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityQuery<'a> {
    /// Every entity that a fact names, by name.
    All,
    /// One entity for each name, in the order asked for: under the name in force, and with no facts where it is not known.
    Named(&'a [&'a str]),
}
