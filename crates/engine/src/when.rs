//! Days as people write them: a date, or how long ago.

use std::str::FromStr;

use jiff::civil::Date;
use jiff::{Span, Zoned};

use crate::clock::Clock;
use crate::error::Error;
pub use crate::error::NotADate;

/// The day that a text means in the user's zone.
pub fn day(clock: &dyn Clock, text: &str) -> Result<Date, Error> {
    Ok(text.parse::<When>()?.day(&clock.now().to_zoned(clock.zone()))?)
}

/// A day, or a time before now.
#[derive(Debug, Clone)]
pub enum When {
    Day(Date),
    Before(Span),
}

impl When {
    /// The day it means in the user's zone.
    pub fn day(&self, now: &Zoned) -> Result<Date, NotADate> {
        match self {
            Self::Day(date) => Ok(*date),
            Self::Before(span) => match now.checked_sub(*span) {
                Ok(then) => Ok(then.date()),
                Err(_too_far) => Err(NotADate { text: format!("{span:#} ago") }),
            },
        }
    }
}

impl FromStr for When {
    type Err = NotADate;

    fn from_str(text: &str) -> Result<Self, NotADate> {
        let wrong = || NotADate { text: text.to_owned() };
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
