//! The tables and their migrations, one step for each version, under a lock that all hosts take. FORMAT.md describes each
//! table.

use crate::again;
use crate::error::StepError;
use crate::pool::Connection;
use crate::value::quoted;

/// Raised with every change of tables, terms or the meaning of a column, together with a migration step.
pub(crate) const VERSION: i32 = 4;
/// The tables that are partitioned by agent.
pub(crate) const SPREAD: [&str; 7] =
    ["notes", "entries", "vectors", "postings", "names", "entities", "cache"];
/// The other tables with rows of agents.
pub(crate) const WHOLE: [&str; 6] = ["agents", "parts", "totals", "aliases", "meta", "uses"];
pub(crate) const PARTITIONS: u32 = 8;
/// The key of the advisory lock.
pub(crate) const LOCK: i64 = 0x6d69_6e64_6669_6c65;

/// What the schema contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemaState {
    Nothing,
    /// Tables of mindfile, of this or another version.
    Version(i32),
    /// Something that mindfile did not make.
    Foreign,
    /// This role may not use it.
    Closed,
}

const KNOWN: &str = "SELECT to_regnamespace($1::text) IS NOT NULL,
    coalesce(obj_description(to_regnamespace($1::text), 'pg_namespace'), ''),
    coalesce(has_schema_privilege(to_regnamespace($1::text)::oid, 'USAGE'), true)";
const MARK: &str = "mindfile index, version ";

/// Looks at the schema without changing anything. An empty schema counts as `Nothing`.
pub(crate) fn look(db: &mut Connection, schema: &str) -> Result<SchemaState, StepError> {
    let row = db.row(KNOWN, &[&quoted(schema)])?;
    let (exists, comment, open): (bool, String, bool) =
        row.map_or_else(Default::default, |row| (row.get(0), row.get(1), row.get(2)));
    let version = comment.strip_prefix(MARK).and_then(|rest| rest.parse().ok());
    if exists && !open {
        return Ok(SchemaState::Closed);
    }
    match (exists, version) {
        (false, _) => Ok(SchemaState::Nothing),
        (true, Some(version)) => Ok(SchemaState::Version(version)),
        (true, None) => {
            let sql = "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1";
            let held = db.row(sql, &[&schema])?.map_or(0, |row| row.get::<_, i64>(0));
            Ok(if held == 0 { SchemaState::Nothing } else { SchemaState::Foreign })
        }
    }
}

/// Migrates the tables from a version to the present one. The caller holds the lock.
pub(crate) fn migrate(db: &mut Connection, schema: &str, from: i32) -> Result<(), StepError> {
    let name = quoted(schema);
    if from < 1 {
        db.batch(&format!("CREATE SCHEMA IF NOT EXISTS {name}; SET LOCAL search_path TO {name}, public;"))?;
        db.batch(TABLES)?;
        db.batch(&spread())?;
        db.batch(&separate())?;
        db.batch(ROLES)?;
        make_native(db)?;
    } else {
        db.batch(&format!("SET LOCAL search_path TO {name}, public;"))?;
        if from < 3 {
            db.batch(&with_blocks())?;
            again::words(db)?;
            make_native(db)?;
        }
        db.batch(&with_entities())?;
    }
    db.batch(&format!("COMMENT ON SCHEMA {name} IS '{MARK}{VERSION}'"))?;
    Ok(())
}

/// Texts collate by bytes, as in every other engine.
const TABLES: &str = r#"
CREATE TABLE agents (
  agent text COLLATE "C" PRIMARY KEY,
  current int NOT NULL,
  aside int,
  last_part int NOT NULL
);
CREATE TABLE parts (
  agent text COLLATE "C",
  part int,
  generation int8 NOT NULL,
  dims int,
  last_chunk int8 NOT NULL,
  last_fact int8 NOT NULL,
  PRIMARY KEY (agent, part)
);
CREATE TABLE totals (
  agent text COLLATE "C",
  part int,
  shelf int2,
  source int2,
  origin int2,
  rows int8 NOT NULL,
  length int8 NOT NULL,
  vectors int8 NOT NULL,
  PRIMARY KEY (agent, part, shelf, source, origin)
);
CREATE TABLE aliases (
  agent text COLLATE "C",
  part int,
  path text COLLATE "C",
  alias text COLLATE "C",
  name text COLLATE "C",
  PRIMARY KEY (agent, part, path, alias, name)
);
CREATE TABLE meta (
  agent text COLLATE "C",
  part int,
  key text COLLATE "C",
  value text NOT NULL,
  PRIMARY KEY (agent, part, key)
);
CREATE TABLE uses (
  agent text COLLATE "C",
  part int,
  fact_id text COLLATE "C",
  access_count int8 NOT NULL,
  last_accessed_ms int8,
  PRIMARY KEY (agent, part, fact_id)
);
CREATE TABLE batches (
  agent text COLLATE "C",
  key text,
  generation int8 NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (agent, key)
);
CREATE TABLE notes (
  agent text COLLATE "C",
  part int,
  path text COLLATE "C",
  source int2 NOT NULL,
  hash text NOT NULL,
  mtime int8 NOT NULL,
  ctime int8 NOT NULL,
  size int8 NOT NULL,
  inode int8 NOT NULL,
  racy bool NOT NULL,
  changed int NOT NULL,
  PRIMARY KEY (agent, part, path)
) PARTITION BY HASH (agent);
CREATE TABLE entries (
  agent text COLLATE "C",
  part int,
  doc int8,
  shelf int2 NOT NULL,
  id text NOT NULL,
  path text COLLATE "C" NOT NULL,
  source int2 NOT NULL,
  start_line int NOT NULL,
  end_line int NOT NULL,
  hash text NOT NULL,
  day int,
  origin int2 NOT NULL,
  length int NOT NULL,
  state int2 NOT NULL,
  model text NOT NULL,
  updated_at int8 NOT NULL,
  context text NOT NULL,
  text text NOT NULL,
  tokens bytea NOT NULL,
  fact_id text COLLATE "C",
  kind text,
  salience real,
  confidence real,
  key text COLLATE "C",
  entities text[],
  line text,
  sum text NOT NULL,
  PRIMARY KEY (agent, part, doc)
) PARTITION BY HASH (agent);
CREATE INDEX entries_path ON entries (agent, part, path, start_line);
CREATE INDEX entries_pending ON entries (agent, part, doc) WHERE state = 0;
CREATE INDEX entries_fact ON entries (agent, part, fact_id) WHERE fact_id IS NOT NULL;
CREATE INDEX entries_key ON entries (agent, part, key) WHERE key IS NOT NULL;
CREATE TABLE vectors (
  agent text COLLATE "C",
  part int,
  doc int8,
  shelf int2 NOT NULL,
  embedding real[] NOT NULL,
  PRIMARY KEY (agent, part, doc)
) PARTITION BY HASH (agent);
CREATE TABLE postings (
  agent text COLLATE "C",
  part int,
  shelf int2,
  term text COLLATE "C",
  source int2,
  origin int2,
  first int8,
  rows int NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (agent, part, shelf, term, source, origin, first)
) PARTITION BY HASH (agent);
CREATE TABLE names (
  agent text COLLATE "C",
  part int,
  name text COLLATE "C",
  doc int8,
  ord int2 NOT NULL,
  tag text NOT NULL,
  PRIMARY KEY (agent, part, name, doc)
) PARTITION BY HASH (agent);
CREATE INDEX names_doc ON names (agent, part, doc);
CREATE TABLE entities (
  agent text COLLATE "C",
  part int,
  name text COLLATE "C",
  facts int8 NOT NULL,
  PRIMARY KEY (agent, part, name)
) PARTITION BY HASH (agent);
CREATE TABLE cache (
  agent text COLLATE "C",
  provider text,
  model text,
  provider_key text,
  hash text,
  embedding real[] NOT NULL,
  updated_at int8 NOT NULL,
  PRIMARY KEY (agent, provider, model, provider_key, hash)
) PARTITION BY HASH (agent);
CREATE INDEX cache_age ON cache (agent, updated_at, provider, model, provider_key, hash);
CREATE VIEW facts WITH (security_invoker = true) AS
  SELECT e.agent, e.doc, e.fact_id, e.kind, e.salience, e.confidence, e.key, e.entities, e.text, e.path, e.start_line,
         coalesce(u.access_count, 0) AS access_count, to_timestamp(u.last_accessed_ms / 1000.0) AS last_accessed_at
  FROM entries e JOIN agents a ON a.agent = e.agent AND a.current = e.part
  LEFT JOIN uses u ON u.agent = e.agent AND u.part = e.part AND u.fact_id = e.fact_id
  WHERE e.shelf = 1;
CREATE VIEW entity_stats WITH (security_invoker = true) AS
  SELECT n.agent, n.name, count(*) AS fact_count, 1 / ln(count(*) + 1) AS idf_weight
  FROM names n JOIN agents a ON a.agent = n.agent AND a.current = n.part GROUP BY n.agent, n.name;
CREATE VIEW entity_cooccurrence WITH (security_invoker = true) AS
  SELECT x.agent, x.name AS name_1, y.name AS name_2, count(*) AS cooccur_count
  FROM names x JOIN agents a ON a.agent = x.agent AND a.current = x.part
  JOIN names y ON y.agent = x.agent AND y.part = x.part AND y.doc = x.doc AND y.name > x.name
  GROUP BY x.agent, x.name, y.name;
"#;

/// Up to version 2 a row of `postings` was one term of one entry. Postings are derived again from the entries' texts.
fn with_blocks() -> String {
    format!("DROP TABLE postings; DROP TABLE IF EXISTS terms; {} {PACKED}", added("postings"))
}

/// Up to version 3 there was no table of entities.
fn with_entities() -> String {
    let counted =
        "INSERT INTO entities SELECT agent, part, name, count(*) FROM names GROUP BY agent, part, name;";
    format!("{} {counted} {ROLES}", added("entities"))
}

/// Adds a table, with grants for the roles that were admitted before.
fn added(table: &str) -> String {
    let made = TABLES.find(&format!("CREATE TABLE {table} ")).map_or("", |at| &TABLES[at..]);
    let made = made.find(';').map_or(made, |end| &made[..=end]);
    format!(
        "{made} {} {}
         DO $$ DECLARE who name; BEGIN FOR who IN SELECT DISTINCT role FROM roles LOOP
           EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO %I', who); END LOOP; END $$;",
        partitions(table),
        policy(table),
    )
}

/// Gives vectors pgvector's own type if it is installed, in whichever schema: an array would be converted at every comparison.
/// Drops HNSW indexes over arrays.
pub(crate) fn make_native(db: &mut Connection) -> Result<(), StepError> {
    db.batch(
        "DO $$ DECLARE found record; BEGIN
           FOR found IN SELECT i.indexrelid::regclass AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
             WHERE c.relname ~ '^vectors_[0-9]+_hnsw_[0-9]+$' AND c.relnamespace = to_regnamespace(quote_ident(current_schema())) LOOP
             EXECUTE format('DROP INDEX %s', found.name); END LOOP;
           FOR found IN SELECT n.nspname AS name FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
             WHERE e.extname = 'vector' LOOP
             EXECUTE format('ALTER TABLE vectors ALTER COLUMN embedding TYPE %1$I.vector USING embedding::%1$I.vector',
               found.name); END LOOP; END $$",
    )
}

fn partitions(table: &str) -> String {
    let one = |n: u32| {
        format!(
            "CREATE TABLE {table}_{n} PARTITION OF {table} FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {n});\n"
        )
    };
    (0..PARTITIONS).map(one).collect()
}

/// Packed bytes are not worth compressing.
const PACKED: &str = "ALTER TABLE postings ALTER COLUMN bytes SET STORAGE EXTERNAL;\n";

/// Nor are large vectors.
fn spread() -> String {
    let plain = "ALTER TABLE vectors ALTER COLUMN embedding SET STORAGE EXTERNAL;
        ALTER TABLE cache ALTER COLUMN embedding SET STORAGE EXTERNAL;\n";
    plain.to_owned() + PACKED + &SPREAD.iter().map(|table| partitions(table)).collect::<String>()
}

/// Row-level security: the owner sees every agent, other roles see those that they were admitted to.
fn separate() -> String {
    let head = "CREATE TABLE roles (role name, agent text COLLATE \"C\", PRIMARY KEY (role, agent));
        CREATE FUNCTION own_agents() RETURNS text[] LANGUAGE sql STABLE SECURITY DEFINER
          AS 'SELECT coalesce(array_agg(agent), ''{}'') FROM roles WHERE role = session_user';\n";
    let tables = SPREAD.iter().chain(&WHOLE).chain(&["batches"]);
    head.to_owned() + &tables.map(|table| policy(table)).collect::<String>()
}

fn policy(table: &str) -> String {
    format!(
        "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
         CREATE POLICY own ON {table} USING (agent = ANY ((SELECT own_agents())::text[]));\n"
    )
}

/// The function that admits roles. Functions get a fixed search path, so that a caller cannot redirect them.
const ROLES: &str = r#"
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION own_agents() SET search_path TO %I, pg_temp', current_schema());
END $$;
CREATE OR REPLACE FUNCTION admit(who name, whose text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), who);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON agents, parts, totals, aliases, meta, uses, batches, notes, entries, vectors, postings, names, entities, cache TO %I', who);
  EXECUTE format('GRANT SELECT ON facts, entity_stats, entity_cooccurrence TO %I', who);
  INSERT INTO roles VALUES (who, whose) ON CONFLICT DO NOTHING;
END $$;
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION admit(name, text) SET search_path TO %I, pg_temp', current_schema());
END $$;
REVOKE ALL ON FUNCTION admit(name, text) FROM PUBLIC;
"#;
