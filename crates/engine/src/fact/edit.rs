//! Saying a fact in other words: in its place, under its id, one version up. No other byte of the note changes.

use mindfile_note::fact::{Line, Name};
use mindfile_trust::audit::{Act, What};

use super::{FactRecord, inspect};
use crate::audit::Record;
use crate::corpus::Corpus;
use crate::draft::{self, Edit, NewText, Notes};
use crate::error::Denial;
use crate::error::Error;
use crate::retain;

/// A fact that says something else now.
#[derive(Debug, Clone, PartialEq)]
pub struct Edited {
    pub fact: FactRecord,
    /// What it said before.
    pub before: String,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

/// Changes what a fact says, or the value of a key. The words are of the door they came through.
pub fn edit(corpus: &Corpus, name: &str, text: &str) -> Result<Edited, Error> {
    let door = corpus.door;
    if !door.origin().is_trusted() {
        return Err(Denial::NotTheOwner { door, what: "edit a fact" }.into());
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    retain::Request::new(text.as_str()).check()?;
    draft::refuse(corpus, "the fact", &text)?;
    let notes = Notes::open(corpus)?;
    let found = inspect(corpus, corpus.viewer(), name, None)?.fact;
    let path = notes.workspace().is_memory_path(&found.path)?;
    let origin = draft::origin_of(corpus, door, &text)?;
    // A text that looks like a fact line reads otherwise by itself than in a line.
    let line = format!("- W: {text} ^{}", found.id);
    let lines = [(text.as_str(), origin), (line.as_str(), origin)];
    let new = NewText { what: "the fact", door, says: &[&text], lines: &lines };
    let version = (found.version + 1).to_string();
    let change = |line: &mut Line<'_>| {
        line.set_text(&text);
        line.set(Name::Version, Some(&version));
        line.set_id(Some(&found.id));
    };
    let edit = Edit { id: &found.id, line: found.line, change: &change, after: None };
    notes.draft(&path, &new)?.edit(&edit)?;
    notes.index()?;
    let fact = retain::placed(corpus, notes.workspace(), &path, &found.id)?;
    let record = Record { act: Act::Edit, what: What::Fact, id: Some(&fact.id), text: Some(&fact.text) };
    notes.finish(&record)?;
    drop(notes);
    Ok(Edited { fact, before: found.text, notices: corpus.notices() })
}
