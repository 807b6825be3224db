//! Search and recall over notes that stand in an index in memory: what is found, in which order, with which score, and what is shown
//! of it.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod facts;
mod keys;
mod past;
mod queries;
mod recall;
mod recent;
mod scores;
mod silence;
mod snippets;
mod why_not;
mod world;

use std::fs;
use std::path::{Path, PathBuf};

use mindfile_ranking::search::{Hit, Mode, Request};

use world::World;

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
    let folder = project().join("crates/cli/demo");
    let mut world = World::new(&[]);
    let mut notes = vec![folder.join("MEMORY.md"), folder.join("USER.md")];
    notes.extend(files(&folder.join("memory")));
    for path in notes {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        world.save(name, &fs::read(&path).unwrap());
    }
    world
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
