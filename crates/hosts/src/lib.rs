//! Connects a memory to other programs: the agents that people use ([`host`]), the memories they had before
//! ([`import`]), and files for whatever comes next ([`export`]).
//!
//! This crate must not know the terminal, the environment or the crate `care`.

pub mod diff;
mod error;
pub mod export;
pub mod host;
pub mod import;

pub use error::Error;
