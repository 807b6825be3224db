//! Upkeep that needs no model: one cheap pass over the facts and the state directory, to be run every half hour or once a
//! day. It lists what a person should look at, lets unconfirmed preferences fade, and clears away what was left behind.

mod ask;
mod compare;
mod fade;
mod log;
mod review;
mod sweep;

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::civil::Date;
use mindfile_model::chat::ChatModel;
use mindfile_note::date;
use mindfile_note::fact::Line;

pub use ask::{Anomaly, Asked, Verdict};
pub use compare::{Compared, compare};
pub use fade::{FLOOR, GRACE_DAYS, STEP_DAYS};
pub use review::REVIEW_DAYS;
pub use sweep::Swept;

use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fact::{FactRecord, State, load};
use crate::private::Sight;
use crate::retain::write::{self, Edit};
use crate::workspace::NotePath;

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
    pub faded: Vec<Faded>,
    /// High-impact memories that nobody confirmed for long.
    pub unconfirmed: Vec<FactRecord>,
    /// Facts that are past their time, which recall passes over.
    pub expired: usize,
    pub clusters: Vec<Vec<FactRecord>>,
    pub anomalies: Vec<Anomaly>,
    pub asked: Asked,
    pub swept: Swept,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

/// A preference that is held with another confidence than before.
#[derive(Debug, Clone, PartialEq)]
pub struct Faded {
    pub fact: FactRecord,
    pub before: Option<f32>,
    pub now: f32,
}

impl Corpus {
    /// One pass without a model.
    pub fn heartbeat(&self, request: Request) -> Result<Beat, Error> {
        self.heartbeat_asking(request, None)
    }

    /// As [`Self::heartbeat`]; contradictions are shown to a model, within the budget.
    pub fn heartbeat_asking(&self, request: Request, model: Option<&dyn ChatModel>) -> Result<Beat, Error> {
        if !self.settings.enabled {
            return Err(Error::Disabled { agent: self.settings.agent.to_string() });
        }
        let turn = self.take_turn()?;
        self.freshen(&mut Vec::new(), &mut None)?;
        let facts = self.facts_in_sight()?;
        let today = clock::today(&*self.clock);
        // What nobody trusts reminds of nothing, fades nothing, and is shown to no model.
        let trusted: Vec<FactRecord> =
            facts.iter().filter(|fact| fact.origin.is_trusted()).cloned().collect();
        let mut beat = self.look_over(request, &trusted, today)?;
        if !request.dry_run {
            self.let_fade(&beat.faded, today)?;
        }
        drop(turn);
        self.put_questions(&mut beat, request, model)?;
        beat.swept = self.sweep(&facts, request.dry_run)?;
        if !request.dry_run {
            log::append(&self.heartbeat_file("log"), &format!("{:.0} {}", beat.at, beat.line()))?;
        }
        Ok(beat)
    }

    fn look_over(&self, request: Request, facts: &[FactRecord], today: Date) -> Result<Beat, Error> {
        let Compared { clusters, contradictions } = compare(facts, today);
        Ok(Beat {
            at: self.clock.now(),
            dry_run: request.dry_run,
            facts: facts.len(),
            overdue: review::overdue(facts, today),
            faded: self.fading(facts, today)?,
            unconfirmed: review::unconfirmed(facts, today),
            expired: facts.iter().filter(|fact| fact.state(today) == State::Expired).count(),
            clusters,
            anomalies: contradictions.into_iter().map(Anomaly::new).collect(),
            asked: Asked::default(),
            swept: Swept::default(),
            notices: Vec::new(),
        })
    }

    /// The preferences that fade today. Notes outside the workspace are somebody else's to write.
    fn fading(&self, facts: &[FactRecord], today: Date) -> Result<Vec<Faded>, Error> {
        let own = |path: &str| !path.starts_with("../") && !path.starts_with('/');
        let index = self.index()?;
        let snapshot = self.seen_through(index.snapshot()?, Sight::Door)?;
        let mut faded = Vec::new();
        for fact in facts.iter().filter(|fact| fade::fades(fact, today) && own(&fact.path)) {
            let line = load::line(&*snapshot, fact)?;
            let read = mindfile_note::fact::read(&line);
            if let Some(fading) = read.and_then(|line| fade::fading(&line, fact.day, today)) {
                faded.push(Faded { fact: fact.clone(), before: fading.before, now: fading.now });
            }
        }
        Ok(faded)
    }

    /// Each note is written once, and every byte but the two numbers stays.
    fn let_fade(&self, faded: &[Faded], today: Date) -> Result<(), Error> {
        let workspace = self.workspace()?;
        let mut notes: BTreeMap<&str, Vec<&FactRecord>> = BTreeMap::new();
        for one in faded {
            notes.entry(&one.fact.path).or_default().push(&one.fact);
        }
        let mut changed: Vec<NotePath> = Vec::new();
        for (note, facts) in notes {
            let path = workspace.is_memory_path(note)?;
            let day = date::of_path(note);
            let change = |line: &mut Line<'_>| {
                if let Some(fading) = fade::fading(line, day, today) {
                    fade::apply(line, fading);
                }
            };
            let edits: Vec<Edit<'_>> = facts
                .iter()
                .map(|fact| Edit { id: &fact.id, line: fact.line, change: &change, after: None })
                .collect();
            if write::edit_all(&workspace, &path, &edits)? {
                changed.push(path);
            }
        }
        self.look(&changed).map(drop)
    }

    fn put_questions(
        &self,
        beat: &mut Beat,
        request: Request,
        model: Option<&dyn ChatModel>,
    ) -> Result<(), Error> {
        let mut answers = ask::Answers::load(&self.heartbeat_file("json"));
        let model = model.filter(|_| !request.dry_run);
        let (asked, notice) = ask::ask(&mut beat.anomalies, &mut answers, model, request.budget);
        beat.asked = asked;
        beat.notices.extend(notice);
        if request.dry_run { Ok(()) } else { answers.save(&beat.anomalies) }
    }

    fn heartbeat_file(&self, ending: &str) -> PathBuf {
        self.settings.state_dir.join("memory").join(format!("{}.heartbeat.{ending}", self.settings.agent))
    }
}
