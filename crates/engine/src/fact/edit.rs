//! Saying a fact in other words: in its place, under its id, one version up. No other byte of the note changes.

use mindfile_note::fact::{Line, Name};

use super::{FactRecord, inspect};
use crate::audit::{Act, Record, What};
use crate::corpus::Corpus;
use crate::denial::Denial;
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};
use crate::retain::write::{self, Edit};
use crate::retain::{self};

/// A fact that says something else now.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    pub fact: FactRecord,
    /// What it said before.
    pub before: String,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

impl Corpus {
    /// Changes what a fact says, or the value of a key. The words are of the door they came through.
    pub fn edit(&self, name: &str, text: &str) -> Result<Edited, Error> {
        if !self.door.origin().is_trusted() {
            return Err(Denial::NotTheOwner { door: self.door, what: "edit a fact" }.into());
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        retain::Request::new(text.as_str()).check()?;
        self.ask_refusal(&text)?;
        self.policy.admit("the fact", &text)?;
        let turn = self.take_turn()?;
        let found = inspect(self, self.viewer(), name, None)?.fact;
        let workspace = self.workspace()?;
        let path = workspace.is_memory_path(&found.path)?;
        let origin = self.origin_of(self.door, &text)?;
        // A text that looks like a fact line reads otherwise by itself than in a line.
        self.bind_as(origin, path.as_str(), &[&text, &format!("- W: {text} ^{}", found.id)])?;
        let version = (found.version + 1).to_string();
        let change = |line: &mut Line<'_>| {
            line.set_text(&text);
            line.set(Name::Version, Some(&version));
            line.set_id(Some(&found.id));
        };
        let edit = Edit { id: &found.id, line: found.line, change: &change, after: None };
        if !write::edit(&workspace, &path, &edit)? {
            return Err(super::Error::NoFact { id: found.id }.into());
        }
        ingest::run(self, Scope::Notes(std::slice::from_ref(&path)), Budget::Unlimited)?;
        let fact = self.placed(&workspace, &path, &found.id)?;
        self.audit(&Record { act: Act::Edit, what: What::Fact, id: Some(&fact.id), text: Some(&fact.text) });
        drop(turn);
        Ok(Edited { fact, before: found.text, notices: self.notices() })
    }
}
