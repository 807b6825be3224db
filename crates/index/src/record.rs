//! What goes into an index and what comes out of it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

pub(crate) use mindfile_note::Source;
pub use mindfile_note::alias::Alias;
use mindfile_note::fact::Kind;
use mindfile_note::hash::Digest;
use mindfile_note::{FileStat, Origin};

use crate::chunk_terms::ChunkTerms;

/// A chunk or a fact within one index. Not stable across rebuilds: cite by path and lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doc {
    pub shelf: Shelf,
    pub part: Part,
    /// From 1. A later row has a larger number, unless it reuses that of a row that is gone.
    pub row: u32,
}

/// Which of two joined indexes a row belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Part {
    /// The index itself.
    #[default]
    Main,
    /// The one beside it, in memory only.
    Beside,
}

/// What kind of row it is. Each shelf has its own words, vectors and numbers, so that ranking one ignores the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shelf {
    /// Spans of lines.
    Chunks,
    /// Single fact lines.
    Facts,
}

impl Shelf {
    pub const ALL: [Self; 2] = [Self::Chunks, Self::Facts];
}

impl Doc {
    /// A row of the index itself.
    pub const fn new(shelf: Shelf, row: u32) -> Self {
        Self { shelf, part: Part::Main, row }
    }
}

/// Identifies a chunk in any index: a digest of its place, its text and its context.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId(String);

impl ChunkId {
    pub fn new(source: Source, path: &str, chunk: &NewChunk) -> Self {
        let lines = (chunk.start_line, chunk.end_line);
        Self::of(source, path, lines, &chunk.hash, &chunk.context, chunk.origin)
    }

    pub fn of_stored(chunk: &StoredChunk) -> Self {
        let lines = (chunk.start_line, chunk.end_line);
        Self::of(chunk.source, &chunk.path, lines, &chunk.hash, &chunk.context, chunk.origin)
    }

    fn of(
        source: Source,
        path: &str,
        (start, end): (u32, u32),
        hash: &Digest,
        context: &str,
        origin: Origin,
    ) -> Self {
        let context = Digest::of(context.as_bytes());
        let source = source.as_str();
        let origin = origin.as_str();
        let whole = format!("{source}:{path}:{start}:{end}:{hash}:{context}:{origin}");
        let mut id = Digest::of(whole.as_bytes()).to_string();
        id.truncate(32);
        Self(id)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An id that an engine stored.
    pub fn stored(text: String) -> Self {
        Self(text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredNote {
    pub path: String,
    pub source: Source,
    pub hash: Digest,
    pub stat: FileStat,
    /// Whether the file may have changed right after it was read, within the clock's resolution: read it again next time.
    pub racy: bool,
}

impl StoredNote {
    /// The day the file changed, in days since 1970-01-01.
    pub fn changed_day(&self) -> i32 {
        const NANOSECONDS: i64 = 86_400_000_000_000;
        i32::try_from(self.stat.mtime_ns.div_euclid(NANOSECONDS)).unwrap_or(i32::MAX)
    }
}

/// A row of a note: its lines, and whether it still waits for the embedder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteRow {
    pub doc: Doc,
    pub id: ChunkId,
    pub start_line: u32,
    pub end_line: u32,
    pub is_pending: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct NewNote {
    pub note: StoredNote,
    /// The day the note speaks of, in days since 1970-01-01; none for an evergreen note.
    pub day: Option<i32>,
    pub chunks: Vec<NewChunk>,
    pub facts: Vec<NewFact>,
    /// Other names of entities that the note declares.
    pub aliases: Vec<Alias>,
}

impl NewNote {
    /// Its chunks and its facts, with what only a fact has.
    pub fn rows(&self) -> impl Iterator<Item = (Shelf, &NewChunk, Option<&FactFields>)> {
        let chunks = self.chunks.iter().map(|chunk| (Shelf::Chunks, chunk, None));
        chunks.chain(self.facts.iter().map(|fact| (Shelf::Facts, &fact.chunk, Some(&fact.fields))))
    }

    /// One of its rows as it is stored.
    pub fn stored(&self, doc: Doc, id: ChunkId, chunk: &NewChunk) -> StoredChunk {
        StoredChunk {
            doc,
            id,
            path: self.note.path.clone(),
            source: self.note.source,
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            hash: chunk.hash,
            context: chunk.context.clone(),
            text: chunk.text.clone(),
            tokens: chunk.tokens.clone(),
            embedding: chunk.embedding.clone(),
            day: self.day,
            origin: chunk.origin,
        }
    }

    /// The names that it declares, in order and each once.
    pub fn declared(&self) -> Vec<Alias> {
        let mut aliases = self.aliases.clone();
        aliases.sort();
        aliases.dedup();
        aliases
    }
}

/// A fact line: the text that is searched, and its fields. The hash covers the whole line, so that editing any attribute makes
/// another row.
#[derive(Debug, Clone, PartialEq)]
pub struct NewFact {
    pub chunk: NewChunk,
    pub fields: FactFields,
}

/// The fields of a fact line.
#[derive(Debug, Clone, PartialEq)]
pub struct FactFields {
    /// The block id, or else the derived one.
    pub id: String,
    pub kind: Kind,
    pub salience: f32,
    pub confidence: Option<f32>,
    pub key: Option<String>,
    /// Entities as spelled, without `@`.
    pub entities: Vec<String>,
    /// The line as it stands in the note.
    pub line: String,
}

/// How often a fact was recalled, and when last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Access {
    pub count: u32,
    pub last_ms: Option<i64>,
}

/// The use of facts, by their ids.
pub type Uses = HashMap<String, Access>;

/// A fact as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredFact {
    pub chunk: Arc<StoredChunk>,
    pub fields: FactFields,
    /// Its entities by their names in force: lower case, aliases resolved, without repeats.
    pub names: Vec<String>,
}

/// An entity and how many facts name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entity {
    pub name: String,
    pub facts: u32,
}

impl Entity {
    pub fn of(name: String, facts: usize) -> Self {
        Self { name, facts: u32::try_from(facts).unwrap_or(u32::MAX) }
    }

    /// The entity, if a fact names it.
    pub fn known(self) -> Option<Self> {
        (self.facts > 0).then_some(self)
    }

    /// The inverse frequency that damps hubs: 1 / ln(facts + 1); 0 for an entity without facts.
    pub fn weight(&self) -> f64 {
        idf_weight(i64::from(self.facts))
    }
}

pub(crate) fn idf_weight(facts: i64) -> f64 {
    if facts > 0 { 1.0 / (facts as f64 + 1.0).ln() } else { 0.0 }
}

#[derive(Debug, Clone, PartialEq)]
pub struct NewChunk {
    pub start_line: u32,
    pub end_line: u32,
    /// Title, heading path and date: embedded and searched with the text, never shown as text.
    pub context: String,
    pub text: String,
    pub hash: Digest,
    /// The text's tokens in the embedded table's vocabulary, for late interaction.
    pub tokens: Vec<u16>,
    pub embedding: Embedding,
    /// The lowest of its lines.
    pub origin: Origin,
    /// Cut when first asked for.
    pub terms: OnceLock<ChunkTerms>,
}

impl NewChunk {
    /// The words of its text and its context. Whoever makes a chunk that is new asks for them, so that one thread cuts while
    /// another writes.
    pub fn terms(&self) -> &ChunkTerms {
        self.terms.get_or_init(|| ChunkTerms::of(&self.text, &self.context))
    }
}

/// What the embedder made of a chunk.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Embedding {
    /// It has not seen it yet.
    #[default]
    Pending,
    /// No vector: the text has no meaning in this space, such as one of unknown symbols.
    Blank,
    /// L2-normalised.
    Vector(Vec<f32>),
}

impl Embedding {
    pub fn vector(&self) -> Option<&[f32]> {
        match self {
            Self::Pending | Self::Blank => None,
            Self::Vector(vector) => Some(vector),
        }
    }

    pub fn is_pending(&self) -> bool {
        matches!(self, Self::Pending)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The note as it is now. Chunks that stay as they were keep their vectors.
    Put(NewNote),
    /// A note that grew at its end: what begins at line `from` or later is as given now, what stands before stays as it
    /// is, and so do aliases. Nothing happens if the note is not known any more.
    Grow {
        note: NewNote,
        from: u32,
    },
    /// The same content under another name: chunks, words and vectors stay. Nothing happens if the old name is not known
    /// with that content any more.
    Rename {
        from: String,
        to: StoredNote,
    },
    /// The content is the same, the file's times are not. Nothing happens if the note is not known any more.
    Touch(StoredNote),
    Remove {
        path: String,
    },
    /// Embeddings of chunks that had none. Chunks that are gone meanwhile are passed over.
    Embed {
        model: String,
        embeddings: Vec<(Doc, ChunkId, Embedding)>,
    },
    Meta {
        key: String,
        value: String,
    },
    Cache {
        key: CacheKey,
        vector: Vec<f32>,
        now_ms: i64,
    },
    /// Keeps the most recent vectors of the cache.
    PruneCache {
        keep: u64,
        /// No more than so many are dropped in one step: a cache that is to be much smaller shrinks in several.
        most: u64,
    },
    /// How often facts were recalled, by their ids: what is shown of it in the index. The journal is the truth.
    Use {
        facts: Vec<(String, Access)>,
    },
    /// Merges what many batches wrote in pieces, so that it is read faster. Changes no answer.
    Compact,
    /// Something was forgotten: whatever was made of texts that were read before is refused from now on, and vectors of
    /// these texts leave the cache.
    Forget {
        hashes: Vec<Digest>,
        /// Facts whose use is not shown any more.
        ids: Vec<String>,
    },
}

/// The key under which an index counts how often something was forgotten.
pub const FORGOTTEN: &str = "forgotten";

/// The key under which an indexer may note that the index agrees with the workspace. Any change of a note, but not of a
/// transcript, clears it, so that a batch that comes late from another process is noticed.
pub const CENSUS: &str = "census";

/// One atomic step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Batch {
    pub changes: Vec<Change>,
    /// Apply to this generation only; on any other the batch does nothing.
    pub only_at: Option<u64>,
    /// How often something had been forgotten when the texts were read, as [`FORGOTTEN`] says. At any other count the
    /// batch is refused: what was forgotten meanwhile could be in it. None: there is no text in it.
    pub read_at: Option<u64>,
    /// The embedder's model, stored beside each vector of a `Put`.
    pub model: String,
    /// The agent whose facts a `Put` brings, for people who query the tables.
    pub agent: String,
    pub now_ms: i64,
}

impl Batch {
    /// Whether an answer can differ after it: an index of another generation answers then. An empty batch asks for one.
    pub fn is_answered(&self) -> bool {
        self.changes.is_empty() || self.changes.iter().any(Change::is_answered)
    }

    /// Whether a note of the workspace changes, so that a census of before is worth nothing.
    pub fn clears_census(&self) -> bool {
        self.changes.iter().any(Change::is_of_a_note)
    }
}

/// What was embedded, and by which model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CacheKey {
    pub provider: String,
    pub model: String,
    pub provider_key: String,
    pub hash: Digest,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StoredChunk {
    pub doc: Doc,
    pub id: ChunkId,
    pub path: String,
    pub source: Source,
    pub start_line: u32,
    pub end_line: u32,
    pub hash: Digest,
    pub context: String,
    pub text: String,
    pub tokens: Vec<u16>,
    pub embedding: Embedding,
    pub day: Option<i32>,
    pub origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    pub notes: Vec<(Source, u64)>,
    pub chunks: Vec<(Source, u64)>,
    pub facts: u64,
    pub entities: u64,
    pub embedded: u64,
    pub cache_entries: u64,
    pub dims: Option<usize>,
}

impl Change {
    /// Whether an answer can differ after it. How often a fact was recalled is only shown in the tables.
    fn is_answered(&self) -> bool {
        !matches!(self, Self::Use { .. })
    }

    /// Whether it is about a note of the workspace itself. Transcripts lie elsewhere.
    fn is_of_a_note(&self) -> bool {
        match self {
            Self::Put(note) | Self::Grow { note, .. } => note.note.source != Source::Sessions,
            Self::Touch(note) | Self::Rename { to: note, .. } => note.source != Source::Sessions,
            Self::Remove { .. } => true,
            Self::Embed { .. }
            | Self::Meta { .. }
            | Self::Cache { .. }
            | Self::PruneCache { .. }
            | Self::Compact
            | Self::Forget { .. }
            | Self::Use { .. } => false,
        }
    }
}
