//! The tables of a shelf: chunks and facts are stored, ranked and checked by the same code.

use crate::record::Shelf;

/// Names of tables and columns where the shelves differ. The row number is `rowid` in both.
pub(super) struct Tables {
    pub(super) rows: &'static str,
    /// The column with the row's place, text and context as one digest.
    pub(super) id: &'static str,
    pub(super) fts: &'static str,
    pub(super) columns: &'static str,
    pub(super) codes: &'static str,
    pub(super) terms: &'static str,
    /// Reads one row by its number.
    pub(super) select: &'static str,
    pub(super) insert: &'static str,
    /// Reads where a term occurs.
    pub(super) find: &'static str,
    /// Reads where every term occurs, ordered by term and row.
    pub(super) find_all: &'static str,
    /// What one row is called.
    pub(super) one: &'static str,
}

/// The columns that both shelves have, under the names that differ.
macro_rules! columns {
    ($id:literal, $text:literal) => {
        concat!(
            $id,
            ", path, source, start_line, end_line, hash, model, day, embedding, tokens, context, ",
            $text,
            ", origin, sum"
        )
    };
}

const CHUNKS: Tables = Tables {
    rows: "chunks",
    id: "id",
    fts: "chunks_fts",
    columns: "chunks_columns",
    codes: "chunks_vec",
    terms: "terms",
    select: concat!("SELECT ", columns!("id", "text"), " FROM chunks WHERE rowid = ?1"),
    insert: concat!(
        "INSERT INTO chunks (doc, ",
        columns!("id", "text"),
        ", updated_at) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)"
    ),
    find: "SELECT postings(chunks_fts) FROM chunks_fts WHERE chunks_fts MATCH ?1 LIMIT 1",
    find_all: "SELECT term, doc FROM chunks_vocab",
    one: "chunk",
};

const FACTS: Tables = Tables {
    rows: "facts",
    id: "place",
    fts: "facts_fts",
    columns: "facts_columns",
    codes: "facts_vec",
    terms: "facts_terms",
    select: concat!(
        "SELECT ",
        columns!("place", "content"),
        ", fact_id, kind, salience, confidence, key, entities, line, said_sum FROM facts WHERE rowid = ?1"
    ),
    insert: concat!(
        "INSERT INTO facts (id, ",
        columns!("place", "content"),
        ", updated_at, fact_id, kind, salience, confidence, key, entities, line, said_sum, agent_id, created_at,
         access_count, last_accessed_at)
         VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,
         datetime(coalesce(?26, date(86400 * ?27, 'unixepoch'))),
         coalesce((SELECT u.access_count FROM fact_uses u WHERE u.fact_id = ?17), 0),
         (SELECT u.last_accessed_at FROM fact_uses u WHERE u.fact_id = ?17))"
    ),
    find: "SELECT postings(facts_fts) FROM facts_fts WHERE facts_fts MATCH ?1 LIMIT 1",
    find_all: "SELECT term, doc FROM facts_vocab",
    one: "fact",
};

pub(super) fn tables(shelf: Shelf) -> &'static Tables {
    match shelf {
        Shelf::Chunks => &CHUNKS,
        Shelf::Facts => &FACTS,
    }
}
