//! One binary for all integration tests of the crate. Those of an object store need one: `../../test` starts it, and they
//! say loudly when they have none.

mod bucket;
mod contract;
mod faults;
mod forget;
mod modules;
mod place;
mod strangers;
