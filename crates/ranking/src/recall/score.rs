//! What a fact's salience and use add to how well it matches: a bounded bonus, so that they put near-equals in order and
//! never make something relevant.

use jiff::Timestamp;
use mindfile_fault::OutOfRange;
use mindfile_note::fact::DEFAULT_SALIENCE;

use crate::fact::FactRecord;
use crate::search::{Part, Stage};

/// The most that use adds.
const USE: f32 = 0.05;
/// Days after which use counts half.
const HALF_LIFE: f64 = 7.0;
/// What a fact counts that was never recalled.
const NEVER: f64 = 0.25;
/// The weights of the additive score.
const MATCH: f64 = 0.4;
const SALIENCE: f64 = 0.35;
const ACCESS: f64 = 0.25;

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
    accessed(fact.access.last_ms, fact.access.count, now)
}

fn accessed(last_ms: Option<i64>, count: u32, now: Timestamp) -> f64 {
    let fresh = last_ms.map_or(NEVER, |last| 0.5_f64.powf(days_since(last, now) / HALF_LIFE));
    fresh * (1.0 + 0.1 * f64::from(count).ln_1p())
}

/// Whole days.
fn days_since(last_ms: i64, now: Timestamp) -> f64 {
    const DAY: i64 = 86_400_000;
    (now.as_millisecond() - last_ms).max(0).div_euclid(DAY) as f64
}

/// What the additive score is made of: an unrelated fact can beat a perfect match with it, which is why it is not the
/// default.
#[derive(Debug, Clone, Copy)]
pub struct Composite<'a> {
    /// How well it matches; none: by the names.
    pub matched: Option<f64>,
    /// The names in the question, and those in the fact.
    pub asked: &'a [String],
    pub named: &'a [String],
    /// None: that of a fact that does not say it.
    pub salience: Option<f64>,
    pub last_ms: Option<i64>,
    pub count: u32,
}

/// What each part adds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompositeParts {
    pub matched: f64,
    pub salience: f64,
    pub access: f64,
}

impl Composite<'_> {
    pub fn parts(&self, now: Timestamp) -> Result<CompositeParts, OutOfRange> {
        let salience = share("salience", self.salience.unwrap_or_else(|| f64::from(DEFAULT_SALIENCE)))?;
        let matched = share("match", self.matched.unwrap_or_else(|| self.named_share()))?;
        Ok(CompositeParts {
            matched: MATCH * matched,
            salience: SALIENCE * salience,
            access: ACCESS * accessed(self.last_ms, self.count, now),
        })
    }

    /// The share of what is asked for that the fact names.
    fn named_share(&self) -> f64 {
        let names: Vec<String> = self.named.iter().map(|name| plain(name)).collect();
        let found = self.asked.iter().filter(|name| names.contains(&plain(name))).count();
        found as f64 / self.asked.len().max(1) as f64
    }
}

impl CompositeParts {
    pub fn sum(self) -> f64 {
        self.matched + self.salience + self.access
    }
}

/// A name as it is compared.
fn plain(name: &str) -> String {
    name.trim().trim_start_matches('@').to_lowercase()
}

fn share(field: &'static str, value: f64) -> Result<f64, OutOfRange> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(OutOfRange { field, value: value.to_string(), allowed: "between 0 and 1" })
}

/// The additive score of a fact.
pub fn additive(matched: f64, fact: &FactRecord, now: Timestamp) -> f64 {
    MATCH * matched + SALIENCE * f64::from(fact.salience) + ACCESS * used(fact, now)
}

/// The parts of [`additive`].
pub(super) fn additive_parts(matched: f32, fact: &FactRecord, now: Timestamp) -> Vec<Part> {
    let term = |stage, value: f32, weight: f64| Part::Term {
        stage,
        raw: value,
        normal: value,
        weight: weight as f32,
    };
    vec![
        term(Stage::Interaction, matched, MATCH),
        term(Stage::Salience, fact.salience, SALIENCE),
        term(Stage::Use, used(fact, now) as f32, ACCESS),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Composite<'_> =
        Composite { matched: None, asked: &[], named: &[], salience: None, last_ms: None, count: 0 };

    #[test]
    fn parts_that_are_not_said_are_those_of_a_fact_that_says_nothing() {
        let parts = NOTHING.parts(Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(parts, CompositeParts { matched: 0.0, salience: 0.175, access: 0.0625 });
    }

    #[test]
    fn a_match_is_the_share_of_the_names_unless_it_is_given() {
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let (asked, named) = (names(&["@Sarah", "personnel"]), names(&["sarah", "project"]));
        let by_name = Composite { asked: &asked, named: &named, ..NOTHING };
        assert!((by_name.parts(Timestamp::UNIX_EPOCH).unwrap().matched - 0.2).abs() < 1e-12);
        let given = Composite { matched: Some(1.0), ..by_name };
        assert!((given.parts(Timestamp::UNIX_EPOCH).unwrap().matched - 0.4).abs() < 1e-12);
        let beyond = Composite { salience: Some(1.5), ..NOTHING };
        assert!(beyond.parts(Timestamp::UNIX_EPOCH).is_err());
    }
}
