//! The services that mindfile knows by name, one row each: address, default model, dialect, models and limits. A row is
//! all that a new provider needs, unless it speaks a protocol of its own.

use super::transport::Timeouts;

/// The protocol of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `POST /embeddings`, as OpenAI, Mistral, Voyage and most servers for one's own models have it.
    OpenAi,
    Gemini,
    Ollama,
}

/// A provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServiceSpec {
    pub name: &'static str,
    pub protocol: Protocol,
    pub base_url: Option<&'static str>,
    /// Models with known vectors or prices; the first is the default.
    pub models: &'static [ModelSpec],
    /// The environment variables of its key; the first that is set counts.
    pub variables: &'static [&'static str],
    pub needs_key: bool,
    /// Whether it takes many documents at once and answers later, at half the price.
    pub(super) has_batch_jobs: bool,
    pub(super) dialect: Dialect,
    pub(super) limits: Limits,
    pub(super) timeouts: Timeouts,
}

/// A model of a provider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelSpec {
    pub name: &'static str,
    /// The length of its vectors; zero where the first answer tells.
    pub(super) dims: usize,
    /// US dollars for a million tokens; batch jobs cost half.
    pub price: Option<f64>,
}

/// When the prices were looked up. They change; `remote.pricePerMillionTokens` overrules them.
pub const PRICES_AS_OF: &str = "2026-11-15";

/// How a service names the fields of OpenAI's protocol, on which not all agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The field for the length of vectors.
    pub(super) dims: &'static str,
    /// The default `input_type` of queries and of documents.
    pub(super) input_types: Option<(&'static str, &'static str)>,
}

const OPENAI: Dialect = Dialect { dims: "dimensions", input_types: None };
const MISTRAL: Dialect = Dialect { dims: "output_dimension", input_types: None };
const VOYAGE: Dialect = Dialect { dims: "output_dimension", input_types: Some(("query", "document")) };

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

const fn model(name: &'static str, dims: usize, price: f64) -> ModelSpec {
    ModelSpec { name, dims, price: Some(price) }
}

/// A free model; its first answer tells the length of its vectors.
const fn own_model(name: &'static str) -> ModelSpec {
    ModelSpec { name, dims: 0, price: None }
}

/// A server of one's own that speaks OpenAI's protocol; the other rows say how they differ from it.
const SERVER: ServiceSpec = ServiceSpec {
    name: "openai-compatible",
    protocol: Protocol::OpenAi,
    base_url: None,
    models: &[],
    variables: &[],
    needs_key: false,
    has_batch_jobs: false,
    dialect: OPENAI,
    limits: Limits { items: 512, tokens: NO_LIMIT, text_tokens: NO_LIMIT },
    timeouts: Timeouts::REMOTE,
};

pub const PROVIDERS: &[ServiceSpec] = &[
    ServiceSpec {
        name: "openai",
        base_url: Some("https://api.openai.com/v1"),
        models: &[
            model("text-embedding-3-small", 1_536, 0.02),
            model("text-embedding-3-large", 3_072, 0.13),
            model("text-embedding-ada-002", 1_536, 0.10),
        ],
        variables: &["OPENAI_API_KEY"],
        needs_key: true,
        has_batch_jobs: true,
        limits: Limits { items: 2_048, tokens: 300_000, text_tokens: 8_192 },
        ..SERVER
    },
    ServiceSpec {
        name: "gemini",
        protocol: Protocol::Gemini,
        base_url: Some("https://generativelanguage.googleapis.com/v1beta"),
        models: &[model("gemini-embedding-001", 3_072, 0.15)],
        variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        needs_key: true,
        has_batch_jobs: true,
        limits: Limits { items: 100, tokens: 20_000, text_tokens: 2_048 },
        ..SERVER
    },
    ServiceSpec {
        name: "voyage",
        base_url: Some("https://api.voyageai.com/v1"),
        models: &[
            model("voyage-4-large", 1_024, 0.12),
            model("voyage-4", 1_024, 0.06),
            model("voyage-4-lite", 1_024, 0.02),
            model("voyage-3-large", 0, 0.18),
            model("voyage-3.5", 0, 0.06),
            model("voyage-3.5-lite", 0, 0.02),
        ],
        variables: &["VOYAGE_API_KEY"],
        needs_key: true,
        dialect: VOYAGE,
        limits: Limits { items: 1_000, tokens: 120_000, text_tokens: 32_000 },
        ..SERVER
    },
    ServiceSpec {
        name: "mistral",
        base_url: Some("https://api.mistral.ai/v1"),
        models: &[model("mistral-embed", 1_024, 0.10)],
        variables: &["MISTRAL_API_KEY"],
        needs_key: true,
        dialect: MISTRAL,
        limits: Limits { items: 512, tokens: 16_384, text_tokens: 8_192 },
        ..SERVER
    },
    ServiceSpec {
        name: "ollama",
        protocol: Protocol::Ollama,
        base_url: Some("http://127.0.0.1:11434"),
        models: &[own_model("nomic-embed-text")],
        timeouts: Timeouts::LOCAL,
        ..SERVER
    },
    ServiceSpec {
        name: "lmstudio",
        base_url: Some("http://127.0.0.1:1234/v1"),
        models: &[own_model("text-embedding-nomic-embed-text-v1.5")],
        timeouts: Timeouts::LOCAL,
        ..SERVER
    },
    SERVER,
];

/// The provider of that name.
pub fn provider(name: &str) -> Option<&'static ServiceSpec> {
    PROVIDERS.iter().find(|provider| provider.name == name)
}

/// What a million tokens of a model cost in US dollars, whoever runs it, if that is known.
pub fn price(model: &str) -> Option<f64> {
    let mut models = PROVIDERS.iter().flat_map(|provider| provider.models);
    models.find(|known| known.name == model)?.price
}

impl ServiceSpec {
    /// The model that is used when none is set.
    pub fn default_model(&self) -> Option<&'static str> {
        self.models.first().map(|model| model.name)
    }

    /// The length of the vectors of one of its models; zero where the first answer tells.
    pub(super) fn dims(&self, model: &str) -> usize {
        self.models.iter().find(|known| known.name == model).map_or(0, |model| model.dims)
    }
}
