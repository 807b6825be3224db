//! QMD, another program, as the engine that finds notes. It reads the notes itself and keeps its index in a home of its
//! own. Its hits are read again here, so that policy, origin, chat, private notes and exact lines apply as they do to
//! the built-in index; only QMD's order counts.
//!
//! Only the program connects it to the memory ([`provide`]). This crate must not know the terminal or the environment.

mod ask;
mod export;
mod guard;
mod home;
mod keeper;
mod look;
mod parse;
mod purge;
mod run;
mod search;
mod server;
mod trouble;
mod upkeep;

use mindfile::Corpus;
use mindfile::Error;
use mindfile::ask::{Finder, Finding};
use mindfile::copies::Purge;
use mindfile::search::{Plan, Request};

pub use keeper::{boot, keep};
pub use look::{Program, State, program, state, update};

/// The name of the engine.
const NAME: &str = "qmd";
/// Held by the process that keeps QMD's server and its index up to date.
const KEEPER: &str = "keeper.lock";
/// Held by whoever changes its index.
const UPDATE: &str = "update.lock";

struct Qmd;

/// From now on `memory.backend` can name it, and a forgetting reaches its copies.
pub fn provide() {
    mindfile::ask::provide(&Qmd);
    mindfile::copies::provide(&Qmd);
}

impl Finder for Qmd {
    fn search(&self, corpus: &Corpus, request: &Request, plan: Plan) -> Result<Finding, Error> {
        search::search(corpus, request, plan)
    }
}

impl Purge for Qmd {
    fn purge(&self, corpus: &Corpus) -> Result<Option<String>, Error> {
        purge::purge(corpus)
    }
}
