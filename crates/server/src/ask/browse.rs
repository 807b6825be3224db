//! Looking around: notes, the index, and vectors.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::wire::Encoding;
use mindfile_operations::values::Chat;

/// A request that needs no words.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Notes {
    /// Only paths that begin so.
    pub prefix: Option<String>,
    /// How many to leave out at the beginning.
    #[serde(default)]
    pub offset: usize,
    /// How many at most; all if it is not said.
    pub limit: Option<usize>,
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    pub chat_type: Option<Chat>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Status {
    /// Compare every note with the index.
    #[serde(default)]
    pub deep: bool,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Index {
    /// Make the index again from the notes, beside the one in use, and put it in its place.
    #[serde(default)]
    pub force: bool,
}

/// As OpenAI's service takes it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Embeddings {
    pub input: Input,
    /// Any name: the model inside the program answers.
    pub model: Option<String>,
    #[serde(default)]
    pub encoding_format: Encoding,
    /// Only what the model has.
    pub dimensions: Option<usize>,
    pub user: Option<String>,
}

/// One text, or several.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Input {
    One(String),
    Many(#[schemars(length(min = 1, max = 2048))] Vec<String>),
}
