//! The engine's tests, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod audit;
mod canaries;
mod fact;
mod forget;
mod memory;
mod origin;
mod other_user;
mod policy;
mod private;
mod recall;
mod reconcile;
mod reflect;
mod salience;
mod search;
mod session;
mod unwritable;
mod viewer;
mod watch;
mod world;
