//! What an index was built with. Another fingerprint means other chunks or another vector space: a rebuild.

use std::time::Instant;

use mindfile_model::{Embedder, Role, Space, Vector};
use mindfile_note::hash::Digest;
use mindfile_note::words;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use mindfile_settings::Settings;

/// The key in the index's table `meta`.
pub const KEY: &str = "memory_index_meta_v1";

const CANARY: &str = "The quick brown fox jumps over the lazy dog; 42 notes, one memory.";
/// Vectors of the known text that are as near as this come from one model: services round a little differently each
/// time.
const SAME: f32 = 0.999;

/// Stored as JSON, field names as OpenClaw's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fingerprint {
    pub provider: String,
    pub model: String,
    pub endpoint: String,
    /// What else decides the vectors.
    #[serde(default)]
    pub recipe: String,
    pub chunk_tokens: u32,
    pub chunk_overlap: u32,
    pub vector_dims: usize,
    /// A known text's vector, in ten-thousandths: equal names do not make equal spaces.
    pub canary: String,
    /// The vocabulary of the tokens that are stored for late interaction.
    pub tokens: String,
    /// The analysis that the text's words are of.
    #[serde(default)]
    pub words: u32,
    /// Whose notes these are: an index answers for one workspace.
    pub workspace: String,
    /// The rules under which the text was covered.
    #[serde(default)]
    pub policy: String,
}

impl Fingerprint {
    /// What an index would be built with now, the model asked for its vector of the known text.
    pub fn of(
        embedder: &dyn Embedder,
        tokens: &str,
        settings: &Settings,
        until: Option<Instant>,
    ) -> Result<Self, Error> {
        let canary = embedder.embed(Role::Document, &[CANARY], until)?.into_iter().flatten().next();
        let mut print = Self::named(embedder.space(), tokens, settings);
        print.vector_dims = canary.as_ref().map_or(print.vector_dims, |vector| vector.as_slice().len());
        print.canary = canary.map_or_else(String::new, |vector| written(&vector));
        Ok(print)
    }

    /// The same without asking: as far as names go, the model is taken for the one that `known` was built with.
    pub fn assumed(space: &Space, tokens: &str, settings: &Settings, known: Option<&Self>) -> Self {
        let mut print = Self::named(space, tokens, settings);
        if let Some(known) = known {
            print.canary.clone_from(&known.canary);
            print.vector_dims = if space.dims == 0 { known.vector_dims } else { space.dims };
        }
        print
    }

    /// For an index of words alone.
    pub fn without_vectors(tokens: &str, settings: &Settings) -> Self {
        let (provider, model, endpoint, recipe) =
            ("none".to_owned(), String::new(), String::new(), String::new());
        Self::named(&Space { provider, model, endpoint, dims: 0, recipe }, tokens, settings)
    }

    fn named(space: &Space, tokens: &str, settings: &Settings) -> Self {
        Self {
            provider: space.provider.clone(),
            model: space.model.clone(),
            endpoint: space.endpoint.clone(),
            recipe: space.recipe.clone(),
            chunk_tokens: settings.chunking.tokens,
            chunk_overlap: settings.chunking.overlap,
            vector_dims: space.dims,
            canary: String::new(),
            tokens: tokens.to_owned(),
            words: words::VERSION,
            workspace: settings.workspace.to_string_lossy().into_owned(),
            policy: String::new(),
        }
    }

    /// Whether vectors and chunks of both may be in one index.
    pub fn fits(&self, other: &Self) -> bool {
        let same_name = Self { canary: other.canary.clone(), ..self.clone() } == *other;
        same_name && (self.canary == other.canary || near(&self.canary, &other.canary))
    }

    /// Whether the vectors of both are of one space, whatever the chunks are.
    pub fn is_of_space(&self, other: &Self) -> bool {
        let names = |print: &Self| {
            let Self { provider, model, endpoint, recipe, vector_dims, .. } = print;
            (provider.clone(), model.clone(), endpoint.clone(), recipe.clone(), *vector_dims)
        };
        names(self) == names(other) && (self.canary == other.canary || near(&self.canary, &other.canary))
    }

    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|source| Error::Bug { what: format!("fingerprint: {source}") })
    }

    pub fn parse(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// The vector of the known text in a form that a person can compare.
    pub fn canary_shown(&self) -> String {
        Digest::of(self.canary.as_bytes()).to_string()[..16].to_owned()
    }
}

fn near(one: &str, other: &str) -> bool {
    let (Some(one), Some(other)) = (read(one), read(other)) else { return false };
    one.as_slice().len() == other.as_slice().len() && one.cosine(&other) >= SAME
}

fn written(vector: &Vector) -> String {
    let parts = vector.as_slice().iter().map(|value| ((value * 10_000.0).round() as i16).to_string());
    parts.collect::<Vec<_>>().join(" ")
}

fn read(text: &str) -> Option<Vector> {
    let values: Option<Vec<f32>> = text.split(' ').map(|part| part.parse().ok()).collect();
    Vector::new(values?).ok()
}
