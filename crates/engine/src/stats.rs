//! How a memory grows and is used, week by week, and how far its index is behind.

use std::collections::BTreeMap;

use jiff::civil::{Date, Weekday};
use jiff::{Span, Timestamp};
use mindfile_note::chunk;
use mindfile_note::date;
use mindfile_note::text;

use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::host::log;
use crate::reconcile::NOTE_LIMIT;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stats {
    pub total: Counts,
    /// Week by week, the oldest first, without gaps.
    pub weeks: Vec<Week>,
    /// How often facts were recalled in all, and how many different ones.
    pub recalls: u64,
    pub recalled_facts: usize,
    pub lag: Lag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub notes: usize,
    pub chunks: usize,
    pub facts: usize,
    pub recalls: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Week {
    pub monday: Date,
    /// What came in that week.
    pub new: Counts,
}

/// What an answer would have to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lag {
    /// Notes that the next sync reads.
    pub notes: usize,
    /// Chunks without a vector.
    pub chunks: u64,
    /// Calls of hooks that are in the log, and those that failed.
    pub hooks: usize,
    pub failed: usize,
    /// Milliseconds that a hook took: half of them, and 19 of 20, took no longer.
    pub hook_median: Option<u64>,
    pub hook_slow: Option<u64>,
}

impl Corpus {
    /// Counts of the last `weeks` weeks. A note belongs to the day of its name, else to that of its last change; a fact
    /// to the day on which it was seen.
    pub fn stats(&self, weeks: usize) -> Result<Stats, Error> {
        let mut stats = Stats::default();
        let mut by_week: BTreeMap<Date, Counts> = BTreeMap::new();
        self.count_notes(&mut stats.total, &mut by_week)?;
        for (at, ids) in self.journal.recalls()? {
            stats.total.recalls += ids;
            by_week.entry(monday(self.local_day(at))).or_default().recalls += ids;
        }
        let uses = self.journal.uses()?;
        stats.recalls = uses.values().map(|access| u64::from(access.count)).sum();
        stats.recalled_facts = uses.len();
        stats.weeks = last(weeks, clock::today(&*self.clock), &by_week);
        stats.lag = self.lag()?;
        Ok(stats)
    }

    fn count_notes(&self, total: &mut Counts, by_week: &mut BTreeMap<Date, Counts>) -> Result<(), Error> {
        let workspace = self.workspace()?;
        for found in workspace.scan()?.files {
            let bytes = workspace.read(&found.path, NOTE_LIMIT)?.bytes;
            let decoded = text::decode(&bytes);
            let changed =
                Timestamp::from_nanosecond(i128::from(found.stat.mtime_ns)).unwrap_or(Timestamp::UNIX_EPOCH);
            let day = date::of_path(found.path.as_str()).unwrap_or_else(|| self.local_day(changed));
            let chunks = chunk::read(&decoded, &self.settings.chunking).chunks.len();
            let week = by_week.entry(monday(day)).or_default();
            (week.notes, week.chunks) = (week.notes + 1, week.chunks + chunks);
            (total.notes, total.chunks) = (total.notes + 1, total.chunks + chunks);
            for placed in chunk::facts(&decoded) {
                by_week.entry(monday(placed.fact.seen().unwrap_or(day))).or_default().facts += 1;
                total.facts += 1;
            }
        }
        Ok(())
    }

    fn local_day(&self, at: Timestamp) -> Date {
        at.to_zoned(self.clock.zone()).date()
    }

    fn lag(&self) -> Result<Lag, Error> {
        let status = self.status(false)?;
        let (mut times, failed) = log::times(&self.settings.state_dir)
            .map_err(|source| Error::Io { path: log::path(&self.settings.state_dir), source })?;
        times.sort_unstable();
        let at = |share: usize| times.get(times.len().saturating_sub(1) * share / 100).copied();
        Ok(Lag {
            notes: status.drift.new.len() + status.drift.changed.len() + status.drift.removed.len(),
            chunks: status.chunks.pending,
            hooks: times.len(),
            failed,
            hook_median: at(50),
            hook_slow: at(95),
        })
    }
}

/// The weeks up to today's, those without anything as well.
fn last(weeks: usize, today: Date, by_week: &BTreeMap<Date, Counts>) -> Vec<Week> {
    let mut all = Vec::new();
    let mut monday = monday(today);
    for _ in 0..weeks {
        all.push(Week { monday, new: by_week.get(&monday).copied().unwrap_or_default() });
        match monday.checked_sub(Span::new().weeks(1)) {
            Ok(before) => monday = before,
            Err(_too_early) => break,
        }
    }
    all.reverse();
    let first = by_week.keys().next().copied();
    all.retain(|week| first.is_some_and(|first| week.monday >= first));
    all
}

fn monday(day: Date) -> Date {
    let back = i64::from(day.weekday().since(Weekday::Monday));
    day.checked_sub(Span::new().days(back)).unwrap_or(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_on_monday_and_have_no_gaps() {
        let day = |text: &str| -> Date { text.parse().unwrap() };
        assert_eq!(monday(day("2026-11-15")), day("2026-11-09"));
        assert_eq!(monday(day("2026-11-09")), day("2026-11-09"));
        let counts = Counts { notes: 2, ..Counts::default() };
        let by_week = BTreeMap::from([(day("2026-10-26"), counts)]);
        let weeks = last(8, day("2026-11-15"), &by_week);
        let mondays: Vec<String> =
            weeks.iter().map(|week| format!("{} {}", week.monday, week.new.notes)).collect();
        assert_eq!(mondays, ["2026-10-26 2", "2026-11-02 0", "2026-11-09 0"]);
        assert_eq!(last(8, day("2026-11-15"), &BTreeMap::new()), []);
    }
}
