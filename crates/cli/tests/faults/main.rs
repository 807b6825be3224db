//! What the program does when the machine fails it: calls that fail, kills at any moment, bytes that rot, files that
//! nobody would call notes. Each campaign is one test; `docs/reliability.md` says what is promised and how to run them
//! at full length. By default they run briefly, on a fixed seed.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a campaign reports what it counted")]

mod byte_flips;
mod cases;
#[path = "../../../model/tests/it/chat/server.rs"]
#[expect(dead_code, reason = "it is shared with the tests of the models, which use all of it")]
mod chat_server;
mod chat_sigkills;
mod child;
mod crash_images;
mod disk;
mod dump;
mod durable_calls;
mod editors;
mod forget_kills;
mod full_disk;
mod git_histories;
mod hand;
mod hostile_files;
mod index_equals_rebuild;
mod note_writes;
mod private_notes;
mod random;
mod random_sigkills;
mod shim;
mod tree;
mod world;
