//! Measurements outside the product: retrieval on public data sets, recall in synthetic worlds, the accuracy of the
//! policy's detectors, and how well a changed fact is told from another one. `mindfile eval` measures a user's own questions.
//!
//! This crate uses a memory as any other caller does, and must not know how the index or the providers work.

pub mod agreement;
pub mod associative;
mod error;
pub mod evidence;
pub mod policy;
pub mod public;
mod random;
mod seeds;
mod table;

pub use error::Error;
pub use seeds::Seeds;
