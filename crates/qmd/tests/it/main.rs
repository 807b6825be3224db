//! The tests of the driver of QMD, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod qmd;
#[path = "../../../engine/tests/it/world.rs"]
#[expect(dead_code, reason = "the memory's own tests need more of it")]
mod world;
