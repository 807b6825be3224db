//! The tests of what looks after a memory, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod doctor;
mod eval;
mod heartbeat;
#[path = "../../../engine/tests/it/other_user.rs"]
mod other_user;
mod status;
#[path = "../../../engine/tests/it/world.rs"]
#[expect(dead_code, reason = "the memory's own tests need more of it")]
mod world;
