//! The use of facts: what recall returns is noted in the journal, and shown in the index.

use std::sync::Arc;

use mindfile_index::{Change, Index};
use mindfile_trust::place::is_private;

use crate::access::{GivenPlace, Giving};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::viewer::Viewer;
use mindfile_ranking::fact::Uses;

impl Corpus {
    /// Notes that these facts were recalled just now.
    pub fn touch(&self, ids: &[String]) -> Result<(), Error> {
        self.journal.append(ids, self.clock.now().as_millisecond())?;
        let uses = self.journal.uses()?;
        let shown = ids.iter().filter_map(|id| Some((id.clone(), *uses.get(id)?)));
        let change = Change::Use { facts: shown.collect() };
        self.apply(&*self.index()?, vec![change])
    }

    /// Notes what a model was given just now, and by what. Private notes are given to no model, and their names are not
    /// written down.
    pub fn note_given(
        &self,
        by: &str,
        session: Option<&str>,
        mut given: Vec<GivenPlace>,
    ) -> Result<(), Error> {
        given.retain(|place| !is_private(&place.citation));
        let (at, door) = (self.clock.now().as_millisecond(), self.door.to_string());
        let session = session.map(str::to_owned);
        self.journal.append_given(Giving { at, by: by.to_owned(), door, session, given })
    }

    /// What models were given, the newest last: all, or in one conversation, as far as a viewer may see it.
    pub fn givings(&self, viewer: Viewer, session: Option<&str>, limit: usize) -> Result<Vec<Giving>, Error> {
        if let Some(session) = session {
            self.check_session(viewer, session)?;
        }
        let audience = self.audience(viewer)?;
        let is_seen = |giving: &Giving| match giving.session.as_deref() {
            Some(own) => session.is_none_or(|session| session == own) && audience.sees_session(own),
            None => session.is_none() && viewer.chat.is_private(),
        };
        let mut seen: Vec<Giving> = self.journal.given()?.into_iter().filter(is_seen).collect();
        for giving in &mut seen {
            giving.given.retain(|place| audience.sees(place.path()));
        }
        seen.drain(..seen.len().saturating_sub(limit));
        Ok(seen)
    }

    /// How often each fact was recalled, and when last.
    pub fn uses(&self) -> Result<Arc<Uses>, Error> {
        self.journal.uses()
    }
}

/// Shows the whole journal in an index that was just made.
pub(crate) fn show(corpus: &Corpus, index: &dyn Index) -> Result<(), Error> {
    let uses = corpus.journal.uses()?;
    if uses.is_empty() {
        return Ok(());
    }
    let facts = uses.iter().map(|(id, access)| (id.clone(), *access)).collect();
    corpus.apply(index, vec![Change::Use { facts }])
}
