//! Forgotten means forgotten: in every file, after every rebuild, through every door.

mod attack_doors;
mod attacks;
mod canaries;
mod controls;
mod later;

use mindfile::Memory;
use mindfile::forget::{Erasure, Forgotten, What};
use mindfile::origin::Door;

use crate::world::World;

pub(crate) fn owner(world: &World) -> Memory {
    world.memory().through(Door::Terminal)
}

pub(crate) fn forget(memory: &Memory, what: What) -> Forgotten {
    memory.forget(&Erasure { what, dry_run: false }).unwrap()
}

/// How many of what a test makes: few by default, `MINDFILE_CASES` when asked.
#[expect(clippy::disallowed_methods, reason = "a test is told its length by the environment")]
pub(crate) fn cases(few: usize) -> usize {
    std::env::var("MINDFILE_CASES").ok().map_or(few, |text| text.parse().unwrap())
}

/// The files that hold a text, as their names say.
pub(crate) fn holding(world: &World, wanted: &str) -> Vec<String> {
    let has = |bytes: &[u8]| bytes.windows(wanted.len()).any(|part| part == wanted.as_bytes());
    let all = world.tree().into_iter().filter(|(_, bytes)| has(bytes));
    all.map(|(path, _)| path.strip_prefix(world.dir.path()).unwrap().to_string_lossy().into_owned()).collect()
}
