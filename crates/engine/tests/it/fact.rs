//! Facts: kept, found again, counted, renamed.

mod edits;
mod entities;
mod journal;
mod keyed;
mod listed;
mod retains;
mod settles;

use mindfile::retain::{Request, Retained};
use mindfile::{Error, Memory};

use crate::world::World;

fn keep(world: &World, text: &str, entities: &[&str]) -> Retained {
    retain(&world.memory(), &about(text, entities)).unwrap()
}

fn about(text: &str, entities: &[&str]) -> Request {
    Request { entities: entities.iter().map(|&name| name.to_owned()).collect(), ..Request::new(text) }
}

fn retain(memory: &Memory, request: &Request) -> Result<Retained, Error> {
    memory.retain(request)
}

fn read(world: &World, path: &str) -> String {
    std::fs::read_to_string(world.note(path)).unwrap()
}

/// A text with block ids left out: they are of the moment.
fn without_ids(text: &str) -> String {
    let lines = text.lines().map(|line| line.rsplit_once(" ^").map_or(line, |(before, _)| before));
    lines.map(|line| format!("{line}\n")).collect()
}

const TODAY: &str = "memory/2050-07-14.md";
