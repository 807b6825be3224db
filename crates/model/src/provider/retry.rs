//! When a failed request is repeated, and after how long.

use std::time::{Duration, Instant, UNIX_EPOCH};

use super::pace::Pace;
use crate::Error;

/// Three for what fails, five for a service that only wants to be asked more slowly.
const ATTEMPTS: u32 = 3;
const ATTEMPTS_BUSY: u32 = 5;
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(8);
/// A service that wants more than this is as good as down.
pub(super) const LONGEST_ASKED: Duration = Duration::from_secs(60);

/// Runs `work` until it succeeds, fails for good, or has failed often enough. Nothing is begun after `until`.
pub(super) fn retrying<T>(
    pace: &dyn Pace,
    until: Option<Instant>,
    mut work: impl FnMut() -> Result<T, Error>,
) -> Result<T, Error> {
    let mut attempt = 1;
    loop {
        if until.is_some_and(|until| pace.now() >= until) {
            return Err(Error::Deadline);
        }
        let error = match work() {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        let Some(wait) = wait(&error, attempt, pace.chance()) else { return Err(error) };
        if until.is_some_and(|until| pace.now() + wait >= until) {
            return Err(error);
        }
        pace.sleep(wait);
        attempt += 1;
    }
}

/// How long to wait after an attempt; none if it was the last.
fn wait(error: &Error, attempt: u32, chance: f64) -> Option<Duration> {
    let attempts = if matches!(error, Error::Busy { .. }) { ATTEMPTS_BUSY } else { ATTEMPTS };
    if !error.is_passing() || attempt >= attempts {
        return None;
    }
    let Error::Busy { again_in: Some(asked), .. } = error else { return Some(backoff(attempt, chance)) };
    (*asked <= LONGEST_ASKED).then(|| (*asked).max(FIRST))
}

/// Half a second, doubled each time, at most eight, and up to a fifth more.
fn backoff(attempt: u32, chance: f64) -> Duration {
    let doubled = FIRST.saturating_mul(1 << (attempt - 1).min(16)).min(LONGEST);
    doubled.mul_f64(1.0 + chance / 5.0).min(LONGEST)
}

/// The header `Retry-After`: seconds, or a date.
pub(super) fn again_in(header: &str, unix_seconds: i64) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return (seconds >= 0.0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    let now = UNIX_EPOCH + Duration::from_secs(u64::try_from(unix_seconds).unwrap_or(0));
    let date = httpdate::parse_http_date(header).ok()?;
    Some(date.duration_since(now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_half_a_second_to_eight() {
        let waits: Vec<u128> = (1..8).map(|attempt| backoff(attempt, 0.0).as_millis()).collect();
        assert_eq!(waits, [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
        assert_eq!(backoff(1, 1.0).as_millis(), 600);
        assert_eq!(backoff(5, 1.0).as_millis(), 8_000);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let check = |header: &str, expected: Option<u64>| {
            assert_eq!(again_in(header, 1_445_412_470).map(|time| time.as_secs()), expected, "{header}");
        };
        check("7", Some(7));
        check(" 1.5 ", Some(1));
        check("0", Some(0));
        check("1000000000", Some(1_000_000_000));
        check("Wed, 21 Oct 2015 07:28:00 GMT", Some(10));
        check("Wed, 21 Oct 2015 07:00:00 GMT", Some(0));
        check("soon", None);
        check("-3", None);
        check("Wed, 21 Oktober 2015", None);
    }
}
