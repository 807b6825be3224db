//! A time in which an engine fails: since when, why, and when it is asked again. Pure.

use jiff::Timestamp;
use mindfile_disk::secret_key::Mark;
use serde::{Deserialize, Serialize};

use crate::fallback::Fallback;

const FIRST_WAIT_MS: i64 = 1_000;
const LONGEST_WAIT_MS: i64 = 300_000;

/// A type with serde is a format: see FORMAT.md. Times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outage {
    pub engine: String,
    /// What came of the last attempt.
    pub reason: String,
    pub since: i64,
    /// Attempts that failed, one after the other.
    pub failures: u32,
    /// When it is asked again.
    pub next: i64,
    /// When it answered again; none while it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<i64>,
    /// How it was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reached: Option<Mark>,
}

impl Outage {
    /// One more attempt that failed. What an engine that had come back did before is over.
    pub(super) fn after(known: Option<&Self>, engine: &str, reason: String, now: i64) -> Self {
        let before = known.filter(|known| known.is_on());
        let failures = before.map_or(0, |known| known.failures).saturating_add(1);
        Self {
            engine: engine.to_owned(),
            reason,
            since: before.map_or(now, |known| known.since),
            failures,
            next: now + wait_ms(failures),
            back: None,
            reached: None,
        }
    }

    /// The engine was not asked, and that is not its fault: nothing of it is written down, and it is asked the next time.
    pub fn of_others(engine: &str, reason: String, now: Timestamp) -> Self {
        let now = now.as_millisecond();
        Self { next: now, failures: 0, ..Self::after(None, engine, reason, now) }
    }

    /// Somebody asks now: others wait for what comes of it.
    pub(super) fn asked(mut self, now: i64) -> Self {
        self.next = now + wait_ms(self.failures);
        self
    }

    pub(super) fn over(mut self, now: i64) -> Self {
        self.back = Some(now);
        self
    }

    /// Whether the engine failed when it was last asked.
    pub fn is_on(&self) -> bool {
        self.back.is_none()
    }

    /// Whether the engine is left alone. A clock that was set back does not make it wait.
    pub fn rests(&self, now: Timestamp) -> bool {
        let now = now.as_millisecond();
        self.is_on() && (self.since..self.next).contains(&now) && self.next - now <= LONGEST_WAIT_MS
    }

    /// The same as an answer tells it that came from another engine.
    pub fn fallback(&self, to: &str) -> Fallback {
        let from = self.engine.clone();
        let reason = self.reason.clone();
        Fallback { from, to: Some(to.to_owned()), reason, at_ms: self.since }
    }

    /// In one line, for a person.
    pub fn words(&self) -> String {
        let engine = &self.engine;
        let since = at(self.since);
        let reason = &self.reason;
        match self.back {
            Some(back) => {
                format!("{engine} answers again since {}; it had failed since {since}: {reason}", at(back))
            }
            None => {
                let times =
                    if self.failures == 1 { "once".to_owned() } else { format!("{} times", self.failures) };
                format!(
                    "{engine} fails since {since} ({times}; next attempt after {}): {reason}",
                    at(self.next)
                )
            }
        }
    }
}

fn wait_ms(failures: u32) -> i64 {
    let doubled = 1_i64.checked_shl(failures.saturating_sub(1)).filter(|factor| *factor > 0);
    doubled.unwrap_or(i64::MAX).saturating_mul(FIRST_WAIT_MS).min(LONGEST_WAIT_MS)
}

fn at(ms: i64) -> String {
    Timestamp::from_millisecond(ms)
        .map_or_else(|_| ms.to_string(), |at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(ms: i64) -> Timestamp {
        Timestamp::from_millisecond(ms).unwrap()
    }

    #[test]
    fn the_wait_doubles_from_one_second_to_five_minutes() {
        let waits: Vec<i64> = [1, 2, 3, 8, 9, 10, 40, 64, 65, u32::MAX].map(wait_ms).to_vec();
        let longest = LONGEST_WAIT_MS;
        assert_eq!(
            waits,
            [1_000, 2_000, 4_000, 128_000, 256_000, longest, longest, longest, longest, longest]
        );
    }

    #[test]
    fn failures_in_a_row_are_one_outage_and_one_that_is_over_begins_anew() {
        let first = Outage::after(None, "qmd", "exit code 1".to_owned(), 10_000);
        let second = Outage::after(Some(&first), "qmd", "timed out".to_owned(), 12_000);
        assert_eq!((second.since, second.failures, second.next), (10_000, 2, 14_000));
        let third = Outage::after(Some(&second.over(13_000)), "qmd", "gone".to_owned(), 20_000);
        assert_eq!((third.since, third.failures, third.next, third.back), (20_000, 1, 21_000, None));
    }

    #[test]
    fn an_engine_rests_until_its_next_attempt_and_not_because_the_clock_was_set_back() {
        let outage = Outage::after(None, "qmd", "gone".to_owned(), 10_000);
        assert!(outage.rests(time(10_000)) && outage.rests(time(10_999)));
        assert!(!outage.rests(time(11_000)) && !outage.rests(time(9_999)));
        assert!(!outage.over(10_500).rests(time(10_600)));
    }

    #[test]
    fn a_person_is_told_since_when_why_and_when_it_is_tried_again() {
        let outage = Outage::after(None, "qmd", "exit code 1".to_owned(), 1_752_480_000_000);
        let words = "qmd fails since 2025-07-14T08:00:00Z (once; next attempt after 2025-07-14T08:00:01Z): exit code 1";
        assert_eq!(outage.words(), words);
        let words = "qmd answers again since 2025-07-14T08:01:00Z; it had failed since 2025-07-14T08:00:00Z: exit code 1";
        assert_eq!(outage.over(1_752_480_060_000).words(), words);
    }
}
