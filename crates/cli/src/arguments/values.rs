//! Values that stand for the library's own, as people write them.

use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use jiff::civil::Date;
use jiff::{Span, Zoned};
use mindfile::Error;
use mindfile::config;
use mindfile::eval;
use mindfile::fact;
use mindfile::recall;
use mindfile::search;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    Hybrid,
    Keyword,
    Vector,
}

impl From<Mode> for search::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Hybrid => Self::Hybrid,
            Mode::Keyword => Self::Keyword,
            Mode::Vector => Self::Vector,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Source {
    Memory,
    Sessions,
}

impl From<Source> for mindfile::Source {
    fn from(source: Source) -> Self {
        match source {
            Source::Memory => Self::Memory,
            Source::Sessions => Self::Sessions,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Locomo,
    Longmemeval,
    Beir,
    Truth,
    Associative,
}

impl Format {
    /// The format of a file; none for what is made and not read.
    pub(crate) fn of_file(self) -> Option<eval::Format> {
        match self {
            Self::Locomo => Some(eval::Format::Locomo),
            Self::Longmemeval => Some(eval::Format::Longmemeval),
            Self::Beir => Some(eval::Format::Beir),
            Self::Truth => Some(eval::Format::Truth),
            Self::Associative => None,
        }
    }
}

/// How recall puts facts in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scorer {
    /// What matches, times a bounded bonus for salience and use
    Gated,
    /// 0.4 match + 0.35 salience + 0.25 use
    Additive,
}

impl From<Scorer> for recall::Scorer {
    fn from(scorer: Scorer) -> Self {
        match scorer {
            Scorer::Gated => Self::Gated,
            Scorer::Additive => Self::Additive,
        }
    }
}

/// The seeds of made-up worlds, such as 101..120, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seeds {
    pub(crate) first: u64,
    pub(crate) last: u64,
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number =
            |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last && last - first < 10_000 => Ok(Self { first, last }),
            _ => Err("write one number, or two such as 101..120".to_owned()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    #[value(name = "W", alias = "world")]
    World,
    #[value(name = "B", alias = "experience")]
    Experience,
    #[value(name = "O", alias = "opinion")]
    Opinion,
    #[value(name = "S", alias = "summary")]
    Summary,
}

impl From<Kind> for fact::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::World => Self::World,
            Kind::Experience => Self::Experience,
            Kind::Opinion => Self::Opinion,
            Kind::Summary => Self::Summary,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sensitivity {
    Low,
    Medium,
    High,
}

impl From<Sensitivity> for fact::Sensitivity {
    fn from(sensitivity: Sensitivity) -> Self {
        match sensitivity {
            Sensitivity::Low => Self::Low,
            Sensitivity::Medium => Self::Medium,
            Sensitivity::High => Self::High,
        }
    }
}

/// How much time lies between two passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Every(pub(crate) Duration);

impl FromStr for Every {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let days = text.trim().strip_suffix('d').and_then(|days| days.parse::<u64>().ok());
        let time = match days {
            Some(days) => days.checked_mul(24 * 60 * 60).map(Duration::from_secs),
            None => config::span(text),
        };
        let time = time.filter(|time| !time.is_zero());
        time.map(Self).ok_or_else(|| "write a time such as 30m, 12h or 1d".to_owned())
    }
}

/// A day, or a time before now.
#[derive(Debug, Clone)]
pub(crate) enum When {
    Day(Date),
    Before(Span),
}

impl When {
    /// The day it means in the user's zone.
    pub(crate) fn day(&self, now: &Zoned) -> Result<Date, Error> {
        match self {
            Self::Day(date) => Ok(*date),
            Self::Before(span) => match now.checked_sub(*span) {
                Ok(then) => Ok(then.date()),
                Err(_too_far) => Err(Error::NotADate { text: format!("{span:#} ago") }),
            },
        }
    }
}

impl FromStr for When {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::NotADate { text: text.to_owned() };
        match text.parse() {
            Ok(date) if text.len() == 10 => Ok(Self::Day(date)),
            Ok(_) | Err(_) => span(text.trim()).map(Self::Before).ok_or_else(wrong),
        }
    }
}

fn span(text: &str) -> Option<Span> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let count: i64 = text[..text.len() - unit.len()].parse().ok()?;
    let span = Span::new();
    match unit {
        "h" => span.try_hours(count),
        "d" => span.try_days(count),
        "w" => span.try_weeks(count),
        "mo" => span.try_months(count),
        "y" => span.try_years(count),
        _ => return None,
    }
    .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let now: Zoned = "2026-03-31T10:00:00[UTC]".parse().unwrap();
        let day = text.parse::<When>().and_then(|when| when.day(&now));
        assert_eq!(day.map_or_else(|error| error.to_string(), |day| day.to_string()), expected);
    }

    #[test]
    fn a_day_and_a_time_before_now_are_understood() {
        check("2026-07-14", "2026-07-14");
        check("0d", "2026-03-31");
        check("30d", "2026-03-01");
        check("6w", "2026-02-17");
        check("12h", "2026-03-30");
        check("1mo", "2026-02-28");
        check("1y", "2025-03-31");
    }

    #[test]
    fn the_time_between_passes_is_positive() {
        let seconds = |text: &str| text.parse::<Every>().ok().map(|every| every.0.as_secs());
        assert_eq!(
            ["90s", "30m", "12h", "1d"].map(seconds),
            [Some(90), Some(1_800), Some(43_200), Some(86_400)]
        );
        assert_eq!(["0m", "", "soon", "-1d", "1w"].map(seconds), [None; 5]);
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        for wrong in
            ["", "d", "30", "30 d", "-3d", "2026-02-30", "last week", "1m", "2026-07-14T10:00:00", "٣d"]
        {
            check(wrong, &format!("\"{wrong}\" is not a date or a duration"));
        }
        check("13000y", "\"13000y ago\" is not a date or a duration");
        check("99999999999999999999d", "\"99999999999999999999d\" is not a date or a duration");
    }
}
