//! The integration tests of this crate, in one binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod asking;
mod batch_jobs;
mod chat;
mod downloads;
mod faults;
mod gguf;
mod interaction;
mod protocols;
mod reference;
mod server;
mod table;
mod tls;
mod vector;
