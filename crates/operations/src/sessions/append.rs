//! Writing turns down.

use mindfile::session::{self, About, Message, TurnReport, path_of};
use serde_json::Value;

use super::candidates::FoundCandidate;
use crate::fact::Fact;
use crate::operation::prelude::*;
use crate::text::quantity::count;
use crate::values::{Chat, Role, SessionForm, one_text};

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Append {
    /// The session; it is begun if it is not there.
    #[arg(long = "session", value_name = "ID")]
    #[schemars(with = "SessionForm")]
    pub id: String,
    /// What was said, in order.
    #[arg(skip)]
    #[schemars(length(min = 1))]
    pub messages: Vec<NewMessage>,
    /// Who reads along.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
    /// The model's context window in tokens.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[schemars(range(min = 1))]
    pub context_window: Option<u64>,
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[group(skip)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewMessage {
    /// Who said it.
    #[arg(long, value_name = "ROLE", default_value = "user")]
    pub role: Role,
    /// What was said.
    #[arg(
        value_name = "TEXT",
        help = "What was said; without it, JSON messages are read from standard input, one a line"
    )]
    #[serde(deserialize_with = "one_text")]
    #[schemars(with = "String")]
    pub text: Vec<String>,
    /// Who it was, where several speak.
    #[arg(long, value_name = "NAME")]
    pub speaker: Option<String>,
    /// Of a tool's result: the tool.
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// Of a tool's result: the call that it answers.
    #[arg(long, value_name = "ID")]
    pub call_id: Option<String>,
    /// Nobody sees it: it is not searched, and nothing of it is a candidate.
    #[arg(long)]
    #[serde(default)]
    pub hidden: bool,
}

impl Operation for Append {
    const ROW: Row = Row::new(
        "appendMessages",
        "Write down what was said: on the disk before this returns, and searchable",
    )
    .typed(
        "session append",
        "\
Examples:
  mindfile session append --session s1 --role user \"My sister Ana lives in Porto\"
  mindfile session append --session s1 --role tool --tool bash --call-id c7 \"exit 0\"
  echo '{\"role\":\"assistant\",\"content\":\"Noted.\"}' | mindfile session append --session s1",
    )
    .http(Http::post("/v1/sessions/{id}/messages"));
    type Answer = AppendedTurns;

    fn run(mut self, caller: &Caller<'_>) -> Result<AppendedTurns, Failure> {
        if self.messages.is_empty() {
            return Err(Failure::usage("messages is empty"));
        }
        let messages = std::mem::take(&mut self.messages);
        let entries: Vec<Value> = messages.into_iter().map(NewMessage::entry).collect();
        self.write(&entries, caller)
    }
}

impl Append {
    /// Writes turns that are entries of a transcript already.
    pub fn write(&self, entries: &[Value], caller: &Caller<'_>) -> Result<AppendedTurns, Failure> {
        session::check_append(caller.memory, caller.viewer, &self.id)?;
        let about = About { chat: caller.chat(self.chat_type), window: self.context_window };
        Ok(AppendedTurns::new(&self.id, caller.memory.say(&self.id, entries, &about)?))
    }
}

impl NewMessage {
    fn entry(self) -> Value {
        let message = Message {
            speaker: self.speaker,
            tool: self.tool,
            call_id: self.call_id,
            hidden: self.hidden,
            ..Message::new(self.role.into(), self.text.join(" "))
        };
        message.entry()
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppendedTurns {
    ok: bool,
    session_id: String,
    entries: Vec<WrittenEntry>,
    candidates: Vec<FoundCandidate>,
    /// What was asked to be remembered.
    facts: Vec<Fact>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct WrittenEntry {
    id: String,
    line: u32,
    citation: String,
}

impl AppendedTurns {
    fn new(session: &str, said: TurnReport) -> Self {
        let written = |(id, line): (String, u32)| WrittenEntry {
            id,
            line,
            citation: format!("{}#L{line}", path_of(session)),
        };
        Self {
            ok: true,
            session_id: session.to_owned(),
            entries: said.appended.entries.into_iter().map(written).collect(),
            candidates: FoundCandidate::all(session, said.candidates),
            facts: said.facts.iter().map(Fact::new).collect(),
            notices: said.notices,
        }
    }
}

impl Answer for AppendedTurns {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let place = match self.entries.as_slice() {
            [] => String::new(),
            [only] => format!(" {}", only.citation),
            [first, .., last] => format!(" {}-L{}", first.citation, last.line),
        };
        let candidates: String = self.candidates.iter().map(FoundCandidate::line).collect();
        let turns = count(self.entries.len(), "turn");
        let facts: String = self.facts.iter().map(Fact::line).collect();
        let text = format!("✓ {turns} written{place}\n{candidates}{facts}");
        Shown { notices: self.notices.clone(), ..Shown::receipt(text) }
    }
}
