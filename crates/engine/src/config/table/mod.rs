//! The rows of the key table, a file for each part of the settings.

mod agents;
mod memory;
mod qmd;
mod search;

use super::keys::{Effect, Key, Section};
use super::kind::{Kind, Preset};

/// What a provider that is not known gives way to.
pub(super) const EMBEDDED: &str = "the embedded model is used";
pub(super) const NO_FALLBACK: &str = "there is no fallback";

const UNIT: Kind = Kind::Number { min: 0.0, max: 1.0 };

const PARTS: [&[Key]; 4] = [search::KEYS, memory::KEYS, qmd::KEYS, agents::KEYS];

/// Every key that is known, in the order in which `config show` lists them.
pub const KEYS: &[Key] = &all::<{ count_of(PARTS) }>();

const fn count_of(parts: [&[Key]; 4]) -> usize {
    parts[0].len() + parts[1].len() + parts[2].len() + parts[3].len()
}

const fn all<const COUNT: usize>() -> [Key; COUNT] {
    let mut keys = [PARTS[0][0]; COUNT];
    let (mut at, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut row = 0;
        while row < PARTS[part].len() {
            keys[at] = PARTS[part][row];
            (at, row) = (at + 1, row + 1);
        }
        part += 1;
    }
    keys
}

impl Key {
    const fn in_workspace(mut self) -> Self {
        self.in_workspace = true;
        self
    }
}

const fn count(max: u64) -> Kind {
    Kind::Whole { min: 1, max }
}

const fn used(path: &'static str, kind: Kind, default: Preset, doc: &'static str) -> Key {
    Key { path, section: Section::Search, kind, default, doc, effect: Effect::Used, in_workspace: false }
}

const fn absent(
    path: &'static str,
    kind: Kind,
    default: Preset,
    doc: &'static str,
    instead: &'static str,
) -> Key {
    Key { effect: Effect::NotInThisVersion { instead }, ..used(path, kind, default, doc) }
}

const fn detail(path: &'static str, kind: Kind, default: Preset, doc: &'static str, of: &'static str) -> Key {
    Key { effect: Effect::DetailOf(of), ..used(path, kind, default, doc) }
}

const fn memory(path: &'static str, kind: Kind, default: Preset, doc: &'static str, effect: Effect) -> Key {
    Key { section: Section::Memory, effect, ..used(path, kind, default, doc) }
}

const fn shared(path: &'static str, kind: Kind, default: Preset, doc: &'static str) -> Key {
    memory(path, kind, default, doc, Effect::Used)
}

const fn agent(path: &'static str, kind: Kind, default: Preset, doc: &'static str, effect: Effect) -> Key {
    Key { section: Section::Agent, effect, ..used(path, kind, default, doc) }
}

const fn session(path: &'static str, kind: Kind, default: Preset, doc: &'static str) -> Key {
    agent(path, kind, default, doc, Effect::Used)
}
