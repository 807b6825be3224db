//! Files as this program needs them: whole or untouched, on the disk when a call returns, shared by processes that take
//! turns, and known again by keyed digests.
//!
//! Nothing here knows what stands in a file. A caller says which bytes, where, and how long it waits for others.

pub mod durable;
mod error;
mod join;
pub mod lock;
pub mod log;
pub mod secret_key;
pub mod tree;

pub use error::Error;
pub use join::join_scoped;
