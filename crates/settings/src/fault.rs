//! What every front end must know about an error of any crate: whose fault it is, because exit codes, HTTP statuses and
//! JSON-RPC codes follow from that, and how to say it.

use std::error::Error;

use crate::hint::{Hint, Spelling};

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
