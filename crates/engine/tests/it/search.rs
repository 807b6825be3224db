//! Search through a whole memory: what is found, in which order, with which score, and what is shown of it.

mod conversations;
mod engines;
mod languages;
mod options;

use std::fs;
use std::path::{Path, PathBuf};

use mindfile::search::{Answer, Hit, Mode, Request};
use mindfile::{Error, Response};

use crate::world::World;

impl World {
    fn ask(&self, request: &Request) -> Response {
        self.memory().search(request, None).unwrap()
    }

    /// What is sure enough to be given unasked.
    fn answer(&self, query: &str) -> Answer {
        self.ask(&Request { unasked: true, ..Request::new(query) }).answer
    }

    fn refuses(&self, request: &Request) -> Error {
        self.memory().search(request, None).unwrap_err()
    }
}

fn paths(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.path.as_str()).collect()
}

fn by(mode: Mode, query: &str) -> Request {
    Request { mode: Some(mode), unasked: true, ..Request::new(query) }
}

/// Everything that is found, however weak.
fn all(query: &str) -> Request {
    Request { min_score: Some(0.0), max_results: Some(100), ..Request::new(query) }
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The notes of the demo.
fn demo() -> World {
    let world = World::new(&[]);
    copy(&project().join("crates/cli/demo"), &world.at("workspace"));
    world
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
