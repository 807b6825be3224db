//! A data set as this program sees it: notes, questions, and where the evidence stands.

use std::path::Path;

use jiff::Timestamp;

use crate::error::Error;

#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    pub name: String,
    pub corpora: Vec<Corpus>,
}

/// Notes that are searched together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Corpus {
    /// Path within the workspace and text.
    pub notes: Vec<(String, String)>,
    pub questions: Vec<Question>,
    /// When the questions are asked.
    pub now: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub id: String,
    pub text: String,
    pub category: String,
    /// Empty for a question that the notes do not answer.
    pub gold: Vec<Gold>,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    pub path: String,
    /// None: the note as a whole.
    pub line: Option<u32>,
    /// The evidence itself, to be looked for in what is shown.
    pub text: Option<String>,
}

impl Corpus {
    pub fn write(&self, workspace: &Path) -> Result<(), Error> {
        for (path, text) in &self.notes {
            let path = workspace.join(path);
            let io = |source| Error::Io { path: path.clone(), source };
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(io)?;
            }
            #[expect(clippy::disallowed_methods, reason = "a scratch copy that nobody keeps")]
            std::fs::write(&path, text).map_err(io)?;
        }
        Ok(())
    }
}

/// Reads a file of a data set as text.
pub(super) fn text(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::Io { path: path.to_owned(), source })
}

pub(super) fn wrong(path: &Path, what: impl std::fmt::Display) -> Error {
    Error::Dataset { path: path.to_owned(), what: what.to_string() }
}
