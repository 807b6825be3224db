//! Conversations: what was said is on the disk before anything else happens with it, and nothing that mattered is lost
//! when a model's window fills up.
//!
//! A transcript is append-only. [`Sessions`] is where an agent's transcripts are; everything else follows from them.

mod agent;
mod append;
pub mod candidate;
mod chain;
pub mod chat;
mod compact;
mod content;
mod context;
pub mod decide;
mod delta;
mod digest;
mod echo;
mod entry;
mod error;
pub mod essentials;
pub mod flatten;
mod flush;
mod folder;
pub(crate) mod index;
mod memory;
pub mod prune;
mod registry;
mod save;
pub mod show;
pub mod tools;
mod transcript;
mod turn;
pub mod window;

pub use agent::{Event, Host};
pub use append::{Appended, Torn};
pub use compact::{By, Compacted, Trigger};
pub use content::{Block, ToolCall};
pub(crate) use context::memory_section;
pub use context::{Context, Part, PromptMode, Start};
pub use entry::{Body, Compaction, Entry, FlushMark, Header, Message, Parent, Usage, read as read_entry};
pub use error::Error;
pub use flush::{Check, Flushed};
pub(crate) use folder::LONGEST_ID;
pub use folder::{Found, Kept, Sessions, check_id};
pub use index::{id_of, path_of};
pub use memory::{About, Said};
pub use mindfile_trust::speaker::ChatType;
pub use mindfile_trust::speaker::Role;
pub use registry::Record;
pub use save::Saved;
pub use transcript::{Damage, Placed, Transcript, read};
pub use turn::parse_lines;
