//! What can be asked of a memory, declared once: each operation is one struct with its answer, and every front end makes
//! itself from the table of them.
//!
//! This crate must not know the terminal, sockets or the environment.

pub mod schema;
pub mod spelling;
pub mod text;
pub mod wire;
