//! What an index was built with. Another fingerprint means other chunks or another vector space: a rebuild.

use mindfile_model::{Embedder, Role};
use mindfile_note::hash::Digest;
use serde::{Deserialize, Serialize};

use crate::config::Settings;
use crate::error::Error;

/// The key in the index's table `meta`.
pub const KEY: &str = "memory_index_meta_v1";

const CANARY: &str = "The quick brown fox jumps over the lazy dog; 42 notes, one memory.";

/// Stored as JSON, field names as OpenClaw's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fingerprint {
    pub provider: String,
    pub model: String,
    pub endpoint: String,
    pub chunk_tokens: u32,
    pub chunk_overlap: u32,
    pub vector_dims: usize,
    /// The digest of a known text's vector: equal names do not make equal spaces.
    pub canary: String,
    /// The vocabulary of the tokens that are stored for late interaction.
    pub tokens: String,
    /// Whose notes these are: an index answers for one workspace.
    pub workspace: String,
}

impl Fingerprint {
    pub fn of(embedder: &dyn Embedder, tokens: &str, settings: &Settings) -> Result<Self, Error> {
        let space = embedder.space();
        let canary = embedder.embed(Role::Document, &[CANARY], None)?.into_iter().flatten().next();
        Ok(Self {
            provider: space.provider.clone(),
            model: space.model.clone(),
            endpoint: space.endpoint.clone(),
            chunk_tokens: settings.chunking.tokens,
            chunk_overlap: settings.chunking.overlap,
            vector_dims: space.dims,
            canary: canary.map_or_else(String::new, |vector| digest(vector.as_slice())),
            tokens: tokens.to_owned(),
            workspace: settings.workspace.to_string_lossy().into_owned(),
        })
    }

    /// For an index of words alone.
    pub fn without_vectors(tokens: &str, settings: &Settings) -> Self {
        Self {
            provider: "none".to_owned(),
            model: String::new(),
            endpoint: String::new(),
            chunk_tokens: settings.chunking.tokens,
            chunk_overlap: settings.chunking.overlap,
            vector_dims: 0,
            canary: String::new(),
            tokens: tokens.to_owned(),
            workspace: settings.workspace.to_string_lossy().into_owned(),
        }
    }

    pub fn to_json(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|source| Error::Bug { what: format!("fingerprint: {source}") })
    }

    pub fn parse(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }
}

/// Of the vector in hundredths, so that another machine's last bit makes no other space.
fn digest(vector: &[f32]) -> String {
    let coarse: Vec<u8> =
        vector.iter().map(|value| (value * 100.0).round() as i8).map(i8::cast_unsigned).collect();
    Digest::of(&coarse).to_string()[..16].to_owned()
}
