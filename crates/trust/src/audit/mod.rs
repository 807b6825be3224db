//! Logs who wrote what and who saw sensitive text, so that tampering shows.
//!
//! `<state>/memory/{agentId}.audit.jsonl` has one entry per line. Each entry holds the digest of the line before it and
//! is signed, so that nobody without the key can change, drop, move or add a line. A signed head beside the log records
//! its length, so that a truncated log is noticed. Entries hold no content: only a fact's id, and a digest keyed with
//! the state directory's secret.

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
