//! The server, citations, and the engine that keeps the index: `memory`.

use super::{count, memory, shared};
use crate::config::keys::{Effect, Key};
use crate::config::kind::{Kind, Preset};
use crate::config::settings::{BackendName, Citations};

pub(super) const KEYS: &[Key] = &[
    shared(
        "memory.server.host",
        Kind::Text,
        Preset::Text("127.0.0.1"),
        "The address that `serve` listens at.",
    ),
    shared(
        "memory.server.port",
        Kind::Whole { min: 0, max: 65_535 },
        Preset::Whole(7_377),
        "Its port; 0 lets the system choose one.",
    ),
    shared(
        "memory.server.allowedHosts",
        Kind::Texts,
        Preset::Words(&[]),
        "Names that requests may call this server by, beside localhost, 127.0.0.1, ::1 and its own address.",
    ),
    shared(
        "memory.server.allowedOrigins",
        Kind::Texts,
        Preset::Words(&[]),
        "Web pages that may ask, such as \"https://notes.example\"; the server's own page always may.",
    ),
    shared(
        "memory.server.tls.cert",
        Kind::Path,
        Preset::Unset,
        "A certificate chain in PEM: `serve` speaks HTTPS.",
    ),
    shared("memory.server.tls.key", Kind::Path, Preset::Unset, "The certificate's private key in PEM."),
    shared(
        "memory.server.maxBodyBytes",
        Kind::Whole { min: 1_024, max: 1 << 30 },
        Preset::Whole(1 << 20),
        "The longest request.",
    ),
    shared(
        "memory.server.requestsPerSecond",
        count(1_000_000),
        Preset::Whole(2_000),
        "Requests that one address may send in a second.",
    ),
    shared(
        "memory.server.concurrency",
        count(1_024),
        Preset::Whole(8),
        "Requests that are worked on at the same time; others wait for their turn.",
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
    shared(
        "memory.postgres.url",
        Kind::Secret,
        Preset::Unset,
        "The PostgreSQL database, postgresql://USER:PASSWORD@HOST:PORT/DATABASE: a string, { env: \"NAME\" } or { file: \
         \"PATH\" }; by default $MINDFILE_POSTGRES_URL. A password may be in $PGPASSWORD instead.",
    ),
    shared(
        "memory.postgres.schema",
        Kind::Text,
        Preset::Text("mindfile"),
        "The schema that holds the tables.",
    ),
    shared(
        "memory.postgres.poolSize",
        Kind::Whole { min: 3, max: 1_024 },
        Preset::Whole(8),
        "Connections at the same time.",
    ),
    shared(
        "memory.postgres.timeoutMs",
        Kind::Whole { min: 100, max: 600_000 },
        Preset::Whole(5_000),
        "How long a connection is waited for before the built-in index answers.",
    ),
    shared(
        "memory.postgres.caFile",
        Kind::Path,
        Preset::Unset,
        "A PEM file with the authorities whose certificates the server may have, instead of the public ones; by default \
         $SSL_CERT_FILE.",
    ),
    shared(
        "memory.lancedb.uri",
        Kind::Text,
        Preset::Text("memory/lancedb"),
        "Where LanceDB keeps its tables, each agent's in a folder of its own: a folder (a leading `~` is replaced, a \
         relative path is below the state directory), or an address such as s3://BUCKET/PREFIX.",
    ),
    shared(
        "memory.lancedb.storageOptions",
        Kind::Secrets,
        Preset::Unset,
        "What the object store needs to be told, such as { endpoint: \"…\", region: \"…\", allow_http: \"true\" }; the \
         AWS_* variables of the environment count, too.",
    ),
    shared(
        "memory.lancedb.timeoutMs",
        Kind::Whole { min: 100, max: 600_000 },
        Preset::Whole(10_000),
        "How long an object store is waited for before the built-in index answers.",
    ),
];
