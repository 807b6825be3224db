//! Conversations.

use schemars::JsonSchema;
use serde::Deserialize;

use mindfile_operations::values::{Chat, Role};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sessions {
    /// How many at most; all if it is not said.
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionId {
    /// The session.
    pub id: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionShow {
    /// The session.
    pub id: String,
    /// Everything in the file, not only what was said.
    #[serde(default)]
    pub full: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Append {
    /// The session; it is begun if it is not there.
    pub id: String,
    /// What was said, in order.
    #[schemars(length(min = 1))]
    pub messages: Vec<Said>,
    /// Who reads along.
    pub chat_type: Option<Chat>,
    /// The model's context window in tokens.
    pub context_window: Option<u64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Said {
    pub role: Role,
    pub text: String,
    /// Who it was, where several speak.
    pub speaker: Option<String>,
    /// Of a tool's result: the tool.
    pub tool: Option<String>,
    /// Of a tool's result: the call that it answers.
    pub call_id: Option<String>,
    /// Not for people's eyes.
    #[serde(default)]
    pub hidden: bool,
}

/// What a model would be given at the start of its next turn.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Context {
    /// The conversation whose turns belong to it; none if it is not said.
    pub session: Option<String>,
    /// Who reads along. In a group MEMORY.md is never given.
    pub chat_type: Option<Chat>,
    /// The model's context window in tokens; 200,000 if it is not said.
    #[schemars(range(min = 1))]
    pub context_window: Option<u64>,
    /// For a sub-agent: without the section about memory.
    #[serde(default)]
    pub minimal: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionContext {
    /// The session.
    pub id: String,
    /// Who reads along. In a group MEMORY.md is never given.
    pub chat_type: Option<Chat>,
    /// The model's context window in tokens; 200,000 if it is not said.
    #[schemars(range(min = 1))]
    pub context_window: Option<u64>,
    /// For a sub-agent: without the section about memory.
    #[serde(default)]
    pub minimal: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FlushCheck {
    /// The session.
    pub id: String,
    /// The model's context window in tokens.
    #[schemars(range(min = 1))]
    pub context_window: u64,
    /// What the provider counted for the last prompt.
    pub tokens: Option<u64>,
    /// What the user says next.
    pub pending: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Compact {
    /// The session.
    pub id: String,
    /// The window has overflowed already.
    #[serde(default)]
    pub overflow: bool,
}
