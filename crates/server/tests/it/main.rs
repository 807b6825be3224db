//! The server as its callers meet it, run in the process of the test.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod exchange;
mod home;
mod http;
mod mcp;
mod page;
mod served;
