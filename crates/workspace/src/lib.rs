//! Notes and conversations as files: what there is, reading it, and writing it so that nothing is lost.
//!
//! This is the only code that touches files of a workspace and transcripts. It knows no index and no model, and judges no
//! text itself: it asks the crate `trust`.

mod notes;
pub mod transcripts;

pub use notes::*;
