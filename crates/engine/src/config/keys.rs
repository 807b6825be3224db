//! The keys of the configuration, in one table.
//!
//! Unknown keys, wrong values, `config show`, `config get`, `config set` and the documentation all read this table,
//! so that they cannot disagree.

use super::error::Error;
use super::kind::{Kind, Preset};
use super::origin::shown_key;
use super::table::KEYS;

/// One key: where it may stand, what it allows, and what it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// The name people use, such as `query.hybrid.vectorWeight` or `memory.citations`.
    pub path: &'static str,
    pub section: Section,
    pub kind: Kind,
    pub default: Preset,
    pub doc: &'static str,
    pub effect: Effect,
    /// Whether a workspace's own file may set it: only what cannot reach outside that workspace.
    pub in_workspace: bool,
}

/// The part of a configuration file that a key stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// `memory.search`, `agents.defaults.memorySearch` and their per-agent forms.
    Search,
    /// `memory`, beside `memory.search`.
    Memory,
    /// `agents.defaults` and the agents' own entries.
    Agent,
}

/// What this version does with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Used,
    /// Read and checked. A value other than the default brings a warning that says what happens instead.
    NotInThisVersion {
        instead: &'static str,
    },
    /// Read and checked. It says more about a feature that another key turns on; that key brings the warning.
    DetailOf(&'static str),
}

impl Key {
    /// The path below the section's own object.
    pub(super) fn local(&self) -> &'static str {
        match self.section {
            Section::Memory => self.path.strip_prefix("memory.").unwrap_or(self.path),
            Section::Search | Section::Agent => self.path,
        }
    }
}

/// The key of that name; the places where files keep it are accepted as prefixes.
pub fn find(name: &str) -> Option<&'static Key> {
    let short = canonical(name);
    KEYS.iter().find(|key| key.path == short)
}

/// The known key that a person most likely meant.
pub fn nearest(name: &str) -> Option<&'static str> {
    let name = canonical(name);
    let group = format!("{name}.");
    let below = KEYS.iter().map(|key| key.path).find(|path| path.starts_with(&group));
    below.or_else(|| closest(name, KEYS.iter().map(|key| key.path)))
}

/// The error for a name that is no key.
pub(super) fn missing(name: &str) -> Error {
    Error::NoSuchKey { key: shown_key(name), nearest: nearest(name) }
}

/// The name without the place that a file keeps it in.
pub(super) fn canonical(name: &str) -> &str {
    const PLACES: [&str; 4] =
        ["agents.defaults.memorySearch.", "agents.defaults.", "memorySearch.", "memory.search."];
    PLACES.iter().find_map(|place| name.strip_prefix(place)).unwrap_or(name)
}

/// The candidate that has the same last word, else the one with the fewest typing errors between them.
pub(super) fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let last = |path: &str| path.rsplit('.').next().map(str::to_lowercase);
    let misplaced = known.clone().filter(|path| last(path) == last(name));
    let by_distance =
        |paths: &mut dyn Iterator<Item = &'a str>| paths.map(|path| (distance(name, path), path)).min();
    let limit = 2.max(name.chars().count() / 3);
    by_distance(&mut misplaced.into_iter())
        .or_else(|| by_distance(&mut known.into_iter()).filter(|(far, _)| *far <= limit))
        .map(|(_, path)| path)
}

fn distance(a: &str, b: &str) -> usize {
    /// Longer than any key: what is cut off cannot make two names alike.
    const LONGEST: usize = 100;
    let cut = |text: &str| text.to_lowercase().chars().take(LONGEST).collect::<String>();
    strsim::damerau_levenshtein(&cut(a), &cut(b))
}
