//! What a forgetting is going to do, written down before the first change: places and keyed digests, never what goes. A
//! process that dies in the middle is finished as it was meant.

use std::collections::BTreeSet;

use mindfile_note::hash::Digest;
use serde::{Deserialize, Serialize};

use super::Line;
use super::choose::Choice;
use super::matcher::Item;
use super::transcripts::Redact;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::origin::{Marks, said};
use crate::secret_key::{Key, Mark};
use crate::workspace::{NotePath, Workspace};

/// A type with serde is a format: see FORMAT.md.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Plan {
    /// What the ledger gets.
    pub(super) items: Vec<Item>,
    /// Notes that go as a whole.
    pub(super) notes: BTreeSet<String>,
    /// Every note that changes.
    pub(super) paths: BTreeSet<String>,
    /// The lines that go.
    lines: BTreeSet<Mark>,
    pub(super) messages: BTreeSet<(String, u32, Redact)>,
    /// Facts that go.
    pub(super) ids: BTreeSet<String>,
    /// Bindings that go.
    pub(super) origins: BTreeSet<Mark>,
    /// What was embedded, as the cache names it.
    #[serde(with = "digests")]
    pub(super) hashes: BTreeSet<Digest>,
}

impl Corpus {
    pub(super) fn plan(&self, choice: &Choice) -> Result<Plan, Error> {
        let key = self.key.key()?;
        let messages = choice.messages.iter();
        let paths = choice.lines.iter().map(|line| line.path.clone()).chain(choice.notes.iter().cloned());
        Ok(Plan {
            items: choice.matcher.items().to_vec(),
            notes: choice.notes.clone(),
            paths: paths.collect(),
            lines: choice.lines.iter().map(|line| mark(key, &line.path, &line.text)).collect(),
            messages: messages.map(|(said, how)| (said.session.clone(), said.line, *how)).collect(),
            ids: choice.ids.clone(),
            origins: origin_marks(key, &choice.lines),
            hashes: self.chunk_hashes(choice)?,
        })
    }
}

impl Plan {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a line of a note is one of those that go.
    pub(super) fn means(&self, key: &Key, path: &str, text: &str) -> bool {
        !self.lines.is_empty() && self.lines.contains(&mark(key, path, text))
    }

    pub(super) fn note_paths(&self, workspace: &Workspace) -> Result<Vec<NotePath>, Error> {
        self.paths.iter().map(|path| Ok(workspace.is_memory_path(path)?)).collect()
    }

    pub(super) fn sessions(&self) -> BTreeSet<&str> {
        self.messages.iter().map(|(session, _, _)| session.as_str()).collect()
    }

    /// One plan for both.
    pub(super) fn join(&mut self, other: Self) {
        let new = other.items.into_iter().filter(|item| !self.items.contains(item)).collect::<Vec<_>>();
        self.items.extend(new);
        self.notes.extend(other.notes);
        self.paths.extend(other.paths);
        self.lines.extend(other.lines);
        self.messages.extend(other.messages);
        self.ids.extend(other.ids);
        self.origins.extend(other.origins);
        self.hashes.extend(other.hashes);
    }
}

fn mark(key: &Key, path: &str, text: &str) -> Mark {
    key.mark("forgotten line", &format!("{path}\0{text}"))
}

/// The bindings of lines that go.
fn origin_marks(key: &Key, lines: &[Line]) -> BTreeSet<Mark> {
    let mut marks = BTreeSet::new();
    for line in lines {
        let Some(said) = said(&line.text) else { continue };
        let found = Marks::of(key, &line.path, &said);
        marks.extend([Some(found.here), found.anywhere].into_iter().flatten());
    }
    marks
}

/// Digests as hexadecimal digits. One that cannot be read is of no use.
mod digests {
    use std::collections::BTreeSet;

    use mindfile_note::hash::Digest;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(all: &BTreeSet<Digest>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(all.iter().map(ToString::to_string))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeSet<Digest>, D::Error> {
        Ok(Vec::<String>::deserialize(from)?.iter().filter_map(|hex| Digest::parse(hex)).collect())
    }
}
