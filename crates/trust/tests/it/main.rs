//! The tests of the crate, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod age;
mod audit;
mod policy;
