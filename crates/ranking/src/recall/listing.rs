//! What is recent, for a question about time alone: the facts of its days, the most salient first.
//!
//! Salience decides, and freshness among what is about as salient: a fact at the far end of the period counts half. A fact
//! that has no day is not known to be recent.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::civil::Date;
use mindfile_index::Doc;

use super::direct::{Candidate, Direct, order};
use super::facts::{Facts, ShelvedFact};
use super::plan::{FactPlan, Period};
use crate::error::Error;
use crate::search::{Part, Score, Stage};

/// How many facts are loaded at once.
const LOADED: usize = 64;

/// The best of a period. The most salient are loaded first, and no more than can be among the best.
pub(super) fn find(facts: &dyn Facts, plan: &FactPlan, period: Period) -> Result<Direct, Error> {
    let mut all = facts.since(period.first)?;
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut matches: Vec<Candidate> = Vec::new();
    for some in all.chunks(LOADED) {
        let most = some.first().map_or(0.0, |(_, salience)| *salience);
        if different(matches.iter().filter(|found| found.score.value() >= most)) >= plan.k {
            break;
        }
        let docs: Vec<Doc> = some.iter().map(|(doc, _)| *doc).collect();
        let loaded = facts.load(&docs)?.into_iter();
        matches.extend(loaded.filter_map(|shelved| candidate(shelved, plan, period)));
    }
    matches.sort_by(order);
    Ok(Direct { matches, nearest: Vec::new(), refused: 0 })
}

/// How many facts these are where copies of a line count once.
fn different<'a>(found: impl Iterator<Item = &'a Candidate>) -> usize {
    found.map(|found| &found.shelved.fact.id).collect::<HashSet<_>>().len()
}

fn candidate(shelved: Arc<ShelvedFact>, plan: &FactPlan, period: Period) -> Option<Candidate> {
    let day = shelved.fact.since().filter(|day| period.has(*day))?;
    let score = score(shelved.fact.salience, day, period);
    plan.filter.admits(&shelved.fact).then_some(Candidate { shelved, rest: 0.0, is_value: false, score })
}

fn score(salience: f32, day: Date, period: Period) -> Score {
    let age = (period.last - day).get_days() as f32;
    let factor = 0.5_f32.powf(age / period.days() as f32);
    Score {
        parts: vec![
            Part::Term { stage: Stage::Salience, raw: salience, normal: salience, weight: 1.0 },
            Part::Factor { stage: Stage::Decay, raw: age, factor },
        ],
    }
}
