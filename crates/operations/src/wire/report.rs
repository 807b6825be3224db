//! `index --json` and `watch --json`

use std::time::Duration;

use mindfile::reconcile::{Progress, Report};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Indexed {
    ok: bool,
    notes: usize,
    added: usize,
    changed: usize,
    renamed: usize,
    removed: usize,
    chunks: usize,
    bytes: u64,
    milliseconds: u64,
    held: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding: Option<Embedded>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<Fallback>,
    skipped: Vec<Left>,
    problems: Vec<Left>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

/// A path that was left out, as a whole or in part.
#[derive(Debug, Serialize, JsonSchema)]
struct Left {
    path: String,
    reason: String,
}

impl Indexed {
    pub fn new(report: &Report, bytes: u64, took: Duration, cost: Option<f64>, notices: Vec<String>) -> Self {
        let skipped =
            report.skipped.iter().map(|s| Left { path: s.path.clone(), reason: s.reason.to_string() });
        let problems = report.problems.iter().map(|p| Left { path: p.path.clone(), reason: p.what.clone() });
        Self {
            ok: true,
            notes: report.notes,
            added: report.added,
            changed: report.changed,
            renamed: report.renamed,
            removed: report.removed,
            chunks: report.chunks,
            bytes,
            milliseconds: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            held: report.held,
            embedding: Embedded::new(report, cost),
            fallback: report.fallback.as_ref().map(Fallback::new),
            skipped: skipped.collect(),
            problems: problems.collect(),
            notices,
        }
    }
}

/// What a provider made, and what it was asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Embedded {
    embedded: usize,
    from_cache: usize,
    requests: u64,
    tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars: Option<f64>,
    waiting_jobs: usize,
}

impl Embedded {
    fn new(report: &Report, cost: Option<f64>) -> Option<Self> {
        let made = &report.made;
        let nothing = made.embedded + made.from_cache + made.waiting_jobs == 0;
        (!nothing).then_some(Self {
            embedded: made.embedded,
            from_cache: made.from_cache,
            requests: made.spent.requests,
            tokens: made.spent.tokens,
            dollars: cost,
            waiting_jobs: made.waiting_jobs,
        })
    }
}

/// Who answers in place of the provider that was asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Fallback {
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

impl Fallback {
    pub fn new(fallback: &mindfile::Fallback) -> Self {
        Self {
            from: fallback.from.clone(),
            to: fallback.to.clone(),
            reason: fallback.reason.clone(),
            at: fallback.at().map(|at| at.to_string()),
        }
    }
}

/// `index --dry-run --json`
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Estimated {
    provider: String,
    model: String,
    notes: usize,
    chunks: usize,
    cached: usize,
    requests: u64,
    tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars_per_million_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prices_as_of: Option<&'static str>,
}

impl Estimated {
    pub fn new(estimate: &mindfile::Estimate) -> Self {
        Self {
            provider: estimate.provider.clone(),
            model: estimate.model.clone(),
            notes: estimate.notes,
            chunks: estimate.chunks,
            cached: estimate.cached,
            requests: estimate.spent.requests,
            tokens: estimate.spent.tokens,
            dollars: estimate.cost,
            dollars_per_million_tokens: estimate.price.map(|(price, _)| price),
            prices_as_of: estimate.price.and_then(|(_, as_of)| as_of),
        }
    }
}

/// How far the index has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progressed {
    pub notes: usize,
    pub of_notes: usize,
    pub bytes: u64,
    pub of_bytes: u64,
    pub chunks: usize,
    pub embedded: usize,
    pub of_embedded: usize,
}

impl Progressed {
    pub fn new(progress: &Progress) -> Self {
        Self {
            notes: progress.notes,
            of_notes: progress.of_notes,
            bytes: progress.bytes,
            of_bytes: progress.of_bytes,
            chunks: progress.chunks,
            embedded: progress.embedded,
            of_embedded: progress.of_embedded,
        }
    }
}

/// Whether the index is being brought up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Started {
    pub ok: bool,
    /// Whether this request began it.
    pub started: bool,
    pub running: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progressed>,
}

/// One line of `watch --json`, and one event of the server.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "camelCase")]
pub enum Looked {
    Indexed(Box<Indexed>),
    Progress(Progressed),
    /// The notes could not be indexed; the next change tries again.
    Failed {
        message: String,
    },
    Degraded {
        reason: String,
    },
    Rescanned {
        reason: String,
    },
    /// A pass of upkeep, in one line.
    Heartbeat {
        line: String,
    },
}
