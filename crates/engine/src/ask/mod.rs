//! How the notes are asked: one choreography for every kind of question.
//!
//! A question is checked before anything is read; the index is brought up to date; a provider is asked for the question's
//! vector, and where it fails the space of the provider that takes over answers instead; an index that cannot be read is
//! made again, once. What is asked and how it is answered is the [`Question`]'s.

mod finder;
mod recall;
mod search;
mod speakers;

use std::time::{Duration, Instant};

use mindfile_index::Snapshot;
use mindfile_model::{Role, Vector};

pub use finder::{Finder, Finding, provide};
pub use recall::recall;
pub use search::{Response, search};
pub use search::{hand_out, search_as_indexed};

use crate::corpus::Corpus;
use crate::error::Error;
use crate::fallback::{self, Fallback};
use crate::fit;
use crate::ingest::{self, Budget, Scope};
use crate::report::Report;
use crate::view::{Freshness, View};
use crate::viewer::Viewer;

/// What is asked of the notes.
trait Question {
    type Plan;
    type Answer;

    fn viewer(&self, corpus: &Corpus) -> Viewer;
    /// Checked before anything is read.
    fn plan(&self, corpus: &Corpus) -> Result<Self::Plan, Error>;
    /// The text whose vector is wanted; none where words were chosen.
    fn text<'p>(&self, plan: &'p Self::Plan) -> Option<&'p str>;
    /// Completes the plan by what only an index that is up to date can tell.
    fn complete(
        &self,
        corpus: &Corpus,
        plan: &mut Self::Plan,
        degraded: &mut Vec<String>,
    ) -> Result<(), Error>;
    /// The plan without a vector.
    fn by_words(&self, corpus: &Corpus, plan: Self::Plan) -> Result<Self::Plan, Error>;
    fn answer(
        &self,
        corpus: &Corpus,
        plan: &Self::Plan,
        vector: Option<&[f32]>,
        seen: Ground<'_>,
    ) -> Result<Self::Answer, Error>;
    /// Writes down who sees what, and wraps what nobody trusts.
    fn hand_out(
        &self,
        corpus: &Corpus,
        answer: &mut Self::Answer,
        degraded: &mut Vec<String>,
    ) -> Result<(), Error>;
}

/// What an answer is taken from.
#[derive(Clone, Copy)]
struct Ground<'a> {
    view: &'a View,
    snapshot: &'a dyn Snapshot,
}

/// An answer, and what a person should know of it.
struct SpaceAnswer<Q: Question> {
    /// The memory, seen from the space that answered.
    by: Corpus,
    plan: Q::Plan,
    answer: Q::Answer,
    /// Which provider failed, where another one's space answered.
    fallback: Option<Fallback>,
    /// What could not be consulted, and why.
    degraded: Vec<String>,
    /// Why the answer may be older than the notes.
    stale: Option<String>,
}

/// What came of asking in one space.
enum Attempt<Q: Question> {
    Answer(SpaceAnswer<Q>),
    /// Its provider cannot be asked, and another one's space is there.
    Failed(Fallback),
}

/// What came of asking for a question's vector.
enum QuestionVector {
    Vector(Option<Vec<f32>>),
    Failed(Fallback),
}

/// How long providers may take, together, from when somebody asks.
#[derive(Clone, Copy)]
struct Patience {
    since: Instant,
    whole: Duration,
}

impl Patience {
    fn of(corpus: &Corpus) -> Self {
        Self { since: corpus.pace.now(), whole: corpus.settings.query.embed_deadline }
    }

    /// When the first of two is given up: the other one has as long.
    fn half(self) -> Instant {
        self.since + self.whole / 2
    }

    fn end(self) -> Instant {
        self.since + self.whole
    }
}

/// Where the engine is lost on the way, everything is asked again of the one in its place: no answer is of both.
fn ask<Q: Question>(corpus: &Corpus, question: &Q, freshness: Freshness) -> Result<SpaceAnswer<Q>, Error> {
    corpus.check_on()?;
    let patience = Patience::of(corpus);
    match in_spaces(corpus, question, freshness, patience) {
        Err(Error::Index(error)) if error.is_outage() => {
            in_spaces(corpus, question, Freshness::Refresh, patience)
        }
        Err(Error::Index(error))
            if error.is_unwritable() && corpus.space().store.go_on_in_memory(&error, &*corpus.clock)? =>
        {
            in_spaces(corpus, question, Freshness::Refresh, patience)
        }
        told => told,
    }
}

/// Asks in the first space, and in the spare one where its provider fails.
fn in_spaces<Q: Question>(
    corpus: &Corpus,
    question: &Q,
    freshness: Freshness,
    patience: Patience,
) -> Result<SpaceAnswer<Q>, Error> {
    let spare = corpus.spare();
    let two = spare.as_ref().is_some_and(Corpus::asks_provider);
    let until = if two { patience.half() } else { patience.end() };
    let fallback = match in_space(corpus, question, freshness, until)? {
        Attempt::Answer(told) => return Ok(told),
        Attempt::Failed(fallback) => fallback,
    };
    let told = spare.map(|spare| in_space(&spare, question, Freshness::Refresh, patience.end()));
    match told.transpose()? {
        Some(Attempt::Answer(told)) => Ok(SpaceAnswer { fallback: Some(fallback), ..told }),
        Some(Attempt::Failed(_)) | None => Err(Error::Bug { what: "no space answers".to_owned() }),
    }
}

fn in_space<Q: Question>(
    corpus: &Corpus,
    question: &Q,
    freshness: Freshness,
    until: Instant,
) -> Result<Attempt<Q>, Error> {
    let mut plan = question.plan(corpus)?;
    let has_spare = corpus.spare().is_some();
    let resting = corpus.resting().filter(|_| question.text(&plan).is_some());
    let resting = match resting {
        Some(failed) if has_spare => return Ok(Attempt::Failed(failed)),
        resting => resting.map(|failed| failed.reason),
    };
    let mut ingested = match freshness {
        Freshness::Refresh => ingest::run(corpus, Scope::All, Budget::Question)?,
        Freshness::AsIndexed => Report::default(),
    };
    let mut degraded = Vec::new();
    question.complete(corpus, &mut plan, &mut degraded)?;
    let vector = match question.text(&plan) {
        Some(text) => embedded(corpus, text, resting, until, &mut degraded)?,
        None => QuestionVector::Vector(None),
    };
    let by_meaning = question.text(&plan).is_some();
    let vector = match vector {
        QuestionVector::Failed(fallback) if has_spare => {
            follow(corpus, &ingested);
            return Ok(Attempt::Failed(fallback));
        }
        QuestionVector::Failed(_) => None,
        QuestionVector::Vector(vector) => vector,
    };
    match (&vector, &ingested.unembedded) {
        (Some(_), Some(why)) => say(&mut degraded, why),
        (Some(_), None) => {}
        (None, _) => plan = question.by_words(corpus, plan)?,
    }
    let mut answer = match answered(corpus, question, &plan, vector.as_deref()) {
        Err(Error::Index(error)) if error.is_mended_by_rebuild() => {
            corpus.space().store.discard(&error, &*corpus.clock)?;
            ingested = ingest::run(corpus, Scope::All, Budget::Question)?;
            answered(corpus, question, &plan, vector.as_deref())
        }
        answered => answered,
    }?;
    question.hand_out(corpus, &mut answer, &mut degraded)?;
    degraded.extend(corpus.closed_to(question.viewer(corpus)));
    if by_meaning {
        follow(corpus, &ingested);
    }
    let stale = ingested.stale;
    Ok(Attempt::Answer(SpaceAnswer { by: corpus.clone(), plan, answer, fallback: None, degraded, stale }))
}

/// Vectors that are missing follow behind the answer, unless the provider has just failed. What goes wrong is told by the
/// answers after this one.
fn follow(corpus: &Corpus, ingested: &Report) {
    if ingested.unembedded.is_none() || corpus.resting().is_some() {
        return;
    }
    let owned = corpus.clone();
    let begun = corpus.follower.begin(move || {
        if let Err(error) = ingest::follow(&owned) {
            owned.space().store.note(format!("no vectors were made behind an answer: {error}"));
        }
    });
    if let Err(error) = begun {
        corpus.space().store.note(format!("no vectors are made behind answers: {error}"));
    }
}

fn answered<Q: Question>(
    corpus: &Corpus,
    question: &Q,
    plan: &Q::Plan,
    vector: Option<&[f32]>,
) -> Result<Q::Answer, Error> {
    let view = corpus.view(question.viewer(corpus), Freshness::AsIndexed)?;
    let snapshot = view.snapshot_until(Instant::now() + corpus.settings.query.deadline)?;
    question.answer(corpus, plan, vector, Ground { view: &view, snapshot: &*snapshot })
}

/// The vector of a question, or why there is none. `failed` says why nobody is asked.
fn embedded(
    corpus: &Corpus,
    text: &str,
    failed: Option<String>,
    until: Instant,
    degraded: &mut Vec<String>,
) -> Result<QuestionVector, Error> {
    let Some(embedder) = corpus.space().embedder.as_deref() else { return Ok(QuestionVector::Vector(None)) };
    if let Some(why) = corpus.index()?.without_meaning() {
        say(degraded, &why);
        return Ok(QuestionVector::Vector(None));
    }
    let foreign =
        || other_model(corpus).map(|other| format!("the index has vectors of another model, {other}"));
    if let Some(why) = failed.or_else(foreign) {
        say(degraded, &why);
        return Ok(QuestionVector::Failed(corpus.fallen(why)));
    }
    let until = corpus.asks_provider().then_some(until);
    match embedder.embed(Role::Query, &[text], until) {
        Ok(vectors) => {
            corpus.recovered()?;
            Ok(QuestionVector::Vector(vectors.into_iter().flatten().next().map(Vector::into_values)))
        }
        Err(error) => {
            say(degraded, &error.to_string());
            let remembered = corpus.spare().is_some() || fallback::is_down(&error);
            let fallback = if remembered { corpus.fell(&error)? } else { corpus.fallen(error.to_string()) };
            Ok(QuestionVector::Failed(fallback))
        }
    }
}

/// Whose vectors the index has, if they cannot be compared with the query's. Trouble is left to the search itself.
pub(crate) fn other_model(corpus: &Corpus) -> Option<String> {
    let space = corpus.space().embedder.as_ref()?.space();
    let known = fit::known(corpus).ok()??;
    let of = |provider: &str, model: &str, endpoint: &str| format!("{provider} {model} {endpoint}");
    let other = of(&known.provider, &known.model, &known.endpoint);
    (other != of(&space.provider, &space.model, &space.endpoint)).then(|| other.trim_end().to_owned())
}

fn say(degraded: &mut Vec<String>, why: &str) {
    let why = format!("meaning: {why}");
    if !degraded.contains(&why) {
        degraded.push(why);
    }
}
