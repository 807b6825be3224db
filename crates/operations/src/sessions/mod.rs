//! Conversations.

mod append;
mod candidates;
mod compact;
mod context;
mod flush;
mod list;
mod prune;
mod show;

pub use append::{Append, AppendedTurns, NewMessage};
pub use candidates::{CandidateList, Candidates};
pub use compact::{Compact, CompactionReport};
pub use context::{Context, GivenContext, SessionContext};
pub use flush::{Flush, FlushCheck, FlushDecision, FlushReport};
pub use list::{Conversations, SessionList};
pub use prune::{Prune, PruneReport};
pub use show::{ReadSession, SessionEntries};
