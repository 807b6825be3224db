//! The index made again from the notes, beside the one in use.

use std::time::Instant;

use mindfile_index::{Backend, Change, FORGOTTEN, Index, Rebuild};
use mindfile_model::Error as ModelError;

use crate::corpus::Corpus;
use crate::embed;
use crate::error::Error;
use crate::fingerprint::{self, Fingerprint};
use crate::fit;
use crate::known_spaces;
use crate::reconcile::{self, Recipe};
use crate::report::{OnProgress, Report};
use crate::transcripts;
use crate::usage;

/// Makes everything that the index should hold beside it, and puts it in its place. `now` is what the index would be built
/// with, if that was asked for already.
pub(super) fn run(
    corpus: &Corpus,
    now: Option<Fingerprint>,
    until: Option<Instant>,
    on_progress: &mut OnProgress<'_>,
) -> Result<Report, Error> {
    let index = corpus.index()?;
    let Some(mut made) = index.rebuild(until.is_none())? else {
        return Err(ModelError::Deadline.into());
    };
    let known = known_spaces::listed(&*index.snapshot()?)?;
    let read_at = reconcile::read_at(&*index.snapshot()?)?;
    let wanted = known_spaces::recognised(now.map_or_else(|| fit::wanted(corpus, until), Ok)?, &known);
    let aside = Aside { index: &*index, wanted, known, read_at };
    if !is_made_for(made.index()?, &aside.wanted)? {
        made.restart()?;
    }
    let report = match fill(corpus, &*made, &aside, until, on_progress) {
        // What an interrupted rebuild left behind is of no use any more; the index itself may be as it should.
        Err(Error::Index(error)) if made.is_mended_by_restart(&error) => {
            made.restart()?;
            fill(corpus, &*made, &aside, until, on_progress)?
        }
        other => other?,
    };
    if reconcile::read_at(&*index.snapshot()?)? != read_at {
        made.discard()?;
        return Err(mindfile_index::Error::Superseded.into());
    }
    made.replace()?;
    Ok(report)
}

/// Makes everything that the index should hold, beside it.
fn fill(
    corpus: &Corpus,
    rebuild: &dyn Rebuild,
    aside: &Aside<'_>,
    until: Option<Instant>,
    on_progress: &mut OnProgress<'_>,
) -> Result<Report, Error> {
    let made = rebuild.index()?;
    fit::set(corpus, made, &aside.wanted, aside.known.clone())?;
    let counted = Change::Meta { key: FORGOTTEN.to_owned(), value: aside.read_at.to_string() };
    corpus.apply(made, vec![counted])?;
    usage::show(corpus, made)?;
    let mut report = reconcile::run(&corpus.workspace()?, made, &Recipe::of(corpus, true), on_progress)?;
    let index = aside.index;
    if corpus.settings.sessions.enabled || index.snapshot()?.meta(transcripts::index::OWNER)?.is_some() {
        report.add(transcripts::index::run(corpus, made)?);
    }
    embed::run(corpus, &[made, index], until, on_progress, &mut report)?;
    rebuild.carry_cache()?;
    embed::prune(corpus, made)?;
    Ok(report)
}

/// What a rebuild beside the index in use is made with.
struct Aside<'a> {
    index: &'a dyn Backend,
    wanted: Fingerprint,
    /// The spaces that the index has known.
    known: Vec<Fingerprint>,
    /// How often something had been forgotten when it began.
    read_at: u64,
}

/// A rebuild that was interrupted goes on, unless it was made for other settings. An empty one can be for any.
fn is_made_for(made: &dyn Index, wanted: &Fingerprint) -> Result<bool, Error> {
    let known = made.snapshot()?.meta(fingerprint::KEY)?;
    Ok(known.is_none_or(|known| Fingerprint::parse(&known).is_some_and(|known| known.fits(wanted))))
}
