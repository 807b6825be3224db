//! Search through a whole memory: what is found, in which order, with which score, and what is shown of it.

mod options;
mod queries;
mod scores;
mod snippets;
mod why_not;

use mindfile::search::{Answer, Hit, Mode, Place, Request};
use mindfile::{Error, Memory, Response};

use crate::world::World;

impl World {
    fn ask(&self, request: &Request) -> Response {
        self.memory().search(request, None).unwrap()
    }

    fn answer(&self, query: &str) -> Answer {
        self.ask(&Request::new(query)).answer
    }

    fn refuses(&self, request: &Request) -> Error {
        self.memory().search(request, None).unwrap_err()
    }
}

fn paths(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.path.as_str()).collect()
}

fn by(mode: Mode, query: &str) -> Request {
    Request { mode: Some(mode), ..Request::new(query) }
}

/// Everything that is found, however weak.
fn all(query: &str) -> Request {
    Request { min_score: Some(0.0), max_results: Some(100), ..Request::new(query) }
}

fn place(text: &str) -> Place {
    text.parse().unwrap()
}

fn explained(memory: &Memory, request: &Request, at: &str) -> Response {
    memory.search(request, Some(&place(at))).unwrap()
}
