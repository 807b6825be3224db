//! What a model would be given at the start of its next turn.

use mindfile::access::CONTEXT;
use mindfile::origin::Door;
use mindfile::session::show;
use mindfile::session::{self, PromptMode, Start};

use super::prune::PruneReport;
use serde_json::Value;

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::style::HEAD;
use crate::values::{Chat, SessionForm};

/// A context that belongs to no conversation.
const NONE: &str = "none";
/// Tokens of a model's window, if nobody says how large it is.
pub(super) const WINDOW: u64 = 200_000;

#[derive(Debug, Clone, Default, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Context {
    /// The conversation whose turns belong to it; none if it is not said.
    #[arg(long, value_name = "ID")]
    #[schemars(with = "Option<SessionForm>")]
    pub session: Option<String>,
    /// Who reads along. In a group MEMORY.md is never given.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
    /// The model's context window in tokens; 200,000 if it is not said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[schemars(range(min = 1))]
    pub context_window: Option<u64>,
    /// For a sub-agent: without the section about memory.
    #[arg(long)]
    #[serde(default)]
    pub minimal: bool,
}

impl Operation for Context {
    const ROW: Row =
        Row::new("context", "Show what an agent would be given now").http(Http::get("/v1/context"));
    type Answer = GivenContext;

    fn run(self, caller: &Caller<'_>) -> Result<GivenContext, Failure> {
        let asked = SessionContext {
            id: self.session.unwrap_or_else(|| NONE.to_owned()),
            chat_type: self.chat_type,
            context_window: self.context_window,
            minimal: self.minimal,
            no_tools: false,
        };
        asked.run(caller)
    }
}

impl ToolOperation for Context {
    const TOOL: Tool = Tool {
        name: "memory_context",
        title: "Context to begin with",
        about: "What belongs into your context at the start of a session: persona, user, long-term memory and the \
                notes of today and yesterday, within budget. Pass chatType \"group\" where others read along.",
        deed: Deed::Reads,
        fields: &["chatType", "session"],
        usual: false,
    };

    fn told(given: &GivenContext) -> String {
        given.system_prompt.clone()
    }

    fn lean(given: &GivenContext) -> Value {
        says(Self::told(given))
    }

    /// Noted by the operation itself, at every door.
    fn given(_: &GivenContext) -> Vec<GivenPlace> {
        Vec::new()
    }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionContext {
    /// The session.
    #[arg(long = "session", value_name = "ID")]
    #[schemars(with = "SessionForm")]
    pub id: String,
    /// Who reads along; as sessions.json says if it is not said. In a group MEMORY.md is never given.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
    /// The model's context window in tokens; 200,000 if it is not said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[schemars(range(min = 1))]
    pub context_window: Option<u64>,
    /// For a sub-agent: without the section about memory.
    #[arg(long)]
    #[serde(default)]
    pub minimal: bool,
    /// The model has no memory tools.
    #[arg(long)]
    #[serde(default)]
    pub no_tools: bool,
}

impl Operation for SessionContext {
    const ROW: Row = Row::new(
        "sessionContext",
        "Show exactly what a model would be given next, with the tokens of each part",
    )
    .typed(
        "session context",
        "\
Examples:
  mindfile session context --session s1
  mindfile session context --session s1 --chat-type group --json",
    )
    .http(Http::get("/v1/sessions/{id}/context"));
    type Answer = GivenContext;

    fn run(self, caller: &Caller<'_>) -> Result<GivenContext, Failure> {
        let start = Start {
            chat: caller.chat(self.chat_type),
            prompt: if self.minimal { PromptMode::Minimal } else { PromptMode::Full },
            tools: !self.no_tools,
            window: self.context_window.unwrap_or(WINDOW),
        };
        let context = caller.memory.context(&self.id, &start)?;
        note(caller, &self.id, &context);
        Ok(GivenContext::new(self.id, context))
    }
}

/// Notes what a model is given. A context of no conversation is one only where a model asks for it. An answer is worth
/// having even where it cannot be noted, such as on a disk that is read-only.
fn note(caller: &Caller<'_>, id: &str, context: &session::Context) {
    let session = (id != NONE).then_some(id);
    if session.is_some() || matches!(caller.viewer.door, Door::Mcp | Door::Chat) {
        drop(caller.memory.note_given(CONTEXT, session.or(caller.session), context.places()));
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GivenContext {
    session_id: String,
    chat_type: &'static str,
    tokens: u64,
    system: Vec<SystemPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryPart>,
    turns: Vec<TurnPart>,
    withheld: Vec<String>,
    pruned: PruneReport,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    #[serde(skip)]
    system_prompt: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SystemPart {
    name: String,
    tokens: u64,
    left_out: u64,
    text: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SummaryPart {
    line: u32,
    tokens: u64,
    text: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TurnPart {
    line: u32,
    role: &'static str,
    tokens: u64,
    text: String,
    #[serde(skip)]
    label: &'static str,
}

impl GivenContext {
    fn new(session: String, context: session::Context) -> Self {
        let turns = context.window.turns.iter().map(|turn| TurnPart {
            line: turn.line,
            role: turn.message.role.as_str(),
            tokens: turn.tokens,
            text: show::message(&turn.message),
            label: turn.message.role.label(),
        });
        let summary = context.window.summary.as_ref();
        Self {
            session_id: session,
            chat_type: context.chat.as_str(),
            tokens: context.tokens(),
            summary: summary.map(|s| SummaryPart { line: s.line, tokens: s.tokens, text: s.text.clone() }),
            turns: turns.collect(),
            pruned: PruneReport::new(&context.pruned, ""),
            system_prompt: context.system(),
            system: context.parts.into_iter().map(SystemPart::from).collect(),
            withheld: context.withheld,
            notices: context.notices,
        }
    }
}

impl From<session::Part> for SystemPart {
    fn from(part: session::Part) -> Self {
        Self { name: part.name, tokens: part.tokens, left_out: part.left_out, text: part.text }
    }
}

impl Answer for GivenContext {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let mut text = String::new();
        for part in &self.system {
            let is_whole = part.left_out == 0;
            let rest = if is_whole { String::new() } else { format!(" · {} left out", part.left_out) };
            text.push_str(&block(&part.name, part.tokens, &rest, &part.text));
        }
        if let Some(summary) = &self.summary {
            text.push_str(&block("Summary", summary.tokens, &format!(" · L{}", summary.line), &summary.text));
        }
        for turn in &self.turns {
            text.push_str(&block(turn.label, turn.tokens, &format!(" · L{}", turn.line), &turn.text));
        }
        for withheld in &self.withheld {
            text.push_str(&format!("Not given: {}\n", clean::text(withheld)));
        }
        text.push_str(&format!("{} tokens in all\n", self.tokens));
        Shown { notices: self.notices.clone(), ..Shown::text(text) }
    }
}

fn block(name: &str, tokens: u64, rest: &str, body: &str) -> String {
    let body = body.lines().map(clean::text).collect::<Vec<_>>().join("\n");
    format!("{HEAD}{}{HEAD:#} · {tokens} tokens{rest}\n{body}\n\n", clean::text(name))
}
