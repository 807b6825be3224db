//! Heads name the versions of the tables that belong together. Each generation is a small object with the next number; the
//! writer who creates it first has committed, and until then nothing of its batch is visible. Versions beyond those that the
//! last head names were left by writers that did not commit.

use std::collections::BTreeMap;

use lance_core::Error as LanceError;
use mindfile_index::{Error, Shelf};
use serde::{Deserialize, Serialize};

use crate::codec::floor;
use crate::error::Place;
use crate::objects::Objects;

/// The format of the tables and of heads.
pub(crate) const VERSION: u32 = 2;
/// The folder of heads.
pub(crate) const FOLDER: &str = "head";
/// How many heads to keep before the last: a reader may have just listed their names.
const KEPT: u64 = 4;

/// A type with serde is a format: see FORMAT.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Head {
    pub(crate) lancedb: u32,
    /// The head's number.
    pub(crate) commit: u64,
    /// The batch's key: a writer that got no answer looks for its own.
    pub(crate) key: String,
    /// The folder of the tables in use.
    pub(crate) part: String,
    /// The folder of those being made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) aside: Option<String>,
    pub(crate) parts: BTreeMap<String, Part>,
}

/// One set of tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Part {
    pub(crate) generation: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dims: Option<usize>,
    /// The last numbers given to a chunk and to a fact.
    pub(crate) last: [i64; 2],
    pub(crate) last_note: i64,
    /// Rows of the table of words after the last compaction.
    pub(crate) merged: u64,
    /// The version of each table that has rows.
    pub(crate) tables: BTreeMap<String, u64>,
}

impl Part {
    pub(crate) fn empty(generation: u64) -> Self {
        let last = Shelf::ALL.map(floor);
        Self { generation, dims: None, last, last_note: 0, merged: 0, tables: BTreeMap::new() }
    }

    /// The number of a new note.
    pub(crate) fn next_note(&mut self) -> i64 {
        self.last_note += 1;
        self.last_note
    }
}

/// A head of which only the format is read.
#[derive(Deserialize)]
struct Format {
    lancedb: u32,
}

impl Head {
    /// A head with one empty part, whose generation is numbered like heads, so that it is higher than any before.
    pub(crate) fn after(commit: u64, part: String, key: String) -> Self {
        let parts = BTreeMap::from([(part.clone(), Part::empty(commit))]);
        Self { lancedb: VERSION, commit: commit + 1, key, part, aside: None, parts }
    }

    fn name(commit: u64) -> String {
        format!("{FOLDER}/{commit:020}.json")
    }

    pub(crate) fn parse(bytes: &[u8], place: &Place) -> Result<Self, Error> {
        let odd = |error: serde_json::Error| place.damaged(format!("its head cannot be read: {error}"));
        let format: Format = serde_json::from_slice(bytes).map_err(odd)?;
        if format.lancedb > VERSION {
            let found = format.lancedb;
            return Err(place.unusable(
                format!(
                    "its tables were made by a newer mindfile (version {found}, this one knows {VERSION})"
                ),
                "update mindfile on this host, or name another place with memory.lancedb.uri",
            ));
        }
        if format.lancedb < VERSION {
            let path = place.text.clone().into();
            let found = i64::from(format.lancedb);
            return Err(Error::Version { path, found, known: i64::from(VERSION) });
        }
        serde_json::from_slice(bytes).map_err(odd)
    }

    pub(crate) fn bytes(&self, place: &Place) -> Result<Vec<u8>, Error> {
        serde_json::to_vec(self).map_err(|error| place.engine(error.to_string()))
    }
}

/// The numbers of existing heads, ascending.
pub(crate) async fn numbers(objects: &Objects) -> Result<Vec<u64>, LanceError> {
    let names = objects.list(FOLDER).await?;
    let mut all: Vec<u64> =
        names.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect();
    all.sort_unstable();
    Ok(all)
}

/// The last head with its number; `None` if there is no index.
pub(crate) async fn newest(objects: &Objects) -> Result<Option<(u64, Vec<u8>)>, LanceError> {
    loop {
        let Some(last) = numbers(objects).await?.pop() else { return Ok(None) };
        // Another writer may have removed it since.
        if let Some(bytes) = objects.read(&Head::name(last)).await? {
            return Ok(Some((last, bytes)));
        }
    }
}

/// Creates a head; returns whether it is now the current one.
pub(crate) async fn commit(
    objects: &Objects,
    commit: u64,
    key: &str,
    bytes: Vec<u8>,
) -> Result<bool, LanceError> {
    let name = Head::name(commit);
    let result = objects.create(&name, bytes).await;
    if matches!(result, Ok(true)) {
        return result;
    }
    // A request that was sent twice is refused the second time, and an answer may have been lost.
    match objects.read(&name).await {
        Ok(Some(bytes)) => Ok(String::from_utf8_lossy(&bytes).contains(key)),
        Ok(None) | Err(_) => result,
    }
}

/// Removes old heads.
pub(crate) async fn tidy(objects: &Objects, commit: u64, kept: u64) -> Result<(), LanceError> {
    for old in numbers(objects).await?.into_iter().filter(|old| old + kept < commit) {
        objects.delete(&Head::name(old)).await?;
    }
    Ok(())
}

pub(crate) async fn tidy_usually(objects: &Objects, commit: u64) -> Result<(), LanceError> {
    tidy(objects, commit, KEPT).await
}
