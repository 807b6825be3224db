//! A memory and its index file: whatever becomes of the file, the notes answer.

mod agrees;
mod faults;
mod index_file;
mod provider;
mod rebuild;

use std::ops::ControlFlow;

use mindfile::reconcile::Report;
use mindfile::search::Request;
use mindfile::{Memory, Response};

fn ask(memory: &Memory, query: &str) -> Response {
    memory.search(&Request::new(query), None).unwrap()
}

/// Where the first hit is.
fn first(memory: &Memory, query: &str) -> Option<String> {
    ask(memory, query).answer.hits.into_iter().next().map(|hit| hit.path)
}

fn sync(memory: &Memory) -> Report {
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap()
}
