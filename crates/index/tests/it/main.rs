//! One binary for all integration tests of the crate.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]
#![expect(clippy::disallowed_methods, reason = "tests make files of their own")]

mod conformance;
mod damage;
mod files;
mod followed;
mod joined;
