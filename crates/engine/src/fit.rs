//! What the index was made with, against what it would be made with now.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use mindfile_disk::durable;
use mindfile_index::{Change, Index, Snapshot};
use mindfile_model::EmbeddedTable;

use crate::agreement::MADE;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fingerprint::{self, Fingerprint};
use crate::known_spaces;

/// A model that was seen to be the same this long ago is taken for the same.
const TRUSTED: Duration = Duration::from_secs(600);

/// Whether the index was made for the settings in force, as far as that is known without asking a provider.
pub(crate) fn fits(corpus: &Corpus, snapshot: &dyn Snapshot) -> Result<bool, Error> {
    let Some(stored) = snapshot.meta(fingerprint::KEY)? else { return Ok(false) };
    let mut fitting = corpus.space().fitting.lock().unwrap_or_else(PoisonError::into_inner);
    if fitting.as_deref() != Some(&*stored) {
        let known = Fingerprint::parse(&stored);
        if !known.is_some_and(|known| assumed(corpus, Some(&known)).fits(&known)) {
            return Ok(false);
        }
        *fitting = Some(stored.to_string());
    }
    Ok(true)
}

/// Whether the provider's model is still the one that the index was made with; asked once in a while.
pub(crate) fn is_still(corpus: &Corpus, known: &Fingerprint, until: Option<Instant>) -> Result<bool, Error> {
    // Nobody holds the lock while a provider is asked: another run has another deadline.
    let verified = || corpus.space().verified.lock().unwrap_or_else(PoisonError::into_inner);
    if verified().is_some_and(|at| at.elapsed() < TRUSTED) {
        return Ok(true);
    }
    let same = wanted(corpus, until)?.fits(known);
    *verified() = same.then(Instant::now);
    Ok(same)
}

/// What the index would be built with now; a provider is asked for its vector of the known text, which is there at `until`.
pub fn wanted(corpus: &Corpus, until: Option<Instant>) -> Result<Fingerprint, Error> {
    corpus.policy.prepare()?;
    let tokens = EmbeddedTable::open().fingerprint();
    let print = match &corpus.space().embedder {
        Some(embedder) => Fingerprint::of(&**embedder, tokens, &corpus.settings, until)?,
        None => Fingerprint::without_vectors(tokens, &corpus.settings),
    };
    Ok(Fingerprint { policy: corpus.policy.digest()?, workspace: whose(corpus), ..print })
}

/// Whose notes the index is of: on this machine those of a folder, elsewhere those of an agent, which may lie in another
/// folder on each host.
fn whose(corpus: &Corpus) -> String {
    match corpus.space().store.is_shared() {
        true => format!("agent {}", corpus.settings.agent),
        false => corpus.settings.workspace.to_string_lossy().into_owned(),
    }
}

/// What the index would be built with, without asking a provider: it is taken for the one that `known` was built with.
pub fn assumed(corpus: &Corpus, known: Option<&Fingerprint>) -> Fingerprint {
    let tokens = EmbeddedTable::open().fingerprint();
    let print = match &corpus.space().embedder {
        Some(embedder) => Fingerprint::assumed(embedder.space(), tokens, &corpus.settings, known),
        None => Fingerprint::without_vectors(tokens, &corpus.settings),
    };
    // A key that cannot be read is no key: what is indexed under one does not fit.
    Fingerprint { policy: corpus.policy.digest().unwrap_or_default(), workspace: whose(corpus), ..print }
}

/// Says in an index what it is made with, and keeps the spaces that it has known.
pub(crate) fn set(
    corpus: &Corpus,
    index: &dyn Index,
    wanted: &Fingerprint,
    known: Vec<Fingerprint>,
) -> Result<(), Error> {
    let change = Change::Meta { key: fingerprint::KEY.to_owned(), value: wanted.to_json()? };
    let made =
        Change::Meta { key: MADE.to_owned(), value: format!("{} {}", corpus.clock.now(), durable::nonce()) };
    corpus.apply(index, vec![change, known_spaces::remember(wanted, known)?, made])
}

/// What the index was built with; none for one that was never filled.
pub(crate) fn known(corpus: &Corpus) -> Result<Option<Fingerprint>, Error> {
    let known = corpus.index()?.meta(fingerprint::KEY)?;
    Ok(known.as_deref().and_then(Fingerprint::parse))
}

/// Whether the index is of these notes; an empty one is of any.
pub(crate) fn is_of_this_workspace(corpus: &Corpus) -> Result<bool, Error> {
    Ok(known(corpus)?.is_none_or(|known| known.workspace == whose(corpus)))
}
