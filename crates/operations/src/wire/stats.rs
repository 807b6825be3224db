//! What `stats` prints.

use mindfile::stats::{Counts, Stats};
use serde::Serialize;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Grown {
    total: Grain,
    weeks: Vec<GrownWeek>,
    recalls: u64,
    recalled_facts: usize,
    lag: Behind,
}

#[derive(Debug, Serialize)]
struct Grain {
    notes: usize,
    chunks: usize,
    facts: usize,
    recalls: usize,
}

#[derive(Debug, Serialize)]
struct GrownWeek {
    monday: String,
    #[serde(flatten)]
    new: Grain,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Behind {
    notes: usize,
    chunks: u64,
    hooks: usize,
    failed_hooks: usize,
    hook_median_ms: Option<u64>,
    hook_p95_ms: Option<u64>,
}

impl Grown {
    pub fn new(stats: &Stats) -> Self {
        let week = |week: &mindfile::stats::Week| GrownWeek {
            monday: week.monday.to_string(),
            new: grain(&week.new),
        };
        let lag = &stats.lag;
        Self {
            total: grain(&stats.total),
            weeks: stats.weeks.iter().map(week).collect(),
            recalls: stats.recalls,
            recalled_facts: stats.recalled_facts,
            lag: Behind {
                notes: lag.notes,
                chunks: lag.chunks,
                hooks: lag.hooks,
                failed_hooks: lag.failed,
                hook_median_ms: lag.hook_median,
                hook_p95_ms: lag.hook_slow,
            },
        }
    }
}

fn grain(counts: &Counts) -> Grain {
    Grain { notes: counts.notes, chunks: counts.chunks, facts: counts.facts, recalls: counts.recalls }
}
