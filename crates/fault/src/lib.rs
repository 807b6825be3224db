//! What every crate says about its failures, whatever they are: whose fault one is, because exit codes, HTTP statuses and
//! JSON-RPC codes follow from that, what can be done about it, and which words each front end has for it.
//!
//! This crate must not know any feature, nor how a front end spells a field, an operation or a setting.

mod hint;
mod range;

use std::error::Error;

pub use hint::{Hint, Part, Spelling};
pub use range::OutOfRange;

/// Who has to act before the same call can succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The caller asked for something that cannot be: a wrong value, an unknown key, a missing argument.
    Caller,
    /// The world around the program failed: a file that cannot be read, a full disk, a service that is down.
    Environment,
    /// The program contradicts itself.
    Bug,
}

/// An error that a front end can show.
pub trait Explain: Error {
    fn fault(&self) -> Fault;
    /// The name by which programs know the condition.
    fn code(&self) -> Option<&'static str>;
    /// What to do about it.
    fn hint(&self) -> Option<Hint>;
    /// The message, with fields as a front end calls them.
    fn spelled(&self, spelling: &dyn Spelling) -> String;
}
