//! A status as JSON: OpenClaw's names for what OpenClaw has, and under `mindfile` what it has not.

use jiff::Timestamp;
use mindfile::fact::diagnostics::Diagnostic;
use mindfile::fault::Spelling;
use mindfile_care::status::{Check, Deep, Fit, IndexState, Presence, Status};
use schemars::JsonSchema;
use serde::Serialize;

use crate::index::ProviderFallback;

/// One agent's memory.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentStatus {
    agent_id: String,
    status: Shared,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding_probe: Option<Probe>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index_error: Option<String>,
    scan: Scan,
    mindfile: Own,
    #[serde(skip)]
    pub(super) of: Status,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Shared {
    backend: &'static str,
    files: u64,
    chunks: u64,
    dirty: bool,
    workspace_dir: String,
    db_path: String,
    provider: String,
    model: String,
    requested_provider: String,
    sources: Vec<&'static str>,
    extra_paths: Vec<String>,
    source_counts: Vec<Count>,
    cache: Cache,
    fts: Words,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<ProviderFallback>,
    vector: Vectors,
    batch: Batch,
    storage: Storage,
    custom: Custom,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Count {
    source: &'static str,
    files: u64,
    chunks: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Cache {
    enabled: bool,
    entries: u64,
    max_entries: u64,
    hits: u64,
    asked: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Words {
    enabled: bool,
    available: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Vectors {
    enabled: bool,
    available: bool,
    engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dims: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Batch {
    enabled: bool,
    failures: u32,
    limit: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Storage {
    database_bytes: u64,
    wal_bytes: u64,
    reusable_bytes: u64,
    embedding_cache_bytes: u64,
    embedding_cache_entries: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Custom {
    search_mode: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Probe {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Scan {
    sources: Vec<Scanned>,
    total_files: u64,
    issues: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Scanned {
    source: &'static str,
    total_files: Option<u64>,
    issues: Vec<String>,
}

/// An engine that fails, or did so before it came back.
#[derive(Debug, Serialize, JsonSchema)]
struct Outage {
    engine: String,
    reason: String,
    since: String,
    failures: u32,
    /// When it is asked again.
    next: String,
    /// When it answered again; not there while it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    back: Option<String>,
}

/// QMD, where it is the engine.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Qmd {
    home: String,
    search_mode: &'static str,
    collections: Vec<String>,
    problems: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedded: Option<String>,
    models: usize,
    /// The port of its server, while some process keeps one.
    #[serde(skip_serializing_if = "Option::is_none")]
    server_port: Option<u16>,
}

/// Notes in `memory/private/`.
#[derive(Debug, Serialize, JsonSchema)]
struct Private {
    encrypted: usize,
    clear: usize,
    /// Why the encrypted ones cannot be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    closed: Option<String>,
}

/// What only mindfile says.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Own {
    enabled: bool,
    /// The setting that switches memory off.
    #[serde(skip_serializing_if = "Option::is_none")]
    off: Option<String>,
    workspace: &'static str,
    index: &'static str,
    index_note: Option<String>,
    generation: Option<u64>,
    sqlite: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    embedded: u64,
    pending: u64,
    facts: u64,
    entities: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outages: Vec<Outage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    qmd: Option<Qmd>,
    #[serde(skip_serializing_if = "Option::is_none")]
    private: Option<Private>,
    diagnostics: Vec<Diagnosed>,
    drift: Drift,
    stale: Vec<String>,
    fits: bool,
    leftovers: Vec<String>,
    /// Why every question looks at all notes. Not there while a watch in this process tells of each change.
    #[serde(skip_serializing_if = "Option::is_none")]
    walks: Option<String>,
    notices: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deep: Option<[DeepCheck; 4]>,
    /// The programs that `install` connects.
    hosts: Vec<HostState>,
    /// What a person types at a terminal to reach this memory, where a server answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

/// What only the terminal does: connecting hosts.
pub(super) struct Terminal {
    pub(super) hosts: Vec<HostState>,
    pub(super) command: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HostState {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// It was connected from this state directory.
    pub(super) connected: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Diagnosed {
    code: &'static str,
    message: String,
    hint: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Drift {
    new: Vec<String>,
    changed: Vec<String>,
    removed: Vec<String>,
    held: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DeepCheck {
    check: &'static str,
    result: &'static str,
    message: String,
}

impl AgentStatus {
    pub(super) fn new(status: Status, terminal: Terminal, spelling: &dyn Spelling) -> Self {
        Self {
            agent_id: status.agent.clone(),
            status: Shared::new(&status),
            embedding_probe: status.deep.as_ref().and_then(|deep| Probe::new(&deep.embeddings)),
            index_error: index_error(&status.index.state),
            scan: Scan::new(&status),
            mindfile: Own::new(&status, terminal, spelling),
            of: status,
        }
    }
}

impl Shared {
    fn new(status: &Status) -> Self {
        let embeddings = &status.search.embeddings;
        let counts = status.counts.sources.iter();
        let counts = counts.map(|c| Count { source: c.source.as_str(), files: c.indexed, chunks: c.chunks });
        let cache = &status.search.cache;
        let out = status.instead();
        Self {
            backend: if out.is_some() { "builtin" } else { status.index.engine.as_str() },
            files: status.counts.sources.iter().map(|count| count.indexed).sum(),
            chunks: status.counts.chunks.total,
            dirty: status.is_dirty(),
            workspace_dir: status.workspace.root.display().to_string(),
            db_path: status.index.place.clone(),
            provider: embeddings.used.clone(),
            model: embeddings.model.clone(),
            requested_provider: embeddings.requested.clone(),
            sources: status.counts.sources.iter().map(|count| count.source.as_str()).collect(),
            extra_paths: status
                .workspace
                .extra_paths
                .iter()
                .map(|extra| extra.path.display().to_string())
                .collect(),
            source_counts: counts.collect(),
            cache: Cache {
                enabled: cache.enabled,
                entries: cache.entries,
                max_entries: cache.max_entries,
                hits: cache.hits,
                asked: cache.asked,
            },
            fts: Words::new(status),
            fallback: out.as_ref().or(embeddings.fallback.as_ref()).map(ProviderFallback::new),
            vector: Vectors::new(status),
            batch: Batch { enabled: embeddings.jobs, failures: 0, limit: 2 },
            storage: Storage::new(status),
            custom: Custom { search_mode: if status.search.vectors.enabled { "hybrid" } else { "fts-only" } },
        }
    }
}

impl Outage {
    fn new(outage: &mindfile::backend::Outage) -> Self {
        Self {
            engine: outage.engine.clone(),
            reason: outage.reason.clone(),
            since: time(outage.since),
            failures: outage.failures,
            next: time(outage.next),
            back: outage.back.map(time),
        }
    }
}

impl Qmd {
    fn new(qmd: &mindfile_qmd::State) -> Self {
        Self {
            home: qmd.home.display().to_string(),
            search_mode: qmd.mode,
            collections: qmd.collections.clone(),
            problems: qmd.problems.clone(),
            version: qmd.version.clone(),
            updated: qmd.updated.map(|at| at.to_string()),
            embedded: qmd.embedded.map(|at| at.to_string()),
            models: qmd.models,
            server_port: qmd.server,
        }
    }
}

fn time(ms: i64) -> String {
    Timestamp::from_millisecond(ms).map_or_else(|_| ms.to_string(), |at| at.to_string())
}

impl Words {
    fn new(status: &Status) -> Self {
        let words = &status.search.words;
        let error = (!words.available).then(|| words.why.clone());
        Self { enabled: true, available: words.available, error }
    }
}

impl Vectors {
    fn new(status: &Status) -> Self {
        let vectors = &status.search.vectors;
        Self {
            enabled: vectors.enabled,
            available: vectors.enabled && status.index.state == IndexState::Ready,
            engine: vectors.engine.as_str(),
            dims: vectors.dims.or(status.search.embeddings.dims),
        }
    }
}

impl Storage {
    fn new(status: &Status) -> Self {
        let sizes = &status.index.sizes;
        Self {
            database_bytes: sizes.index,
            wal_bytes: sizes.wal,
            reusable_bytes: sizes.reusable,
            embedding_cache_bytes: status.search.cache.bytes,
            embedding_cache_entries: status.search.cache.entries,
        }
    }
}

impl Probe {
    fn new(check: &Check) -> Option<Self> {
        match check {
            Check::Passed(_) => Some(Self { ok: true, error: None }),
            Check::Failed(why) => Some(Self { ok: false, error: Some(why.clone()) }),
            Check::Skipped(_) => None,
        }
    }
}

fn index_error(state: &IndexState) -> Option<String> {
    match state {
        IndexState::Absent | IndexState::Ready => None,
        IndexState::Damaged { what } | IndexState::Unusable { what } => Some(what.clone()),
        IndexState::Version { found, known } => Some(format!("it is of version {found}, known is {known}")),
    }
}

impl Scan {
    fn new(status: &Status) -> Self {
        let skipped =
            status.workspace.skipped.iter().map(|skipped| format!("{}: {}", skipped.path, skipped.reason));
        let problems = status.problems.iter().map(|problem| format!("{}: {}", problem.path, problem.what));
        let issues: Vec<String> = skipped.chain(problems).collect();
        let of_source = |count: &mindfile_care::status::SourceCount| Scanned {
            source: count.source.as_str(),
            total_files: count.on_disk,
            issues: if count.source == mindfile::Source::Memory { issues.clone() } else { Vec::new() },
        };
        Self {
            sources: status.counts.sources.iter().map(of_source).collect(),
            total_files: status.counts.sources.iter().filter_map(|count| count.on_disk).sum(),
            issues,
        }
    }
}

impl Own {
    fn new(status: &Status, terminal: Terminal, spelling: &dyn Spelling) -> Self {
        let drift = &status.drift;
        Self {
            enabled: status.off.is_none(),
            off: status.off.as_ref().map(|off| off.why.clone()),
            workspace: presence(&status.workspace.presence),
            index: state(&status.index.state),
            index_note: status.index.why.clone(),
            generation: status.index.generation,
            sqlite: status.index.sqlite,
            engine: status.index.version.clone(),
            embedded: status.counts.chunks.embedded,
            pending: status.counts.chunks.pending,
            facts: status.counts.facts.facts,
            entities: status.counts.facts.entities,
            outages: status.search.outages.iter().map(Outage::new).collect(),
            qmd: status.search.qmd.as_ref().map(Qmd::new),
            private: status.workspace.private.as_ref().map(|notes| Private {
                encrypted: notes.encrypted,
                clear: notes.clear,
                closed: notes.closed.clone(),
            }),
            diagnostics: status.diagnostics.iter().map(|one| Diagnosed::new(one, spelling)).collect(),
            drift: Drift {
                new: drift.new.clone(),
                changed: drift.changed.clone(),
                removed: drift.removed.clone(),
                held: drift.held.clone(),
            },
            stale: status.stale.clone(),
            fits: matches!(status.index.fit, Fit::Fits | Fit::Unfilled),
            leftovers: status.workspace.leftovers.clone(),
            walks: status.workspace.walked.as_ref().map(ToString::to_string),
            notices: status.notices.clone(),
            deep: status.deep.as_ref().map(checks),
            hosts: terminal.hosts,
            command: terminal.command,
        }
    }
}

impl Diagnosed {
    fn new(diagnostic: &Diagnostic, spelling: &dyn Spelling) -> Self {
        let hint = diagnostic.hint.spelled(spelling);
        Self { code: diagnostic.code.as_str(), message: diagnostic.what.clone(), hint }
    }
}

fn presence(presence: &Presence) -> &'static str {
    match presence {
        Presence::There => "there",
        Presence::Missing => "missing",
        Presence::Unusable(_) => "unusable",
    }
}

fn state(state: &IndexState) -> &'static str {
    match state {
        IndexState::Absent => "absent",
        IndexState::Ready => "ready",
        IndexState::Damaged { .. } => "damaged",
        IndexState::Version { .. } => "otherVersion",
        IndexState::Unusable { .. } => "unusable",
    }
}

fn checks(deep: &Deep) -> [DeepCheck; 4] {
    let checks = [
        ("index", &deep.index),
        ("notes", &deep.notes),
        ("embeddings", &deep.embeddings),
        ("engines", &deep.engines),
    ];
    checks.map(|(check, outcome)| {
        let (result, message) = match outcome {
            Check::Passed(words) => ("passed", words),
            Check::Failed(words) => ("failed", words),
            Check::Skipped(words) => ("skipped", words),
        };
        DeepCheck { check, result, message: message.clone() }
    })
}
