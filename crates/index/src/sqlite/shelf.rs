//! The tables of a shelf: chunks and facts are stored, ranked and checked by the same code.

use crate::record::Shelf;

/// Names of tables and columns where the shelves differ. The row number is `rowid` in both.
pub(super) struct Tables {
    pub(super) rows: &'static str,
    /// The column with the row's place, text and context as one digest.
    pub(super) id: &'static str,
    pub(super) text: &'static str,
    pub(super) fts: &'static str,
    pub(super) vocab: &'static str,
    pub(super) columns: &'static str,
    pub(super) codes: &'static str,
    pub(super) terms: &'static str,
    /// What one row is called.
    pub(super) one: &'static str,
}

const CHUNKS: Tables = Tables {
    rows: "chunks",
    id: "id",
    text: "text",
    fts: "chunks_fts",
    vocab: "chunks_vocab",
    columns: "chunks_columns",
    codes: "chunks_vec",
    terms: "terms",
    one: "chunk",
};

const FACTS: Tables = Tables {
    rows: "facts",
    id: "place",
    text: "content",
    fts: "facts_fts",
    vocab: "facts_vocab",
    columns: "facts_columns",
    codes: "facts_vec",
    terms: "facts_terms",
    one: "fact",
};

pub(super) fn tables(shelf: Shelf) -> &'static Tables {
    match shelf {
        Shelf::Chunks => &CHUNKS,
        Shelf::Facts => &FACTS,
    }
}
