//! A fact as ranking and consolidation see it: the line's own values, where it stands, and how it was used.

use jiff::civil::Date;
use mindfile_index::{Access, Origin};
use mindfile_note::fact::{Kind, Sensitivity};

/// One fact line, read.
#[derive(Debug, Clone, PartialEq)]
pub struct FactRecord {
    /// The block id, else the one derived from kind, entities and text.
    pub id: String,
    pub kind: Kind,
    /// What is said, without entities, id and comments.
    pub text: String,
    /// Canonical names: lower case, aliases resolved, no repeats, in the order of the line.
    pub entities: Vec<String>,
    /// The tags as the line spells them, without `@`.
    pub spelled: Vec<String>,
    pub salience: f32,
    pub confidence: Option<f32>,
    /// The name of a keyed memory: one current value a key.
    pub key: Option<String>,
    pub version: u32,
    /// The last day on which `ttl` lets it hold; none if it does not expire.
    pub valid_until: Option<Date>,
    /// The day it was observed.
    pub seen: Option<Date>,
    /// The day it was last confirmed.
    pub confirmed: Option<Date>,
    /// The day from which it is superseded.
    pub until: Option<Date>,
    /// The id of the fact that supersedes it.
    pub by: Option<String>,
    /// The ids of facts that differ from it in one part and hold beside it.
    pub beside: Vec<String>,
    /// Waits for a confirmation before it replaces the current value of its key.
    pub proposed: bool,
    /// The day on which it is to be thought of.
    pub due: Option<Date>,
    pub sensitivity: Option<Sensitivity>,
    /// `kind:reference`, as spelled.
    pub source: Option<String>,
    /// Workspace-relative, with `/`.
    pub path: String,
    pub line: u32,
    /// The day of the daily note it stands in; none in an evergreen note.
    pub day: Option<Date>,
    pub access: Access,
    /// Whose word it is.
    pub origin: Origin,
}

/// Whether a fact holds on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Current,
    /// Not known yet on that day.
    Later,
    Expired,
    Superseded,
    Proposed,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Later => "later",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Proposed => "proposed",
        }
    }
}

/// The day on which facts are asked to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsOf {
    pub today: Date,
    /// Another day. What was not known then does not hold; today, a note that is dated ahead does.
    pub asked: Option<Date>,
}

impl AsOf {
    pub fn day(self) -> Date {
        self.asked.unwrap_or(self.today)
    }

    pub fn holds(self, fact: &FactRecord) -> bool {
        match fact.state(self.day()) {
            State::Current => true,
            State::Later => self.asked.is_none(),
            State::Expired | State::Superseded | State::Proposed => false,
        }
    }

    /// Why a fact does not hold, and since when: `superseded 2026-11-19`, `expired 2026-12-01`, `proposed`, `known from
    /// 2026-11-19`. None where it does.
    pub fn mark(self, fact: &FactRecord) -> Option<String> {
        if self.holds(fact) {
            return None;
        }
        let (words, day) = match fact.state(self.day()) {
            State::Current | State::Proposed => ("proposed", None),
            State::Later => ("known from", fact.since()),
            State::Expired => ("expired", fact.valid_until.and_then(|last| last.tomorrow().ok())),
            State::Superseded => ("superseded", fact.until),
        };
        Some(day.map_or_else(|| words.to_owned(), |day| format!("{words} {day}")))
    }
}

impl FactRecord {
    /// As `retain` prints it: `B(s=0.95) @Sarah @project: Sarah is leaving`. A value says of what it is one.
    pub fn shown(&self) -> String {
        let key: String = self.key.iter().map(|key| format!("key={key},")).collect();
        let tags: String = self.spelled.iter().map(|tag| format!(" @{tag}")).collect();
        let salience = (f64::from(self.salience) * 10_000.0).round() / 10_000.0;
        format!("{}({key}s={salience}){tags}: {}", self.kind, self.text)
    }

    /// Where it stands, in time and then in the files.
    pub fn place(&self) -> (Option<Date>, String, u32) {
        (self.since(), self.path.clone(), self.line)
    }

    /// The first day it is known to hold: observed, else the note's day.
    pub fn since(&self) -> Option<Date> {
        self.seen.or(self.day)
    }

    /// What it is on a day. A superseded value holds up to the day before its successor.
    pub fn state(&self, on: Date) -> State {
        if self.proposed {
            State::Proposed
        } else if self.until.is_some_and(|until| until <= on) || (self.by.is_some() && self.until.is_none()) {
            State::Superseded
        } else if self.valid_until.is_some_and(|last| last < on) {
            State::Expired
        } else if self.since().is_some_and(|since| since > on) {
            State::Later
        } else {
            State::Current
        }
    }

    /// Whether it was known and valid on a day.
    pub fn held_on(&self, day: Date) -> bool {
        self.state(day) == State::Current
    }

    /// Whether it is valid today; a note that is dated ahead counts.
    pub fn holds(&self, today: Date) -> bool {
        AsOf { today, asked: None }.holds(self)
    }
}
