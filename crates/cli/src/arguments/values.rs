//! Values that stand for the library's own, as people write them.

use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use mindfile::config;
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
pub(crate) enum Origin {
    Owner,
    Agent,
    Untrusted,
}

impl From<Origin> for mindfile::origin::Origin {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Owner => Self::Owner,
            Origin::Agent => Self::Agent,
            Origin::Untrusted => Self::Untrusted,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_between_passes_is_positive() {
        let seconds = |text: &str| text.parse::<Every>().ok().map(|every| every.0.as_secs());
        assert_eq!(
            ["90s", "30m", "12h", "1d"].map(seconds),
            [Some(90), Some(1_800), Some(43_200), Some(86_400)]
        );
        assert_eq!(["0m", "", "soon", "-1d", "1w"].map(seconds), [None; 5]);
    }
}
