//! The program as people and other programs meet it: arguments in, stdout, stderr and an exit code out.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod attacks;
mod audience;
mod backends;
mod calls;
mod canaries;
mod certificate;
mod chat;
mod config;
mod controls;
mod demo;
mod docs;
mod doors;
mod effects;
mod eval;
#[path = "../../../server/tests/it/exchange.rs"]
#[expect(dead_code, reason = "the server's own tests look at headers, too")]
mod exchange;
mod facts;
mod fresh;
mod get;
mod heartbeat;
mod home;
mod hooks;
mod house;
mod importing;
mod index;
mod init;
mod install;
mod interactive;
mod mcp;
mod memory_tool;
mod modes;
mod moving;
mod notes;
mod openclaw;
#[cfg(feature = "postgres")]
#[path = "../../../postgres/tests/it/own.rs"]
#[expect(
    dead_code,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a server of a test's own, which the tests of another crate need more of"
)]
mod own;
mod private;
mod providers;
mod python;
mod recall;
mod search;
mod serve;
mod session;
mod shell;
mod status;
mod terminal;
mod trust;
mod watch;
