//! One binary for all integration tests of the crate. They need a server: `tests/server` starts one, and the tests say
//! loudly when they have none.
#![expect(clippy::print_stderr, reason = "a test that has no server says so")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests are told where the server is, and make files of their own"
)]

mod contract;
mod door;
mod faults;
mod own;
mod proxy;
mod secure;
mod separate;
mod server;
mod strangers;
