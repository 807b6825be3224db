//! Keeps tables fast: each batch adds small files, deleted rows stay in theirs, and a word has a row for each batch. From time
//! to time this compacts them, as new versions that a head names like any other.

use std::collections::BTreeMap;

use lancedb::Connection;
use lancedb::table::{AddDataMode, CompactionOptions, Duration, OptimizeAction};
use mindfile_index::{Doc, Error, Shelf};

use crate::LanceIndex;
use crate::codec::NUMBERS;
use crate::flush::TableWriter;
use crate::head::Part;
use crate::open;
use crate::read::{Question, Reader};
use crate::store::Store;
use crate::tables::{self, Table};
use crate::terms::put_together;

/// How many rows of words to compact in one step.
const STEP: u64 = 200_000;
/// Compacting fewer new rows than this is not worth it.
const FEW: u64 = 1_000;
/// How long old versions stay for their readers.
const KEPT_MINUTES: i64 = 10;

/// The caller holds the lock.
pub(crate) fn tend(index: &LanceIndex) -> Result<(), Error> {
    let head = index.store.head()?;
    let reader = index.reader_of(&head)?;
    let Some(part) = put_in_order(&reader, false)? else { return Ok(()) };
    let folder = reader.view.folder.clone();
    let changed = part != reader.view.part;
    let mut next = open::next(&index.store, &head)?;
    next.parts.insert(folder.clone(), part.clone());
    if changed && !index.store.commit(&next)? {
        return Ok(());
    }
    prune(&index.store, &folder, &part, Duration::minutes(KEPT_MINUTES), false)
}

/// Compacts the tables of a part for which it is worth it, or all; `None` if another writer interfered.
pub(crate) fn put_in_order(reader: &Reader, all: bool) -> Result<Option<Part>, Error> {
    let mut part = reader.view.part.clone();
    let words = reader.count(Table::Terms)?;
    if words > 0 && (all || words > 2 * part.merged + FEW) {
        let Some((version, rows)) = merge(reader, words)? else { return Ok(None) };
        part.tables.insert(Table::Terms.name().to_owned(), version);
        part.merged = rows;
    }
    let connection = reader.store.part(&reader.view.folder)?;
    for table in Table::ALL {
        let Some(version) = part.tables.get(table.name()).copied() else { continue };
        let connection = connection.clone();
        let compacted = reader.store.writing(async move { compact(connection, table, version).await })?;
        let Some(version) = compacted else { return Ok(None) };
        part.tables.insert(table.name().to_owned(), version);
    }
    Ok(Some(part))
}

/// Merges a table's files and drops deleted rows.
async fn compact(connection: Connection, table: Table, version: u64) -> lancedb::Result<Option<u64>> {
    let TableWriter { table: open, at } = TableWriter::open(&connection, table, version).await?;
    let before = open.count_rows(None).await?;
    let options = CompactionOptions {
        materialize_deletions: true,
        materialize_deletions_threshold: 0.0,
        ..CompactionOptions::default()
    };
    open.optimize(OptimizeAction::Compact { options, remap_options: None }).await?;
    // The library plans the files first and then writes them.
    let version = open.version().await?;
    let after = open.count_rows(None).await?;
    Ok((version <= at + 2 && after == before).then_some(version))
}

/// Merges the rows of each word into one and leaves out deleted rows. Returns the version and the number of rows.
fn merge(reader: &Reader, words: u64) -> Result<Option<(u64, u64)>, Error> {
    let store = &reader.store;
    let Some(version) = reader.view.version(Table::Terms) else { return Ok(None) };
    let connection = store.part(&reader.view.folder)?;
    let open = async move { TableWriter::open(&connection, Table::Terms, version).await };
    let mut writing = store.writing(open)?;
    let mut rows = 0;
    for (step, (from, to)) in ranges(words / STEP + 1).enumerate() {
        let batch = tables::words(&merged(reader, from, to)?);
        let batch = batch.map_err(|error| store.target.place.engine(error.to_string()))?;
        rows += batch.num_rows() as u64;
        let mode = if step == 0 { AddDataMode::Overwrite } else { AddDataMode::Append };
        let (back, alone) = store.writing(async move {
            let alone = writing.append(batch, mode).await?;
            Ok::<_, lancedb::Error>((writing, alone))
        })?;
        if !alone {
            return Ok(None);
        }
        writing = back;
    }
    Ok(Some((writing.at, rows)))
}

/// All numbers of words, in so many pieces.
fn ranges(pieces: u64) -> impl Iterator<Item = (i64, i64)> {
    let size = NUMBERS.cast_unsigned().div_ceil(pieces);
    let at = move |piece: u64| (size * piece).cast_signed().min(NUMBERS);
    (0..pieces).map(move |piece| (at(piece), at(piece + 1) - 1))
}

fn merged(reader: &Reader, from: i64, to: i64) -> Result<Vec<tables::WordRow>, Error> {
    let columns = ["shelf", "term", "docs", "counts"];
    let condition = Some(format!("number >= {from} AND number <= {to}"));
    let question = Question { condition, ..Question::all(Table::Terms, &columns) };
    let rows = reader.all(&question, tables::to_word)?;
    let mut all: BTreeMap<(Shelf, String), Vec<(u32, u32)>> = BTreeMap::new();
    for row in rows {
        let shelf = row.shelf;
        let listed = &reader.listed(row.shelf)?.columns;
        let doc = |number: u32| Doc::new(shelf, number);
        let places = row.docs.into_iter().zip(row.counts).map(|(number, count)| (doc(number), count));
        let mut live = places.filter(|(doc, _)| listed.position(*doc).is_some()).peekable();
        if live.peek().is_some() {
            all.entry((shelf, row.term)).or_default().extend(live.map(|(doc, count)| (doc.row, count)));
        }
    }
    Ok(put_together(all))
}

/// Removes versions that no head names and nobody reads. A version that a head names must be the last of its table.
pub(crate) fn prune(store: &Store, folder: &str, part: &Part, age: Duration, all: bool) -> Result<(), Error> {
    let connection = store.part(folder)?;
    for table in Table::ALL {
        let Some(version) = part.tables.get(table.name()).copied() else { continue };
        let connection = connection.clone();
        store.writing(async move {
            let open = connection.open_table(table.name()).execute().await?;
            open.checkout_latest().await?;
            if open.version().await? == version {
                let prune = OptimizeAction::Prune {
                    older_than: Some(age),
                    delete_unverified: Some(all),
                    error_if_tagged_old_versions: Some(false),
                };
                open.optimize(prune).await?;
            }
            Ok::<_, lancedb::Error>(())
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_every_number_once() {
        for pieces in [1, 2, 3, 7, 100] {
            let all: Vec<(i64, i64)> = ranges(pieces).collect();
            assert_eq!((all[0].0, all[all.len() - 1].1), (0, NUMBERS - 1), "{pieces}");
            assert!(all.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0), "{pieces}");
        }
    }
}
