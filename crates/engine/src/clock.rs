//! The only place that asks what time it is.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Time as the program sees it. Tests hold it still.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
    /// The user's zone: a daily note is named by the user's date.
    fn zone(&self) -> TimeZone;
}

/// The machine's clock and zone.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

impl Clock for System {
    #[expect(clippy::disallowed_methods, reason = "this is where the time comes from")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn zone(&self) -> TimeZone {
        TimeZone::system()
    }
}

/// A clock that stands.
#[derive(Debug, Clone)]
pub struct Fixed(pub Timestamp);

impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        self.0
    }

    fn zone(&self) -> TimeZone {
        TimeZone::UTC
    }
}

/// Waiting and chance for those who ask services: real time, and the clock's calendar.
pub(crate) struct Beat(pub(crate) std::sync::Arc<dyn Clock>);

impl mindfile_model::provider::Pace for Beat {
    fn now(&self) -> std::time::Instant {
        std::time::Instant::now()
    }

    fn sleep(&self, time: std::time::Duration) {
        std::thread::sleep(time);
    }

    fn unix_seconds(&self) -> i64 {
        self.0.now().as_second()
    }

    fn chance(&self) -> f64 {
        use std::hash::BuildHasher;
        // Every hasher of the standard library begins with random keys.
        let random = std::hash::RandomState::new().hash_one(0);
        random as f64 / u64::MAX as f64
    }
}

/// The user's date.
pub fn today(clock: &dyn Clock) -> Date {
    clock.now().to_zoned(clock.zone()).date()
}

/// The date in Greenwich: enough to say how old a note is, without loading the zones of the world.
pub fn day_of(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}
