//! The tests of the evals, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod agreement;
mod associative;
mod policy;
mod public;
