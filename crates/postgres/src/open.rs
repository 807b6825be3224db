//! Opens the index. Checks who made the tables before it writes the first row.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mindfile_index::{Error, Shelf};
use postgres::Row;

use crate::codec;
use crate::error::{StepError, engine, unusable};
use crate::moment::LastGeneration;
use crate::options::{Options, Target};
use crate::pool::{Connection, Pool};
use crate::rebuild::in_one;
use crate::schema::{self, LOCK, PARTITIONS, SchemaState, VERSION};
use crate::value::Vectors;
use crate::write::Part;
use crate::{PostgresIndex, Server};

impl PostgresIndex {
    /// Opens the agent's index and creates it if there is none.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let (pool, found) = Self::connect(options)?;
        let place = pool.place().to_owned();
        if found != SchemaState::Version(VERSION) {
            let mut db = pool.take()?;
            make(&mut db, &options.schema).map_err(|error| with_hint(error, &place, &options.schema))?;
            // This connection is older than the extension and does not have its schema in the search path.
            db.spoil();
        }
        let server = server(&mut *pool.take()?, &options.agent).map_err(|error| error.at(&place))?;
        let (server, is_known) = server.ok_or_else(|| engine(&place, "it has no partitions".to_owned()))?;
        if !is_known {
            enter(&mut *pool.take()?, &options.agent).map_err(|error| error.at(&place))?;
        }
        Ok(Self::ready(pool, server, options))
    }

    /// Opens the agent's index without creating anything; `None` if there is none.
    pub fn look(options: &Options) -> Result<Option<Self>, Error> {
        let (pool, found) = Self::connect(options)?;
        let place = pool.place().to_owned();
        match found {
            SchemaState::Nothing | SchemaState::Foreign | SchemaState::Closed => return Ok(None),
            SchemaState::Version(found) if found != VERSION => {
                return Err(Error::Version {
                    path: place.into(),
                    found: found.into(),
                    known: VERSION.into(),
                });
            }
            SchemaState::Version(_) => {}
        }
        let server = server(&mut *pool.take()?, &options.agent).map_err(|error| error.at(&place))?;
        let known = server.filter(|(_, is_known)| *is_known);
        Ok(known.map(|(server, _)| Self::ready(pool, server, options)))
    }

    fn connect(options: &Options) -> Result<(Pool, SchemaState), Error> {
        let pool = Pool::new(Target::of(options)?, &options.schema, options.pool, options.timeout)?;
        let place = pool.place().to_owned();
        let found = schema::look(&mut *pool.take()?, &options.schema).map_err(|error| error.at(&place))?;
        check(found, &place, &options.schema)?;
        Ok((pool, found))
    }

    fn ready(pool: Pool, server: Server, options: &Options) -> Self {
        let place = pool.place().to_owned();
        let agent = options.agent.clone();
        let part = Part::Current;
        let exact_up_to = options.exact_up_to;
        let warm = LastGeneration::default();
        let lost = AtomicBool::default();
        Self { pool: Arc::new(pool), agent, part, place, server, exact_up_to, warm, lost }
    }
}

/// Refuses tables that are not ours or that a newer program made.
fn check(found: SchemaState, place: &str, schema: &str) -> Result<(), Error> {
    match found {
        SchemaState::Foreign => Err(unusable(
            place,
            &format!("the schema \"{schema}\" has tables that mindfile did not make"),
            "name another schema: mindfile config set memory.postgres.schema NAME",
        )),
        SchemaState::Version(found) if found > VERSION => Err(unusable(
            place,
            &format!("its tables were made by a newer mindfile (version {found}, this one knows {VERSION})"),
            "update mindfile on this host, or name another schema with memory.postgres.schema",
        )),
        SchemaState::Closed => Err(unusable(
            place,
            &format!("permission denied for schema \"{schema}\""),
            &format!("its owner admits a role with: SELECT {schema}.admit('ROLE', 'AGENT')"),
        )),
        SchemaState::Nothing | SchemaState::Version(_) => Ok(()),
    }
}

/// Creates or migrates the tables. One host does it while the others wait.
fn make(db: &mut Connection, schema: &str) -> Result<(), StepError> {
    in_one(db, |db| {
        db.run("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
        let from = match schema::look(db, schema)? {
            SchemaState::Nothing | SchemaState::Foreign | SchemaState::Closed => 0,
            SchemaState::Version(version) => version,
        };
        if from < VERSION {
            add_pgvector(db)?;
            schema::migrate(db, schema, from)?;
        }
        Ok(())
    })
}

/// Installs pgvector if the server has it and this role may. Without it the index searches by words alone, and `status`
/// says why.
fn add_pgvector(db: &mut Connection) -> Result<(), StepError> {
    let sql =
        "SELECT count(*) FROM pg_available_extensions WHERE name = 'vector' AND installed_version IS NULL";
    if db.row(sql, &[])?.is_none_or(|row| row.get::<_, i64>(0) == 0) {
        return Ok(());
    }
    db.batch("SAVEPOINT pgvector")?;
    match db.batch("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public") {
        Ok(()) => db.batch("RELEASE pgvector"),
        Err(error) if error.is_cut() => Err(error),
        Err(_) => db.batch("ROLLBACK TO pgvector"),
    }
}

/// Tells a role that may not create tables what to ask for.
fn with_hint(error: StepError, place: &str, schema: &str) -> Error {
    let mut error = error.at(place);
    if let Error::Unusable { hint, .. } = &mut error {
        *hint = format!(
            "the tables are made by a role that may: GRANT CREATE ON DATABASE … TO …, or run `mindfile index` once as the \
             owner and then SELECT {schema}.admit('ROLE', 'AGENT')"
        );
    }
    error
}

/// Registers the agent if it is new.
fn enter(db: &mut Connection, agent: &str) -> Result<(), StepError> {
    let floors = Shelf::ALL.map(codec::floor);
    db.run(
        "WITH known AS (INSERT INTO agents VALUES ($1, 1, NULL, 1) ON CONFLICT DO NOTHING RETURNING agent)
         INSERT INTO parts (agent, part, generation, last_chunk, last_fact) SELECT agent, 1, 0, $2, $3 FROM known",
        &[&agent, &floors[0], &floors[1]],
    )?;
    Ok(())
}

/// Reads what the server has, and whether it knows the agent.
fn server(db: &mut Connection, agent: &str) -> Result<Option<(Server, bool)>, StepError> {
    let sql = format!(
        r"SELECT split_part(current_setting('server_version'), ' ', 1),
            (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
            pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = to_regclass('entries')), 'MEMBER'),
            n::int4,
            ARRAY(SELECT substring(c.relname FROM '_hnsw_([0-9]+)$')::int4 FROM pg_index i
              JOIN pg_class c ON c.oid = i.indexrelid
              WHERE i.indrelid = to_regclass('vectors_' || n) AND i.indisvalid AND c.relname ~ '_hnsw_[0-9]+$'),
            EXISTS (SELECT FROM agents WHERE agent = $1),
            EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('vectors') AND attname = 'embedding'
              AND atttypid = to_regtype('vector'))
          FROM generate_series(0, {last}) n
          WHERE satisfies_hash_partition('vectors'::regclass, {PARTITIONS}, n::int4, $1::text)",
        last = PARTITIONS - 1
    );
    let server = |row: Row| {
        let owner = row.get::<_, Option<bool>>(2).unwrap_or(false);
        let version = row.get(0);
        let partition = row.get(3);
        let hnsw = row.get(4);
        let pgvector: Option<String> = row.get(1);
        let vectors = match (&pgvector, row.get(6)) {
            (Some(_), true) => Vectors::Native,
            (Some(_), false) => Vectors::Arrays,
            (None, _) => Vectors::Kept,
        };
        (Server { version, pgvector, vectors, owner, partition, hnsw }, row.get(5))
    };
    Ok(db.row(&sql, &[&agent])?.map(server))
}

/// A unique key for a batch.
pub(crate) fn key() -> Result<String, Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| engine("this machine", error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
