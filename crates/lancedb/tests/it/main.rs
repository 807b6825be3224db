//! One binary for all integration tests of the crate. Those of an object store need one: `../../test` starts it, and they
//! say loudly when they have none.
#![expect(clippy::print_stderr, reason = "a test that has no store says so")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests are told where the store is, and make files of their own"
)]

mod bucket;
mod contract;
mod decoded;
mod faults;
mod forget;
mod place;
mod strangers;
