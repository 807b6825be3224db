//! What can be asked of a memory, declared once: each operation is one struct with its answer, and every front end makes
//! itself from the table of them.
//!
//! This crate must not know the terminal, sockets or the environment.

mod caller;
pub mod explain;
mod fact;
mod facts;
mod failure;
mod get;
mod operation;
mod recall;
pub mod schema;
mod search;
pub mod sessions;
pub mod spelling;
mod table;
pub mod text;
pub mod values;
pub mod wire;

pub use caller::{Caller, Listener};
pub use facts::{Retain, RetainedFact};
pub use failure::{Class, Failed, Failure, words};
pub use get::{Get, Lines};
pub use operation::{
    Answer, Deed, Entry, Http, Method, Operation, Outcome, Page, Reply, Row, Shown, Tool, ToolEntry,
    ToolOperation, ToolReply,
};
pub use recall::{Recall, Recollection};
pub use search::hits;
pub use search::{Found, Search};
pub use table::OPERATIONS;
