//! What every layer above may rely on: whose fault a failure is, and what can be done about it.
//!
//! This crate must not know the index, notes, the terminal or the environment.

mod fault;
mod hint;
mod range;

pub use fault::Fault;
pub use hint::{Hint, Part, Spelling};
pub use range::OutOfRange;
