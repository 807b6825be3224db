//! What a forgetting will do, saved before the first change: places and keyed digests, never the text. If the process
//! dies, the plan is carried out later.

use std::collections::BTreeSet;

use mindfile_disk::secret_key::{Key, Mark};
use mindfile_note::hash::Digest;
use serde::{Deserialize, Serialize};

use super::cover::Redact;
use super::matcher::Item;
use crate::origin::{Marks, said};

/// A type with serde is a format: see FORMAT.md.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// What the ledger gets.
    pub items: Vec<Item>,
    /// Notes that go as a whole.
    pub notes: BTreeSet<String>,
    /// Every note that changes.
    pub paths: BTreeSet<String>,
    /// The lines that go.
    pub lines: BTreeSet<Mark>,
    pub messages: BTreeSet<(String, u32, Redact)>,
    /// Facts that go.
    pub ids: BTreeSet<String>,
    /// Bindings that go.
    pub origins: BTreeSet<Mark>,
    /// What was embedded, as the cache names it.
    #[serde(with = "digests")]
    pub hashes: BTreeSet<Digest>,
}

impl Plan {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a line of a note is one of those that go.
    pub fn means(&self, key: &Key, path: &str, text: &str) -> bool {
        !self.lines.is_empty() && self.lines.contains(&line_mark(key, path, text))
    }

    pub fn sessions(&self) -> BTreeSet<&str> {
        self.messages.iter().map(|(session, _, _)| session.as_str()).collect()
    }

    /// One plan for both.
    pub fn join(&mut self, other: Self) {
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

/// The mark of a line that goes, in its note.
pub fn line_mark(key: &Key, path: &str, text: &str) -> Mark {
    key.mark("forgotten line", &format!("{path}\0{text}"))
}

/// The bindings of lines that go, each with the path of its note.
pub fn origin_marks<'a>(key: &Key, lines: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeSet<Mark> {
    let mut marks = BTreeSet::new();
    for (path, line) in lines {
        let Some(said) = said(line) else { continue };
        let found = Marks::of(key, path, &said);
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
