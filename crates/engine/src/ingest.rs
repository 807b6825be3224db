//! The index agrees with the files: the one way to bring it up to date, and to make it again.

mod agreement;
pub mod neighbour;
mod rebuild;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use mindfile_index::{Error as IndexError, Snapshot};
use mindfile_model::Error as ModelError;
use mindfile_model::provider::local;

use crate::corpus::Corpus;
use crate::embed;
use crate::error::Error;
use crate::fallback;
use crate::fingerprint::{self, Fingerprint};
use crate::fit;
use crate::known_spaces;
use crate::reconcile::{self, Progress, Recipe};
use crate::report::{OnProgress, Report};
use crate::transcripts;
use crate::transcripts::held;
pub use crate::transcripts::index::NewTurns;
use crate::usage;
use crate::wording;
use mindfile_settings::Maker;
use mindfile_workspace::{self as workspace, NotePath};

/// How often a run begins again because something was forgotten meanwhile.
const ATTEMPTS: usize = 4;

/// What of the memory the index is brought up to date with.
#[derive(Clone, Copy)]
pub enum Scope<'a> {
    /// Every note and every conversation.
    All,
    /// These notes, after a write to them: the work does not depend on how many others there are. Private notes are none
    /// of the index's; they are looked at when they are asked for.
    Notes(&'a [NotePath]),
    /// Notes that may not have changed, while what is known of them has.
    Rejudged(&'a [NotePath]),
    /// Every conversation.
    Sessions,
    /// One conversation.
    Session(&'a NewTurns<'a>),
}

/// How much may be done.
#[derive(Clone, Copy)]
pub enum Budget {
    Unlimited,
    /// Somebody waits for an answer: no provider is asked. What cannot be done is in the report instead of an error, as far
    /// as the index can answer without it.
    Question,
    /// A session begins.
    SessionStart,
}

/// Brings the index up to date.
pub fn run(corpus: &Corpus, scope: Scope<'_>, budget: Budget) -> Result<Report, Error> {
    run_shown(corpus, scope, budget, &mut |_| ControlFlow::Continue(()))
}

/// Brings the index up to date, and shows how far it is. `on_progress` may end it.
pub fn run_shown(
    corpus: &Corpus,
    scope: Scope<'_>,
    budget: Budget,
    on_progress: &mut OnProgress<'_>,
) -> Result<Report, Error> {
    match (scope, budget) {
        (Scope::All, Budget::Unlimited) => all(corpus, on_progress),
        (Scope::All, Budget::Question) if corpus.settings.sync.on_search => in_time(corpus, on_progress),
        (Scope::All, Budget::SessionStart) if corpus.settings.sync.on_session_start => {
            in_time(corpus, on_progress)
        }
        (Scope::All, Budget::Question | Budget::SessionStart) => Ok(Report::default()),
        (Scope::Notes(paths), _) => notes(corpus, paths, on_progress),
        (Scope::Rejudged(paths), _) => rejudged(corpus, paths),
        (Scope::Sessions, _) => transcripts::index::run(corpus, &*corpus.index()?),
        (Scope::Session(new), _) => {
            let index = corpus.index()?;
            mending(corpus, || transcripts::index::only(corpus, &*index, new))
        }
    }
}

/// Brings the index up to date where a session begins. Whoever begins it waits for so long and no longer: what is left is
/// done by the next that looks.
pub fn at_session_start(corpus: &Corpus) -> Result<(), Error> {
    const PATIENCE: Duration = Duration::from_secs(1);
    if corpus.settings.off.is_some() {
        return Ok(());
    }
    let until = corpus.pace.now() + PATIENCE;
    let mut on_progress = |_: &Progress| {
        if corpus.pace.now() < until { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    match run_shown(corpus, Scope::All, Budget::SessionStart, &mut on_progress) {
        Ok(_) | Err(Error::Interrupted) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Makes the index again from the notes, beside the one in use, and puts it in its place.
pub fn rebuild(corpus: &Corpus, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
    let made = mending(corpus, || rebuild::run(corpus, None, None, on_progress));
    or_by_fallback(corpus, made, |spare| rebuild(spare, on_progress))
}

/// When the provider fails and another one is to take over, that one's index is brought up to date.
fn all(corpus: &Corpus, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
    let made = mending(corpus, || once(corpus, Limits::NONE, on_progress));
    let made = made.and_then(|report| fetch_model(corpus).map(|()| report));
    or_by_fallback(corpus, made, |spare| all(spare, on_progress))
}

/// Questions do not wait for a model file, so that it has to be there also when no note asked for it.
fn fetch_model(corpus: &Corpus) -> Result<(), Error> {
    match &corpus.space().maker {
        Maker::Local(local) if local::IS_BUILT_IN && !local.is_there() => Ok(local.file().map(drop)?),
        Maker::Local(_) | Maker::Embedded | Maker::None | Maker::Service(_) => Ok(()),
    }
}

/// What was made, or what the memory that takes over makes when the provider failed.
fn or_by_fallback(
    corpus: &Corpus,
    made: Result<Report, Error>,
    by_fallback: impl FnOnce(&Corpus) -> Result<Report, Error>,
) -> Result<Report, Error> {
    match (made, corpus.spare()) {
        (Err(Error::Model(error)), Some(spare)) => {
            let fallback = corpus.fell(&error)?;
            Ok(Report { fallback: Some(fallback), ..by_fallback(&spare)? })
        }
        (Ok(report), _) => {
            corpus.recovered()?;
            Ok(report)
        }
        (Err(error), _) => Err(error),
    }
}

fn notes(corpus: &Corpus, paths: &[NotePath], on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
    let paths = reconcile::indexable(paths);
    if paths.is_empty() {
        return Ok(Report::default());
    }
    let workspace = corpus.workspace()?;
    let index = corpus.index()?;
    if !fit::fits(corpus, &*index.snapshot()?)? {
        return in_time(corpus, on_progress);
    }
    let recipe = Recipe::of(corpus, false);
    mending(corpus, || reconcile::notes(&workspace, &*index, &recipe, &paths))
}

fn rejudged(corpus: &Corpus, paths: &[NotePath]) -> Result<Report, Error> {
    let workspace = corpus.workspace()?;
    let index = corpus.index()?;
    let recipe = Recipe::of(corpus, false);
    corpus.look_again(paths);
    mending(corpus, || reconcile::rejudged(&workspace, &*index, &recipe, paths))
}

/// How much one attempt may do.
#[derive(Clone, Copy)]
struct Limits {
    /// When no further vectors are asked for.
    until: Option<Instant>,
    /// Whether nothing is asked of the provider.
    offline: bool,
    /// Whether notes are walked although a watch would tell of their changes.
    walks: bool,
}

impl Limits {
    const NONE: Self = Self { until: None, offline: false, walks: true };
    /// Somebody waits for an answer.
    const HURRY: Self = Self { walks: false, ..Self::NONE };
    const OFFLINE: Self = Self { offline: true, ..Self::HURRY };

    /// Vectors that are asked for while a question could be.
    fn of_a_question(corpus: &Corpus) -> Self {
        let until = corpus.pace.now() + corpus.settings.query.embed_deadline;
        Self { until: Some(until), ..Self::HURRY }
    }
}

fn once(corpus: &Corpus, limits: Limits, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
    let workspace = corpus.workspace()?;
    let index = corpus.index()?;
    let stored = index.meta(fingerprint::KEY)?;
    let known = stored.as_deref().and_then(Fingerprint::parse);
    let fits = match &known {
        // The model inside the program costs little to ask.
        Some(known) if fit::assumed(corpus, Some(known)).fits(known) => {
            !corpus.is_embedded() || fit::is_still(corpus, known, None)?
        }
        Some(_) | None => false,
    };
    if !fits {
        let wanted = match limits.offline {
            true => Err(ModelError::Deadline.into()),
            false => fit::wanted(corpus, limits.until),
        };
        match wanted {
            // Words do not wait for a model that cannot be asked.
            Err(error @ Error::Model(_)) if fit::is_of_this_workspace(corpus)? => {
                reconcile::run(&workspace, &*index, &Recipe::of(corpus, false), on_progress)?;
                return Err(error);
            }
            Err(error) => return Err(error),
            Ok(wanted) if stored.is_none() => {
                let known = known_spaces::listed(&*index.snapshot()?)?;
                fit::set(corpus, &*index, &known_spaces::recognised(wanted, &known), known)?;
                usage::show(corpus, &*index)?;
            }
            Ok(wanted) => return rebuild::run(corpus, Some(wanted), limits.until, on_progress),
        }
    }
    let mut report = agreement::reach(corpus, &workspace, &*index, limits.walks, on_progress)?;
    if corpus.settings.sessions.enabled {
        report.add(transcripts::index::run(corpus, &*index)?);
    }
    if limits.offline || corpus.is_embedded() || !has_pending(corpus, &*index.snapshot()?)? {
        return Ok(report);
    }
    if let Some(known) = known.filter(|known| fits && !known.canary.is_empty())
        && !fit::is_still(corpus, &known, limits.until)?
    {
        return rebuild::run(corpus, None, limits.until, on_progress);
    }
    embed::run(corpus, &[&*index], limits.until, on_progress, &mut report)?;
    Ok(report)
}

/// Makes sure that a note saved a moment ago is found by its words, without asking a provider. A workspace that is away
/// leaves the old index to answer.
fn in_time(corpus: &Corpus, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
    if is_settled(corpus) {
        return Ok(Report::default());
    }
    let limits = if corpus.asks_provider() { Limits::OFFLINE } else { Limits::HURRY };
    let mut made = mending(corpus, || once(corpus, limits, on_progress));
    if matches!(made, Err(Error::Model(_))) && !fit::is_of_this_workspace(corpus)? {
        // Of these notes the index has not even words.
        let limits = Limits::of_a_question(corpus);
        made = mending(corpus, || once(corpus, limits, on_progress));
    }
    match made {
        Ok(report) => {
            let stale = (report.held > 0).then(|| {
                format!(
                    "{} notes vanished from the workspace at once and are still answered from the index",
                    report.held
                )
            });
            Ok(Report { stale, unembedded: unembedded(corpus)?, ..report })
        }
        Err(Error::Workspace(error @ workspace::Error::RootMissing { .. })) if has_notes(corpus)? => {
            Ok(Report { stale: Some(error.to_string()), ..Report::default() })
        }
        Err(Error::Model(error)) if fit::is_of_this_workspace(corpus)? => by_words(corpus, &error),
        Err(error) => Err(error),
    }
}

/// What a question is told when the index is not made for the model.
fn by_words(corpus: &Corpus, error: &ModelError) -> Result<Report, Error> {
    let known = fit::known(corpus)?;
    let unfinished = known.is_some_and(|known| !fit::assumed(corpus, Some(&known)).fits(&known));
    let stale = unfinished.then(|| "the index could not be made again for the settings in force".to_owned());
    let unembedded = match (error, unembedded(corpus)?) {
        (ModelError::Deadline, Some(pending)) => pending,
        (ModelError::Deadline, None) => {
            "the index is not made for this model yet: mindfile index makes it".to_owned()
        }
        (error, _) => error.to_string(),
    };
    Ok(Report { stale, unembedded: Some(unembedded), ..Report::default() })
}

/// Which chunks have no vector yet, in words.
fn unembedded(corpus: &Corpus) -> Result<Option<String>, Error> {
    let index = corpus.index()?;
    let snapshot = index.snapshot()?;
    if !corpus.asks_provider() || !has_pending(corpus, &*snapshot)? {
        return Ok(None);
    }
    let pending = snapshot.unembedded(usize::MAX >> 1)?.len() - held::held_back(corpus, &*snapshot)?.len();
    let have = wording::have(pending as u64, "chunk");
    Ok(Some(format!("{have} no vector yet, which words find: mindfile index makes the rest")))
}

/// Asks for the vectors that a question was answered without, as long as a question may wait for its own. What goes wrong
/// is left to the next question, which is told.
pub(crate) fn follow(corpus: &Corpus) -> Result<(), Error> {
    let limits = Limits::of_a_question(corpus);
    match mending(corpus, || once(corpus, limits, &mut |_| ControlFlow::Continue(()))) {
        Ok(_) => corpus.recovered(),
        Err(Error::Model(error)) if fallback::is_down(&error) => corpus.fell(&error).map(drop),
        Err(Error::Model(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether there is nothing to do. Trouble is left to the run, which reports or mends it.
fn is_settled(corpus: &Corpus) -> bool {
    let look = || -> Result<bool, Error> {
        let index = corpus.index()?;
        let snapshot = index.snapshot()?;
        Ok(fit::fits(corpus, &*snapshot)?
            && agreement::holds(corpus, &*snapshot)?
            && (!corpus.asks_provider() || !has_pending(corpus, &*snapshot)?))
    };
    look().unwrap_or(false)
}

/// Whether a provider is to be asked for vectors.
fn has_pending(corpus: &Corpus, snapshot: &dyn Snapshot) -> Result<bool, Error> {
    if snapshot.unembedded(1)?.is_empty() {
        return Ok(false);
    }
    let held = held::held_back(corpus, snapshot)?;
    Ok(snapshot.unembedded(held.len() + 1)?.len() > held.len())
}

pub(crate) fn has_notes(corpus: &Corpus) -> Result<bool, Error> {
    Ok(fit::is_of_this_workspace(corpus)? && note_count(corpus)? > 0)
}

/// How many notes the index holds.
pub fn note_count(corpus: &Corpus) -> Result<u64, Error> {
    Ok(corpus.index()?.snapshot()?.stats()?.notes.iter().map(|(_, count)| count).sum())
}

/// Runs `work`; when the index turns out to be damaged, sets it aside and runs it again on an empty one. What was made
/// of texts that were read before something was forgotten is made again.
fn mending<T>(corpus: &Corpus, mut work: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    for _ in 0..ATTEMPTS {
        match work() {
            Err(Error::Index(IndexError::Superseded)) => {}
            // The engine is opened anew, or the built-in one in its place.
            Err(Error::Index(error)) if error.is_outage() => {}
            Err(Error::Index(error)) if error.is_unwritable() => {
                if !corpus.space().store.go_on_in_memory(&error, &*corpus.clock)? {
                    return Err(error.into());
                }
            }
            Err(Error::Index(error)) if error.is_mended_by_rebuild() => {
                corpus.space().store.discard(&error, &*corpus.clock)?;
                return work();
            }
            other => return other,
        }
    }
    work()
}
