//! The index in one SQLite file, as a memory holds it.

use std::path::Path;

use super::rebuild::RebuildFile;
use super::{SqliteIndex, VectorEngine, about, inode, purge, sqlite_version, verify};
use crate::backend::{About, Backend, Opinion, PurgeOutcome, Rebuild};
use crate::{Error, Index};

impl Backend for SqliteIndex {
    fn engine(&self) -> &'static str {
        "sqlite"
    }

    fn version(&self) -> String {
        format!("SQLite {}", sqlite_version())
    }

    fn place(&self) -> String {
        self.file().map_or_else(|| "memory".to_owned(), |file| file.display().to_string())
    }

    fn file(&self) -> Option<&Path> {
        self.inode.is_some().then_some(&*self.path)
    }

    fn is_current(&self) -> bool {
        self.inode.is_none_or(|known| inode(&self.path).is_ok_and(|inode| inode == known))
    }

    fn without_meaning(&self) -> Option<String> {
        None
    }

    fn about(&self) -> Result<About, Error> {
        let connection = self.pool.take(&self.path)?;
        let about = about::about(&connection).map_err(|error| self.error(error));
        self.pool.give_back(connection);
        about
    }

    fn verify(&self) -> Result<(), Error> {
        verify::verify(self)
    }

    fn purge(&self) -> Result<PurgeOutcome, Error> {
        purge::purge(self)
    }

    /// A file is set aside instead, so that it can be looked at.
    fn reset(&self) -> Result<(), Error> {
        Err(Error::Moved { path: self.path.clone() })
    }

    fn rebuild(&self, wait: bool) -> Result<Option<Box<dyn Rebuild + '_>>, Error> {
        Ok(RebuildFile::of(self, wait)?.map(|aside| Box::new(aside) as Box<dyn Rebuild>))
    }

    fn second_opinion(&self) -> Result<Option<Opinion>, Error> {
        let (other, names) = match self.engine {
            VectorEngine::Scan => (VectorEngine::SqliteVec, ["the scan", "sqlite-vec"]),
            VectorEngine::SqliteVec => (VectorEngine::Scan, ["sqlite-vec", "the scan"]),
        };
        let index: Box<dyn Index> = Box::new(Self::open(&self.path, other)?);
        Ok(Some(Opinion { index, names }))
    }
}
