//! Whether a conversation may write to the workspace: OpenClaw lets an agent in a sandbox read it only, or not see it.

use mindfile_settings::ClosedTo;

use crate::corpus::Corpus;
use crate::error::Error;

/// Fails where a conversation's agent is sandboxed and may not write.
pub(super) fn check(corpus: &Corpus, session: &str) -> Result<(), Error> {
    let why = match &corpus.settings.closed_to {
        ClosedTo::None => return Ok(()),
        ClosedTo::NotMain { .. } if is_main(corpus, session)? => return Ok(()),
        ClosedTo::NotMain { why } | ClosedTo::All { why } => why.clone(),
    };
    Err(Error::Sandboxed { session: session.to_owned(), why })
}

/// By the key that OpenClaw knows it by.
fn is_main(corpus: &Corpus, session: &str) -> Result<bool, Error> {
    let record = corpus.sessions().record(session)?;
    let own = format!("agent:{}:main", corpus.settings.agent);
    Ok(record.map_or(session == "main", |record| record.key == own))
}
