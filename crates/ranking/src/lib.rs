//! Questions to answers: search over the chunks of an index, recall over its facts.
//!
//! Everything here is plain functions over one [`Snapshot`](mindfile_index::Snapshot). A request is checked and becomes a
//! plan, which can be printed; then candidates are gathered, compared closely, and cited with the parts of their score. Two
//! runs over the same snapshot agree.
//!
//! This crate must not know files, the clock, the providers of models, or who may see what: the caller gives it a snapshot
//! that shows no more than the viewer may see, the question's vector, and the time.

mod code;
mod error;
pub mod fact;
pub mod recall;
pub mod search;

pub use code::Code;
pub use error::Error;
