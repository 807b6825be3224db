//! Who wrote what, and who saw what is sensitive: what a memory logs of itself, in the log of the crate `trust`.

mod memory;

pub use memory::Record;
pub use memory::entries;
pub use mindfile_trust::audit::*;
