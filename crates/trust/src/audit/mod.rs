//! Who wrote what, and who saw what is sensitive: a log that shows when it was changed.
//!
//! `<state>/memory/{agentId}.audit.jsonl` has one entry a line. Each names the digest of the line before it and is signed,
//! so that a line cannot be changed, left out, moved or added by someone who has not the key. A signed head beside it
//! says how far the log goes, so that a tail that was cut off is missed. No entry holds content: a fact's id, and a
//! digest that is keyed with the state directory's secret.

mod act;
mod chain;
mod head;
mod log;
mod segments;
mod verify;

pub use act::{Act, What};
pub use chain::Entry;
pub use log::Log;
pub use verify::{ChainBreak, LogCheck};
