//! Forgetting: what a person asks to forget leaves the notes, the conversations, the index and everything that was made
//! of it, and does not come back.
//!
//! What goes is worked out first and can be looked at. Then a plan is written down, by which the next sync finishes what a
//! kill interrupts; then the ledger, so that nothing that is under way can store it again; then files are changed, and the
//! index is made to hold nothing of it. What cannot be finished at once is noted with the plan and finished later.

mod backups;
mod choose;
mod headings;
mod index;
mod lines;
mod pending;
mod plan;
mod state;
mod transcripts;

use jiff::civil::Date;
use mindfile_index::Origin;

use crate::access::Removal;
use crate::audit::{self, Record};
use crate::corpus::Corpus;
use crate::draft::Notes;
use crate::error::Denial;
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};
pub use backups::note_backup;
use choose::Choice;
use mindfile_trust::audit::Act;
pub use mindfile_trust::forgotten::*;
pub use pending::forgetting;
pub(crate) use pending::go_on;

/// What is to be forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A fact by its id, or the values of a key.
    Fact(String),
    /// The daily notes, facts and messages of these days, both included.
    Days { since: Option<Date>, until: Option<Date> },
    /// Every fact that names it, and its page.
    Entity(String),
    /// Every line and every sentence that has these words in this order.
    Query(String),
    /// A conversation, and what was kept of it.
    Session(String),
    /// Everything of an origin below the owner's.
    Origin(Origin),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    pub what: What,
    /// Say what would go, and change nothing.
    pub dry_run: bool,
}

/// Why something goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is what was asked for.
    Asked,
    /// It rests on a fact that goes, or is a heading of such lines alone.
    Cites,
    /// It says the same.
    Quotes,
}

impl Why {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Cites => "cites",
            Self::Quotes => "quotes",
        }
    }
}

/// A line of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub path: String,
    pub line: u32,
    pub text: String,
    pub why: Why,
}

/// An entry of a transcript, whose words are covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub session: String,
    pub line: u32,
    /// What it said, in one line and cut short.
    pub text: String,
    pub why: Why,
}

/// What went, or would go.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forgotten {
    pub facts: usize,
    pub lines: Vec<Line>,
    /// Notes that go as a whole.
    pub notes: Vec<String>,
    pub messages: Vec<Message>,
    /// What else was changed: files of the state directory.
    pub files: Vec<String>,
    /// Why something of it is still in a file, and will be taken out later.
    pub pending: Vec<String>,
    pub notices: Vec<String>,
}

impl Forgotten {
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.notes.is_empty() && self.messages.is_empty()
    }
}

/// Forgets, or says what would be forgotten.
pub fn forget(corpus: &Corpus, request: &Erasure) -> Result<Forgotten, Error> {
    if !corpus.door.origin().is_trusted() {
        return Err(Denial::NotTheOwner { door: corpus.door, what: "forget" }.into());
    }
    if request.dry_run {
        ingest::run(corpus, Scope::All, Budget::Question)?;
        return Ok(choose::choose(corpus, &request.what)?.report(corpus.door));
    }
    let notes = Notes::open(corpus)?;
    pending::resume(&notes)?;
    ingest::run(corpus, Scope::All, Budget::Question)?;
    let choice = choose::choose(corpus, &request.what)?;
    let mut done = choice.report(corpus.door);
    if !choice.is_empty() {
        carry_out(&notes, &choice, &mut done)?;
        corpus.audit(&record(&request.what));
    }
    done.notices.extend(corpus.notices());
    Ok(done)
}

/// Lets a text be stored again that was forgotten. Returns how many entries of the ledger knew it.
pub fn allow(corpus: &Corpus, text: &str) -> Result<usize, Error> {
    if !corpus.door.is_owner() {
        return Err(Denial::NotTheOwner { door: corpus.door, what: "allow what was forgotten" }.into());
    }
    Ok(corpus.ledger.remove(&corpus.forgotten()?.marks_in(text))?)
}

fn carry_out(notes: &Notes<'_>, choice: &Choice, done: &mut Forgotten) -> Result<(), Error> {
    let corpus = notes.corpus();
    let plan = pending::begin(corpus, plan::plan(corpus, choice)?)?;
    corpus.ledger.append(choice.matcher.items())?;
    erase(notes, choice, &plan, done)?;
    done.pending = pending::finish(notes)?;
    Ok(())
}

fn erase(notes: &Notes<'_>, choice: &Choice, plan: &Plan, done: &mut Forgotten) -> Result<(), Error> {
    let corpus = notes.corpus();
    lines::erase_lines(notes, choice)?;
    transcripts::erase_messages(corpus, choice, done)?;
    state::erase_state(corpus, choice, done)?;
    backups::erase_backups(corpus, choice, plan, done)?;
    let sessions = plan.messages.iter().map(|(session, _, _)| session.as_str()).collect();
    let (facts, notes) = (Some(&plan.ids), Some(&plan.paths));
    corpus.journal.remove(&Removal { facts, notes, sessions })?;
    corpus.origins.remove(&plan.origins)?;
    index::forget_in_index(corpus, plan)
}

/// What is logged of it: never what was forgotten.
fn record(what: &What) -> Record<'_> {
    let (act, kind, id, text) = match what {
        What::Fact(id) => (Act::Delete, audit::What::Fact, Some(id.as_str()), None),
        What::Days { .. } => (Act::Forget, audit::What::Note, None, None),
        What::Entity(name) => (Act::Forget, audit::What::Entity, None, Some(name.as_str())),
        What::Query(words) => (Act::Forget, audit::What::Query, None, Some(words.as_str())),
        What::Session(session) => (Act::Forget, audit::What::Session, Some(session.as_str()), None),
        What::Origin(origin) => (Act::Forget, audit::What::Note, Some(origin.as_str()), None),
    };
    Record { act, what: kind, id, text }
}
