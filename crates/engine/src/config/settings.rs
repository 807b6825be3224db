//! The configuration as it is meant: validated, complete, immutable.

use std::path::PathBuf;
use std::time::Duration;

use mindfile_index::Source;
use mindfile_model::provider::{Local, Service};
use mindfile_note::chunk::Chunking;
use serde::Deserialize;

use super::agents::AgentId;
use super::chat::Chat;
use super::lancedb::LanceDb;
use super::postgres::Postgres;
use crate::age::Passphrase;
use crate::policy::Rules;
use crate::qmd::Scope;

/// Everything that an agent's memory needs to know.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub agent: AgentId,
    pub state_dir: PathBuf,
    pub workspace: PathBuf,
    pub index_path: PathBuf,
    /// What keeps the index.
    pub backend: BackendName,
    pub enabled: bool,
    /// Who makes vectors, and in whose place.
    pub embedding: Embedding,
    /// The provider as it was asked for, which is not the one in use if it was `auto` or is not known here.
    pub requested_provider: String,
    pub sources: Vec<Source>,
    pub extra_paths: Vec<ExtraPath>,
    pub chunking: Chunking,
    pub sync: Sync,
    pub query: Query,
    pub hybrid: Hybrid,
    pub vector: VectorStore,
    pub cache: Cache,
    pub citations: Citations,
    pub sessions: Transcripts,
    pub compaction: Compaction,
    pub pruning: ContextPruning,
    /// The chat model that may be asked.
    pub chat: Chat,
    pub bootstrap: Bootstrap,
    /// What may be stored.
    pub policy: Rules,
    pub server: Server,
    pub qmd: Qmd,
    pub postgres: Postgres,
    pub lancedb: LanceDb,
    pub encryption: Encryption,
}

/// How `serve` listens, and to whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub host: String,
    pub port: u16,
    /// Names in the `Host` header that are answered, beside the loopback ones and `host`.
    pub allowed_hosts: Vec<String>,
    /// Pages of other origins that may ask.
    pub allowed_origins: Vec<String>,
    pub tls: Tls,
    pub max_body: usize,
    pub requests_per_second: u32,
    /// Requests that are worked on at the same time; others wait.
    pub concurrency: usize,
}

/// How QMD is driven.
#[derive(Debug, Clone, PartialEq)]
pub struct Qmd {
    /// A name, or a path.
    pub command: PathBuf,
    pub mode: QmdMode,
    /// Whether it may compare the best once more by a model.
    pub rerank: bool,
    /// Whether `serve` keeps a server of it.
    pub server: bool,
    /// Whether the workspace's own notes are searched.
    pub include_default_memory: bool,
    pub paths: Vec<Collected>,
    pub sessions: QmdSessions,
    pub update: QmdUpdate,
    pub limits: QmdLimits,
    /// The chats in which it answers.
    pub scope: Scope,
    /// Where it keeps its settings and its index.
    pub home: PathBuf,
    /// Models that another QMD of this person has downloaded.
    pub models: Option<PathBuf>,
}

/// One more folder, or file, that QMD searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// Absolute.
    pub path: PathBuf,
    pub name: Option<String>,
    /// A glob below it.
    pub pattern: Option<String>,
}

/// Whether conversations are written out for QMD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QmdSessions {
    pub enabled: bool,
    pub folder: PathBuf,
    /// Older ones are left out.
    pub retention_days: Option<u32>,
}

/// When QMD's index is brought up to date, and how long that may take. No interval: only when it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QmdUpdate {
    pub interval: Option<Duration>,
    pub debounce: Duration,
    pub on_boot: bool,
    pub wait_for_boot: bool,
    pub embed_interval: Option<Duration>,
    pub command_timeout: Duration,
    pub update_timeout: Duration,
    pub embed_timeout: Duration,
}

/// What QMD may answer with, and within what time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QmdLimits {
    pub max_results: usize,
    pub max_snippet_chars: usize,
    pub max_injected_chars: usize,
    pub timeout: Duration,
}

/// A certificate chain and its key, both PEM; neither is of use without the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    pub cert: Option<PathBuf>,
    pub key: Option<PathBuf>,
}

/// Where the key of private notes is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encryption {
    pub key_file: PathBuf,
    /// Prints the key; asked instead of the file.
    pub key_command: Option<Vec<String>>,
    /// From the environment, for a key that is locked with one.
    pub passphrase: Option<Passphrase>,
}

/// How transcripts are searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcripts {
    /// Whether all of them are kept indexed.
    pub enabled: bool,
    pub delta_bytes: u64,
    pub delta_messages: u64,
    pub debounce: Duration,
    pub tool_output: bool,
    pub hidden: bool,
}

/// When a conversation is flushed and compacted, and what stays of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compaction {
    pub reserve_tokens_floor: u64,
    pub reserve_tokens: u64,
    pub keep_recent_tokens: u64,
    pub flush: Flush,
}

/// How a model is asked to save memories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flush {
    pub enabled: bool,
    pub soft_threshold_tokens: u64,
    pub prompt: Option<String>,
    pub system_prompt: Option<String>,
}

/// How old results of tools are shortened in what a model is given.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextPruning {
    pub mode: Pruning,
    pub ttl: Duration,
    pub keep_last_assistants: usize,
    pub soft_trim_ratio: f64,
    pub hard_clear_ratio: f64,
    pub min_prunable_chars: usize,
    pub trim_above: usize,
    pub trim_head: usize,
    pub trim_tail: usize,
    pub hard_clear: bool,
    pub placeholder: String,
}

/// How much the files at the start of a session may take, in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bootstrap {
    pub max_chars: usize,
    pub total_max_chars: usize,
}

/// Who makes vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    pub primary: Maker,
    /// Who is asked when the first one fails; nobody unless it is configured.
    pub fallback: Option<Maker>,
    pub jobs: BatchJobs,
    /// US dollars for a million tokens, where the table is not to be asked.
    pub price: Option<f64>,
}

/// One maker of vectors.
#[derive(Debug, Clone, PartialEq)]
pub enum Maker {
    /// The model inside the program.
    Embedded,
    /// Search by words alone.
    None,
    Service(Box<Service>),
    Local(Local),
}

impl Maker {
    /// The name that it is known by.
    pub fn name(&self) -> &str {
        match self {
            Self::Embedded => "embedded",
            Self::None => "none",
            Self::Service(service) => &service.provider,
            Self::Local(_) => "local",
        }
    }
}

/// Batch jobs of providers that have them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchJobs {
    pub enabled: bool,
    pub wait: bool,
    pub concurrency: usize,
    pub poll_interval: Duration,
    pub timeout: Duration,
}

/// More notes than the workspace's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraPath {
    /// Absolute.
    pub path: PathBuf,
    /// A glob below it.
    pub pattern: Option<String>,
}

/// When the index is brought up to date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sync {
    pub on_search: bool,
    pub watch: bool,
    pub debounce: Duration,
    pub interval: Option<Duration>,
}

/// What a search returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub max_results: usize,
    pub min_score: f32,
    pub max_snippet_chars: usize,
    pub max_injected_chars: usize,
    pub deadline: Duration,
    /// How long a search waits for the vector of its question.
    pub embed_deadline: Duration,
}

/// How words and meaning become one list.
#[derive(Debug, Clone, PartialEq)]
pub struct Hybrid {
    pub enabled: bool,
    pub fusion: Fusion,
    /// With `text_weight` it sums to 1.
    pub vector_weight: f32,
    pub text_weight: f32,
    pub candidate_multiplier: usize,
    /// The share of the token-by-token comparison; 0 turns it off.
    pub interaction: f32,
    pub mmr: Mmr,
    pub decay: Decay,
}

/// Whether near-duplicates give way.
#[derive(Debug, Clone, PartialEq)]
pub struct Mmr {
    pub enabled: bool,
    pub lambda: f32,
}

/// Whether newer notes come before near-equal older ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Decay {
    pub enabled: bool,
    pub half_life_days: f32,
    /// The share of its score that the oldest note keeps.
    pub floor: f32,
}

/// How vectors are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorStore {
    pub enabled: bool,
    /// The engine in use: the scan, if the other one is not enabled.
    pub engine: Engine,
}

/// Whether vectors of known text are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    pub enabled: bool,
    pub max_entries: u64,
}

/// A closed set of words, which is the same for the table and for the parser.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$note:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
        pub enum $name {
            $($(#[$note])* #[serde(rename = $word)] $variant),+
        }

        impl $name {
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    };
}

words!(
    /// How two ranked lists become one.
    Fusion {
        Weighted = "weighted",
        /// Reciprocal ranks.
        Rrf = "rrf",
    }
);

words!(
    /// What compares vectors.
    Engine {
        Scan = "scan",
        SqliteVec = "sqlite-vec",
    }
);

words!(
    /// What keeps the index.
    BackendName {
        Builtin = "builtin",
        /// The same, by its own name.
        Sqlite = "sqlite",
        Postgres = "postgres",
        LanceDb = "lancedb",
        Qmd = "qmd",
    }
);

impl BackendName {
    /// Whether the index is a file of the built-in engine. QMD only searches: what else is known of the notes is there.
    pub fn is_file(self) -> bool {
        match self {
            Self::Builtin | Self::Sqlite | Self::Qmd => true,
            Self::Postgres | Self::LanceDb => false,
        }
    }
}

words!(
    /// How QMD searches.
    QmdMode {
        /// By words.
        Search = "search",
        /// By meaning.
        Vsearch = "vsearch",
        /// By both, compared once more by a model.
        Query = "query",
    }
);

words!(
    /// Whether a snippet ends with its source.
    Citations {
        /// In direct chats only.
        Auto = "auto",
        On = "on",
        Off = "off",
    }
);

words!(
    /// When old results of tools are shortened.
    Pruning {
        Off = "off",
        /// When the provider's cache of the conversation has expired, so that nothing is lost by changing it.
        CacheTtl = "cache-ttl",
        Always = "always",
    }
);
