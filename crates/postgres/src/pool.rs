//! A bounded pool of connections, opened on demand.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mindfile_index::Error;
use postgres::types::{ToSql, Type};
use postgres::{Client, Row, SimpleQueryMessage, SimpleQueryRow, Statement};

use crate::error::{StepError, unavailable, unusable};
use crate::options::Target;
use crate::tls::Tls;
use crate::value::{Value, literal, quoted};

pub(crate) type Params<'a> = &'a [&'a dyn Value];

/// Parameters that begin with the agent and the part.
pub(crate) fn with_own<'v>(
    agent: &'v dyn Value,
    part: &'v dyn Value,
    more: Params<'v>,
) -> Vec<&'v dyn Value> {
    [agent, part].into_iter().chain(more.iter().copied()).collect()
}

/// How many timeouts to wait for another writer of the same agent.
const LOCK_PATIENCE: u128 = 6;

pub(crate) struct Pool {
    target: Target,
    tls: Tls,
    schema: String,
    most: usize,
    timeout: Duration,
    state: Mutex<Connections>,
    returned: Condvar,
}

#[derive(Default)]
struct Connections {
    idle: Vec<Connection>,
    open: usize,
}

/// A connection with its prepared statements.
pub(crate) struct Connection {
    client: Client,
    statements: HashMap<String, Usage>,
}

/// How a statement was used so far.
enum Usage {
    Asked(u32),
    Prepared(Statement),
}

/// After so many uses, preparing a statement is worth a round trip of its own.
const WORTH_PREPARING: u32 = 6;
/// How many statements to remember: they differ by the days of a filter, so their number has no natural limit.
const MOST_KNOWN: usize = 512;

impl Connection {
    /// The prepared statement, if it is used often enough.
    fn prepared(&mut self, sql: &str) -> Result<Option<Statement>, StepError> {
        let asked = match self.statements.get_mut(sql) {
            Some(Usage::Prepared(statement)) => return Ok(Some(statement.clone())),
            Some(Usage::Asked(times)) => {
                *times += 1;
                *times
            }
            None => {
                self.statements.insert(sql.to_owned(), Usage::Asked(1));
                1
            }
        };
        if asked < WORTH_PREPARING {
            return Ok(None);
        }
        if self.statements.len() > MOST_KNOWN {
            self.statements.clear();
        }
        let made = self.client.prepare(sql)?;
        self.statements.insert(sql.to_owned(), Usage::Prepared(made.clone()));
        Ok(Some(made))
    }

    pub(crate) fn rows(&mut self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, StepError> {
        let rows = match self.prepared(sql)? {
            Some(statement) => self.client.query(&statement, &plain(params)),
            None => self.client.query_typed(sql, &typed(params)),
        };
        Ok(rows?)
    }

    pub(crate) fn row(&mut self, sql: &str, params: Params<'_>) -> Result<Option<Row>, StepError> {
        Ok(self.rows(sql, params)?.into_iter().next())
    }

    pub(crate) fn run(&mut self, sql: &str, params: Params<'_>) -> Result<u64, StepError> {
        let count = match self.prepared(sql)? {
            Some(statement) => self.client.execute(&statement, &plain(params)),
            None => self.client.execute_typed(sql, &typed(params)),
        };
        Ok(count?)
    }

    /// Runs statements without parameters and results, such as `BEGIN`.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), StepError> {
        Ok(self.client.batch_execute(sql)?)
    }

    /// Runs several statements without parameters in one round trip and returns the rows of each.
    pub(crate) fn several(&mut self, sql: &str) -> Result<Vec<Vec<SimpleQueryRow>>, StepError> {
        let mut all = Vec::new();
        let mut rows = Vec::new();
        for message in self.client.simple_query(sql)? {
            match message {
                SimpleQueryMessage::Row(row) => rows.push(row),
                SimpleQueryMessage::CommandComplete(_) => all.push(std::mem::take(&mut rows)),
                // Column descriptions, and variants that the library may add.
                SimpleQueryMessage::RowDescription(_) | _ => {}
            }
        }
        Ok(all)
    }
}

fn plain<'a>(params: &[&'a dyn Value]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|value| *value as &(dyn ToSql + Sync)).collect()
}

fn typed<'a>(params: &[&'a dyn Value]) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
    params.iter().map(|value| (*value as &(dyn ToSql + Sync), value.kind())).collect()
}

impl Pool {
    pub(crate) fn new(target: Target, schema: &str, most: usize, timeout: Duration) -> Result<Self, Error> {
        let read = |error: std::io::Error| {
            unusable("memory.postgres.caFile", &error.to_string(), "name a PEM file with certificates")
        };
        let tls = Tls::new(target.ca_file.as_deref()).map_err(read)?;
        let schema = schema.to_owned();
        let state = Mutex::default();
        let returned = Condvar::new();
        Ok(Self { target, tls, schema, most, timeout, state, returned })
    }

    pub(crate) fn place(&self) -> &str {
        &self.target.place
    }

    /// Takes a connection, and waits for one if all are in use.
    pub(crate) fn take(&self) -> Result<Lease<'_>, Error> {
        let until = Instant::now() + self.timeout;
        let mut state = self.lock();
        loop {
            if let Some(connection) = state.idle.pop() {
                if connection.client.is_closed() {
                    state.open -= 1;
                    continue;
                }
                return Ok(Lease { pool: self, connection: Some(connection) });
            }
            if state.open < self.most {
                state.open += 1;
                drop(state);
                return self.open();
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let why = format!("all {} connections were in use for {:?}", self.most, self.timeout);
                return Err(unavailable(self.place(), why));
            }
            state = self.returned.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn open(&self) -> Result<Lease<'_>, Error> {
        match self.connect() {
            Ok(connection) => Ok(Lease { pool: self, connection: Some(connection) }),
            Err(error) => {
                self.lock().open -= 1;
                self.returned.notify_one();
                Err(error.at(self.place()))
            }
        }
    }

    fn connect(&self) -> Result<Connection, StepError> {
        let client = self.target.config.connect(self.tls.clone())?;
        let mut connection = Connection { client, statements: HashMap::new() };
        connection.several(&self.greeting())?;
        Ok(connection)
    }

    /// The settings of every connection. pgvector may be installed in any schema, so the search path names it.
    fn greeting(&self) -> String {
        format!(
            "SELECT set_config('search_path', {schema} || coalesce((SELECT ', ' || quote_ident(n.nspname)
               FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'), ''), false),
             set_config('client_min_messages', 'error', false), set_config('lock_timeout', '{patience}', false),
             set_config('standard_conforming_strings', 'on', false), set_config('jit', 'off', false),
             set_config('idle_in_transaction_session_timeout', '10min', false)",
            schema = literal(&quoted(&self.schema)),
            patience = self.timeout.as_millis().max(1) * LOCK_PATIENCE,
        )
    }

    /// Drops idle connections, which are useless after the server restarted.
    pub(crate) fn forget_idle(&self) {
        let mut state = self.lock();
        let gone = state.idle.len();
        state.idle.clear();
        state.open -= gone;
        self.returned.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Connections> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that returns to the pool when it is dropped.
pub(crate) struct Lease<'a> {
    pool: &'a Pool,
    connection: Option<Connection>,
}

impl Lease<'_> {
    /// Closes the connection, whose state is unknown, instead of returning it.
    pub(crate) fn spoil(mut self) {
        self.connection = None;
    }
}

impl Deref for Lease<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match &self.connection {
            Some(connection) => connection,
            None => unreachable!("a connection is there until it goes back"),
        }
    }
}

impl DerefMut for Lease<'_> {
    fn deref_mut(&mut self) -> &mut Connection {
        match &mut self.connection {
            Some(connection) => connection,
            None => unreachable!("a connection is there until it goes back"),
        }
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        match self.connection.take().filter(|connection| !connection.client.is_closed()) {
            Some(connection) => state.idle.push(connection),
            None => state.open -= 1,
        }
        self.pool.returned.notify_one();
    }
}
