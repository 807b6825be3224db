//! Who did what, and what may be stored.

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Audit {
    /// Only entries of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    pub since: Option<String>,
    /// How many of the last entries; 100 if it is not said.
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PolicyCheck {
    /// The text to judge; it is kept nowhere.
    pub text: String,
}
