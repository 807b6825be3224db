//! Times as people write them.

use std::str::FromStr;
use std::time::Duration;

use mindfile::config;

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
