//! Whose word a memory is. An origin is bound at the moment of writing to the door that the text came through, and no
//! text and no field that a caller fills can raise it.

mod door;

pub use door::Door;
pub use mindfile_index::Origin;
