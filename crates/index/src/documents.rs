//! The list of documents that hosts made for QMD read for themselves, in a database where QMD keeps its own: OpenClaw up
//! to 2026.7 asks it which file a result is and how many there are, and may put tables of its own beside the list. Only
//! the list is ours there; a database that QMD filled is left as it is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mindfile_note::hash::Digest;
use rusqlite::{Connection, TransactionBehavior};

use crate::Error;

const PATIENCE: Duration = Duration::from_secs(5);
const TABLE: &str = "CREATE TABLE IF NOT EXISTS documents (
    collection TEXT NOT NULL,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    active INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (collection, path)
);
CREATE INDEX IF NOT EXISTS documents_hash ON documents (hash);";
/// A column that QMD's own table has and ours has not.
const IS_OF_QMD: &str = "SELECT count(*) > 0 FROM pragma_table_info('documents') WHERE name = 'title'";

/// A file, by the collection that it belongs to and its path there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Document {
    pub collection: String,
    pub path: String,
}

impl Document {
    /// What the document goes by. It depends on the place and not on the text: two files that say the same are two, and a
    /// result can still be looked up after the file was edited.
    pub fn id(&self) -> Digest {
        Digest::of(format!("{}\0{}", self.collection, self.path).as_bytes())
    }
}

#[derive(Debug)]
pub struct Documents {
    db: Connection,
    path: PathBuf,
}

impl Documents {
    /// Opens the list, or makes it. None where the database is QMD's own.
    pub fn open(path: &Path) -> Result<Option<Self>, Error> {
        let connect = || {
            let db = Connection::open(path)?;
            db.busy_timeout(PATIENCE)?;
            if db.query_row(IS_OF_QMD, [], |row| row.get(0))? {
                return Ok(None);
            }
            db.execute_batch(TABLE)?;
            Ok(Some(Self { db, path: path.to_owned() }))
        };
        connect().map_err(|source| Error::Sqlite { path: path.to_owned(), source })
    }

    /// Makes the list be `documents`.
    pub fn replace(&mut self, documents: &BTreeSet<Document>) -> Result<(), Error> {
        self.change(documents, true)
    }

    /// Puts `documents` on the list.
    pub fn add(&mut self, documents: &BTreeSet<Document>) -> Result<(), Error> {
        self.change(documents, false)
    }

    fn change(&mut self, wanted: &BTreeSet<Document>, is_whole: bool) -> Result<(), Error> {
        let known = self.list()?;
        let gone: Vec<&Document> = known.difference(wanted).filter(|_| is_whole).collect();
        let new: Vec<&Document> = wanted.difference(&known).collect();
        if gone.is_empty() && new.is_empty() {
            return Ok(());
        }
        write(&mut self.db, &gone, &new).map_err(|source| Error::Sqlite { path: self.path.clone(), source })
    }

    pub fn list(&self) -> Result<BTreeSet<Document>, Error> {
        let read = || {
            let mut rows = self.db.prepare("SELECT collection, path FROM documents")?;
            let rows =
                rows.query_map([], |row| Ok(Document { collection: row.get(0)?, path: row.get(1)? }))?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|source| Error::Sqlite { path: self.path.clone(), source })
    }
}

fn write(db: &mut Connection, gone: &[&Document], new: &[&Document]) -> rusqlite::Result<()> {
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut delete = change.prepare("DELETE FROM documents WHERE collection = ? AND path = ?")?;
        for one in gone {
            delete.execute((&one.collection, &one.path))?;
        }
        // Another process may have put it there since the list was read.
        let mut insert =
            change.prepare("INSERT OR IGNORE INTO documents (collection, path, hash) VALUES (?, ?, ?)")?;
        for one in new {
            insert.execute((&one.collection, &one.path, one.id().to_string()))?;
        }
    }
    change.commit()
}
