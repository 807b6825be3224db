//! What a recall asks for, checked before anything is read.

use jiff::civil::Date;
use jiff::{Span, Timestamp};
use mindfile_fault::OutOfRange;
use mindfile_note::fact::Kind;
use mindfile_note::words;
use mindfile_trust::speaker::ChatType;

use super::traverse::DEEPEST;
use crate::error::Error;
use crate::fact::{AsOf, FactRecord};

pub const DEFAULT_K: usize = 10;
pub const DEFAULT_DECAY: f32 = 0.5;
const MOST_RESULTS: usize = 1000;
/// A longer question is cut: nobody types it, and no model reads it whole.
const LONGEST_QUERY: usize = 8192;

/// How facts are put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scorer {
    /// What matches, times a bounded bonus for salience and use.
    #[default]
    Gated,
    /// 0.4 match + 0.35 salience + 0.25 use, as the guide that this memory follows has it.
    Additive,
}

/// Whether what is recalled counts as used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    Yes,
    No,
}

#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own, which callers name")]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FactRequest {
    pub query: String,
    /// None: the default. The same holds for the other options.
    pub k: Option<usize>,
    pub min_salience: Option<f32>,
    pub depth: Option<u32>,
    pub decay: Option<f32>,
    /// Canonical names; only facts that name one of them.
    pub entities: Vec<String>,
    pub kind: Option<Kind>,
    pub since: Option<Date>,
    /// What came in on that day and after, the most salient first, where nothing is asked in words.
    pub recent: Option<Date>,
    /// What was valid on that day; today without it.
    pub as_of: Option<Date>,
    /// Tokens that the answer may have.
    pub budget: Option<usize>,
    pub scorer: Scorer,
    /// Also what expired or was superseded.
    pub past: bool,
    /// Who reads along: long-term memory is for private conversations.
    pub chat: ChatType,
    /// Also what nobody trusts, wrapped and labelled.
    pub untrusted: bool,
    /// Whether the answer goes to a model, and so to a provider: private notes stay out of it.
    pub for_model: bool,
    /// Whether nobody asked: then what comes near and does not answer is not worth its room.
    pub unasked: bool,
}

impl FactRequest {
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }
}

/// What each signal counts, and what is enough. The defaults were chosen on seeds 1 to 5 of `evals/associative`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactWeights {
    /// Every word of the question and its nearest in the fact.
    pub near: f32,
    /// The same for the words that name no entity.
    pub rest: f32,
    pub meaning: f32,
    pub names: f32,
    /// That the question is the key of the fact: more than everything else that speaks for another.
    pub key: f32,
    /// What is taken away where the time, person, place or number is missing that is asked for.
    pub sort: f32,
    /// The most that salience changes a match, up and down.
    pub salience: f32,
    /// A match below this answers nothing.
    pub gate: f32,
    /// What falls this far behind the best is not what was asked for.
    pub focus: f32,
    /// How much the salience of the facts between two entities decides what passes: a power of it.
    pub conduct: f32,
    /// How much less a connection counts the farther it is: a power of its association.
    pub fade: f32,
    /// How much nearness to the question adds to a connection.
    pub kinship: f32,
    /// How much salience decides among connections: a power of it.
    pub gravity: f32,
    /// A connection weaker than this is left out.
    pub tie: f32,
}

impl Default for FactWeights {
    fn default() -> Self {
        Self {
            near: 0.20,
            rest: 0.15,
            meaning: 0.25,
            names: 0.34,
            key: 1.0,
            sort: 0.06,
            salience: 0.20,
            gate: 0.38,
            focus: 0.95,
            conduct: 1.2,
            fade: 0.05,
            kinship: 0.5,
            gravity: 1.3,
            tie: 0.85,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct FactPlan {
    pub text: String,
    pub terms: Vec<String>,
    pub k: usize,
    /// None: as far as the question asks for.
    pub depth: Option<u32>,
    pub weights: FactWeights,
    pub decay: f32,
    /// The days of a question about time alone. Its words are not looked for.
    pub period: Option<Period>,
    pub budget: Option<usize>,
    pub scorer: Scorer,
    pub unasked: bool,
    pub now: Timestamp,
    pub filter: Filter,
}

/// Which facts may be returned.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    pub min_salience: f32,
    pub entities: Vec<String>,
    pub kind: Option<Kind>,
    pub since: Option<Date>,
    pub on: AsOf,
    pub past: bool,
    pub untrusted: bool,
}

/// Days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub first: Date,
    pub last: Date,
}

impl Period {
    /// What counts as recent where nothing else is said, in days: as long as a recall counts for `reflect`.
    const RECENT: u16 = 30;

    /// What a request asks for, if that is not more than a time.
    fn of(request: &FactRequest, text: &str, on: Date) -> Option<Self> {
        let before = |days: u16| on.saturating_sub(Span::new().days(days));
        if text.is_empty() {
            return request.recent.map(|first| Self { first, last: on });
        }
        let asked = words::period(text)?;
        let first = request.recent.unwrap_or_else(|| before(asked.first.unwrap_or(Self::RECENT)));
        Some(Self { first, last: before(asked.last) })
    }

    pub(super) fn has(self, day: Date) -> bool {
        (self.first..=self.last).contains(&day)
    }

    /// How many days it has.
    pub(super) fn days(self) -> i32 {
        (self.last - self.first).get_days() + 1
    }
}

/// Checks a request. `today` is the user's date.
pub fn plan(request: &FactRequest, now: Timestamp, today: Date) -> Result<FactPlan, Error> {
    let text = asked(request)?;
    let on = AsOf { today, asked: request.as_of };
    Ok(FactPlan {
        terms: words::query(&text).terms,
        period: Period::of(request, &text, on.day()),
        text,
        k: within("k", request.k.unwrap_or(DEFAULT_K), 1, MOST_RESULTS, "1 to 1000")?,
        depth: request
            .depth
            .map(|depth| within("associative_depth", depth, 0, DEEPEST, "0 to 3"))
            .transpose()?,
        weights: FactWeights::default(),
        decay: within("activation_decay", request.decay.unwrap_or(DEFAULT_DECAY), 0.0, 1.0, "0 to 1")?,
        budget: request.budget,
        scorer: request.scorer,
        unasked: request.unasked,
        now,
        filter: Filter {
            min_salience: within("min_salience", request.min_salience.unwrap_or(0.0), 0.0, 1.0, "0 to 1")?,
            entities: request.entities.clone(),
            kind: request.kind,
            since: request.since.max(request.recent),
            on,
            past: request.past,
            untrusted: request.untrusted,
        },
    })
}

/// The question; without one, the entities are what is asked about, unless a time is.
fn asked(request: &FactRequest) -> Result<String, Error> {
    let is_listing = request.recent.is_some();
    let text = if request.query.trim().is_empty() && !is_listing {
        request.entities.join(" ")
    } else {
        request.query.clone()
    };
    let text = text.trim();
    if text.is_empty() && !is_listing {
        return Err(Error::Empty);
    }
    Ok(text[..text.floor_char_boundary(LONGEST_QUERY)].to_owned())
}

/// Refuses what is out of range, and what is no number at all.
fn within<T: PartialOrd + std::fmt::Display>(
    field: &'static str,
    value: T,
    least: T,
    most: T,
    allowed: &'static str,
) -> Result<T, Error> {
    if value >= least && value <= most {
        Ok(value)
    } else {
        Err(OutOfRange { field, value: value.to_string(), allowed }.into())
    }
}

impl Filter {
    pub fn admits(&self, fact: &FactRecord) -> bool {
        let named = |name: &String| fact.entities.contains(name);
        (self.untrusted || fact.origin.is_trusted())
            && fact.salience >= self.min_salience
            && self.kind.is_none_or(|kind| fact.kind == kind)
            && (self.entities.is_empty() || self.entities.iter().any(named))
            && self.since.is_none_or(|since| fact.since().is_some_and(|day| day >= since))
            && (self.past || self.on.holds(fact))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(request: FactRequest) -> String {
        let day = jiff::civil::date(2026, 3, 1);
        plan(&request, Timestamp::UNIX_EPOCH, day).unwrap_err().to_string()
    }

    #[test]
    fn what_is_out_of_range_is_refused_by_name() {
        let asked = || FactRequest::new("x");
        assert_eq!(
            refused(FactRequest { depth: Some(7), ..asked() }),
            "associative_depth is 7; it must be 0 to 3"
        );
        assert_eq!(
            refused(FactRequest { min_salience: Some(1.5), ..asked() }),
            "min_salience is 1.5; it must be 0 to 1"
        );
        assert_eq!(
            refused(FactRequest { min_salience: Some(f32::NAN), ..asked() }),
            "min_salience is NaN; it must be 0 to 1"
        );
        assert_eq!(
            refused(FactRequest { decay: Some(-0.5), ..asked() }),
            "activation_decay is -0.5; it must be 0 to 1"
        );
        assert_eq!(refused(FactRequest { k: Some(0), ..asked() }), "k is 0; it must be 1 to 1000");
        assert_eq!(refused(FactRequest::new(" \n")), "the query is empty");
    }
}
