//! What is searched, who makes vectors, and how answers are ranked: `memorySearch`.

use super::{UNIT, absent, count, detail, used};
use crate::config::keys::Key;
use crate::config::kind::{Kind, Preset};
use crate::config::settings::{Engine, Fusion};

const BUILTIN: &str = "the built-in index is used";
const OWN_AGENT: &str = "an agent searches its own conversations";
const SOURCES: &[&str] = &["memory", "sessions"];

pub(super) const KEYS: &[Key] = &[
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
        Preset::Number(0.6),
        "The share of meaning; the two weights are scaled to sum 1.",
    )
    .in_workspace(),
    used(
        "query.hybrid.textWeight",
        Kind::Number { min: 0.0, max: 100.0 },
        Preset::Number(0.4),
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
];
