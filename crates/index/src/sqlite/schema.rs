//! The tables. Names and columns follow OpenClaw's index where it has them; FORMAT.md describes each.

/// "mind", so that a file can be told from anybody else's.
pub(super) const APPLICATION_ID: i64 = 0x6d69_6e64;

/// Raised with every change of tables, of the analyzer's terms or of what is stored in a column.
/// Another version is never migrated: the index is made again from the notes.
pub(super) const FORMAT: i64 = 2;

pub(super) const TABLES: &str = r#"
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

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
  members INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID;

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
  context TEXT NOT NULL,
  text TEXT NOT NULL,
  sum INTEGER NOT NULL
);
CREATE INDEX idx_chunks_path ON chunks(path);
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
"#;
