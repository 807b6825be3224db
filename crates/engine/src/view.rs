//! What a viewer may see: rows of the index, files, conversations. Who reads along and what is private is judged here and
//! nowhere else; what nobody trusts is left out by the filter of each question.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use mindfile_index::{Backend, NoteQuery, ReferenceSnapshot, Snapshot, ViewSnapshot};
use mindfile_trust::place::is_private;
use mindfile_trust::vault::KeyError;
use mindfile_workspace::transcripts::SessionError;
use mindfile_workspace::transcripts::{id_of, path_of};

use crate::corpus::Corpus;
use crate::error::Denial;
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};
use crate::viewer::Viewer;

/// Whether the index sees the notes as they are now before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    Refresh,
    AsIndexed,
}

/// Which files and conversations may be shown to a viewer.
pub struct Audience {
    viewer: Viewer,
    /// The conversations that others can read along in.
    shared: BTreeSet<String>,
}

impl Audience {
    /// Whether the viewer may see what stands under this path: of a note, or of a transcript in the index.
    pub fn sees(&self, path: &str) -> bool {
        if is_private(path) && !self.viewer.sees_private_notes() {
            return false;
        }
        match id_of(path) {
            Some(session) => self.sees_session(session),
            None => self.viewer.chat.admits(path),
        }
    }

    /// A private conversation, or one of which nothing is known, is for private ones.
    pub fn sees_session(&self, session: &str) -> bool {
        self.viewer.chat.is_private() || self.shared.contains(session)
    }
}

/// The index as one viewer may see it.
pub struct View {
    index: Arc<dyn Backend>,
    private: Option<ReferenceSnapshot>,
    audience: Audience,
}

impl Corpus {
    /// The only way to rows of the index for whatever is shown.
    pub fn view(&self, viewer: Viewer, freshness: Freshness) -> Result<View, Error> {
        match freshness {
            Freshness::Refresh => drop(ingest::run(self, Scope::All, Budget::Question)?),
            Freshness::AsIndexed => {}
        }
        let index = self.index()?;
        // Opening private notes may take a second, and is not to be counted against the time that a question has.
        let private = if viewer.sees_private_notes() { self.private_rows(&*index)? } else { None };
        Ok(View { index, private, audience: self.audience(viewer)? })
    }

    pub fn audience(&self, viewer: Viewer) -> Result<Audience, Error> {
        let mut shared = BTreeSet::new();
        if !viewer.chat.is_private() {
            let (records, _) = self.sessions().records()?;
            let (private, others): (Vec<_>, Vec<_>) =
                records.into_iter().partition(|record| record.chat.is_private());
            shared.extend(others.into_iter().map(|record| record.session));
            for record in private {
                shared.remove(&record.session);
            }
        }
        Ok(Audience { viewer, shared })
    }

    /// Fails where the viewer may not read the note.
    pub(crate) fn check_note(&self, viewer: Viewer, path: &str) -> Result<(), Error> {
        if is_private(path) && !viewer.sees_private_notes() {
            return Err(KeyError::Sealed { path: path.to_owned() }.into());
        }
        self.check_chat(viewer, path)
    }

    /// Fails where somebody reads along who may not see what stands under this path.
    pub(crate) fn check_chat(&self, viewer: Viewer, path: &str) -> Result<(), Error> {
        if viewer.chat.is_private() || self.audience(viewer)?.sees(path) {
            return Ok(());
        }
        Err(Denial::Private { path: path.to_owned(), chat: viewer.chat }.into())
    }

    /// Fails as for a conversation that is not there where the viewer may not read it.
    pub(crate) fn check_session(&self, viewer: Viewer, session: &str) -> Result<(), Error> {
        if self.audience(viewer)?.sees(&path_of(session)) {
            return Ok(());
        }
        Err(SessionError::NoSession { session: session.to_owned() }.into())
    }
}

impl View {
    pub(crate) fn viewer(&self) -> Viewer {
        self.audience.viewer
    }

    pub(crate) fn audience(&self) -> &Audience {
        &self.audience
    }

    pub(crate) fn index(&self) -> &Arc<dyn Backend> {
        &self.index
    }

    pub fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, Error> {
        self.seen(self.index.snapshot()?)
    }

    /// For one question: what is not read by the deadline ends in an error.
    pub(crate) fn snapshot_until(&self, deadline: Instant) -> Result<Box<dyn Snapshot + '_>, Error> {
        self.seen(self.index.snapshot_until(deadline)?)
    }

    fn seen<'a>(&'a self, snapshot: Box<dyn Snapshot + 'a>) -> Result<Box<dyn Snapshot + 'a>, Error> {
        if let Some(held) = &self.private {
            return Ok(Box::new(ViewSnapshot::joined(snapshot, held.clone())));
        }
        if self.audience.viewer.chat.is_private() {
            return Ok(snapshot);
        }
        let paths = snapshot.notes(NoteQuery::All)?.into_iter().map(|note| note.path);
        let hidden: BTreeSet<String> = paths.filter(|path| !self.audience.sees(path)).collect();
        if hidden.is_empty() { Ok(snapshot) } else { Ok(Box::new(ViewSnapshot::without(snapshot, hidden)?)) }
    }
}
