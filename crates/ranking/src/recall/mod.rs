//! Recall: facts that answer a question, then facts that hang together with those.
//!
//! One pipeline of plain functions: plan, find what answers by words, meaning and names, let only the relevant through,
//! follow the entities they name, and fill the budget. Connections never displace what answers: they come after it,
//! each with the path that led to it.

mod asked;
mod budget;
mod connect;
mod direct;
mod facts;
mod foreign;
mod indexed;
mod lexicon;
mod listing;
mod plan;
mod score;
mod shelves;
mod slice;
#[cfg(test)]
mod tests;
mod trace;
mod traverse;
mod wanted;

pub use facts::{EachFact, Facts, ShelvedFact};
pub use indexed::{Indexed, Space};
pub use plan::FactRequest as Request;
pub use plan::{
    DEFAULT_DECAY, DEFAULT_K, FactPlan, FactRequest, FactWeights, Filter, Period, Scorer, Touch, plan,
};
pub use score::{Composite, CompositeParts, additive, used};
pub use shelves::{Shelves, Warm};
pub use slice::Slice;
pub use trace::Trace;
pub use traverse::{Active, DEEPEST, FLOOR, MOST, Spreading, Step, Traversal, damping, traverse};

use std::collections::HashSet;
use std::sync::Arc;

use crate::error::Error;
use crate::fact::{Disagreement, FactRecord, disagreements};
use crate::search::Score;
use asked::Question;
use direct::Found;
use lexicon::Lexicon;

/// A fact that was recalled.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    pub fact: FactRecord,
    pub score: Score,
    /// 0 for what answers by itself, else how many entities away it is.
    pub hop: u32,
    /// The entities that led to it.
    pub via: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recollection {
    /// What answers, best first; then connections, the nearest first.
    pub recalled: Vec<Recalled>,
    /// Where nothing answers what was asked, the facts that come nearest.
    pub nearest: Vec<Recalled>,
    pub trace: Trace,
    /// How many hops were followed from what answers.
    pub depth: u32,
    /// Facts that were compared and are not relevant.
    pub refused: usize,
    /// Facts that were relevant and did not fit into the budget.
    pub left_out: usize,
    /// Those of the facts that do not agree.
    pub disagreements: Vec<Disagreement>,
    /// Tokens of what is returned.
    pub tokens: usize,
}

/// What a recall answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    pub plan: FactPlan,
    pub answer: Recollection,
    /// What could not be consulted, and why.
    pub degraded: Vec<String>,
    /// Why the answer may be older than the notes.
    pub stale: Option<String>,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
    /// Whether a fact is told with its place.
    pub cites: bool,
}

impl Remembered {
    /// The place of a fact, where it is told.
    pub fn citation(&self, fact: &FactRecord) -> Option<String> {
        self.cites.then(|| format!("{}#L{}", fact.path, fact.line))
    }
}

/// Answers a plan. `query` is the question's vector, if there is one.
pub fn answer(facts: &dyn Facts, plan: &FactPlan, query: Option<&[f32]>) -> Result<Recollection, Error> {
    let (lexicon, words) = Lexicon::of(plan, facts)?;
    let mut asked = Question::new(&plan.text, &lexicon, facts)?;
    // A key that is typed as it is asks for its value, whatever else its words might ask.
    let values = facts.values_of(&plan.text)?;
    let mut direct = match plan.period.filter(|_| values.is_empty()) {
        Some(period) => listing::find(facts, plan, period)?,
        None if asked.is_empty() && values.is_empty() => return Ok(Recollection::default()),
        None => direct::find(facts, plan, query, &mut asked, &Found { words, values })?,
    };
    let mut known = HashSet::new();
    let mut is_new = |shelved: &ShelvedFact| known.insert(shelved.fact.id.clone());
    direct.matches.retain(|one| is_new(&one.shelved));
    let depth = connect::depth(plan, &direct, &asked);
    let (mut connected, traversal) = connect::find(facts, plan, &direct, &mut asked, depth)?;
    connected.retain(|one| is_new(&one.shelved));
    let trace = Trace::of(&traversal);
    let answers = direct.matches.into_iter().map(|one| (one.shelved, one.score, 0, Vec::new()));
    let follows = connected.into_iter().map(|one| (one.shelved, one.score, one.hop, one.via));
    let recalled = |(shelved, score, hop, via): (Arc<ShelvedFact>, Score, u32, Vec<String>)| Recalled {
        fact: shelved.fact.clone(),
        score,
        hop,
        via,
    };
    let found: Vec<Recalled> = answers.chain(follows).take(plan.k).map(recalled).collect();
    let nearest = direct.nearest.into_iter().filter(|_| found.is_empty() && !plan.unasked);
    let nearest = nearest.map(|one| recalled((one.shelved, one.score, 0, Vec::new()))).collect();
    let filled = budget::fill(found, plan.budget)?;
    let told: Vec<FactRecord> = filled.recalled.iter().map(|one| one.fact.clone()).collect();
    Ok(Recollection {
        disagreements: disagreements(&told, plan.filter.on.day()),
        recalled: filled.recalled,
        nearest,
        trace,
        depth,
        refused: direct.refused,
        left_out: filled.left_out,
        tokens: filled.tokens,
    })
}
