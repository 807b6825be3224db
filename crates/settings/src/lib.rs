//! Configuration: files, variables and flags become one set of settings that is valid as a whole.
//!
//! The layers, the strongest last: defaults, OpenClaw's file, our file beside it, the workspace's own file, the
//! environment, flags. A key or a value that is not allowed is an error that names the file and the key; nothing is
//! clamped. A setting is declared once, as a field in `settings.rs`: unknown keys, wrong values, `config show`, `get`, `set`
//! and the documentation are made from that.
//!
//! This crate must not know the index, files of notes, the terminal or the environment. It asks the crates below what a
//! value may be: the catalogue of models, and the detectors of the policy.

mod agents;
mod chat;
mod declare;
mod document;
mod edit;
mod error;
pub mod jsonc;
mod key;
mod kind;
mod load;
mod origin;
mod paths;
mod profiles;
mod provider;
mod read;
mod reader;
mod scan;
mod scope;
mod services;
mod settings;
mod words;

pub use agents::AgentId;
pub use edit::{Change, edit, set};
pub use error::Error;
pub use key::{Effect, Key, Section};
pub use kind::{Form, Kind, SECRET_SHOWN, is_collection_name, span};
pub use load::{Configuration, find, get, load, nearest};
pub use origin::{Origin, Setting, Warning};
pub use paths::{Env, Flags, MINDFILE_JSON, OPENCLAW_JSON, Overrides, Paths, Place, WORKSPACE_JSON, paths};
pub use provider::Maker;
pub use read::{ClosedTo, ExtraPath, QmdPath, SwitchedOff};
pub use scope::{Action, ChatWord, Chats, ScopeRule};
pub use settings::{
    BatchJobs, Bootstrap, Cache, Chat, Compaction, ContextPruning, Decay, Embedding, Encryption, Flush,
    Hybrid, KEYS, LanceDb, Mmr, Postgres, Qmd, QmdLimits, QmdSessions, QmdUpdate, Query, Scope, Server,
    Settings, Sync, Tls, Transcripts, VectorStore,
};
pub use words::{BackendName, Citations, Engine, Fusion, Pruning, QmdMode};
