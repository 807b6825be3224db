//! Bringing the index up to date: at once, or beside a server.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use mindfile::fault::Spelling;
use mindfile::reconcile::{Progress, Report};
use mindfile::{Corpus, Error, Memory};

use crate::indexing::{IndexingState, Progressed};
use crate::operation::prelude::*;
use crate::text::quantity::{bytes, count, number, time};

#[derive(Debug, Clone, Copy, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Index {
    /// Make the index again from the notes, beside the one in use, and put it in its place.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
    /// Only say what an embedding provider would be asked for, and what that costs.
    #[arg(long, conflicts_with = "force")]
    #[serde(default)]
    pub dry_run: bool,
}

impl Operation for Index {
    const ROW: Row = Row::new("index", "Bring the index up to date with the notes").typed(
        "index",
        "\
Examples:
  mindfile index                 what changed since the last time
  mindfile index --force         everything, from scratch
  mindfile index --workspace ~/notes --json",
    );
    type Answer = IndexAnswer;

    fn run(self, caller: &Caller<'_>) -> Result<IndexAnswer, Failure> {
        if self.dry_run {
            return Ok(IndexAnswer::Estimate(Estimated::new(&mindfile::estimate(caller.memory)?)));
        }
        let indexed = Indexed::run(caller.memory, self.force, |progress| caller.step(progress))?;
        Ok(IndexAnswer::Report(Box::new(indexed.with_engine(mindfile_qmd::update(caller.memory)))))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum IndexAnswer {
    Report(Box<Indexed>),
    Estimate(Estimated),
}

impl Answer for IndexAnswer {
    fn shown(&self, page: &Page<'_>) -> Shown {
        match self {
            Self::Report(indexed) => indexed.shown(page),
            Self::Estimate(estimated) => Shown::text(estimated.text()),
        }
    }
}

#[derive(Debug, Clone, Copy, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IndexState {}

impl Operation for IndexState {
    const ROW: Row = Row::new("indexState", "Say whether the index is being brought up to date")
        .http(Http::get("/v1/index"));
    type Answer = IndexingState;

    fn run(self, caller: &Caller<'_>) -> Result<IndexingState, Failure> {
        Ok(caller.indexing()?.state())
    }
}

#[derive(Debug, Clone, Copy, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartIndex {
    /// Make the index again from the notes, beside the one in use, and put it in its place.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
}

impl Operation for StartIndex {
    const ROW: Row =
        Row::new("startIndex", "Begin to bring the index up to date; /v1/events tells how far it is")
            .http(Http::post("/v1/index").begins());
    type Answer = IndexingState;

    fn run(self, caller: &Caller<'_>) -> Result<IndexingState, Failure> {
        Ok(caller.indexing()?.start(self.force))
    }
}

impl Answer for IndexingState {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(if self.running {
            "The index is being brought up to date.\n"
        } else {
            "Nothing is under way.\n"
        })
    }
}

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
    embedding: Option<EmbeddingReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<ProviderFallback>,
    skipped: Vec<LeftOut>,
    problems: Vec<LeftOut>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    #[serde(skip)]
    pub report: Report,
    #[serde(skip)]
    pub took: Duration,
    /// The provider and its model.
    #[serde(skip)]
    model: String,
    /// What the engine said that keeps an index of its own, or why it failed.
    #[serde(skip)]
    engine: Result<Option<String>, String>,
}

/// A path that was left out, as a whole or in part.
#[derive(Debug, Serialize, JsonSchema)]
struct LeftOut {
    path: String,
    reason: String,
}

impl Indexed {
    /// Brings the index up to date, or makes it again.
    pub fn run(
        memory: &Memory,
        force: bool,
        mut step: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let began = Instant::now();
        let mut read = 0;
        let mut on_progress = |progress: &Progress| {
            read = read.max(progress.bytes);
            step(progress)
        };
        let report = if force { memory.rebuild(&mut on_progress) } else { memory.sync(&mut on_progress) };
        Ok(Self::new(memory, report?, read, began.elapsed()))
    }

    fn new(memory: &Memory, report: Report, bytes: u64, took: Duration) -> Self {
        let by = maker(memory, &report);
        let skipped =
            report.skipped.iter().map(|s| LeftOut { path: s.path.clone(), reason: s.reason.to_string() });
        let problems =
            report.problems.iter().map(|p| LeftOut { path: p.path.clone(), reason: p.what.clone() });
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
            embedding: EmbeddingReport::new(&report, cost(&by, &report)),
            fallback: report.fallback.as_ref().map(ProviderFallback::new),
            skipped: skipped.collect(),
            problems: problems.collect(),
            notices: memory.notices(),
            model: format!("{} {}", by.provider(), by.model()),
            engine: Ok(None),
            took,
            report,
        }
    }

    fn with_engine(mut self, engine: Result<Option<String>, String>) -> Self {
        self.engine = engine;
        self
    }

    /// What is not indexed, and why.
    pub fn complaints(&self, spelling: &dyn Spelling) -> Vec<String> {
        let mut all = self.notices.clone();
        all.extend(self.report.fallback.iter().map(mindfile::Fallback::words));
        all.extend(
            self.skipped.iter().map(|skipped| format!("skipped {}: {}", skipped.path, skipped.reason)),
        );
        all.extend(self.problems.iter().map(|problem| format!("{}: {}", problem.path, problem.reason)));
        if self.held > 0 {
            let held = count(self.held, "note");
            let names = spelling.run("status", &[("json", String::new())]);
            let force = spelling.run("index", &[("force", String::new())]);
            all.push(format!(
                "{held} vanished at once and stay in the index, in case the disk is not mounted (`{names}` names \
                 them); if they were deleted: {force}"
            ));
        }
        all
    }

    /// `Indexed 10,000 notes (20.6 MB): 10,000 new, 0 changed, 0 removed, 19,823 chunks in 3.1 s`
    pub fn summary(&self) -> String {
        let took = time(self.took);
        if self.report.is_unchanged() {
            return format!("Up to date: {}, nothing changed ({took})", count(self.notes, "note"));
        }
        let read = self.added + self.changed + self.renamed;
        let all = if read < self.notes { format!("{} of ", number(read)) } else { String::new() };
        let renamed =
            if self.renamed > 0 { format!("{} renamed, ", number(self.renamed)) } else { String::new() };
        format!(
            "Indexed {all}{} ({}): {} new, {} changed, {renamed}{} removed, {} in {took}",
            count(self.notes, "note"),
            bytes(self.bytes),
            number(self.added),
            number(self.changed),
            number(self.removed),
            count(self.chunks, "chunk"),
        )
    }

    /// What the provider was asked for, and what that costs. Nothing for the model inside the program.
    fn spent(&self, spelling: &dyn Spelling) -> String {
        let Some(made) = &self.embedding else { return String::new() };
        let mut text = String::new();
        if made.embedded + made.from_cache > 0 {
            text = format!(
                "Embedded {} with {}: {} new, {} known; {}\n",
                count(made.embedded + made.from_cache, "chunk"),
                self.model,
                number(made.embedded),
                number(made.from_cache),
                asked(made.requests, made.tokens, made.dollars)
            );
        }
        if made.waiting_jobs > 0 {
            let jobs = count(made.waiting_jobs, "batch job");
            let again = spelling.run("index", &[]);
            text.push_str(&format!("{jobs} under way: the next {again} collects what is done\n"));
        }
        text
    }

    fn shown(&self, page: &Page<'_>) -> Shown {
        let mut text = format!("{}\n{}", self.summary(), self.spent(page.spelling));
        let mut caveats = self.complaints(page.spelling);
        match &self.engine {
            Ok(told) => text.extend(told.iter().map(|told| format!("{told}\n"))),
            Err(why) => caveats.push(format!("{why}; the built-in index answers until that is mended")),
        }
        Shown { text, caveats, is_incomplete: self.engine.is_err(), ..Shown::default() }
    }
}

/// The memory as it is seen by whoever made the vectors.
fn maker(memory: &Memory, report: &Report) -> Corpus {
    let spare = report.fallback.as_ref().and_then(|_| memory.spare());
    spare.unwrap_or_else(|| (**memory).clone())
}

fn cost(by: &Corpus, report: &Report) -> Option<f64> {
    if report.made.embedded == 0 {
        return None;
    }
    let jobs = report.made.by_jobs.tokens;
    let others = report.made.spent.tokens.saturating_sub(jobs);
    Some(mindfile::cost(by, others, false)? + mindfile::cost(by, jobs, true)?)
}

/// `23 requests, 181,003 tokens, $0.0036`
fn asked(requests: u64, tokens: u64, dollars: Option<f64>) -> String {
    let tokens = number(usize::try_from(tokens).unwrap_or(usize::MAX));
    let requests = count(usize::try_from(requests).unwrap_or(usize::MAX), "request");
    let cost = dollars.map_or_else(String::new, |cost| format!(", ${cost:.4}"));
    format!("{requests}, {tokens} tokens{cost}")
}

/// What a provider made, and what it was asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct EmbeddingReport {
    embedded: usize,
    from_cache: usize,
    requests: u64,
    tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars: Option<f64>,
    waiting_jobs: usize,
}

impl EmbeddingReport {
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
pub(crate) struct ProviderFallback {
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
}

impl ProviderFallback {
    pub(crate) fn new(fallback: &mindfile::Fallback) -> Self {
        Self {
            from: fallback.from.clone(),
            to: fallback.to.clone(),
            reason: fallback.reason.clone(),
            at: fallback.at().map(|at| at.to_string()),
        }
    }
}

/// What a provider would be asked for.
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

impl Estimated {
    /// Before anything is asked.
    fn text(&self) -> String {
        let Self { provider, model, notes, chunks, cached, requests, tokens, .. } = self;
        let head = format!("{provider} {model}\n");
        if provider == "embedded" || provider == "none" {
            return format!(
                "{head}Nothing would be asked of anybody: vectors are made in the program, and cost nothing.\n"
            );
        }
        let mut text = format!(
            "{head}{}, {} without a vector, {} of them known\n{}\n",
            count(*notes, "note"),
            count(*chunks, "chunk"),
            number(*cached),
            asked(*requests, *tokens, self.dollars)
        );
        text.push_str(&match (self.dollars_per_million_tokens, self.prices_as_of) {
            (Some(price), Some(as_of)) => format!("At ${price} for a million tokens, as of {as_of}\n"),
            (Some(price), None) => {
                format!("At ${price} for a million tokens, by remote.pricePerMillionTokens\n")
            }
            (None, _) if provider == "local" => {
                "Vectors are made on this machine, and cost nothing.\n".to_owned()
            }
            (None, _) => "The price is not known; remote.pricePerMillionTokens says it\n".to_owned(),
        });
        text
    }
}

/// One event of a watch or of a server.
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
