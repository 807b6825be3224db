//! Notes and conversations as files: lists them, reads them, and writes them without losing anything.
//!
//! Only this crate touches the files of a workspace and transcripts. It must not know the index or models, and leaves
//! judging texts to the crate `trust`.

mod notes;
pub mod transcripts;

pub use notes::*;
