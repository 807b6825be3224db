//! The tables. Names and columns follow OpenClaw's index where it has them; FORMAT.md describes each.

/// "mind", so that a file can be told from anybody else's.
pub(super) const APPLICATION_ID: i64 = 0x6d69_6e64;

/// Raised with every change of tables, of the analyzer's terms or of what is stored in a column.
/// Another version is never migrated: the index is made again from the notes.
pub(super) const FORMAT: i64 = 9;

pub(super) const TABLES: &str = r#"
-- With row numbers: a table that is its own index compares a long value in full to find a short key.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- What the last generations changed, so that whoever keeps something in memory reads no more than that again.
CREATE TABLE changes (
  slot INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  bytes BLOB NOT NULL
);

CREATE TABLE files (
  path TEXT PRIMARY KEY,
  source TEXT NOT NULL DEFAULT 'memory',
  hash TEXT NOT NULL,
  mtime INTEGER NOT NULL,
  size INTEGER NOT NULL,
  ctime INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  racy INTEGER NOT NULL,
  chunks INTEGER NOT NULL,
  facts INTEGER NOT NULL,
  members INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX idx_files_source ON files(source);

CREATE TABLE chunks (
  doc INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  path TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT 'memory',
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  hash TEXT NOT NULL,
  model TEXT NOT NULL,
  day INTEGER,
  updated_at INTEGER NOT NULL,
  embedding BLOB,
  tokens BLOB NOT NULL,
  origin TEXT NOT NULL,
  context TEXT NOT NULL,
  text TEXT NOT NULL,
  sum INTEGER NOT NULL
);
CREATE INDEX idx_chunks_path ON chunks(path, start_line);
CREATE INDEX idx_chunks_pending ON chunks(doc) WHERE embedding IS NULL;

CREATE TABLE chunks_columns (
  block INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
);

CREATE TABLE chunks_vec (
  block INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
);

CREATE TABLE terms (
  term TEXT PRIMARY KEY,
  chunks INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE facts (
  id INTEGER PRIMARY KEY,
  place TEXT NOT NULL,
  path TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT 'memory',
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  hash TEXT NOT NULL,
  model TEXT NOT NULL,
  day INTEGER,
  updated_at INTEGER NOT NULL,
  embedding BLOB,
  tokens BLOB NOT NULL,
  origin TEXT NOT NULL,
  context TEXT NOT NULL,
  content TEXT NOT NULL,
  sum INTEGER NOT NULL,
  fact_id TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL DEFAULT '',
  salience REAL DEFAULT 0.5,
  confidence REAL,
  key TEXT,
  entities TEXT NOT NULL DEFAULT '',
  line TEXT NOT NULL DEFAULT '',
  said_sum INTEGER NOT NULL DEFAULT 0,
  agent_id TEXT NOT NULL DEFAULT '',
  created_at DATETIME DEFAULT NULL,
  last_accessed_at DATETIME DEFAULT NULL,
  access_count INTEGER DEFAULT 0,
  last_accessed DATETIME GENERATED ALWAYS AS (last_accessed_at) VIRTUAL
);
CREATE INDEX idx_facts_path ON facts(path, start_line);
CREATE INDEX idx_facts_pending ON facts(id) WHERE embedding IS NULL;
CREATE INDEX idx_facts_fact_id ON facts(fact_id);
CREATE INDEX idx_facts_key ON facts(key) WHERE key IS NOT NULL;
-- For whoever asks the file in SQL; the program has both in facts_columns.
CREATE INDEX idx_facts_last_accessed ON facts(last_accessed_at) WHERE last_accessed_at IS NOT NULL;
CREATE INDEX idx_facts_salience ON facts(salience);

CREATE TABLE facts_columns (
  block INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
);

CREATE TABLE facts_vec (
  block INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
);

CREATE TABLE facts_terms (
  term TEXT PRIMARY KEY,
  chunks INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE fact_uses (
  fact_id TEXT PRIMARY KEY,
  access_count INTEGER NOT NULL,
  last_accessed_at DATETIME
) WITHOUT ROWID;

CREATE TABLE entities (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  fact_count INTEGER NOT NULL DEFAULT 0,
  idf_weight REAL NOT NULL DEFAULT 0,
  facts_sum INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX idx_entity_stats_fact_count ON entities(fact_count);

CREATE TABLE fact_entities (
  fact_id INTEGER NOT NULL,
  entity_id INTEGER NOT NULL,
  entity TEXT NOT NULL,
  PRIMARY KEY (entity_id, fact_id)
) WITHOUT ROWID;
CREATE INDEX idx_fact_entities_fact ON fact_entities(fact_id);
CREATE INDEX idx_fact_entities_spelled ON fact_entities(entity_id, entity);

CREATE TABLE entity_aliases (
  path TEXT NOT NULL,
  alias TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (path, alias, name)
) WITHOUT ROWID;

CREATE VIEW entity_stats AS SELECT id, name, fact_count, idf_weight FROM entities;
CREATE VIEW entity_cooccurrence AS
  SELECT x.entity_id AS entity_id_1, y.entity_id AS entity_id_2, count(*) AS cooccur_count,
         count(*) * (a.idf_weight * b.idf_weight) AS cooccur_weight
  FROM fact_entities x JOIN fact_entities y ON y.fact_id = x.fact_id AND y.entity_id > x.entity_id
  JOIN entities a ON a.id = x.entity_id JOIN entities b ON b.id = y.entity_id
  GROUP BY x.entity_id, y.entity_id;

CREATE TABLE embedding_cache (
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  provider_key TEXT NOT NULL,
  hash TEXT NOT NULL,
  embedding BLOB NOT NULL,
  dims INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (provider, model, provider_key, hash)
) WITHOUT ROWID;
CREATE INDEX idx_embedding_cache_updated_at ON embedding_cache(updated_at);

CREATE VIRTUAL TABLE chunks_fts USING fts5(
  text, content='', contentless_delete=1,
  tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
CREATE VIRTUAL TABLE chunks_vocab USING fts5vocab(chunks_fts, 'instance');
CREATE VIRTUAL TABLE facts_fts USING fts5(
  text, content='', contentless_delete=1,
  tokenize = "ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
CREATE VIRTUAL TABLE facts_vocab USING fts5vocab(facts_fts, 'instance');
"#;
