//! The rows of the key table.

use super::chat::Chat;
use super::keys::{Effect, Key, Section};
use super::kind::{Kind, Preset};
use super::settings::{BackendName, Citations, Engine, Fusion, Pruning, QmdMode};

/// What a provider that is not known gives way to.
pub(super) const EMBEDDED: &str = "the embedded model is used";
pub(super) const NO_FALLBACK: &str = "there is no fallback";
const BUILTIN: &str = "the built-in index is used";
const OWN_AGENT: &str = "an agent searches its own conversations";

const SOURCES: &[&str] = &["memory", "sessions"];
const TOKENS: Kind = Kind::Whole { min: 0, max: 1 << 32 };
const UNIT: Kind = Kind::Number { min: 0.0, max: 1.0 };

/// Every key that is known, in the order in which `config show` lists them.
pub const KEYS: &[Key] = &[
    used("enabled", Kind::Flag, Preset::Flag(true), "Whether this agent has memory search at all."),
    used(
        "provider",
        Kind::Text,
        Preset::Text("auto"),
        "Where vectors come from: \"embedded\" (the model inside the program), \"local\" (a GGUF file), \"openai\", \
         \"gemini\", \"voyage\", \"mistral\", \"ollama\", \"lmstudio\", \"openai-compatible\", a name of \
         models.providers, or \"none\" for search by words alone. \"auto\": local.modelPath if the file is there, \
         else openai, gemini or voyage if there is a key, else embedded.",
    ),
    used(
        "model",
        Kind::Text,
        Preset::Unset,
        "The provider's embedding model; by default the one it is known for.",
    ),
    used(
        "fallback",
        Kind::Text,
        Preset::Text("none"),
        "The provider to ask when the first one fails. Its vectors are kept in an index of their own.",
    ),
    used(
        "sources",
        Kind::SomeOf(SOURCES),
        Preset::Words(&["memory"]),
        "What is searched by default; \"sessions\" counts together with `experimental.sessionMemory`.",
    ),
    used(
        "extraPaths",
        Kind::Paths,
        Preset::Words(&[]),
        "More notes to index: files or folders, absolute or relative to the workspace, each a string or \
         { path, pattern }. An agent's own list is added to the one for all agents.",
    ),
    used(
        "experimental.sessionMemory",
        Kind::Flag,
        Preset::Flag(false),
        "Whether every session transcript is kept indexed. Without it, those are that `session append` writes, and all \
         of them when `search --source sessions` asks.",
    ),
    absent(
        "rememberAcrossConversations",
        Kind::Flag,
        Preset::Flag(false),
        "Whether other conversations of the same person are searched.",
        OWN_AGENT,
    ),
    used("remote.baseUrl", Kind::Text, Preset::Unset, "The address of the embedding service."),
    used(
        "remote.apiKey",
        Kind::Secret,
        Preset::Unset,
        "The key of the embedding service: a string, { env: \"NAME\" } or { file: \"PATH\" }.",
    ),
    used("remote.headers", Kind::Secrets, Preset::Unset, "HTTP headers for the embedding service."),
    used(
        "remote.caFile",
        Kind::Path,
        Preset::Unset,
        "A PEM file with the authorities whose certificates the embedding service may have, instead of the public ones; \
         by default $SSL_CERT_FILE.",
    ),
    used(
        "remote.requestTokens",
        Kind::Whole { min: 100, max: 1_000_000 },
        Preset::Whole(8_000),
        "The most tokens of one request, below what the provider allows.",
    ),
    used("remote.concurrency", count(16), Preset::Whole(4), "Requests at the same time."),
    used(
        "remote.pricePerMillionTokens",
        Kind::Number { min: 0.0, max: 1_000.0 },
        Preset::Unset,
        "What a million tokens cost in US dollars, where the built-in table does not know it or is out of date.",
    ),
    used(
        "remote.batch.enabled",
        Kind::Flag,
        Preset::Flag(false),
        "Whether to embed by batch jobs (openai, gemini).",
    ),
    used(
        "remote.batch.wait",
        Kind::Flag,
        Preset::Flag(true),
        "Whether to wait for batch jobs; if not, the next run collects them.",
    ),
    used("remote.batch.concurrency", count(64), Preset::Whole(2), "Batch jobs at the same time."),
    used(
        "remote.batch.pollIntervalMs",
        count(3_600_000),
        Preset::Whole(2_000),
        "Time between two looks at a batch job.",
    ),
    used(
        "remote.batch.timeoutMinutes",
        count(10_080),
        Preset::Whole(60),
        "Time after which a batch job is not waited for any longer.",
    ),
    used(
        "local.modelPath",
        Kind::Text,
        Preset::Unset,
        "A GGUF model file, or hf:OWNER/REPOSITORY/FILE.gguf, which is downloaded once.",
    ),
    used(
        "local.modelCacheDir",
        Kind::Path,
        Preset::Unset,
        "Where downloaded models are kept; by default models/ in the state directory.",
    ),
    used(
        "local.endpoint",
        Kind::Text,
        Preset::Unset,
        "The server that hf: addresses are fetched from; by default $HF_ENDPOINT, else huggingface.co.",
    ),
    used("inputType", Kind::Text, Preset::Unset, "The provider's input type for all texts."),
    used("queryInputType", Kind::Text, Preset::Unset, "The provider's input type for queries."),
    used("documentInputType", Kind::Text, Preset::Unset, "The provider's input type for notes."),
    used("outputDimensionality", count(65_536), Preset::Unset, "The length of the vectors."),
    absent(
        "multimodal.enabled",
        Kind::Flag,
        Preset::Flag(false),
        "Whether images and sound are indexed.",
        "only Markdown is indexed",
    ),
    detail("multimodal.modalities", Kind::List, Preset::Unset, "Which of them.", "multimodal.enabled"),
    detail(
        "multimodal.maxFileBytes",
        count(1 << 40),
        Preset::Whole(10_485_760),
        "The largest such file.",
        "multimodal.enabled",
    ),
    absent("store.driver", Kind::OneOf(&["sqlite"]), Preset::Text("sqlite"), "The kind of index.", BUILTIN),
    used(
        "store.path",
        Kind::Path,
        Preset::Unset,
        "The index file; `{agentId}` and a leading `~` are replaced, a relative path is below the state directory. \
         By default memory/{agentId}.sqlite there, \
         in an OpenClaw home memory/{agentId}.mindfile.sqlite.",
    ),
    used(
        "encryption.keyFile",
        Kind::Path,
        Preset::Unset,
        "The age key of private notes; a leading `~` is replaced, a relative path is below the state directory. By \
         default private.key there. It is made when it is first needed.",
    ),
    used(
        "encryption.keyCommand",
        Kind::Command,
        Preset::Unset,
        "A program that prints that key, with its arguments, such as [\"secret-tool\", \"lookup\", \"service\", \
         \"mindfile\"] for the system's keyring. It is asked instead of the file.",
    ),
    used(
        "store.vector.enabled",
        Kind::Flag,
        Preset::Flag(true),
        "Whether `store.vector.engine` may be sqlite-vec; if not, vectors are compared in the program.",
    ),
    used(
        "store.vector.engine",
        Kind::OneOf(Engine::WORDS),
        Preset::Text("scan"),
        "How vectors are compared: \"scan\" in the program, or \"sqlite-vec\" in the index file.",
    ),
    absent(
        "store.vector.extensionPath",
        Kind::Path,
        Preset::Unset,
        "Another build of the sqlite-vec extension.",
        "the built-in sqlite-vec is used",
    ),
    absent(
        "store.fts.tokenizer",
        Kind::OneOf(&["unicode61", "trigram"]),
        Preset::Text("unicode61"),
        "How words are cut for keyword search.",
        "one tokenizer serves all scripts",
    ),
    used(
        "chunking.tokens",
        Kind::Whole { min: 16, max: 8_192 },
        Preset::Whole(400),
        "The size that a chunk aims at, in tokens.",
    )
    .in_workspace(),
    used(
        "chunking.overlap",
        Kind::Whole { min: 0, max: 8_191 },
        Preset::Whole(80),
        "The tokens that a chunk repeats of the one before; less than `chunking.tokens`.",
    )
    .in_workspace(),
    absent(
        "sync.onSessionStart",
        Kind::Flag,
        Preset::Flag(true),
        "Whether the index is brought up to date when a session starts.",
        "`sync.onSearch` and `sync.watch` decide",
    ),
    used(
        "sync.onSearch",
        Kind::Flag,
        Preset::Flag(true),
        "Whether the index is brought up to date before a search.",
    ),
    used(
        "sync.watch",
        Kind::Flag,
        Preset::Flag(true),
        "Whether watching is wanted; `doctor` checks that it would work.",
    ),
    used(
        "sync.watchDebounceMs",
        Kind::Whole { min: 0, max: 600_000 },
        Preset::Whole(1_500),
        "How long the notes must be quiet before a change is indexed.",
    ),
    used(
        "sync.intervalMinutes",
        Kind::Whole { min: 0, max: 10_080 },
        Preset::Whole(0),
        "Time between two scans where watching is not possible; 0 for one minute.",
    ),
    used(
        "sync.sessions.deltaBytes",
        Kind::Whole { min: 0, max: 1 << 40 },
        Preset::Whole(100_000),
        "New bytes of a transcript before a provider is asked for vectors; words are found at once.",
    ),
    used(
        "sync.sessions.deltaMessages",
        Kind::Whole { min: 0, max: 1 << 32 },
        Preset::Whole(50),
        "New messages of a transcript before a provider is asked for vectors; words are found at once.",
    ),
    used(
        "sync.sessions.debounceMs",
        Kind::Whole { min: 0, max: 600_000 },
        Preset::Whole(5_000),
        "How long a transcript must be quiet before a provider is asked for vectors.",
    ),
    used(
        "sync.sessions.toolOutput",
        Kind::Flag,
        Preset::Flag(false),
        "Whether what tools answered is searched as well.",
    ),
    used(
        "sync.sessions.hidden",
        Kind::Flag,
        Preset::Flag(false),
        "Whether messages that nobody sees are searched as well.",
    ),
    used("query.maxResults", count(1_000), Preset::Whole(6), "The most results that a search returns.")
        .in_workspace(),
    used("query.minScore", UNIT, Preset::Number(0.35), "The score below which a result is left out.")
        .in_workspace(),
    used(
        "query.maxSnippetChars",
        Kind::Whole { min: 40, max: 100_000 },
        Preset::Whole(700),
        "The longest snippet of a result.",
    )
    .in_workspace(),
    used(
        "query.maxInjectedChars",
        Kind::Whole { min: 40, max: 10_000_000 },
        Preset::Whole(4_000),
        "The most text that all results together put before a model.",
    )
    .in_workspace(),
    used(
        "query.deadlineMs",
        Kind::Whole { min: 10, max: 600_000 },
        Preset::Whole(2_000),
        "Time after which a search gives up, with a message.",
    )
    .in_workspace(),
    used(
        "query.embedDeadlineMs",
        Kind::Whole { min: 10, max: 600_000 },
        Preset::Whole(5_000),
        "How long a search waits for vectors from a provider; after that, words decide alone.",
    )
    .in_workspace(),
    used(
        "query.hybrid.enabled",
        Kind::Flag,
        Preset::Flag(true),
        "Whether words and meaning are combined; if not, meaning alone decides.",
    )
    .in_workspace(),
    used(
        "query.hybrid.fusion",
        Kind::OneOf(Fusion::WORDS),
        Preset::Text("weighted"),
        "How the two lists become one: \"weighted\" scores, or \"rrf\" (reciprocal ranks).",
    )
    .in_workspace(),
    used(
        "query.hybrid.vectorWeight",
        Kind::Number { min: 0.0, max: 100.0 },
        Preset::Number(0.45),
        "The share of meaning; the two weights are scaled to sum 1.",
    )
    .in_workspace(),
    used(
        "query.hybrid.textWeight",
        Kind::Number { min: 0.0, max: 100.0 },
        Preset::Number(0.55),
        "The share of words; the two weights are scaled to sum 1.",
    )
    .in_workspace(),
    used(
        "query.hybrid.candidateMultiplier",
        count(100),
        Preset::Whole(4),
        "Candidates by meaning, as a multiple of the results asked for; at least 100.",
    )
    .in_workspace(),
    used(
        "query.hybrid.interactionWeight",
        UNIT,
        Preset::Number(0.4),
        "The share of the token-by-token comparison of the first candidates; 0 turns it off.",
    )
    .in_workspace(),
    used("query.hybrid.mmr.enabled", Kind::Flag, Preset::Flag(false), "Whether near-duplicates give way.")
        .in_workspace(),
    used("query.hybrid.mmr.lambda", UNIT, Preset::Number(0.7), "Between variety (0) and relevance (1).")
        .in_workspace(),
    used(
        "query.hybrid.temporalDecay.enabled",
        Kind::Flag,
        Preset::Flag(true),
        "Whether newer daily notes come before near-equal older ones.",
    )
    .in_workspace(),
    used(
        "query.hybrid.temporalDecay.halfLifeDays",
        Kind::Number { min: 0.01, max: 36_500.0 },
        Preset::Number(30.0),
        "The age at which half of the decay has happened.",
    )
    .in_workspace(),
    used(
        "query.hybrid.temporalDecay.floor",
        UNIT,
        Preset::Number(0.95),
        "The share of its score that the oldest note keeps.",
    )
    .in_workspace(),
    used("cache.enabled", Kind::Flag, Preset::Flag(true), "Whether vectors of known text are kept."),
    used("cache.maxEntries", count(100_000_000), Preset::Whole(50_000), "The most vectors that are kept."),
    used(
        "qmd.extraCollections",
        Kind::Collections,
        Preset::Words(&[]),
        "More folders that QMD searches, as those of `memory.qmd.paths`; an agent has its own.",
    ),
    server(
        "memory.server.host",
        Kind::Text,
        Preset::Text("127.0.0.1"),
        "The address that `serve` listens at.",
    ),
    server(
        "memory.server.port",
        Kind::Whole { min: 0, max: 65_535 },
        Preset::Whole(7_377),
        "Its port; 0 lets the system choose one.",
    ),
    server(
        "memory.server.allowedHosts",
        Kind::Texts,
        Preset::Words(&[]),
        "Names that requests may call this server by, beside localhost, 127.0.0.1, ::1 and its own address.",
    ),
    server(
        "memory.server.allowedOrigins",
        Kind::Texts,
        Preset::Words(&[]),
        "Web pages that may ask, such as \"https://notes.example\"; the server's own page always may.",
    ),
    server(
        "memory.server.tls.cert",
        Kind::Path,
        Preset::Unset,
        "A certificate chain in PEM: `serve` speaks HTTPS.",
    ),
    server("memory.server.tls.key", Kind::Path, Preset::Unset, "The certificate's private key in PEM."),
    server(
        "memory.server.maxBodyBytes",
        Kind::Whole { min: 1_024, max: 1 << 30 },
        Preset::Whole(1 << 20),
        "The longest request.",
    ),
    server(
        "memory.server.requestsPerSecond",
        count(1_000_000),
        Preset::Whole(2_000),
        "Requests that one address may send in a second.",
    ),
    server(
        "memory.server.concurrency",
        count(1_024),
        Preset::Whole(8),
        "Requests that are worked on at the same time; others wait for their turn.",
    ),
    server(
        "memory.server.traces",
        Kind::Text,
        Preset::Unset,
        "The address of an OpenTelemetry collector (OTLP over HTTP), such as \"http://127.0.0.1:4318\".",
    ),
    memory(
        "memory.citations",
        Kind::OneOf(Citations::WORDS),
        Preset::Text("auto"),
        "Whether a snippet ends with its source; \"auto\": in direct chats only.",
        Effect::Used,
    )
    .in_workspace(),
    memory(
        "memory.policy.rules",
        Kind::Rules,
        Preset::Words(&[]),
        "Your own rules of what may be stored: { name, class, and one of pattern (a regular expression), detector, entity, \
         key }. An agent's own list is added to the one for all agents.",
        Effect::Used,
    ),
    memory(
        "memory.policy.builtin",
        Kind::Classes,
        Preset::Unset,
        "Other classes for built-in detectors, such as { email: \"masked\" }; `mindfile policy show` lists them.",
        Effect::Used,
    ),
    memory(
        "memory.backend",
        Kind::OneOf(BackendName::WORDS),
        Preset::Text("builtin"),
        "The engine that keeps the index: \"builtin\" or \"sqlite\" (a file on this machine), \"postgres\", \"lancedb\" \
         (where the program was built with it) or \"qmd\". The same as --backend.",
        Effect::Used,
    ),
    server(
        "memory.postgres.url",
        Kind::Secret,
        Preset::Unset,
        "The PostgreSQL database, postgresql://USER:PASSWORD@HOST:PORT/DATABASE: a string, { env: \"NAME\" } or { file: \
         \"PATH\" }; by default $MINDFILE_POSTGRES_URL. A password may be in $PGPASSWORD instead.",
    ),
    server(
        "memory.postgres.schema",
        Kind::Text,
        Preset::Text("mindfile"),
        "The schema that holds the tables.",
    ),
    server(
        "memory.postgres.poolSize",
        Kind::Whole { min: 3, max: 1_024 },
        Preset::Whole(8),
        "Connections at the same time.",
    ),
    server(
        "memory.postgres.timeoutMs",
        Kind::Whole { min: 100, max: 600_000 },
        Preset::Whole(5_000),
        "How long a connection is waited for before the built-in index answers.",
    ),
    server(
        "memory.postgres.caFile",
        Kind::Path,
        Preset::Unset,
        "A PEM file with the authorities whose certificates the server may have, instead of the public ones; by default \
         $SSL_CERT_FILE.",
    ),
    server(
        "memory.lancedb.uri",
        Kind::Text,
        Preset::Text("memory/lancedb"),
        "Where LanceDB keeps its tables, each agent's in a folder of its own: a folder (a leading `~` is replaced, a \
         relative path is below the state directory), or an address such as s3://BUCKET/PREFIX.",
    ),
    server(
        "memory.lancedb.storageOptions",
        Kind::Secrets,
        Preset::Unset,
        "What the object store needs to be told, such as { endpoint: \"…\", region: \"…\", allow_http: \"true\" }; the \
         AWS_* variables of the environment count, too.",
    ),
    server(
        "memory.lancedb.timeoutMs",
        Kind::Whole { min: 100, max: 600_000 },
        Preset::Whole(10_000),
        "How long an object store is waited for before the built-in index answers.",
    ),
    qmd(
        "memory.qmd.command",
        Kind::Text,
        Preset::Text("qmd"),
        "QMD's program: a name, or a path; a leading `~` is replaced, a relative path is below the state directory.",
    ),
    qmd(
        "memory.qmd.searchMode",
        Kind::OneOf(QmdMode::WORDS),
        Preset::Text("search"),
        "How QMD searches: \"search\" (words), \"vsearch\" (meaning) or \"query\" (both, and a model compares the best). \
         Without QMD's models \"query\" goes by words, and \"vsearch\" cannot be done.",
    ),
    qmd(
        "memory.qmd.rerank",
        Kind::Flag,
        Preset::Flag(true),
        "Whether \"query\" may compare the best once more by a model.",
    ),
    qmd(
        "memory.qmd.server",
        Kind::Flag,
        Preset::Flag(true),
        "Whether `serve` keeps a server of QMD at a loopback port, which answers much faster than a process for each \
         search. QMD's server asks for no token: switch it off where others have a login on this machine.",
    ),
    qmd(
        "memory.qmd.includeDefaultMemory",
        Kind::Flag,
        Preset::Flag(true),
        "Whether QMD searches the workspace's own notes and `extraPaths`.",
    ),
    qmd(
        "memory.qmd.paths",
        Kind::Collections,
        Preset::Words(&[]),
        "More folders or files that QMD searches, each a string or { path, name, pattern }; relative to the workspace.",
    ),
    qmd(
        "memory.qmd.sessions.enabled",
        Kind::Flag,
        Preset::Flag(false),
        "Whether conversations are written out as Markdown and searched by QMD.",
    ),
    qmd(
        "memory.qmd.sessions.exportDir",
        Kind::Path,
        Preset::Unset,
        "Where they are written to; by default agents/{agentId}/qmd/sessions/ in the state directory.",
    ),
    qmd(
        "memory.qmd.sessions.retentionDays",
        count(36_500),
        Preset::Unset,
        "Conversations that ended longer ago are left out; by default none is.",
    ),
    qmd(
        "memory.qmd.update.interval",
        Kind::Span,
        Preset::Text("5m"),
        "How often QMD's index is brought up to date: seconds, or with s, m or h; 0 for never by time.",
    ),
    qmd(
        "memory.qmd.update.debounceMs",
        Kind::Whole { min: 0, max: 3_600_000 },
        Preset::Whole(15_000),
        "How long notes that changed may wait for QMD: the least time between two updates.",
    ),
    qmd(
        "memory.qmd.update.onBoot",
        Kind::Flag,
        Preset::Flag(true),
        "Whether `serve` and `watch` update QMD's index when they start.",
    ),
    qmd(
        "memory.qmd.update.waitForBootSync",
        Kind::Flag,
        Preset::Flag(false),
        "Whether they wait for that before they begin.",
    ),
    qmd(
        "memory.qmd.update.embedInterval",
        Kind::Span,
        Preset::Text("60m"),
        "How often QMD makes vectors of what is new, where it has models; 0 for never by time.",
    ),
    qmd(
        "memory.qmd.update.commandTimeoutMs",
        count(86_400_000),
        Preset::Whole(30_000),
        "The longest that QMD's small commands may take, such as telling its version.",
    ),
    qmd(
        "memory.qmd.update.updateTimeoutMs",
        count(86_400_000),
        Preset::Whole(120_000),
        "The longest that an update may take.",
    ),
    qmd(
        "memory.qmd.update.embedTimeoutMs",
        count(86_400_000),
        Preset::Whole(120_000),
        "The longest that making vectors may take; the next run goes on.",
    ),
    qmd(
        "memory.qmd.limits.maxResults",
        count(1_000),
        Preset::Whole(6),
        "The most results that QMD is asked for.",
    ),
    qmd(
        "memory.qmd.limits.maxSnippetChars",
        Kind::Whole { min: 40, max: 100_000 },
        Preset::Whole(700),
        "The longest snippet of a result that QMD found.",
    ),
    qmd(
        "memory.qmd.limits.maxInjectedChars",
        Kind::Whole { min: 40, max: 10_000_000 },
        Preset::Whole(4_000),
        "The most text that all results together put before a model.",
    ),
    qmd(
        "memory.qmd.limits.timeoutMs",
        Kind::Whole { min: 10, max: 600_000 },
        Preset::Whole(4_000),
        "The longest that QMD may take to answer a search; after that the built-in index answers.",
    ),
    qmd(
        "memory.qmd.scope.default",
        Kind::OneOf(&["allow", "deny"]),
        Preset::Text("deny"),
        "Whether QMD answers in a chat that no rule is about.",
    ),
    qmd(
        "memory.qmd.scope.rules",
        Kind::Scopes,
        Preset::Unset,
        "The chats in which QMD answers, each rule { action, match: { chatType, channel, keyPrefix } }; the first that \
         matches counts. By default direct chats.",
    ),
    memory(
        "memory.qmd.searchTool",
        Kind::Text,
        Preset::Unset,
        "Its tool, where it is reached through mcporter.",
        Effect::DetailOf("memory.qmd.mcporter"),
    ),
    memory(
        "memory.qmd.mcporter",
        Kind::Object,
        Preset::Unset,
        "How it is reached through mcporter.",
        Effect::NotInThisVersion { instead: "QMD is asked by its own server or command" },
    ),
    agent(
        "workspace",
        Kind::Path,
        Preset::Unset,
        "The folder of notes; a leading `~` is replaced, a relative path is below the state directory. By default \
         workspace/ there, and workspace-<id>/ for an agent that is not the default one.",
        Effect::Used,
    ),
    session(
        "compaction.reserveTokensFloor",
        TOKENS,
        Preset::Whole(20_000),
        "Tokens of the context window that stay free when memory is flushed.",
    ),
    session(
        "compaction.reserveTokens",
        TOKENS,
        Preset::Whole(16_384),
        "Tokens of the context window that stay free for the prompt and the answer: above that, a conversation is \
         compacted.",
    ),
    session(
        "compaction.keepRecentTokens",
        TOKENS,
        Preset::Whole(20_000),
        "Tokens of the last turns that a compaction leaves as they are.",
    ),
    session(
        "compaction.memoryFlush.enabled",
        Kind::Flag,
        Preset::Flag(true),
        "Whether a model is asked to save memories before a compaction. What the rules find is saved in any case.",
    ),
    session(
        "compaction.memoryFlush.softThresholdTokens",
        TOKENS,
        Preset::Whole(4_000),
        "How many tokens before compaction memory is flushed.",
    ),
    session(
        "compaction.memoryFlush.prompt",
        Kind::Text,
        Preset::Unset,
        "What the user turn of a flush says; YYYY-MM-DD is replaced by the day.",
    ),
    session(
        "compaction.memoryFlush.systemPrompt",
        Kind::Text,
        Preset::Unset,
        "What the system prompt of a flush adds.",
    ),
    session(
        "contextPruning.mode",
        Kind::OneOf(Pruning::WORDS),
        Preset::Text("off"),
        "Whether old results of tools are shortened in what a model is given: \"off\", \"cache-ttl\" (when the \
         provider's cache has expired) or \"always\". The transcript stays as it is.",
    ),
    session(
        "contextPruning.ttl",
        Kind::Span,
        Preset::Text("5m"),
        "How long a provider keeps what it was given: seconds, or with s, m or h.",
    ),
    session(
        "contextPruning.keepLastAssistants",
        Kind::Whole { min: 0, max: 10_000 },
        Preset::Whole(3),
        "The last answers whose tool results are left alone.",
    ),
    session(
        "contextPruning.softTrimRatio",
        UNIT,
        Preset::Number(0.3),
        "The share of the window above which large results are trimmed.",
    ),
    session(
        "contextPruning.hardClearRatio",
        UNIT,
        Preset::Number(0.5),
        "The share of the window above which old results are cleared.",
    ),
    session(
        "contextPruning.minPrunableToolChars",
        Kind::Whole { min: 0, max: 1 << 32 },
        Preset::Whole(50_000),
        "With fewer characters in all old results, none is cleared.",
    ),
    session(
        "contextPruning.softTrim.maxChars",
        Kind::Whole { min: 0, max: 1 << 32 },
        Preset::Whole(4_000),
        "A longer result is trimmed.",
    ),
    session(
        "contextPruning.softTrim.headChars",
        Kind::Whole { min: 0, max: 1 << 32 },
        Preset::Whole(1_500),
        "What stays of its beginning.",
    ),
    session(
        "contextPruning.softTrim.tailChars",
        Kind::Whole { min: 0, max: 1 << 32 },
        Preset::Whole(1_500),
        "What stays of its end.",
    ),
    session(
        "contextPruning.hardClear.enabled",
        Kind::Flag,
        Preset::Flag(true),
        "Whether old results are cleared at all.",
    ),
    session(
        "contextPruning.hardClear.placeholder",
        Kind::Text,
        Preset::Text("[Old tool result content cleared]"),
        "What stands in the place of a cleared result.",
    ),
    session(
        "chat.provider",
        Kind::OneOf(Chat::PROVIDERS),
        Preset::Text("openai"),
        "How the chat model is spoken to: \"openai\" (also Ollama, llama.cpp, vLLM and OpenRouter) or \"anthropic\".",
    ),
    session(
        "chat.model",
        Kind::Text,
        Preset::Unset,
        "The chat model that `chat`, `retain` (how much a fact matters), `reflect`, `session flush` and `session \
         compact` ask. Without one they go by rules, and `chat` has nobody to talk to.",
    ),
    session(
        "chat.baseUrl",
        Kind::Text,
        Preset::Unset,
        "Where the chat model is, such as http://localhost:11434/v1; by default the provider's own address.",
    ),
    session(
        "chat.apiKey",
        Kind::Secret,
        Preset::Unset,
        "The key of the chat model: a string, { env: \"NAME\" } or { file: \"PATH\" }. By default \
         $OPENAI_API_KEY or $ANTHROPIC_API_KEY, for the provider's own address alone.",
    ),
    session("chat.headers", Kind::Secrets, Preset::Unset, "HTTP headers for the chat model."),
    session(
        "chat.caFile",
        Kind::Path,
        Preset::Unset,
        "A PEM file with the authorities whose certificates the chat model's service may have, instead of the public \
         ones; by default $SSL_CERT_FILE.",
    ),
    session(
        "chat.contextWindow",
        Kind::Whole { min: 1_024, max: 1 << 32 },
        Preset::Whole(128_000),
        "The chat model's context window, in tokens.",
    ),
    session(
        "chat.timeoutSeconds",
        count(86_400),
        Preset::Whole(600),
        "Seconds after which an answer is given up.",
    ),
    session(
        "bootstrapMaxChars",
        Kind::Whole { min: 1, max: 1 << 32 },
        Preset::Whole(20_000),
        "The most that one file adds to the start of a session; four characters are counted as one token.",
    ),
    session(
        "bootstrapTotalMaxChars",
        Kind::Whole { min: 1, max: 1 << 32 },
        Preset::Whole(60_000),
        "The most that all files together add.",
    ),
];

impl Key {
    const fn in_workspace(mut self) -> Self {
        self.in_workspace = true;
        self
    }
}

const fn count(max: u64) -> Kind {
    Kind::Whole { min: 1, max }
}

const fn used(path: &'static str, kind: Kind, default: Preset, doc: &'static str) -> Key {
    Key { path, section: Section::Search, kind, default, doc, effect: Effect::Used, in_workspace: false }
}

const fn absent(
    path: &'static str,
    kind: Kind,
    default: Preset,
    doc: &'static str,
    instead: &'static str,
) -> Key {
    Key { effect: Effect::NotInThisVersion { instead }, ..used(path, kind, default, doc) }
}

const fn detail(path: &'static str, kind: Kind, default: Preset, doc: &'static str, of: &'static str) -> Key {
    Key { effect: Effect::DetailOf(of), ..used(path, kind, default, doc) }
}

const fn memory(path: &'static str, kind: Kind, default: Preset, doc: &'static str, effect: Effect) -> Key {
    Key { section: Section::Memory, effect, ..used(path, kind, default, doc) }
}

const fn server(path: &'static str, kind: Kind, default: Preset, doc: &'static str) -> Key {
    memory(path, kind, default, doc, Effect::Used)
}

const fn qmd(path: &'static str, kind: Kind, default: Preset, doc: &'static str) -> Key {
    memory(path, kind, default, doc, Effect::Used)
}

const fn agent(path: &'static str, kind: Kind, default: Preset, doc: &'static str, effect: Effect) -> Key {
    Key { section: Section::Agent, effect, ..used(path, kind, default, doc) }
}

const fn session(path: &'static str, kind: Kind, default: Preset, doc: &'static str) -> Key {
    agent(path, kind, default, doc, Effect::Used)
}
