//! Upkeep without a model: one cheap pass over the facts and the state directory, every half hour or once a day. It
//! lists what a person should look at, marks what another fact took the place of, lets unconfirmed preferences fade, and
//! removes leftovers.

mod ask;
mod compare;
mod fade;
mod log;
mod resolve;
mod review;
#[cfg(test)]
mod sample;
mod sweep;

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::civil::Date;
use mindfile_model::chat::ChatModel;
use mindfile_note::date;
use mindfile_note::fact::Line;

pub use ask::{Anomaly, AskingCost, Verdict};
pub use compare::{FactComparison, compare};
pub use fade::{FLOOR, GRACE_DAYS, STEP_DAYS};
pub use review::REVIEW_DAYS;
pub use sweep::SweepReport;

use crate::Error;
use mindfile::Corpus;
use mindfile::clock;
use mindfile::draft::{Edit, Notes};
use mindfile::fact::{FactRecord, State, is_own, load};
use mindfile::ingest::{self, Budget, Scope};
use mindfile::view::Freshness;

/// The tokens that a pass may spend on a model, if nothing else is said.
pub const BUDGET: u64 = 2_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Look, and change nothing.
    pub dry_run: bool,
    /// The most tokens that asking a model may take, answers included.
    pub budget: u64,
}

impl Default for Request {
    fn default() -> Self {
        Self { dry_run: false, budget: BUDGET }
    }
}

/// What a pass found and did.
#[derive(Debug, Clone, PartialEq)]
pub struct Beat {
    pub at: Timestamp,
    pub dry_run: bool,
    pub facts: usize,
    pub overdue: Vec<FactRecord>,
    pub faded: Vec<FadedPreference>,
    /// High-impact memories that nobody confirmed for long.
    pub unconfirmed: Vec<FactRecord>,
    /// Facts that are past their time, which recall passes over.
    pub expired: usize,
    pub clusters: Vec<Vec<FactRecord>>,
    /// Facts that do not agree, for somebody to say which of them holds.
    pub anomalies: Vec<Anomaly>,
    /// Those of which one was marked as past, or both as holding: by what they say, or by the verdict of a model.
    pub settled: Vec<Anomaly>,
    pub asked: AskingCost,
    pub swept: SweepReport,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

/// A preference that is held with another confidence than before.
#[derive(Debug, Clone, PartialEq)]
pub struct FadedPreference {
    pub fact: FactRecord,
    pub before: Option<f32>,
    pub now: f32,
}

/// One pass over all facts. What is doubtful is shown to the model, if there is one, within the budget.
pub fn run(corpus: &Corpus, request: Request, model: Option<&dyn ChatModel>) -> Result<Beat, Error> {
    corpus.check_on()?;
    let notes = Notes::open(corpus)?;
    ingest::run(corpus, Scope::All, Budget::Question)?;
    let facts = corpus.facts_in_sight()?;
    let today = clock::today(corpus.clock());
    // What nobody trusts reminds of nothing, fades nothing, and is shown to no model.
    let (trusted, others): (Vec<FactRecord>, Vec<FactRecord>) =
        facts.into_iter().partition(|fact| fact.origin.is_trusted());
    let mut beat = look_over(corpus, request, &trusted, today)?;
    if !request.dry_run {
        let_fade(&notes, &beat.faded, today)?;
        resolve::apply(&notes, &beat.settled)?;
    }
    drop(notes);
    put_questions(corpus, &mut beat, request, model)?;
    let standing = trusted.iter().chain(&others).map(|fact| fact.id.as_str()).collect();
    beat.swept = sweep::sweep(corpus, &standing, request.dry_run)?;
    if !request.dry_run {
        log::append(&heartbeat_file(corpus, "log"), &format!("{:.0} {}", beat.at, beat.line()))?;
    }
    Ok(beat)
}

fn look_over(corpus: &Corpus, request: Request, facts: &[FactRecord], today: Date) -> Result<Beat, Error> {
    let FactComparison { clusters, disagreements } = compare(facts, today);
    let (settled, anomalies) = resolve::sort(disagreements);
    Ok(Beat {
        at: corpus.clock().now(),
        dry_run: request.dry_run,
        facts: facts.len(),
        overdue: review::overdue(facts, today),
        faded: fading(corpus, facts, today)?,
        unconfirmed: review::unconfirmed(facts, today),
        expired: facts.iter().filter(|fact| fact.state(today) == State::Expired).count(),
        clusters,
        anomalies,
        settled,
        asked: AskingCost::default(),
        swept: SweepReport::default(),
        notices: Vec::new(),
    })
}

/// The preferences that fade today. Notes outside the workspace are somebody else's to write.
fn fading(corpus: &Corpus, facts: &[FactRecord], today: Date) -> Result<Vec<FadedPreference>, Error> {
    let view = corpus.view(corpus.viewer(), Freshness::AsIndexed)?;
    let snapshot = view.snapshot()?;
    let mut faded = Vec::new();
    for fact in facts.iter().filter(|fact| fade::fades(fact, today) && is_own(fact)) {
        let line = load::line(&*snapshot, fact)?;
        let read = mindfile_note::fact::read(&line);
        if let Some(fading) = read.and_then(|line| fade::fading(&line, fact.day, today)) {
            faded.push(FadedPreference { fact: fact.clone(), before: fading.before, now: fading.now });
        }
    }
    Ok(faded)
}

/// Each note is written once, and every byte but the two numbers stays.
fn let_fade(notes: &Notes<'_>, faded: &[FadedPreference], today: Date) -> Result<(), Error> {
    let mut by_path: BTreeMap<&str, Vec<&FactRecord>> = BTreeMap::new();
    for one in faded {
        by_path.entry(&one.fact.path).or_default().push(&one.fact);
    }
    for (path, facts) in by_path {
        let day = date::of_path(path);
        let change = |line: &mut Line<'_>| {
            if let Some(fading) = fade::fading(line, day, today) {
                fade::apply(line, fading);
            }
        };
        let edits: Vec<Edit<'_>> = facts
            .iter()
            .map(|fact| Edit { id: &fact.id, line: fact.line, change: &change, after: None })
            .collect();
        notes.edit_all(&notes.workspace().is_memory_path(path)?, &edits)?;
    }
    Ok(notes.index()?)
}

fn put_questions(
    corpus: &Corpus,
    beat: &mut Beat,
    request: Request,
    model: Option<&dyn ChatModel>,
) -> Result<(), Error> {
    let mut answers = ask::Answers::load(&heartbeat_file(corpus, "json"));
    let model = model.filter(|_| !request.dry_run);
    let (asked, notice) = ask::ask(&mut beat.anomalies, &mut answers, model, request.budget);
    beat.asked = asked;
    beat.notices.extend(notice);
    if request.dry_run {
        return Ok(());
    }
    answers.save(&beat.anomalies)?;
    resolve::by_verdict(corpus, beat)
}

fn heartbeat_file(corpus: &Corpus, ending: &str) -> PathBuf {
    corpus.settings().state_dir.join("memory").join(format!("{}.heartbeat.{ending}", corpus.settings().agent))
}
