//! Consolidating.

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reflect {
    /// How many tokens the core memory may have.
    pub max_tokens: Option<usize>,
    /// Say what would change, and change nothing.
    #[serde(default)]
    pub dry_run: bool,
}
