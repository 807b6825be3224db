//! The merged values as `Settings`: types, paths, and the rules that two keys must keep together.

use std::path::{Path, PathBuf};
use std::time::Duration;

use mindfile_index::Source;
use mindfile_note::chunk::Chunking;
use serde::Deserialize;
use serde_json::Value;

use super::agents::AgentId;
use super::chat::{self, ChatValues};
use super::error::Error;
use super::lancedb::{self, LanceDbValues};
use super::merge::Merged;
use super::origin::Origin;
use super::paths::{Env, expand};
use super::postgres::{self, PostgresValues};
use super::provider::{self, Choice};
use super::qmd::{self, QmdValues, Written};
use super::secret::Vault;
use super::server::{self, ServerValues};
use super::services::Entries;
use super::sessions::{self, CompactionValues, Experimental, PruningValues, SessionValues};
use super::settings::{
    BackendName, BatchJobs, Bootstrap, Cache, Citations, Decay, Embedding, Encryption, Engine, ExtraPath,
    Fusion, Hybrid, Maker, Mmr, Query, Settings, Sync, VectorStore,
};
use super::table::EMBEDDED;
use crate::age::Passphrase;
use crate::policy::Rules;

/// What is known of the surroundings when values become settings.
pub(super) struct Context<'a> {
    pub(super) agent: AgentId,
    pub(super) state_dir: &'a Path,
    pub(super) workspace: PathBuf,
    pub(super) home: Option<&'a Path>,
    pub(super) env: &'a Env,
    pub(super) entries: &'a Entries,
    /// OpenClaw's file, where the state directory is OpenClaw's home.
    pub(super) openclaw: Option<&'a Path>,
}

/// Makes the settings, and puts what they came to into the merged values.
pub(super) fn settings(merged: &mut Merged, context: Context<'_>) -> Result<Settings, Error> {
    let values: Values =
        serde_json::from_value(merged.used()).map_err(|error| Error::Table { reason: error.to_string() })?;
    let index_path = index_path(&values.store, merged, &context)?;
    Ok(Settings {
        index_path,
        backend: values.memory.backend,
        enabled: values.enabled,
        embedding: embedding(&values, merged, &context)?,
        requested_provider: values.provider,
        sources: sources(&values.sources, values.experimental.session_memory),
        extra_paths: extra_paths(values.extra_paths, merged, &context)?,
        chunking: chunking(&values.chunking, merged)?,
        sync: sync(&values.sync),
        hybrid: hybrid(&values.query.hybrid, merged)?,
        query: query(&values.query),
        vector: vector(&values.store.vector),
        cache: Cache { enabled: values.cache.enabled, max_entries: values.cache.max_entries },
        citations: values.memory.citations,
        policy: policy(&values.memory.policy, merged)?,
        sessions: sessions::transcripts(&values.experimental, &values.sources, &values.sync.sessions),
        compaction: sessions::compaction(values.compaction),
        pruning: sessions::pruning(values.context_pruning, merged)?,
        chat: chat::chat(values.chat, merged, &vault(&context))?,
        bootstrap: Bootstrap {
            max_chars: values.bootstrap_max_chars,
            total_max_chars: values.bootstrap_total_max_chars,
        },
        qmd: qmd::settings(values.memory.qmd, values.qmd.extra_collections, merged, &context)?,
        server: server::settings(values.memory.server, merged, &context)?,
        postgres: postgres::settings(values.memory.postgres, merged, &vault(&context))?,
        lancedb: lancedb::settings(values.memory.lancedb, merged, &vault(&context))?,
        encryption: encryption(values.encryption, merged, &context)?,
        agent: context.agent,
        state_dir: context.state_dir.to_owned(),
        workspace: context.workspace,
    })
}

fn vault<'a>(context: &'a Context<'_>) -> Vault<'a> {
    Vault { env: context.env, state_dir: context.state_dir, home: context.home }
}

/// In an OpenClaw home the usual place, and the one that OpenClaw's own file names, are OpenClaw's: a gateway does not
/// start while it finds a database there that is none of its own. Ours lies beside it.
fn index_path(store: &Store, merged: &mut Merged, context: &Context<'_>) -> Result<PathBuf, Error> {
    let origin = merged.origin("store.path");
    let written = store.path.as_deref().unwrap_or("memory/{agentId}.sqlite");
    let named = PathBuf::from(written.replace("{agentId}", context.agent.as_str()));
    let mut path = expand(&named, context.state_dir, context.home, &origin)?;
    let beside = is_openclaws(&origin, context);
    if beside {
        path.set_extension("mindfile.sqlite");
    }
    if beside || store.path.is_none() {
        merged.set("store.path", path.display().to_string().into(), origin);
    }
    Ok(path)
}

fn is_openclaws(origin: &Origin, context: &Context<'_>) -> bool {
    match origin {
        Origin::Default => context.openclaw.is_some(),
        Origin::File { path, .. } => context.openclaw.is_some_and(|openclaw| openclaw == path),
        Origin::Env(_) | Origin::Flag(_) => false,
    }
}

fn encryption(
    values: EncryptionValues,
    merged: &mut Merged,
    context: &Context<'_>,
) -> Result<Encryption, Error> {
    const FILE: &str = "encryption.keyFile";
    let origin = merged.origin(FILE);
    let named = values.key_file.as_deref().unwrap_or("private.key");
    let key_file = expand(named.as_ref(), context.state_dir, context.home, &origin)?;
    if values.key_file.is_none() {
        merged.set(FILE, key_file.display().to_string().into(), origin);
    }
    let passphrase = context.env.variable("MINDFILE_PASSPHRASE").and_then(|text| Passphrase::new(&text));
    Ok(Encryption { key_file, key_command: values.key_command, passphrase })
}

fn embedding(values: &Values, merged: &mut Merged, context: &Context<'_>) -> Result<Embedding, Error> {
    let choice = Choice {
        merged,
        vault: vault(context),
        entries: context.entries,
        remote: &values.remote,
        local: &values.local,
        model: values.model.as_deref(),
        input_types: [&values.input_type, &values.query_input_type, &values.document_input_type]
            .map(Option::as_deref),
        dims: values.output_dimensionality,
    };
    let unknown = || (Maker::Embedded, Some(format!("not in this version; {EMBEDDED}")));
    let (primary, why) = provider::primary(&values.provider, &choice)?.unwrap_or_else(unknown);
    let fallback = provider::fallback(&values.fallback, &choice)?;
    let fallback = fallback.filter(|fallback| *fallback != Maker::None && fallback.name() != primary.name());
    if fallback.is_none() && values.fallback != "none" {
        merged.note("fallback", "no other provider than the first; none is used".to_owned());
    }
    if let Some(why) = why {
        merged.note("provider", why);
    }
    let batch = &values.remote.batch;
    let jobs = BatchJobs {
        enabled: batch.enabled,
        wait: batch.wait,
        concurrency: batch.concurrency,
        poll_interval: Duration::from_millis(batch.poll_interval_ms),
        timeout: Duration::from_secs(batch.timeout_minutes * 60),
    };
    Ok(Embedding { primary, fallback, jobs, price: values.remote.price_per_million_tokens })
}

/// Transcripts are searched where both keys ask for it.
fn sources(names: &[String], transcripts: bool) -> Vec<Source> {
    let wanted = |source: &Source| match source {
        Source::Memory => true,
        Source::Sessions => transcripts,
    };
    names.iter().filter_map(|name| Source::parse(name)).filter(wanted).collect()
}

fn extra_paths(extra: Vec<Extra>, merged: &Merged, context: &Context<'_>) -> Result<Vec<ExtraPath>, Error> {
    let origin = merged.origin("extraPaths");
    let mut paths = Vec::new();
    for extra in extra {
        let (path, pattern) = extra.parts();
        let path = expand(&path, &context.workspace, context.home, &origin)?;
        let found = ExtraPath { path, pattern };
        if !paths.contains(&found) {
            paths.push(found);
        }
    }
    Ok(paths)
}

/// An overlap as large as the chunk would never get to the end of a note.
fn chunking(values: &Chunks, merged: &Merged) -> Result<Chunking, Error> {
    let Chunks { tokens, overlap } = *values;
    if overlap < tokens {
        return Ok(Chunking { tokens, overlap });
    }
    match merged.origin("chunking.overlap") {
        Origin::Default => {
            let allowed = format!("more than chunking.overlap ({overlap})");
            Err(refused(merged.origin("chunking.tokens"), "chunking.tokens", tokens, allowed))
        }
        written @ (Origin::File { .. } | Origin::Env(_) | Origin::Flag(_)) => {
            let allowed = format!("less than chunking.tokens ({tokens})");
            Err(refused(written, "chunking.overlap", overlap, allowed))
        }
    }
}

fn hybrid(values: &HybridValues, merged: &mut Merged) -> Result<Hybrid, Error> {
    let (vector_weight, text_weight) = weights(values, merged)?;
    Ok(Hybrid {
        enabled: values.enabled,
        fusion: values.fusion,
        vector_weight,
        text_weight,
        candidate_multiplier: values.candidate_multiplier,
        interaction: values.interaction_weight,
        mmr: Mmr { enabled: values.mmr.enabled, lambda: values.mmr.lambda },
        decay: Decay {
            enabled: values.temporal_decay.enabled,
            half_life_days: values.temporal_decay.half_life_days,
            floor: values.temporal_decay.floor,
        },
    })
}

/// Both weights scaled to sum 1.
fn weights(values: &HybridValues, merged: &mut Merged) -> Result<(f32, f32), Error> {
    const VECTOR: &str = "query.hybrid.vectorWeight";
    const TEXT: &str = "query.hybrid.textWeight";
    let sum = values.vector_weight + values.text_weight;
    if sum <= 0.0 {
        let allowed = format!("more than 0, because {TEXT} is 0 too");
        return Err(refused(merged.origin(VECTOR), VECTOR, 0, allowed));
    }
    let (vector, text) = (values.vector_weight / sum, values.text_weight / sum);
    if (sum - 1.0).abs() > 1e-9 {
        merged.note(VECTOR, format!("{vector:.3} of 1"));
        merged.note(TEXT, format!("{text:.3} of 1"));
    }
    Ok((vector as f32, text as f32))
}

fn query(values: &QueryValues) -> Query {
    Query {
        max_results: values.max_results,
        min_score: values.min_score,
        max_snippet_chars: values.max_snippet_chars,
        max_injected_chars: values.max_injected_chars,
        deadline: Duration::from_millis(values.deadline_ms),
        embed_deadline: Duration::from_millis(values.embed_deadline_ms),
    }
}

fn sync(values: &SyncValues) -> Sync {
    let minutes = values.interval_minutes;
    Sync {
        on_search: values.on_search,
        watch: values.watch,
        debounce: Duration::from_millis(values.watch_debounce_ms),
        interval: (minutes > 0).then(|| Duration::from_secs(minutes * 60)),
    }
}

fn vector(values: &Vector) -> VectorStore {
    let engine = if values.enabled { values.engine } else { Engine::Scan };
    VectorStore { enabled: values.enabled, engine }
}

/// A pattern that cannot be used is named with its place in the list.
fn policy(values: &PolicyValues, merged: &Merged) -> Result<Rules, Error> {
    const RULES: &str = "memory.policy.rules";
    Rules::read(&values.rules, &values.builtin).map_err(|(place, allowed)| {
        let value = values.rules.pointer(&pointer(&place)).map_or_else(String::new, Value::to_string);
        let origin = merged.origin(RULES);
        let key = match &origin {
            Origin::File { at, .. } => at,
            Origin::Default | Origin::Env(_) | Origin::Flag(_) => RULES,
        };
        Error::BadValue { key: format!("{key}{place}"), origin, value, allowed }
    })
}

/// `[2].pattern` as a JSON pointer.
fn pointer(place: &str) -> String {
    place.replace('[', "/").replace(']', "").replace('.', "/")
}

pub(super) fn refused(origin: Origin, key: &str, value: impl ToString, allowed: String) -> Error {
    let key = match &origin {
        Origin::File { at, .. } => at.clone(),
        Origin::Default | Origin::Env(_) | Origin::Flag(_) => key.to_owned(),
    };
    Error::BadValue { origin, key, value: value.to_string(), allowed }
}

/// The used keys with their types. A key of the table that is missing here, or the other way round, is a bug that the
/// defaults alone bring to light.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Values {
    enabled: bool,
    provider: String,
    model: Option<String>,
    fallback: String,
    remote: RemoteValues,
    local: LocalValues,
    input_type: Option<String>,
    query_input_type: Option<String>,
    document_input_type: Option<String>,
    output_dimensionality: Option<usize>,
    sources: Vec<String>,
    extra_paths: Vec<Extra>,
    store: Store,
    encryption: EncryptionValues,
    chunking: Chunks,
    sync: SyncValues,
    query: QueryValues,
    cache: CacheValues,
    qmd: MoreValues,
    memory: Memory,
    experimental: Experimental,
    compaction: CompactionValues,
    context_pruning: PruningValues,
    chat: ChatValues,
    bootstrap_max_chars: usize,
    bootstrap_total_max_chars: usize,
    /// Resolved before the workspace's own file is read; the context has it.
    #[serde(rename = "workspace")]
    _workspace: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RemoteValues {
    pub(super) base_url: Option<String>,
    /// Shown only; the secret itself is apart.
    #[serde(rename = "apiKey")]
    _api_key: Option<String>,
    #[serde(rename = "headers")]
    _headers: Option<String>,
    pub(super) ca_file: Option<String>,
    pub(super) request_tokens: usize,
    pub(super) concurrency: usize,
    price_per_million_tokens: Option<f64>,
    batch: BatchValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct BatchValues {
    enabled: bool,
    wait: bool,
    concurrency: usize,
    poll_interval_ms: u64,
    timeout_minutes: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LocalValues {
    pub(super) model_path: Option<String>,
    pub(super) model_cache_dir: Option<String>,
    pub(super) endpoint: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Extra {
    Path(PathBuf),
    Glob { path: PathBuf, pattern: Option<String> },
}

impl Extra {
    fn parts(self) -> (PathBuf, Option<String>) {
        match self {
            Self::Path(path) => (path, None),
            Self::Glob { path, pattern } => (path, pattern),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Store {
    path: Option<String>,
    vector: Vector,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EncryptionValues {
    key_file: Option<String>,
    key_command: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    enabled: bool,
    engine: Engine,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chunks {
    tokens: u32,
    overlap: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SyncValues {
    on_search: bool,
    watch: bool,
    watch_debounce_ms: u64,
    interval_minutes: u64,
    sessions: SessionValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct QueryValues {
    max_results: usize,
    min_score: f32,
    max_snippet_chars: usize,
    max_injected_chars: usize,
    deadline_ms: u64,
    embed_deadline_ms: u64,
    hybrid: HybridValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct HybridValues {
    enabled: bool,
    fusion: Fusion,
    vector_weight: f64,
    text_weight: f64,
    candidate_multiplier: usize,
    interaction_weight: f32,
    mmr: MmrValues,
    temporal_decay: DecayValues,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MmrValues {
    enabled: bool,
    lambda: f32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DecayValues {
    enabled: bool,
    half_life_days: f32,
    floor: f32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CacheValues {
    enabled: bool,
    max_entries: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct MoreValues {
    extra_collections: Vec<Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Memory {
    backend: BackendName,
    qmd: QmdValues,
    citations: Citations,
    server: ServerValues,
    postgres: PostgresValues,
    lancedb: LanceDbValues,
    policy: PolicyValues,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyValues {
    rules: Value,
    builtin: Value,
}
