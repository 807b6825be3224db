//! What may be stored, and what may be shown: the rules of the crate `trust`, and what they do to what is stored already.

mod apply;

pub use apply::{Applied, Stored, apply};
pub use mindfile_trust::policy::*;
