//! Connects a memory to other programs: the agents that people use ([`host`]), the memories they had before
//! ([`import`]), files for whatever comes next ([`export`]), and notes that git merges ([`merge`]).
//!
//! This crate must not know the terminal, the environment or the crate `care`.

pub mod diff;
mod error;
pub mod export;
pub mod host;
pub mod import;
pub mod merge;

pub use error::Error;
