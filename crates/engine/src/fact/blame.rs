//! Whose word each fact of a note is: by which door it came, when, in which conversation, and when it was last confirmed.

use jiff::civil::Date;
use mindfile_index::{FactQuery, single};
use mindfile_trust::origin::Binding;

use super::{FactRecord, State, load};
use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::session::remember::SOURCE;
use crate::view::Freshness;
use crate::viewer::Viewer;

#[derive(Debug, Clone, PartialEq)]
pub struct Blamed {
    pub fact: FactRecord,
    pub state: State,
    /// Which door it came through, and when; none for a line that a hand wrote.
    pub binding: Option<Binding>,
    /// The conversation in which it was said, with the turn where that is known.
    pub conversation: Option<String>,
}

impl Blamed {
    /// The day on which it was last said to be so.
    pub fn confirmed(&self) -> Option<Date> {
        self.fact.confirmed.max(self.fact.since())
    }
}

/// The facts of a note, line by line.
pub fn blame(corpus: &Corpus, viewer: Viewer, path: &str) -> Result<Vec<Blamed>, Error> {
    let note = corpus.workspace()?.is_memory_path(path)?;
    corpus.check_note(viewer, note.as_str())?;
    let view = corpus.view(viewer, Freshness::Refresh)?;
    let snapshot = view.snapshot()?;
    let docs = single::list(&*snapshot, FactQuery::All)?;
    let mut facts = load::records(&*snapshot, &docs, &*corpus.journal.uses()?)?;
    facts.retain(|fact| fact.path == note.as_str());
    facts.sort_by_key(|fact| fact.line);
    corpus.audit_shown(&facts);
    let judge = corpus.judge()?;
    let today = clock::today(&*corpus.clock);
    let blamed = facts.into_iter().map(|fact| {
        let line = load::line(&*snapshot, &fact)?;
        let said_in =
            fact.source.as_deref().and_then(|source| source.strip_prefix(SOURCE)?.strip_prefix(':'));
        let session = said_in.map(|place| place.split_once('#').map_or(place, |(session, _)| session));
        let is_seen = session.is_some_and(|session| view.audience().sees_session(session));
        Ok(Blamed {
            state: fact.state(today),
            binding: judge.binding(&fact.path, &line),
            conversation: said_in.filter(|_| is_seen).map(str::to_owned),
            fact,
        })
    });
    blamed.collect()
}
