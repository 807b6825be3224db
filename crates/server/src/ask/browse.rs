//! Looking around: what there is.

use schemars::JsonSchema;
use serde::Deserialize;

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
