//! A person's controls over what is remembered.

use schemars::JsonSchema;
use serde::Deserialize;

use mindfile_operations::values::Below;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edit {
    /// The fact's id, or a key.
    pub id: String,
    /// What it says from now on.
    pub text: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Delete {
    /// The fact's id, or a key with all its values.
    pub id: String,
    /// Say what would go, and change nothing.
    #[serde(default)]
    pub dry_run: bool,
}

/// Exactly one of them, or `since` and `until` together.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Forget {
    /// The daily notes, facts and messages of the last days: 7d, 2w, 3mo.
    pub last: Option<String>,
    /// Those of this day and after.
    pub since: Option<String>,
    /// Those of this day and before.
    pub until: Option<String>,
    /// Every fact that names it, and its page.
    pub entity: Option<String>,
    /// Every line and sentence that has these words in this order.
    pub query: Option<String>,
    /// A conversation, and what was kept of it.
    pub session: Option<String>,
    /// Everything that is untrusted, or everything that agents wrote.
    pub origin: Option<Below>,
    /// Say what would go, and change nothing.
    #[serde(default)]
    pub dry_run: bool,
}
