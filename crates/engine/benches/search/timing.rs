//! Wall time and CPU time of a piece of work, and percentiles of many.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Spending {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Spending {
    pub(crate) fn and(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, cpu: self.cpu + other.cpu }
    }
}

/// Whose CPU time is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whose {
    Thread,
    Process,
}

pub(crate) fn time<T, E>(whose: Whose, work: impl FnOnce() -> Result<T, E>) -> Result<(T, Spending), E> {
    let (cpu, wall) = (cpu(whose), Instant::now());
    let done = work()?;
    let wall = wall.elapsed();
    Ok((done, Spending { wall, cpu: self::cpu(whose).saturating_sub(cpu) }))
}

fn cpu(whose: Whose) -> Duration {
    let clock = match whose {
        Whose::Thread => ClockId::ThreadCPUTime,
        Whose::Process => ClockId::ProcessCPUTime,
    };
    Duration::try_from(clock_gettime(clock)).unwrap_or_default()
}

/// The time that `percent` of all took at most, in milliseconds.
pub(crate) fn percentile(times: impl Iterator<Item = Duration>, percent: usize) -> f64 {
    let mut sorted: Vec<Duration> = times.collect();
    sorted.sort();
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}
