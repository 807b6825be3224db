//! Searching, reading, recalling, consolidating.

use schemars::JsonSchema;
use serde::Deserialize;

use super::values::{Chat, Kind, Mode, Names, Scorer, Source};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Search {
    /// What to look for, in your own words. "Quoted words" must stand together; -word must not stand there.
    pub query: String,
    /// How many hits at most; 6 if nothing else is configured.
    #[schemars(range(min = 1, max = 1000))]
    pub max_results: Option<usize>,
    /// The lowest score, 0 to 1. 0 also shows what is hardly relevant, such as notes in quite other words.
    #[schemars(range(min = 0, max = 1))]
    pub min_score: Option<f32>,
    /// By words and meaning, by words alone, or by meaning alone.
    pub mode: Option<Mode>,
    /// Only notes, or only transcripts of conversations.
    pub source: Option<Source>,
    /// Only notes of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    pub since: Option<String>,
    /// Only notes of this day and before.
    pub until: Option<String>,
    /// Also what nobody trusts, wrapped and labelled.
    #[serde(default)]
    pub include_untrusted: bool,
    /// Say how each score came about.
    #[serde(default)]
    pub explain: bool,
    /// Say where each snippet matches.
    #[serde(default)]
    pub marks: bool,
    /// Say why this line is not among the results: PATH#L40.
    pub why_not: Option<String>,
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    pub chat_type: Option<Chat>,
    /// What the host calls the conversation, such as agent:main:telegram:group:42; rules about chats go by it.
    pub session_key: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Get {
    /// The file as search cites it, relative to the workspace, such as memory/2026-07-14.md.
    pub path: String,
    /// The first line, counted from 1.
    #[schemars(range(min = 1))]
    pub from: Option<u32>,
    /// How many lines; all that follow if it is not said.
    pub lines: Option<u32>,
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    pub chat_type: Option<Chat>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the request")]
pub struct Recall {
    /// The question, in your own words. May be empty if entities are named.
    #[serde(default)]
    pub query: String,
    /// How many facts at most; 10 if it is not said.
    #[schemars(range(min = 1, max = 1000))]
    pub k: Option<usize>,
    /// Only facts that matter at least so much, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub min_salience: Option<f32>,
    /// How many entities away connections may be, 0 to 3; as far as the question asks for if it is not said.
    #[schemars(range(min = 0, max = 3))]
    pub associative_depth: Option<u32>,
    /// What one step leaves of the activation, 0 to 1.
    #[schemars(range(min = 0, max = 1))]
    pub activation_decay: Option<f32>,
    /// Only facts about one of these.
    #[serde(default)]
    pub entities: Names,
    /// Only facts of this sort.
    pub kind: Option<Kind>,
    /// Only facts of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    pub since: Option<String>,
    /// What held on that day, instead of today.
    pub as_of: Option<String>,
    /// How many tokens the facts may have together.
    pub budget: Option<usize>,
    pub scorer: Option<Scorer>,
    /// Also what expired or was superseded.
    #[serde(default)]
    pub past: bool,
    /// Also what nobody trusts, wrapped and labelled.
    #[serde(default)]
    pub include_untrusted: bool,
    /// Show which entities led where.
    #[serde(default)]
    pub debug: bool,
    /// Say how each score came about.
    #[serde(default)]
    pub explain: bool,
    /// Look without counting it as a use of the facts.
    #[serde(default)]
    pub no_touch: bool,
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    pub chat_type: Option<Chat>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reflect {
    /// How many tokens the core memory may have.
    pub max_tokens: Option<usize>,
    /// Say what would change, and change nothing.
    #[serde(default)]
    pub dry_run: bool,
}
