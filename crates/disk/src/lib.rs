//! Durable files: replaced as a whole, synced when a call returns, shared between processes by locks, and recognised by
//! keyed digests.
//!
//! This crate must not know what is in a file: callers pass the bytes, the path, and how long to wait for others.

pub mod absent;
pub mod durable;
mod error;
mod join;
pub mod lock;
pub mod log;
pub mod plain;
pub mod secret_key;
pub mod tree;

pub use error::Error;
pub use join::join_scoped;
