//! Attributes with their types. A value that does not parse as its type is ignored.

use std::borrow::Cow;

use jiff::Span;
use jiff::civil::Date;

use super::{Attribute, Line, Name};
use crate::date;

/// How long a fact holds.
#[derive(Debug, Clone, Copy)]
pub enum Ttl {
    /// From the day it was seen or confirmed: `180d`, `2w`, `6mo`, `1y`, `12h`.
    For(Span),
    /// Up to a day.
    Until(Date),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sensitivity {
    Low,
    Medium,
    High,
}

impl Sensitivity {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Low, Self::Medium, Self::High].into_iter().find(|s| s.as_str().eq_ignore_ascii_case(text))
    }
}

/// Where a fact comes from: `chat:msg_9981`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    pub kind: String,
    pub reference: String,
}

impl Provenance {
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, reference) = text.split_once(':')?;
        let kind = kind.trim();
        let reference = reference.trim();
        let whole = !kind.is_empty() && !reference.is_empty();
        whole.then(|| Self { kind: kind.to_owned(), reference: reference.to_owned() })
    }
}

impl Ttl {
    /// The last day on which a fact of this base day holds; `None` if it lies beyond the calendar.
    pub fn last_day(self, base: Option<Date>) -> Option<Date> {
        match self {
            Self::Until(day) => Some(day),
            Self::For(span) => base?.checked_add(span).ok(),
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        if let Some(day) = date::parse(text) {
            return Some(Self::Until(day));
        }
        let span: Span = text.parse().ok()?;
        span.is_positive().then_some(Self::For(span))
    }
}

impl<'a> Line<'a> {
    /// All attributes, known or not, in their order.
    pub fn attributes(&self) -> impl Iterator<Item = &Attribute<'a>> {
        self.attributes.iter()
    }

    /// The value of an attribute, known or not.
    pub fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        self.attributes.get(name)
    }

    /// Sets, adds or (with `None`) removes an attribute; nothing else changes.
    pub fn set(&mut self, name: Name, value: Option<&str>) {
        self.attributes.set(name.as_str(), value);
    }

    /// `s`, else a tenth of an `importance` comment.
    pub fn salience(&self) -> Option<f64> {
        let importance = || self.comment("importance").and_then(|n| n.parse::<f64>().ok()).map(|n| n / 10.0);
        self.get(Name::Salience).as_deref().and_then(unit).or_else(|| importance().filter(|n| is_unit(*n)))
    }

    pub fn confidence(&self) -> Option<f64> {
        self.get(Name::Confidence).as_deref().and_then(unit)
    }

    pub fn key(&self) -> Option<Cow<'_, str>> {
        self.get(Name::Key).filter(|key| !key.is_empty())
    }

    pub fn ttl(&self) -> Option<Ttl> {
        self.get(Name::Ttl).as_deref().and_then(Ttl::parse)
    }

    pub fn sensitivity(&self) -> Option<Sensitivity> {
        self.get(Name::Sensitivity).as_deref().and_then(Sensitivity::parse)
    }

    pub fn source(&self) -> Option<Provenance> {
        self.get(Name::Source).as_deref().and_then(Provenance::parse)
    }

    /// The day it was observed.
    pub fn seen(&self) -> Option<Date> {
        self.get(Name::Seen).as_deref().and_then(date::parse)
    }

    /// The day it was last confirmed.
    pub fn confirmed(&self) -> Option<Date> {
        self.get(Name::Confirmed).as_deref().and_then(date::parse)
    }

    pub fn version(&self) -> Option<u32> {
        self.get(Name::Version).and_then(|v| v.parse().ok())
    }

    /// The day from which it is superseded.
    pub fn until(&self) -> Option<Date> {
        self.get(Name::Until).as_deref().and_then(date::parse)
    }

    /// The id of the fact that supersedes it.
    pub fn by(&self) -> Option<Cow<'_, str>> {
        self.get(Name::By).filter(|id| !id.is_empty())
    }

    /// The ids of the facts that hold beside it although they differ in one part.
    pub fn beside(&self) -> Vec<String> {
        let ids = self.get(Name::Beside).unwrap_or_default();
        ids.split_whitespace().map(str::to_owned).collect()
    }

    /// Whether it waits for a confirmation before it replaces the current value of its key.
    pub fn is_proposed(&self) -> bool {
        self.get(Name::Proposed).is_some()
    }

    /// The day of its reminder.
    pub fn due(&self) -> Option<Date> {
        self.get(Name::Due).as_deref().and_then(date::parse)
    }

    /// The confidence it had before it began to fade.
    pub fn faded(&self) -> Option<f64> {
        self.get(Name::Faded).as_deref().and_then(unit)
    }

    fn get(&self, name: Name) -> Option<Cow<'_, str>> {
        self.attributes.get(name.as_str())
    }
}

fn unit(text: &str) -> Option<f64> {
    text.parse().ok().filter(|n| is_unit(*n))
}

fn is_unit(n: f64) -> bool {
    (0.0..=1.0).contains(&n)
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;
    use jiff::civil::date;

    use super::*;
    use crate::fact::read;

    #[test]
    fn a_source_has_a_kind_and_a_reference() {
        let parsed = |text: &str| {
            Provenance::parse(text).map(|source| format!("{}|{}", source.kind, source.reference))
        };
        assert_eq!(parsed(" web : https://a.example "), Some("web|https://a.example".to_owned()));
        for text in ["", "web", ":x", "web: ", " : "] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn a_lifetime_ends_on_a_day() {
        let last = |text: &str, base| Ttl::parse(text).unwrap().last_day(base);
        let base = Some(date(2026, 1, 31));
        assert_eq!(last("2026-12-31", None), Some(date(2026, 12, 31)));
        assert_eq!(last("2026-12-31", base), Some(date(2026, 12, 31)));
        assert_eq!(last("180d", base), base.map(|day| day + 180.days()));
        assert_eq!(last("1mo", base), Some(date(2026, 2, 28)));
        assert_eq!(last("180d", None), None);
        assert_eq!(last("9000y", base), None);
        assert!(["0d", "-3d", "soon", "2026-02-30", ""].iter().all(|text| Ttl::parse(text).is_none()));
    }

    #[test]
    fn attributes_are_had_by_their_names() {
        let fact = read("- W(mood=calm,key=,by=,proposed,v=x,s=1.1,c=-0.1,faded=0) @a: b").unwrap();
        assert_eq!(fact.attribute("mood").as_deref(), Some("calm"));
        assert_eq!(fact.attribute("key").as_deref(), Some(""));
        assert_eq!(fact.attribute("due"), None);
        assert_eq!((fact.key(), fact.by(), fact.version()), (None, None, None));
        assert_eq!((fact.salience(), fact.confidence(), fact.faded()), (None, None, Some(0.0)));
        assert!(fact.is_proposed());
        assert!(!read("- W @a: b").unwrap().is_proposed());
    }

    #[test]
    fn a_share_is_between_nothing_and_all() {
        let salience = |text: &str| read(&format!("- W(s={text}) @a: b")).unwrap().salience();
        assert_eq!(["0", "1", "0.5"].map(salience), [Some(0.0), Some(1.0), Some(0.5)]);
        assert_eq!(["-0", "1.01", "NaN", "inf", "x"].map(salience), [Some(-0.0), None, None, None, None]);
    }

    #[test]
    fn sensitivity_is_read_in_any_case() {
        let all = [Sensitivity::Low, Sensitivity::Medium, Sensitivity::High];
        for sensitivity in all {
            assert_eq!(Sensitivity::parse(&sensitivity.as_str().to_uppercase()), Some(sensitivity));
        }
        assert_eq!(Sensitivity::parse("secret"), None);
    }
}
