//! The integration tests of this crate, in one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod every_file;
mod interaction;
mod reference;
mod table;
mod vector;
