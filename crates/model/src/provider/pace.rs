//! Time and chance for requests, passed in so that tests do not wait.

use std::time::{Duration, Instant};

pub trait Pace: Send + Sync {
    fn now(&self) -> Instant;
    fn sleep(&self, time: Duration);
    /// Seconds since 1970: some services name a date at which to retry.
    fn unix_seconds(&self) -> i64;
    /// From 0 up to 1, so that many clients do not retry at the same moment.
    fn chance(&self) -> f64;
}
