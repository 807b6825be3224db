//! The services that are known by name: where they are, what they are asked for when nothing is said, and their limits.

use super::transport::Timeouts;

/// How a service is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `POST /embeddings`, as OpenAI, Mistral, Voyage and most servers for one's own models have it.
    OpenAi,
    Gemini,
    Ollama,
}

/// What is known of a provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Known {
    pub provider: &'static str,
    pub protocol: Protocol,
    pub base_url: Option<&'static str>,
    pub model: Option<&'static str>,
    /// Where its key is looked for in the environment, the first that is set counting.
    pub variables: &'static [&'static str],
    pub needs_key: bool,
    pub(super) limits: Limits,
    pub(super) timeouts: Timeouts,
}

/// What one request may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) items: usize,
    /// Of all texts of a request together.
    pub(super) tokens: usize,
    /// Of one text.
    pub(super) text_tokens: usize,
}

const NO_LIMIT: usize = usize::MAX;

pub const PROVIDERS: &[Known] = &[
    Known {
        provider: "openai",
        protocol: Protocol::OpenAi,
        base_url: Some("https://api.openai.com/v1"),
        model: Some("text-embedding-3-small"),
        variables: &["OPENAI_API_KEY"],
        needs_key: true,
        limits: Limits { items: 2_048, tokens: 300_000, text_tokens: 8_192 },
        timeouts: Timeouts::REMOTE,
    },
    Known {
        provider: "gemini",
        protocol: Protocol::Gemini,
        base_url: Some("https://generativelanguage.googleapis.com/v1beta"),
        model: Some("gemini-embedding-001"),
        variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        needs_key: true,
        limits: Limits { items: 100, tokens: 20_000, text_tokens: 2_048 },
        timeouts: Timeouts::REMOTE,
    },
    Known {
        provider: "voyage",
        protocol: Protocol::OpenAi,
        base_url: Some("https://api.voyageai.com/v1"),
        model: Some("voyage-4-large"),
        variables: &["VOYAGE_API_KEY"],
        needs_key: true,
        limits: Limits { items: 1_000, tokens: 120_000, text_tokens: 32_000 },
        timeouts: Timeouts::REMOTE,
    },
    Known {
        provider: "mistral",
        protocol: Protocol::OpenAi,
        base_url: Some("https://api.mistral.ai/v1"),
        model: Some("mistral-embed"),
        variables: &["MISTRAL_API_KEY"],
        needs_key: true,
        limits: Limits { items: 512, tokens: 16_384, text_tokens: 8_192 },
        timeouts: Timeouts::REMOTE,
    },
    Known {
        provider: "ollama",
        protocol: Protocol::Ollama,
        base_url: Some("http://127.0.0.1:11434"),
        model: Some("nomic-embed-text"),
        variables: &[],
        needs_key: false,
        limits: Limits { items: 512, tokens: NO_LIMIT, text_tokens: NO_LIMIT },
        timeouts: Timeouts::LOCAL,
    },
    Known {
        provider: "lmstudio",
        protocol: Protocol::OpenAi,
        base_url: Some("http://127.0.0.1:1234/v1"),
        model: Some("text-embedding-nomic-embed-text-v1.5"),
        variables: &[],
        needs_key: false,
        limits: Limits { items: 512, tokens: NO_LIMIT, text_tokens: NO_LIMIT },
        timeouts: Timeouts::LOCAL,
    },
    Known {
        provider: "openai-compatible",
        protocol: Protocol::OpenAi,
        base_url: None,
        model: None,
        variables: &[],
        needs_key: false,
        limits: Limits { items: 512, tokens: NO_LIMIT, text_tokens: NO_LIMIT },
        timeouts: Timeouts::REMOTE,
    },
];

/// The length of the vectors of well-known models; zero for others, whose first answer tells.
pub(super) fn dims(model: &str) -> usize {
    const TABLE: &[(&str, usize)] = &[
        ("text-embedding-3-small", 1_536),
        ("text-embedding-3-large", 3_072),
        ("text-embedding-ada-002", 1_536),
        ("gemini-embedding-001", 3_072),
        ("voyage-4-large", 1_024),
        ("voyage-4", 1_024),
        ("voyage-4-lite", 1_024),
        ("mistral-embed", 1_024),
    ];
    TABLE.iter().find(|(name, _)| *name == model).map_or(0, |(_, dims)| *dims)
}

/// What is known of the provider of that name.
pub fn known(provider: &str) -> Option<&'static Known> {
    PROVIDERS.iter().find(|known| known.provider == provider)
}
