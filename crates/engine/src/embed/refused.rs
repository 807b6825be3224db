//! Chunks that a provider will not embed: they are found by words alone, are not asked for again, and are named.

use mindfile_index::{Change, Doc, Embedding, Index, RowQuery, Snapshot, StoredChunk};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::report::Problem;

/// The key in the index's table `meta`.
const KEY: &str = "embedding_refused";
/// More than this are not listed: then it is not single texts that are at fault.
const MOST: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    path: String,
    from: u32,
    to: u32,
    why: String,
}

impl Refusal {
    pub(super) fn of(chunk: &StoredChunk, why: &str) -> Self {
        Self { path: chunk.path.clone(), from: chunk.start_line, to: chunk.end_line, why: why.to_owned() }
    }

    pub fn problem(&self) -> Problem {
        let Self { path, from, to, why } = self;
        let what =
            format!("lines {from} to {to} are found by words alone: the provider refused them ({why})");
        Problem { path: path.clone(), what }
    }

    /// Whether the chunk is still there and still without a vector.
    fn holds(&self, snapshot: &dyn Snapshot) -> Result<bool, mindfile_index::Error> {
        let rows = snapshot.rows_of(&self.path, RowQuery::ChunksAt(self.from))?;
        let docs: Vec<Doc> = rows.into_iter().map(|row| row.doc).collect();
        let chunks = snapshot.chunks(&docs)?;
        Ok(chunks.iter().any(|chunk| {
            (chunk.start_line, chunk.end_line) == (self.from, self.to) && chunk.embedding == Embedding::Blank
        }))
    }
}

/// A chunk of which only the beginning was embedded.
pub(super) fn cut(chunk: &StoredChunk, kept: usize) -> Problem {
    let what = format!(
        "lines {} to {} are longer than the model reads: only the first {kept} characters have a vector",
        chunk.start_line, chunk.end_line
    );
    Problem { path: chunk.path.clone(), what }
}

/// The refusals that are known and still hold.
pub fn listed(snapshot: &dyn Snapshot) -> Result<Vec<Refusal>, mindfile_index::Error> {
    let text = snapshot.meta(KEY)?;
    let all: Vec<Refusal> = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let mut listed = Vec::new();
    for refusal in all {
        if refusal.holds(snapshot)? {
            listed.push(refusal);
        }
    }
    Ok(listed)
}

/// The change that adds refusals to the list, if there are any.
pub(super) fn remember(index: &dyn Index, new: Vec<Refusal>) -> Result<Option<Change>, Error> {
    if new.is_empty() {
        return Ok(None);
    }
    let mut all = listed(&*index.snapshot()?)?;
    all.extend(new);
    let from = all.len().saturating_sub(MOST);
    let value = serde_json::to_string(&all[from..])
        .map_err(|source| Error::Bug { what: format!("refusals: {source}") })?;
    Ok(Some(Change::Meta { key: KEY.to_owned(), value }))
}
