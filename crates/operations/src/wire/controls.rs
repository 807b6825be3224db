//! `edit`, `trust`, `delete` and `forget` as JSON.

use mindfile::fact::Edited as FactEdited;
use mindfile::forget::Forgotten;
use mindfile::origin::Trusted;
use schemars::JsonSchema;
use serde::Serialize;

use crate::fact::Fact;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Edited {
    ok: bool,
    #[serde(flatten)]
    fact: Fact,
    before: String,
    notices: Vec<String>,
}

impl Edited {
    pub fn new(edited: &FactEdited) -> Self {
        let (before, notices) = (edited.before.clone(), edited.notices.clone());
        Self { ok: true, fact: Fact::new(&edited.fact), before, notices }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TrustGiven {
    ok: bool,
    #[serde(flatten)]
    fact: Fact,
    was: &'static str,
}

impl TrustGiven {
    pub fn new(trusted: &Trusted) -> Self {
        Self { ok: true, fact: Fact::new(&trusted.fact), was: trusted.before.as_str() }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Allowed {
    pub ok: bool,
    pub entries: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gone {
    ok: bool,
    dry_run: bool,
    facts: usize,
    lines: Vec<Line>,
    notes: Vec<String>,
    messages: Vec<Message>,
    files: Vec<String>,
    /// Why something of it is still in a file; empty when nothing is.
    pending: Vec<String>,
    notices: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Line {
    path: String,
    line: u32,
    text: String,
    why: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Message {
    session: String,
    line: u32,
    text: String,
    why: &'static str,
}

impl Gone {
    pub fn new(forgotten: &Forgotten, dry_run: bool) -> Self {
        let lines = forgotten.lines.iter();
        let messages = forgotten.messages.iter();
        Self {
            ok: true,
            dry_run,
            facts: forgotten.facts,
            lines: lines
                .map(|gone| Line {
                    path: gone.path.clone(),
                    line: gone.line,
                    text: gone.text.clone(),
                    why: gone.why.as_str(),
                })
                .collect(),
            notes: forgotten.notes.clone(),
            messages: messages
                .map(|gone| Message {
                    session: gone.session.clone(),
                    line: gone.line,
                    text: gone.text.clone(),
                    why: gone.why.as_str(),
                })
                .collect(),
            files: forgotten.files.clone(),
            pending: forgotten.pending.clone(),
            notices: forgotten.notices.clone(),
        }
    }
}
