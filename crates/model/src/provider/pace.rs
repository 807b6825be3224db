//! Time and chance, as far as asking a service needs them: passed in, so that tests do not wait.

use std::time::{Duration, Instant};

pub trait Pace: Send + Sync {
    fn now(&self) -> Instant;
    fn sleep(&self, time: Duration);
    /// Seconds since 1970: some services say by the calendar when to come back.
    fn unix_seconds(&self) -> i64;
    /// From 0 up to 1, so that many clients do not come back at the same moment.
    fn chance(&self) -> f64;
}
