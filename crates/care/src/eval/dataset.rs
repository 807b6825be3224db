//! A data set: notes, questions, and where the evidence is.

use std::path::Path;

use jiff::Timestamp;

use crate::Error;

#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    pub name: String,
    pub haystacks: Vec<Haystack>,
}

/// Notes that are searched together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Haystack {
    /// Path within the workspace and text.
    pub notes: Vec<(String, String)>,
    pub questions: Vec<LabelledQuestion>,
    /// When the questions are asked.
    pub now: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LabelledQuestion {
    pub id: String,
    pub text: String,
    pub category: String,
    /// Empty for a question that the notes do not answer.
    pub gold: Vec<Evidence>,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub path: String,
    /// None: the note as a whole.
    pub line: Option<u32>,
    /// The evidence itself, to be looked for in what is shown.
    pub text: Option<String>,
}

impl Haystack {
    pub fn write(&self, workspace: &Path) -> Result<(), Error> {
        for (path, text) in &self.notes {
            let path = workspace.join(path);
            let io = mindfile_disk::Error::at(&path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(&io)?;
            }
            #[expect(clippy::disallowed_methods, reason = "a scratch copy that nobody keeps")]
            std::fs::write(&path, text).map_err(io)?;
        }
        Ok(())
    }
}
