//! Conversations, as a viewer may read them.

use mindfile_workspace::transcripts::{SessionError, path_of};

use super::candidate::{self, Candidate};
use super::{Record, SessionFile, Transcript};
use crate::corpus::Corpus;
use crate::error::Denial;
use crate::error::Error;
use crate::viewer::Viewer;

/// Conversations that are there, and what `sessions.json` says of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conversations {
    /// By id.
    pub found: Vec<SessionFile>,
    pub records: Vec<Record>,
    /// What had to be mended.
    pub notices: Vec<String>,
}

pub fn conversations(corpus: &Corpus, viewer: Viewer) -> Result<Conversations, Error> {
    let (audience, sessions) = (corpus.audience(viewer)?, corpus.sessions());
    let (mut records, notices) = sessions.records()?;
    let mut found = sessions.list()?;
    records.retain(|record| audience.sees_session(&record.session));
    found.retain(|found| audience.sees_session(&found.session));
    Ok(Conversations { found, records, notices })
}

pub fn conversation(corpus: &Corpus, viewer: Viewer, session: &str) -> Result<Transcript, Error> {
    corpus.check_session(viewer, session)?;
    Ok(corpus.sessions().read(session)?)
}

/// Fails as for a conversation that is not there where the viewer may not read it.
pub fn check(corpus: &Corpus, viewer: Viewer, session: &str) -> Result<(), Error> {
    corpus.check_session(viewer, session)
}

/// Fails where somebody would be let into a conversation that is there and that the viewer may not read: turns of a group
/// would make it one that a group reads.
pub fn check_append(corpus: &Corpus, viewer: Viewer, session: &str) -> Result<(), Error> {
    if corpus.audience(viewer)?.sees_session(session) {
        return Ok(());
    }
    match corpus.sessions().read(session) {
        Err(SessionError::NoSession { .. }) => Ok(()),
        Ok(_) => Err(Denial::Private { path: path_of(session), chat: viewer.chat }.into()),
        Err(error) => Err(error.into()),
    }
}

/// What may be worth keeping of a conversation.
pub fn candidates(corpus: &Corpus, viewer: Viewer, session: &str) -> Result<Vec<Candidate>, Error> {
    let transcript = conversation(corpus, viewer, session)?;
    let found = transcript.messages().flat_map(|(placed, message)| candidate::find(placed.line, message));
    Ok(found.collect())
}
