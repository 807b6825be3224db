//! Whose fault a failure is: the one thing about an error that every front end must know, because exit codes, HTTP
//! statuses and JSON-RPC codes follow from it.

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
