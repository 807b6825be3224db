//! Facts and entities.

mod retain;

pub use retain::{Retain, RetainedFact};
