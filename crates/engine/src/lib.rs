//! Plain-Markdown memory for AI agents.
//!
//! The workspace, a directory of Markdown, is the truth; the index is a cache of it. [`Memory`] is what a memory does:
//! bring the index up to date, search, read exact lines. The front ends translate it and add nothing.

pub mod access;
pub mod age;
pub mod audit;
pub mod backend;
pub mod backup;
pub mod chat;
pub mod clock;
pub mod config;
mod corpus;
mod denial;
mod derive;
pub mod doctor;
pub mod durable;
mod embed;
mod error;
pub mod eval;
pub mod export;
pub mod fact;
mod fallback;
pub mod fingerprint;
pub mod forget;
pub mod heartbeat;
pub mod host;
pub mod import;
pub mod keyed;
mod lock;
mod log;
mod meanwhile;
mod memory;
pub mod notes;
pub mod origin;
mod pepper;
pub mod policy;
pub mod private;
pub mod qmd;
pub mod question;
pub mod recall;
pub mod reconcile;
pub mod reflect;
pub mod retain;
pub mod search;
pub mod session;
mod spaces;
pub mod status;
mod store;
mod sync;
mod tree;
pub mod vectors;
pub mod watch;
pub mod when;
pub mod workspace;

pub use corpus::{Corpus, Response};
pub use denial::Denial;
pub use embed::{Estimate, Made};
pub use error::Error;
pub use fallback::Fallback;
pub use memory::Memory;
pub use mindfile_index::Source;
pub use mindfile_model::Spent;
pub use mindfile_settings as fault;
