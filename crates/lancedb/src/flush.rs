//! Writes changes of tables as new versions, which nobody sees before a head names them.

use arrow_array::RecordBatch;
use lancedb::table::{AddDataMode, NewColumnTransform};
use lancedb::{Connection, Table as Open};
use mindfile_index::{Batch, Error, Shelf};

use crate::codec::{self, among, number};
use crate::columns::vector_schema;
use crate::error::is_conflict;
use crate::head::Part;
use crate::read::{AT_ONCE, Reader};
use crate::rows::{self, WordedRow};
use crate::store::Store;
use crate::tables::{self, NumberedNote, Table};
use crate::terms;
use crate::write::Writer;

/// The changes to each table.
#[derive(Default)]
pub(crate) struct TableChanges(Vec<Change>);

#[derive(Clone)]
struct Change {
    table: Table,
    deleted: Vec<i64>,
    added: Option<RecordBatch>,
}

/// The result of writing changes.
pub(crate) enum FlushOutcome {
    Done(Part),
    /// Another writer changed a table meanwhile.
    Disturbed,
}

/// What a batch makes of the tables.
pub(crate) fn plan(reader: &Reader, batch: &Batch) -> Result<(Part, TableChanges), Error> {
    let mut writer = Writer::of(reader, batch)?;
    let changes = TableChanges::of(&mut writer)?;
    Ok((writer.part, changes))
}

impl TableChanges {
    fn of(writer: &mut Writer<'_>) -> Result<Self, Error> {
        let reader = writer.reader;
        let wrong = |error: lancedb::Error| reader.store.target.place.engine(error.to_string());
        let mut changes = Self::default();
        changes.notes(writer)?.map_err(wrong)?;
        let rows: Vec<WordedRow<'_>> = writer.rows.values().flatten().map(WordedRow::of).collect();
        for shelf in Shelf::ALL {
            changes.shelf(writer, shelf, &rows)?.map_err(wrong)?;
        }
        changes.words(writer, &rows)?.map_err(wrong)?;
        changes.values(writer)?.map_err(wrong)?;
        Ok(changes)
    }

    fn add(&mut self, table: Table, deleted: Vec<i64>, added: Option<RecordBatch>) {
        let added = added.filter(|batch| batch.num_rows() > 0);
        if !deleted.is_empty() || added.is_some() {
            self.0.push(Change { table, deleted, added });
        }
    }

    /// A new note gets the next number.
    fn notes(&mut self, writer: &mut Writer<'_>) -> Result<lancedb::Result<()>, Error> {
        let reader = writer.reader;
        let before = &reader.known_notes()?.0;
        let deleted = writer.notes.keys().filter_map(|path| Some(before.get(path)?.number)).collect();
        let mut rows = Vec::new();
        for (path, state) in &writer.notes {
            let Some(state) = state.clone() else { continue };
            let number = before.get(path).map_or_else(|| writer.part.next_note(), |known| known.number);
            rows.push(NumberedNote { number, state });
        }
        Ok(tables::notes(&rows).map(|batch| self.add(Table::Notes, deleted, Some(batch))))
    }

    /// With the first vector both shelves get a column for vectors.
    fn shelf(
        &mut self,
        writer: &Writer<'_>,
        shelf: Shelf,
        rows: &[WordedRow<'_>],
    ) -> Result<lancedb::Result<()>, Error> {
        let before = &writer.reader.listed(shelf)?.columns;
        let deleted = writer.rows.keys().filter(|doc| before.position(**doc).is_some());
        let deleted = deleted.map(|doc| codec::doc(*doc)).collect();
        let rows: Vec<&WordedRow<'_>> = rows.iter().filter(|one| one.row.chunk.doc.shelf == shelf).collect();
        let batch = rows::batch(shelf, writer.part.dims, &rows);
        let view = &writer.reader.view;
        let table = Table::of(shelf);
        Ok(batch.map(|batch| {
            if batch.num_rows() == 0 && view.version(table).is_some() && view.part.dims != writer.part.dims {
                self.0.push(Change { table, deleted, added: None });
            } else {
                self.add(table, deleted, Some(batch));
            }
        }))
    }

    /// A row that stays keeps its words.
    fn words(&mut self, writer: &Writer<'_>, rows: &[WordedRow<'_>]) -> Result<lancedb::Result<()>, Error> {
        let mut fresh = Vec::new();
        for one in rows {
            let doc = one.row.chunk.doc;
            if writer.reader.listed(doc.shelf)?.columns.position(doc).is_none() {
                fresh.push(one);
            }
        }
        let words = terms::collected(fresh.into_iter());
        Ok(tables::words(&words).map(|batch| self.add(Table::Terms, Vec::new(), Some(batch))))
    }

    fn values(&mut self, writer: &Writer<'_>) -> Result<lancedb::Result<()>, Error> {
        let known = writer.reader.metas()?;
        let deleted =
            writer.meta.keys().filter(|key| known.contains_key(*key)).map(|key| number(key)).collect();
        let meta: Vec<(&str, &str)> =
            writer.meta.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_deref()?))).collect();
        let uses: Vec<(&str, mindfile_index::Access)> =
            writer.uses.iter().filter_map(|(id, uses)| Some((id.as_str(), (*uses)?))).collect();
        let cache: Vec<&tables::CacheRow> = writer.cache.values().flatten().collect();
        let used = writer.uses.keys().map(|id| number(id)).collect();
        let cached = writer.cache.keys().map(tables::cache_number).collect();
        Ok(tables::meta(&meta).and_then(|meta| {
            self.add(Table::Meta, deleted, Some(meta));
            self.add(Table::Uses, used, Some(tables::uses(&uses)?));
            self.add(Table::Cache, cached, Some(tables::cache(&cache)?));
            Ok(())
        }))
    }

    /// Writes the new versions and returns the part that names them.
    pub(crate) fn flush(self, store: &Store, folder: &str, mut part: Part) -> Result<FlushOutcome, Error> {
        if self.0.is_empty() {
            return Ok(FlushOutcome::Done(part));
        }
        let connection = store.part(folder)?;
        for change in self.0 {
            let name = change.table.name();
            let at = part.tables.get(name).copied();
            let connection = connection.clone();
            let dims = part.dims;
            let version = store.writing(async move {
                match change.write(connection, at, dims).await {
                    Err(error) if is_conflict(&error) => Ok(None),
                    result => result,
                }
            })?;
            match version {
                Some(0) => {}
                Some(version) => {
                    part.tables.insert(name.to_owned(), version);
                }
                None => return Ok(FlushOutcome::Disturbed),
            }
        }
        Ok(FlushOutcome::Done(part))
    }
}

/// A table at the current version, and the last version that this writer made.
pub(crate) struct TableWriter {
    pub(crate) table: Open,
    pub(crate) at: u64,
}

impl TableWriter {
    /// Opens a table, and undoes what a writer left that did not commit.
    pub(crate) async fn open(connection: &Connection, table: Table, version: u64) -> lancedb::Result<Self> {
        let open = connection.open_table(table.name()).execute().await?;
        open.checkout_latest().await?;
        if open.version().await? != version {
            open.checkout(version).await?;
            open.restore().await?;
        }
        let at = open.version().await?;
        Ok(Self { table: open, at })
    }

    /// Whether the version is the one after ours, or ours.
    fn follows(&mut self, version: u64) -> bool {
        let follows = version <= self.at + 1;
        self.at = version;
        follows
    }

    async fn delete(&mut self, condition: &str) -> lancedb::Result<bool> {
        let deleted = self.table.delete(condition).await?;
        Ok(self.follows(deleted.version))
    }

    pub(crate) async fn append(&mut self, batch: RecordBatch, mode: AddDataMode) -> lancedb::Result<bool> {
        let added = self.table.add(batch).mode(mode).execute().await?;
        Ok(self.follows(added.version))
    }

    /// Adds the column for vectors if the table was made without.
    async fn widen(&mut self, dims: usize) -> lancedb::Result<bool> {
        if self.table.schema().await?.column_with_name("vector").is_some() {
            return Ok(true);
        }
        let column = NewColumnTransform::AllNulls(vector_schema(dims));
        let added = self.table.add_columns().transform(column).execute().await?;
        Ok(self.follows(added.version))
    }
}

impl Change {
    /// Writes the change and returns the new version; 0 if there was nothing to do, `None` if another writer interfered.
    async fn write(
        self,
        connection: Connection,
        at: Option<u64>,
        dims: Option<usize>,
    ) -> lancedb::Result<Option<u64>> {
        let Some(at) = at else { return self.create(connection).await };
        let mut writing = TableWriter::open(&connection, self.table, at).await?;
        let mut alone = true;
        if matches!(self.table, Table::Chunks | Table::Facts)
            && let Some(dims) = dims
        {
            alone &= writing.widen(dims).await?;
        }
        for numbers in self.deleted.chunks(AT_ONCE) {
            alone &= writing.delete(&among(self.table.key(), numbers)).await?;
        }
        if let Some(batch) = self.added {
            alone &= writing.append(batch, AddDataMode::Append).await?;
        }
        Ok(alone.then_some(writing.at))
    }

    /// Creates the table, or overwrites one that a writer left that did not commit.
    async fn create(self, connection: Connection) -> lancedb::Result<Option<u64>> {
        let Some(batch) = self.added else { return Ok(Some(0)) };
        let made = connection.create_table(self.table.name(), batch.clone()).execute().await;
        match made {
            Ok(table) => Ok(Some(table.version().await?)),
            Err(lancedb::Error::TableAlreadyExists { .. }) => {
                let table = connection.open_table(self.table.name()).execute().await?;
                let at = table.version().await?;
                let mut writing = TableWriter { table, at };
                let alone = writing.append(batch, AddDataMode::Overwrite).await?;
                Ok(alone.then_some(writing.at))
            }
            Err(error) => Err(error),
        }
    }
}
