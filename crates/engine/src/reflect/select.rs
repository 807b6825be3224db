//! Which facts are worth reflecting on: those that were used lately, and those that matter most.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};

use mindfile_ranking::fact::FactRecord;

/// At most so many facts a run.
pub const MOST: usize = 100;
const RECENT_DAYS: i64 = 30;
/// Above this a fact is taken whether it was used or not.
const ALWAYS: f32 = 0.8;

/// A fact with its place in the queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen {
    pub fact: FactRecord,
    pub priority: f64,
}

/// What a run works on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selection {
    /// The highest priority first.
    pub chosen: Vec<Chosen>,
    /// Facts there are in all, superseded and expired ones included.
    pub total: usize,
}

/// salience × (1 + 0.1 ln(1 + times recalled))
pub fn priority(fact: &FactRecord) -> f64 {
    f64::from(fact.salience) * (1.0 + 0.1 * f64::from(fact.access.count).ln_1p())
}

/// Takes what was recalled in the last 30 days or has a salience above 0.8, and holds on the day of the run.
pub fn select(facts: &[FactRecord], now: Timestamp, today: Date) -> Selection {
    let since = now.checked_sub((24 * RECENT_DAYS).hours()).map_or(i64::MIN, Timestamp::as_millisecond);
    let recent = |fact: &FactRecord| fact.access.last_ms.is_some_and(|last| last > since);
    let mut chosen: Vec<Chosen> = facts
        .iter()
        .filter(|fact| fact.holds(today) && (recent(fact) || fact.salience > ALWAYS))
        .map(|fact| Chosen { fact: fact.clone(), priority: priority(fact) })
        .collect();
    chosen.sort_by(|a, b| {
        let by_use = || b.fact.access.last_ms.cmp(&a.fact.access.last_ms);
        let by_id = || a.fact.id.cmp(&b.fact.id);
        b.priority.total_cmp(&a.priority).then_with(by_use).then_with(by_id)
    });
    chosen.truncate(MOST);
    Selection { chosen, total: facts.len() }
}
