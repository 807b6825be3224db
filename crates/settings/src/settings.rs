//! Every setting, declared once, and the configuration as it is meant: validated, complete, immutable.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use mindfile_model::provider::Secret;
use mindfile_model::provider::chat::ChatProtocol;
use mindfile_note::Source;
use mindfile_note::chunk::Chunking;
use mindfile_trust::age::Passphrase;
use mindfile_trust::policy::Rules;

use crate::agents::AgentId;
use crate::declare::{Field, Group, settings};
use crate::key::{Effect, Key};
use crate::kind::Kind;
use crate::paths::default_workspace;
use crate::provider::{Maker, fallback, primary};
use crate::read::{
    ClosedTo, ExtraPath, QmdPath, SwitchedOff, agent, are_transcripts_searched, ca_file, chat_key, chunking,
    closed_to, export_folder, extra_paths, index_path, is_allowed, lancedb_uri, passphrase, policy,
    postgres_password, postgres_url, program, qmd_home, qmd_models, qmd_paths, scope_rules, sources,
    state_dir, switched_off, vector_engine, vector_weight, workspace,
};
use crate::scope::ScopeRule;
use crate::words::{BackendName, Citations, Engine, Fusion, Pruning, QmdMode};

/// Every key, in the order in which `config show` lists them.
pub static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let mut keys = Vec::new();
    Settings::declare(&mut keys);
    keys
});

impl Settings {
    /// Whether the workspace lies where it does if nobody names one.
    pub fn is_workspace_default(&self) -> bool {
        let is_it = |main| self.workspace == default_workspace(&self.state_dir, &self.agent, main);
        is_it(true) || is_it(false)
    }
}

const fn absent(instead: &'static str) -> Effect {
    Effect::NotInThisVersion { instead }
}

settings! {
    /// Everything that an agent's memory needs to know, in the order in which `config show` lists the keys.
    pub struct Settings {
        agent: AgentId => agent;
        state_dir: PathBuf => state_dir;
        workspace: PathBuf => workspace;
        /// Whether this agent has a memory at all: without one no tool is offered or answers, and no search.
        off: Option<SwitchedOff> as switched_off = true, "enabled", Kind::FLAG;
        /// The plugin that fills OpenClaw's slot for a memory; "none" switches memory off as `enabled` does.
        _memory_slot: () = null, "plugins.slots.memory", Kind::TEXT;
        /// Where vectors come from: "embedded" (the model inside the program), "local" (a GGUF file), "openai", "gemini",
        /// "voyage", "mistral", "ollama", "lmstudio", "openai-compatible", a name of models.providers, or "none" for
        /// search by words alone. "auto": local.modelPath if the file is there, else openai, gemini or voyage if there is
        /// a key, else embedded.
        requested_provider: String = "auto", "provider";
        /// The provider's embedding model; by default the one it is known for.
        _model: () = null, "model", Kind::TEXT;
        /// The provider to ask when the first one fails. Its vectors are kept in an index of their own.
        _fallback: () = "none", "fallback", Kind::TEXT;
        /// What is searched by default; "sessions" counts together with `experimental.sessionMemory`.
        sources: Vec<Source> as sources = ["memory"], "sources", Kind::SomeOf(&["memory", "sessions"]);
        /// More notes to index: files or folders, absolute or relative to the workspace, each a string or
        /// { path, pattern }. An agent's own list is added to the one for all agents.
        extra_paths: Vec<ExtraPath> as extra_paths = [], "extraPaths", Kind::PATHS;
        /// Whether every session transcript is kept indexed. Without it, those are that `session append` writes, and all
        /// of them when `search --source sessions` asks.
        _experimental_session_memory: () = false, "experimental.sessionMemory";
        /// Whether other conversations of the same person are searched.
        _remember_across_conversations: () = false, "rememberAcrossConversations" => absent("an agent searches its own conversations");
        embedding: Embedding;
        /// The provider's input type for all texts.
        _input_type: () = null, "inputType", Kind::TEXT;
        /// The provider's input type for queries.
        _query_input_type: () = null, "queryInputType", Kind::TEXT;
        /// The provider's input type for notes.
        _document_input_type: () = null, "documentInputType", Kind::TEXT;
        /// The length of the vectors.
        _output_dimensionality: () = null, "outputDimensionality", 1..=65_536;
        /// Whether images and sound are indexed.
        _multimodal_enabled: () = false, "multimodal.enabled" => absent("only Markdown is indexed");
        /// Which of them.
        _multimodal_modalities: () = null, "multimodal.modalities", Kind::LIST => Effect::DetailOf("multimodal.enabled");
        /// The largest such file.
        _multimodal_max_file_bytes: () = 10_485_760, "multimodal.maxFileBytes", 1..=(1 << 40) => Effect::DetailOf("multimodal.enabled");
        /// The kind of index.
        _store_driver: () = "sqlite", "store.driver", Kind::OneOf(&["sqlite"]) => absent("the built-in index is used");
        /// The index file; `{agentId}` and a leading `~` are replaced, a relative path is below the state directory. By
        /// default memory/{agentId}.sqlite there, in an OpenClaw home memory/{agentId}.mindfile.sqlite.
        index_path: PathBuf as index_path = null, "store.path", Kind::PATH;
        encryption: Encryption;
        vector: VectorStore;
        /// Another build of the sqlite-vec extension.
        _store_vector_extension_path: () = null, "store.vector.extensionPath", Kind::PATH => absent("the built-in sqlite-vec is used");
        /// How words are cut for keyword search.
        _store_fts_tokenizer: () = "unicode61", "store.fts.tokenizer", Kind::OneOf(&["unicode61", "trigram"])
            => absent("one tokenizer serves all scripts");
        /// The size that a chunk aims at, in tokens.
        _chunking_tokens: () = 400, "chunking.tokens", 16..=8_192;
        /// The tokens that a chunk repeats of the one before; less than `chunking.tokens`.
        _chunking_overlap: () = 80, "chunking.overlap", 0..=8_191;
        chunking: Chunking as chunking;
        sync: Sync;
        sessions: Transcripts;
        query: Query;
        hybrid: Hybrid;
        cache: Cache;
        /// More folders that QMD searches, as those of `memory.qmd.paths`; an agent has its own.
        _qmd_extra_collections: () = [], "qmd.extraCollections", Kind::COLLECTIONS;
        server: Server;
        /// Whether what is found is told with its place, at a terminal and to a model alike; "auto": in direct chats only.
        /// The fields of JSON have it in any case.
        citations: Citations = "auto", "memory.citations";
        /// Your own rules of what may be stored: { name, class, and one of pattern (a regular expression), detector,
        /// entity, key }. An agent's own list is added to the one for all agents.
        policy: Rules as policy = [], "memory.policy.rules", Kind::RULES;
        /// Other classes for built-in detectors, such as { email: "masked" }; `mindfile policy show` lists them.
        _policy_builtin: () = null, "memory.policy.builtin", Kind::CLASSES;
        /// The engine that keeps the index: "builtin" or "sqlite" (a file on this machine), "postgres", "lancedb" (where
        /// the program was built with it) or "qmd". The same as --backend.
        backend: BackendName = "builtin", "memory.backend";
        postgres: Postgres;
        lancedb: LanceDb;
        qmd: Qmd;
        /// Its tool, where it is reached through mcporter.
        _search_tool: () = null, "memory.qmd.searchTool", Kind::TEXT => Effect::DetailOf("memory.qmd.mcporter");
        /// How it is reached through mcporter.
        _mcporter: () = null, "memory.qmd.mcporter", Kind::OBJECT => absent("QMD is asked by its own server or command");
        /// The folder of notes; a leading `~` is replaced, a relative path is below the state directory. By default
        /// workspace/ there, and workspace-ID/ for an agent that is not the default one.
        _workspace: () = null, "workspace", Kind::PATH;
        compaction: Compaction;
        pruning: ContextPruning;
        /// Whether a sandboxed agent may write to the workspace: "rw", "ro" or "none". Where it may not, its conversations
        /// are not flushed, and its model keeps no facts. Without it a sandbox has "none".
        closed_to: ClosedTo as closed_to = null, "sandbox.workspaceAccess", Kind::OneOf(&["none", "ro", "rw"]);
        /// Which conversations are sandboxed: "off", "all", or "non-main" (all but the agent's main one). Without it
        /// `sandbox.workspaceAccess` counts for all, if it is there.
        _sandbox_mode: () = null, "sandbox.mode", Kind::OneOf(&["off", "non-main", "all"]);
        /// The chat model that may be asked.
        chat: Chat;
        bootstrap: Bootstrap;
    }

    /// Who makes vectors, and in whose place.
    pub struct Embedding {
        primary: Maker as primary;
        /// Who is asked when the first one fails; nobody unless it is configured.
        fallback: Option<Maker> as fallback;
        /// The address of the embedding service.
        _base_url: () = null, "remote.baseUrl", Kind::TEXT;
        /// The key of the embedding service: a string, { env: "NAME" } or { file: "PATH" }.
        _api_key: () = null, "remote.apiKey", Kind::SECRET;
        /// HTTP headers for the embedding service.
        _headers: () = null, "remote.headers", Kind::SECRETS;
        /// A PEM file with the authorities whose certificates the embedding service may have, instead of the public ones;
        /// by default $SSL_CERT_FILE.
        _ca_file: () = null, "remote.caFile", Kind::PATH;
        /// The most tokens of one request, below what the provider allows.
        _request_tokens: () = 8_000, "remote.requestTokens", 100..=1_000_000;
        /// Requests at the same time.
        _concurrency: () = 4, "remote.concurrency", 1..=16;
        /// What a million tokens cost in US dollars, where the built-in table does not know it or is out of date.
        price: Option<f64> = null, "remote.pricePerMillionTokens", 0.0..=1_000.0;
        jobs: BatchJobs;
        /// A GGUF model file, or hf:OWNER/REPOSITORY/FILE.gguf, which is downloaded once.
        _model_path: () = null, "local.modelPath", Kind::TEXT;
        /// Where downloaded models are kept; by default models/ in the state directory.
        _model_cache_dir: () = null, "local.modelCacheDir", Kind::PATH;
        /// The server that hf: addresses are fetched from; by default $HF_ENDPOINT, else huggingface.co.
        _endpoint: () = null, "local.endpoint", Kind::TEXT;
    }

    /// Batch jobs of providers that have them.
    pub struct BatchJobs {
        /// Whether to embed by batch jobs (openai, gemini).
        enabled: bool = false, "remote.batch.enabled";
        /// Whether to wait for batch jobs; if not, the next run collects them.
        wait: bool = true, "remote.batch.wait";
        /// Batch jobs at the same time.
        concurrency: usize = 2, "remote.batch.concurrency", 1..=64;
        /// Time between two looks at a batch job.
        poll_interval: Duration = 2_000, "remote.batch.pollIntervalMs", 1..=3_600_000;
        /// Time after which a batch job is cancelled.
        timeout: Duration = 60, "remote.batch.timeoutMinutes", 1..=10_080;
    }

    /// Where the key of private notes is.
    pub struct Encryption {
        /// The age key of private notes; a leading `~` is replaced, a relative path is below the state directory. By
        /// default private.key there. It is made when it is first needed.
        key_file: PathBuf = "private.key", "encryption.keyFile";
        /// A program that prints that key, with its arguments, such as ["secret-tool", "lookup", "service", "mindfile"]
        /// for the system's keyring. It is asked instead of the file.
        key_command: Option<Vec<String>> = null, "encryption.keyCommand";
        /// From the environment, for a key that is locked with one.
        passphrase: Option<Passphrase> => passphrase;
    }

    /// How vectors are compared.
    pub struct VectorStore {
        /// Whether `store.vector.engine` may be sqlite-vec; if not, vectors are compared in the program.
        enabled: bool = true, "store.vector.enabled";
        /// How vectors are compared: "scan" in the program, or "sqlite-vec" in the index file.
        engine: Engine as vector_engine = "scan", "store.vector.engine", Engine::KIND;
    }

    /// When the index is brought up to date.
    pub struct Sync {
        /// Whether the index is brought up to date when a session starts: for the first context of a conversation, for a
        /// host's hook, and when an agent connects by MCP.
        on_session_start: bool = true, "sync.onSessionStart";
        /// Whether the index is brought up to date before a search.
        on_search: bool = true, "sync.onSearch";
        /// Whether `watch`, `serve` and `mcp` watch the notes, so that a question looks at those that changed alone.
        watch: bool = true, "sync.watch";
        /// How long the notes must be quiet before a change is indexed.
        debounce: Duration = 1_500, "sync.watchDebounceMs", 0..=600_000;
        /// Minutes between two scans of the notes, also where they are not watched; 0 for one minute where they are
        /// watched, else for never.
        interval: Option<Duration> = 0, "sync.intervalMinutes", 0..=10_080;
    }

    /// How transcripts are searched.
    pub struct Transcripts {
        /// Whether all of them are kept indexed.
        enabled: bool as are_transcripts_searched;
        /// New bytes of a transcript before a provider is asked for vectors; words are found at once.
        delta_bytes: u64 = 100_000, "sync.sessions.deltaBytes", 0..=(1 << 40);
        /// New messages of a transcript before a provider is asked for vectors; words are found at once.
        delta_messages: u64 = 50, "sync.sessions.deltaMessages", 0..=(1 << 32);
        /// How long a transcript must be quiet before a provider is asked for vectors.
        debounce: Duration = 5_000, "sync.sessions.debounceMs", 0..=600_000;
        /// Whether what tools answered is searched as well.
        tool_output: bool = false, "sync.sessions.toolOutput";
        /// Whether messages that nobody sees are searched as well.
        hidden: bool = false, "sync.sessions.hidden";
    }

    /// What a search returns.
    pub struct Query {
        /// The most results that a search returns.
        max_results: usize = 6, "query.maxResults", 1..=1_000;
        /// The score below which a result is left out of what was asked for. At 0 all is given, with how sure it is.
        min_score: f32 = 0.0, "query.minScore", 0.0..=1.0;
        /// The score below which nothing is given that nobody asked for, such as with a message.
        min_unasked: f32 = 0.35, "query.minUnasked", 0.0..=1.0;
        /// The longest snippet of a result.
        max_snippet_chars: usize = 700, "query.maxSnippetChars", 40..=100_000;
        /// The most text that all results together put before a model.
        max_injected_chars: usize = 4_000, "query.maxInjectedChars", 40..=10_000_000;
        /// Time after which a search gives up, with a message.
        deadline: Duration = 2_000, "query.deadlineMs", 10..=600_000;
        /// How long a search waits for vectors from a provider; after that, words decide alone.
        embed_deadline: Duration = 5_000, "query.embedDeadlineMs", 10..=600_000;
    }

    /// How words and meaning become one list.
    pub struct Hybrid {
        /// Whether words and meaning are combined; if not, meaning alone decides.
        enabled: bool = true, "query.hybrid.enabled";
        /// How the two lists become one: "weighted" scores, or "rrf" (reciprocal ranks).
        fusion: Fusion = "weighted", "query.hybrid.fusion";
        /// The share of meaning; the two weights are scaled to sum 1.
        vector_weight: f32 as vector_weight = 0.6, "query.hybrid.vectorWeight", 0.0..=100.0;
        /// The share of words; the two weights are scaled to sum 1.
        _text_weight: () = 0.4, "query.hybrid.textWeight", 0.0..=100.0;
        /// Candidates by meaning, as a multiple of the results asked for; at least 100.
        candidate_multiplier: usize = 4, "query.hybrid.candidateMultiplier", 1..=100;
        /// The share of the token-by-token comparison of the first candidates; 0 turns it off.
        interaction: f32 = 0.4, "query.hybrid.interactionWeight", 0.0..=1.0;
        mmr: Mmr;
        decay: Decay;
    }

    /// Whether near-duplicates give way.
    pub struct Mmr {
        /// Whether near-duplicates give way.
        enabled: bool = false, "query.hybrid.mmr.enabled";
        /// Between variety (0) and relevance (1).
        lambda: f32 = 0.7, "query.hybrid.mmr.lambda", 0.0..=1.0;
    }

    /// Whether newer notes come before near-equal older ones.
    pub struct Decay {
        /// Whether newer daily notes come before near-equal older ones.
        enabled: bool = true, "query.hybrid.temporalDecay.enabled";
        /// The age at which half of the decay has happened.
        half_life_days: f32 = 30.0, "query.hybrid.temporalDecay.halfLifeDays", 0.01..=36_500.0;
        /// The share of its score that the oldest note keeps.
        floor: f32 = 0.95, "query.hybrid.temporalDecay.floor", 0.0..=1.0;
    }

    /// Whether vectors of known text are kept.
    pub struct Cache {
        /// Whether vectors of known text are kept.
        enabled: bool = true, "cache.enabled";
        /// The most vectors that are kept.
        max_entries: u64 = 50_000, "cache.maxEntries", 1..=100_000_000;
    }

    /// How `serve` listens, and to whom.
    pub struct Server {
        /// The address that `serve` listens at.
        host: String = "127.0.0.1", "memory.server.host";
        /// Its port; 0 lets the system choose one.
        port: u16 = 7_377, "memory.server.port", 0..=65_535;
        /// Names that requests may call this server by, beside localhost, 127.0.0.1, ::1 and its own address.
        allowed_hosts: Vec<String> = [], "memory.server.allowedHosts";
        /// Web pages that may ask, such as "https://notes.example"; the server's own page always may.
        allowed_origins: Vec<String> = [], "memory.server.allowedOrigins";
        tls: Tls;
        /// The longest request.
        max_body: usize = 1_048_576, "memory.server.maxBodyBytes", 1_024..=(1 << 30);
        /// Requests that one address may send in a second.
        requests_per_second: u32 = 2_000, "memory.server.requestsPerSecond", 1..=1_000_000;
        /// Requests that are worked on at the same time; others wait for their turn.
        concurrency: usize = 8, "memory.server.concurrency", 1..=1_024;
    }

    /// A certificate chain and its key, both PEM; neither is of use without the other.
    pub struct Tls {
        /// A certificate chain in PEM: `serve` speaks HTTPS.
        cert: Option<PathBuf> = null, "memory.server.tls.cert";
        /// The certificate's private key in PEM.
        key: Option<PathBuf> = null, "memory.server.tls.key";
    }

    /// Where the PostgreSQL database is, and how it is spoken to.
    pub struct Postgres {
        /// The PostgreSQL database, postgresql://USER:PASSWORD@HOST:PORT/DATABASE: a string, { env: "NAME" } or { file:
        /// "PATH" }; by default $MINDFILE_POSTGRES_URL. A password may be in $PGPASSWORD instead.
        url: Option<Secret> as postgres_url = null, "memory.postgres.url", Kind::SECRET;
        /// For an address without one.
        password: Option<Secret> => postgres_password;
        /// The schema that holds the tables.
        schema: String = "mindfile", "memory.postgres.schema";
        /// Connections at the same time.
        pool_size: usize = 8, "memory.postgres.poolSize", 3..=1_024;
        /// How long a connection is waited for before the built-in index answers.
        timeout: Duration = 5_000, "memory.postgres.timeoutMs", 100..=600_000;
        /// A PEM file with the authorities whose certificates the server may have, instead of the public ones; by default
        /// $SSL_CERT_FILE.
        ca_file: Option<PathBuf> as ca_file = null, "memory.postgres.caFile", Kind::PATH;
    }

    /// Where the LanceDB tables are, and how an object store is spoken to.
    pub struct LanceDb {
        /// Where LanceDB keeps its tables, each agent's in a folder of its own: a folder (a leading `~` is replaced, a
        /// relative path is below the state directory), or an address such as s3://BUCKET/PREFIX.
        uri: String as lancedb_uri = "memory/lancedb", "memory.lancedb.uri", Kind::TEXT;
        /// What the object store needs to be told, such as { endpoint: "…", region: "…", allow_http: "true" }; the AWS_*
        /// variables of the environment count, too.
        storage_options: Vec<(String, Secret)> = null, "memory.lancedb.storageOptions";
        /// How long an object store is waited for before the built-in index answers.
        timeout: Duration = 10_000, "memory.lancedb.timeoutMs", 100..=600_000;
    }

    /// How QMD is driven.
    pub struct Qmd {
        /// QMD's program: a name, or a path; a leading `~` is replaced, a relative path is below the state directory.
        command: PathBuf as program = "qmd", "memory.qmd.command", Kind::TEXT;
        /// How QMD searches: "search" (words), "vsearch" (meaning) or "query" (both, and a model compares the best).
        /// Without QMD's models "query" goes by words, and "vsearch" cannot be done.
        mode: QmdMode = "search", "memory.qmd.searchMode";
        /// Whether "query" may compare the best once more by a model.
        rerank: bool = true, "memory.qmd.rerank";
        /// Whether `serve` keeps a server of QMD at a loopback port, which answers much faster than a process for each
        /// search. QMD's server asks for no token: switch it off where others have a login on this machine.
        server: bool = true, "memory.qmd.server";
        /// Whether QMD searches the workspace's own notes and `extraPaths`.
        include_default_memory: bool = true, "memory.qmd.includeDefaultMemory";
        /// More folders or files that QMD searches, each a string or { path, name, pattern }; relative to the workspace.
        paths: Vec<QmdPath> as qmd_paths = [], "memory.qmd.paths", Kind::COLLECTIONS;
        sessions: QmdSessions;
        update: QmdUpdate;
        limits: QmdLimits;
        scope: Scope;
        /// Where it keeps its settings and its index.
        home: PathBuf => qmd_home;
        /// Models that another QMD of this person has downloaded.
        models: Option<PathBuf> => qmd_models;
    }

    /// Whether conversations are written out for QMD.
    pub struct QmdSessions {
        /// Whether conversations are written out as Markdown and searched by QMD.
        enabled: bool = false, "memory.qmd.sessions.enabled";
        /// Where they are written to; by default agents/{agentId}/qmd/sessions/ in the state directory.
        folder: PathBuf as export_folder = null, "memory.qmd.sessions.exportDir", Kind::PATH;
        /// Conversations that ended longer ago are left out; by default none is.
        retention_days: Option<u32> = null, "memory.qmd.sessions.retentionDays", 1..=36_500;
    }

    /// The chats in which QMD may answer.
    pub struct Scope {
        /// Whether QMD answers in a chat that no rule is about.
        allow: bool as is_allowed = "deny", "memory.qmd.scope.default", Kind::OneOf(&["allow", "deny"]);
        /// The chats in which QMD answers, each rule { action, match: { chatType, channel, keyPrefix } }; the first that
        /// matches counts. By default direct chats.
        rules: Vec<ScopeRule> as scope_rules = null, "memory.qmd.scope.rules", Kind::SCOPES;
    }

    /// When QMD's index is brought up to date, and how long that may take.
    pub struct QmdUpdate {
        /// How often QMD's index is brought up to date: seconds, or with s, m or h; 0 for never by time.
        interval: Option<Duration> = "5m", "memory.qmd.update.interval";
        /// How long notes that changed may wait for QMD: the least time between two updates.
        debounce: Duration = 15_000, "memory.qmd.update.debounceMs", 0..=3_600_000;
        /// Whether `serve` and `watch` update QMD's index when they start.
        on_boot: bool = true, "memory.qmd.update.onBoot";
        /// Whether they wait for that before they begin.
        wait_for_boot: bool = false, "memory.qmd.update.waitForBootSync";
        /// How often QMD makes vectors of what is new, where it has models; 0 for never by time.
        embed_interval: Option<Duration> = "60m", "memory.qmd.update.embedInterval";
        /// The longest that QMD's small commands may take, such as telling its version.
        command_timeout: Duration = 30_000, "memory.qmd.update.commandTimeoutMs", 1..=86_400_000;
        /// The longest that an update may take.
        update_timeout: Duration = 120_000, "memory.qmd.update.updateTimeoutMs", 1..=86_400_000;
        /// The longest that making vectors may take; the next run goes on.
        embed_timeout: Duration = 120_000, "memory.qmd.update.embedTimeoutMs", 1..=86_400_000;
    }

    /// What QMD may answer with, and within what time.
    pub struct QmdLimits {
        /// The most results that QMD is asked for.
        max_results: usize = 6, "memory.qmd.limits.maxResults", 1..=1_000;
        /// The longest snippet of a result that QMD found.
        max_snippet_chars: usize = 700, "memory.qmd.limits.maxSnippetChars", 40..=100_000;
        /// The most text that all results together put before a model.
        max_injected_chars: usize = 4_000, "memory.qmd.limits.maxInjectedChars", 40..=10_000_000;
        /// The longest that QMD may take to answer a search; after that the built-in index answers.
        timeout: Duration = 4_000, "memory.qmd.limits.timeoutMs", 10..=600_000;
    }

    /// When a conversation is flushed and compacted, and what stays of it.
    pub struct Compaction {
        /// Whether a conversation is compacted when it exceeds the window, or a model refuses it as too long. `session
        /// compact` does it in any case.
        enabled: bool = true, "compaction.enabled";
        /// Tokens of the context window that stay free when memory is flushed.
        reserve_tokens_floor: u64 = 20_000, "compaction.reserveTokensFloor", 0..=(1 << 32);
        /// Tokens of the context window that stay free for the prompt and the answer: above that, a conversation is
        /// compacted.
        reserve_tokens: u64 = 16_384, "compaction.reserveTokens", 0..=(1 << 32);
        /// Tokens of the last turns that a compaction leaves as they are.
        keep_recent_tokens: u64 = 20_000, "compaction.keepRecentTokens", 0..=(1 << 32);
        flush: Flush;
    }

    /// How a model is asked to save memories.
    pub struct Flush {
        /// Whether a model is asked to save memories before a compaction. What the rules find is saved in any case.
        enabled: bool = true, "compaction.memoryFlush.enabled";
        /// How many tokens before compaction memory is flushed.
        soft_threshold_tokens: u64 = 4_000, "compaction.memoryFlush.softThresholdTokens", 0..=(1 << 32);
        /// What the user turn of a flush says; YYYY-MM-DD is replaced by the day.
        prompt: Option<String> = null, "compaction.memoryFlush.prompt";
        /// What the system prompt of a flush adds.
        system_prompt: Option<String> = null, "compaction.memoryFlush.systemPrompt";
    }

    /// How old results of tools are shortened in what a model is given.
    pub struct ContextPruning {
        /// Whether old results of tools are shortened in what a model is given: "off", "cache-ttl" (when the provider's
        /// cache has expired) or "always". The transcript stays as it is.
        mode: Pruning = "off", "contextPruning.mode";
        /// How long a provider keeps what it was given: seconds, or with s, m or h.
        ttl: Duration = "5m", "contextPruning.ttl";
        /// The last answers whose tool results are left alone.
        keep_last_assistants: usize = 3, "contextPruning.keepLastAssistants", 0..=10_000;
        /// The share of the window above which large results are trimmed.
        soft_trim_ratio: f64 = 0.3, "contextPruning.softTrimRatio", 0.0..=1.0;
        /// The share of the window above which old results are cleared.
        hard_clear_ratio: f64 = 0.5, "contextPruning.hardClearRatio", 0.0..=1.0;
        /// With fewer characters in all old results, none is cleared.
        min_prunable_chars: usize = 50_000, "contextPruning.minPrunableToolChars", 0..=(1 << 32);
        /// A longer result is trimmed.
        trim_above: usize = 4_000, "contextPruning.softTrim.maxChars", 0..=(1 << 32);
        /// What stays of its beginning.
        trim_head: usize = 1_500, "contextPruning.softTrim.headChars", 0..=(1 << 32);
        /// What stays of its end.
        trim_tail: usize = 1_500, "contextPruning.softTrim.tailChars", 0..=(1 << 32);
        /// Whether old results are cleared at all.
        hard_clear: bool = true, "contextPruning.hardClear.enabled";
        /// What stands in the place of a cleared result.
        placeholder: String = "[Old tool result content cleared]", "contextPruning.hardClear.placeholder";
    }

    /// The chat model that a memory may ask: for how much a fact matters, for better words, for summaries, and to talk to.
    pub struct Chat {
        /// How the chat model is spoken to: "openai" (also Ollama, llama.cpp, vLLM and OpenRouter) or "anthropic".
        protocol: ChatProtocol = "openai", "chat.provider";
        /// The chat model that `chat`, `retain` (how much a fact matters), `reflect`, `session flush` and `session
        /// compact` ask. Without one they go by rules, and `chat` has nobody to talk to.
        model: Option<String> = null, "chat.model";
        /// Where the chat model is, such as http://localhost:11434/v1; by default the provider's own address.
        base_url: Option<String> = null, "chat.baseUrl";
        /// The key of the chat model: a string, { env: "NAME" } or { file: "PATH" }. By default $OPENAI_API_KEY or
        /// $ANTHROPIC_API_KEY, for the provider's own address alone.
        key: Option<Secret> as chat_key = null, "chat.apiKey", Kind::SECRET;
        /// HTTP headers for the chat model.
        headers: Vec<(String, Secret)> = null, "chat.headers";
        /// A PEM file with the authorities whose certificates the chat model's service may have, instead of the public
        /// ones; by default $SSL_CERT_FILE.
        ca_file: Option<PathBuf> as ca_file = null, "chat.caFile", Kind::PATH;
        /// The chat model's context window, in tokens.
        window: u64 = 128_000, "chat.contextWindow", 1_024..=(1 << 32);
        /// Seconds after which an answer is given up.
        timeout: Duration = 600, "chat.timeoutSeconds", 1..=86_400;
    }

    /// How much the files at the start of a session may take, in characters.
    pub struct Bootstrap {
        /// The most that one file adds to the start of a session; four characters are counted as one token.
        max_chars: usize = 20_000, "bootstrapMaxChars", 1..=(1 << 32);
        /// The most that all files together add.
        total_max_chars: usize = 60_000, "bootstrapTotalMaxChars", 1..=(1 << 32);
    }
}
