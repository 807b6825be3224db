//! Conversations: what was said is on the disk before anything else happens with it, and nothing that mattered is lost
//! when a model's window fills up.
//!
//! A transcript is append-only. [`Sessions`] is where an agent's transcripts are; everything else follows from them.

mod agent;
pub(crate) mod brief;
pub mod chat;
pub(crate) mod compact;
pub mod context;
pub mod decide;
mod digest;
pub mod essentials;
pub mod flush;
pub mod memory;
pub mod prune;
pub(crate) mod remember;
mod sandbox;
mod save;
mod seen;
pub mod tools;
pub mod window;

pub use agent::{AgentEvent, Host, converse};
pub use brief::{FileEnd, ToldLine, told};
pub use compact::{By, Compacted, Trigger};
pub use context::memory_section;
pub use context::{Context, Part, PromptMode, Start};
pub use flush::{Check, Flushed};
pub use memory::{About, TurnReport};
pub use mindfile_trust::speaker::{ChatType, Role, Utterance};
pub use mindfile_workspace::transcripts::SessionError as Error;
pub use mindfile_workspace::transcripts::*;
pub use save::{Added, Saved};
pub use seen::{Conversations, candidates, check, check_append, conversation, conversations};
pub use tools::{Assistant, EmptyToolbox, Kit, Toolbox};

use std::path::PathBuf;
use std::sync::Arc;

use mindfile_settings::Settings;
use mindfile_trust::policy::Policy;

use crate::corpus::sessions;

/// The transcripts of the agent that the settings are of, for whoever has no policy of a memory at hand.
pub fn of(settings: &Settings) -> Sessions {
    sessions(settings, Arc::new(Policy::new(&settings.policy, &settings.state_dir)))
}

/// The folder in which they are.
pub fn folder(settings: &Settings) -> PathBuf {
    of(settings).folder().to_owned()
}
