//! Whose word a memory is: what the crate `trust` says of it, and what a memory binds when it writes.

mod raise;

pub use mindfile_note::Origin;
pub use mindfile_trust::origin::LineOrigins as Lines;
pub use mindfile_trust::origin::*;
pub use mindfile_trust::speaker::Door;
pub use raise::{Trusted, trust};
