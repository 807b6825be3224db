//! The only place that asks what time it is.

use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

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
        static KNOWN: Mutex<Option<(Instant, TimeZone)>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, zone)) = known.as_ref().filter(|(read, _)| read.elapsed() < ZONE_HOLDS) {
            return zone.clone();
        }
        let zone = zone_of_file().unwrap_or_else(TimeZone::system);
        *known = Some((Instant::now(), zone.clone()));
        zone
    }
}

/// How long the machine is taken to stay in its zone.
const ZONE_HOLDS: Duration = Duration::from_secs(300);
const ZONES: &str = "/usr/share/zoneinfo";

/// The zone that is in force, from its own file. To learn a zone's name as well, which nothing asks for, all of them would
/// have to be listed.
fn zone_of_file() -> Option<TimeZone> {
    #[expect(clippy::disallowed_methods, reason = "where it is set, this is where the zone comes from")]
    let named = std::env::var_os("TZ");
    let file = match named {
        None => PathBuf::from("/etc/localtime"),
        Some(name) => zone_file(Path::new(&name))?,
    };
    TimeZone::tzif("local", &std::fs::read(file).ok()?).ok()
}

/// Only a plain name; whatever else `TZ` may hold is read elsewhere.
fn zone_file(name: &Path) -> Option<PathBuf> {
    let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
    (is_plain && !name.as_os_str().is_empty()).then(|| Path::new(ZONES).join(name))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_the_one_that_its_name_stands_for() {
        let now: Timestamp = "2026-07-14T12:00:00Z".parse().unwrap();
        for name in ["Europe/Berlin", "America/St_Johns", "Etc/UTC"] {
            let Ok(wanted) = TimeZone::get(name) else { continue };
            let bytes = std::fs::read(zone_file(Path::new(name)).unwrap()).unwrap();
            let found = TimeZone::tzif("local", &bytes).unwrap();
            assert_eq!(found.to_offset(now), wanted.to_offset(now), "{name}");
        }
        for name in ["", "/etc/localtime", "../x", ":UTC"] {
            assert_eq!(zone_file(Path::new(name)).is_some(), name == ":UTC", "{name}");
        }
    }
}
