//! What a fact's salience and use add to how well it matches: a bounded bonus, so that they put near-equals in order and
//! never make something relevant.

use jiff::Timestamp;

use crate::fact::FactRecord;
use crate::search::{Part, Stage};

/// The most that use adds.
const USE: f32 = 0.05;
/// Days after which use counts half.
const HALF_LIFE: f64 = 7.0;
/// What a fact counts that was never recalled.
const NEVER: f64 = 0.25;

/// The factor of salience: 1 for a middling fact, `most` less for none, `most` more for the highest.
pub(super) fn salience(fact: &FactRecord, most: f32) -> Part {
    let factor = 1.0 + most * (2.0 * fact.salience - 1.0);
    Part::Factor { stage: Stage::Salience, raw: fact.salience, factor }
}

/// The factor of use: 1 to 1.05.
pub(super) fn usage(fact: &FactRecord, now: Timestamp) -> Part {
    let raw = used(fact, now) as f32;
    Part::Factor { stage: Stage::Use, raw, factor: 1.0 + USE * raw.min(1.0) }
}

/// How lately and how often a fact was recalled: half after seven days, a little more for every time.
pub fn used(fact: &FactRecord, now: Timestamp) -> f64 {
    let fresh = fact.access.last_ms.map_or(NEVER, |last| 0.5_f64.powf(days_since(last, now) / HALF_LIFE));
    fresh * (1.0 + 0.1 * f64::from(fact.access.count).ln_1p())
}

/// Whole days.
fn days_since(last_ms: i64, now: Timestamp) -> f64 {
    const DAY: i64 = 86_400_000;
    (now.as_millisecond() - last_ms).max(0).div_euclid(DAY) as f64
}

/// The additive score of the guide: an unrelated fact can beat a perfect match with it, which is why it is not the
/// default.
pub fn additive(matched: f64, fact: &FactRecord, now: Timestamp) -> f64 {
    0.4 * matched + 0.35 * f64::from(fact.salience) + 0.25 * used(fact, now)
}

/// The parts of [`additive`].
pub(super) fn additive_parts(matched: f32, fact: &FactRecord, now: Timestamp) -> Vec<Part> {
    let term = |stage, value: f32, weight| Part::Term { stage, raw: value, normal: value, weight };
    vec![
        term(Stage::Interaction, matched, 0.4),
        term(Stage::Salience, fact.salience, 0.35),
        term(Stage::Use, used(fact, now) as f32, 0.25),
    ]
}
