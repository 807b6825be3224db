//! One key of the configuration.

use serde_json::Value;

use crate::kind::Kind;

const SLOTS: &str = "plugins.slots.";

/// Where a key may stand, what it allows, and what it does.
#[derive(Debug, Clone)]
pub struct Key {
    /// The name people use, such as `query.hybrid.vectorWeight` or `memory.citations`.
    pub path: &'static str,
    pub section: Section,
    /// The field that holds it, such as `Query::max_results`.
    pub field: &'static str,
    pub kind: Kind,
    /// Null where there is none.
    pub default: Value,
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
    /// `plugins.slots`, which is OpenClaw's and the same for all agents.
    Slots,
}

/// What this version does with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Used,
    /// Read and checked. A value other than the default brings a warning that says what happens instead.
    NotInThisVersion {
        instead: &'static str,
    },
    /// Read and checked. It is a detail of a feature that another key turns on; that key brings the warning.
    DetailOf(&'static str),
}

impl Key {
    pub(crate) fn new(
        path: &'static str,
        field: &'static str,
        kind: Kind,
        default: Value,
        doc: &'static str,
        effect: Effect,
    ) -> Self {
        const OF_AGENTS: [&str; 6] =
            ["workspace", "compaction.", "contextPruning.", "sandbox.", "chat.", "bootstrap"];
        const IN_WORKSPACES: [&str; 3] = ["query.", "chunking.", "memory.citations"];
        let is_below = |groups: &[&str]| groups.iter().any(|group| path.starts_with(group));
        let section = match path {
            _ if path.starts_with("memory.") => Section::Memory,
            _ if path.starts_with(SLOTS) => Section::Slots,
            _ if is_below(&OF_AGENTS) => Section::Agent,
            _ => Section::Search,
        };
        Self {
            path,
            section,
            field,
            kind,
            default,
            doc: doc.trim_start(),
            effect,
            in_workspace: is_below(&IN_WORKSPACES),
        }
    }

    /// The path below the section's own object.
    pub(crate) fn local(&self) -> &'static str {
        match self.section {
            Section::Memory => self.path.strip_prefix("memory.").unwrap_or(self.path),
            Section::Slots => self.path.strip_prefix(SLOTS).unwrap_or(self.path),
            Section::Search | Section::Agent => self.path,
        }
    }
}

/// The candidate that has the same last word, else the one with the fewest typing errors between them.
pub(crate) fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
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
