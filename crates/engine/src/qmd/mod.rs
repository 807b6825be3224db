//! QMD, another program, as the engine that finds notes. It has the notes themselves for its collections and a home of its
//! own for its index; what it finds is read again here, so that everything that holds for an answer of the built-in index
//! (policy, origin, chat, private notes, exact lines) holds for its answers, too. Its word counts for the order alone.

mod ask;
mod collection;
mod export;
mod forget;
mod guard;
mod home;
mod keeper;
mod look;
mod parse;
mod run;
mod scope;
mod search;
mod server;
mod trouble;
mod upkeep;

pub(crate) use guard::TruePlace;
pub use look::{Looked, State};
pub use scope::Asker;
pub(crate) use search::Came;

/// The name of the engine.
pub(crate) const NAME: &str = "qmd";
/// How the path of a note begins that is no note of the workspace: `qmd/COLLECTION/PATH`.
pub(crate) const PREFIX: &str = "qmd/";
/// Held by the process that keeps QMD's server and its index up to date.
const KEEPER: &str = "keeper.lock";
/// Held by whoever changes its index.
const UPDATE: &str = "update.lock";
