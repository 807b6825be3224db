//! Measurements outside the product: retrieval on public data sets, recall in worlds made from a seed number, and how well
//! the policy's detectors tell a key from a commit. `mindfile eval` measures a user's own questions.
//!
//! This crate asks a memory as any other caller does, and must not know how the index or the providers work.

pub mod associative;
mod error;
pub mod policy;
pub mod public;
mod random;
mod seeds;
mod table;

pub use error::Error;
pub use seeds::Seeds;
