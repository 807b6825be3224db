//! The idle connections of an index. The one used last is taken first: its page cache holds what it read and wrote, while any
//! other has to read again what a write has changed.

use std::path::Path;
use std::sync::Mutex;

use rusqlite::Connection;

use super::sql::Fault;
use super::{WARM_KIB, cache, connect, lock};
use crate::Error;

pub(super) struct Pool {
    free: Mutex<Vec<Connection>>,
    /// Locked by the writer.
    turn: Mutex<()>,
}

impl Pool {
    pub(super) fn of(first: Connection) -> Self {
        Self { free: Mutex::new(vec![first]), turn: Mutex::default() }
    }

    pub(super) fn take(&self, path: &Path) -> Result<Connection, Error> {
        let free = lock(&self.free).pop();
        free.map_or_else(|| connect(path), Ok)
    }

    pub(super) fn give_back(&self, connection: Connection) {
        lock(&self.free).push(connection);
    }

    /// Lets `work` write while no other thread does.
    pub(super) fn write<T>(
        &self,
        path: &Path,
        work: impl FnOnce(&mut Connection) -> Result<T, Fault>,
    ) -> Result<T, Error> {
        let turn = lock(&self.turn);
        let mut connection = self.take(path)?;
        let done = cache(&connection, WARM_KIB).map_err(Fault::from).and_then(|()| work(&mut connection));
        // A transaction that could not even be rolled back ends with its connection.
        if connection.is_autocommit() {
            self.give_back(connection);
        }
        drop(turn);
        done.map_err(|fault| fault.at(path))
    }
}
