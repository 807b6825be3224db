//! Whose word each fact of a note is.

use jiff::Timestamp;
use mindfile::fact::{self, Blamed, FactRecord};

use super::inspect::whose;
use crate::fact::Fact;
use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::style::{FAINT, HEAD};
use crate::values::Chat;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Blame {
    /// The file as search cites it, relative to the workspace, such as memory/2026-07-14.md.
    pub path: String,
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for Blame {
    const ROW: Row = Row::new(
        "blameNote",
        "Show who said each fact of a note, by which door, in which conversation and when",
    )
    .typed(
        "blame",
        "\
Examples:
  mindfile blame memory/2026-07-14.md
  mindfile blame MEMORY.md --json",
    )
    .http(Http::get("/v1/blame/{path}"));
    type Answer = BlamedNote;

    fn run(self, caller: &Caller<'_>) -> Result<BlamedNote, Failure> {
        let found = fact::blame(caller.memory, caller.viewer(self.chat_type), &self.path)?;
        let facts = found.into_iter().map(BlamedFact::new).collect();
        Ok(BlamedNote { path: self.path, facts })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct BlamedNote {
    path: String,
    /// The first line first.
    facts: Vec<BlamedFact>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BlamedFact {
    #[serde(flatten)]
    fact: Fact,
    state: &'static str,
    access_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_accessed_at: Option<String>,
    /// Which door it came through, and when. Neither is known of a line that a hand wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    door: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    came_at: Option<String>,
    /// The session in which it was said, and the turn where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<String>,
    /// The day on which it was last said to be so.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_confirmed: Option<String>,
    #[serde(skip)]
    found: Blamed,
}

impl BlamedFact {
    fn new(found: Blamed) -> Self {
        let came = found.binding.and_then(|binding| Timestamp::from_millisecond(binding.at_ms).ok());
        let last = found.fact.access.last_ms.and_then(|ms| Timestamp::from_millisecond(ms).ok());
        Self {
            fact: Fact::new(&found.fact),
            state: found.state.as_str(),
            access_count: found.fact.access.count,
            last_accessed_at: last.map(|last| last.to_string()),
            door: found.binding.map(|binding| binding.door.as_str()),
            came_at: came.map(|at| at.to_string()),
            conversation: found.conversation.clone(),
            last_confirmed: found.confirmed().map(|day| day.to_string()),
            found,
        }
    }

    fn shown(&self, page: &Page<'_>) -> String {
        let fact: &FactRecord = &self.found.fact;
        let zone = page.clock.zone();
        let came = self.found.binding.and_then(|binding| {
            let at = Timestamp::from_millisecond(binding.at_ms).ok()?.to_zoned(zone);
            Some(format!("by {} on {}", binding.door, at.strftime("%Y-%m-%d %H:%M")))
        });
        let parts = [
            Some(whose(fact.origin).to_owned()),
            came,
            self.conversation.as_ref().map(|place| format!("in {place}")),
            fact.source.as_ref().filter(|_| self.conversation.is_none()).map(|from| format!("from {from}")),
            fact.since().map(|day| format!("seen {day}")),
            fact.confirmed.map(|day| format!("confirmed {day}")),
            fact.until.map(|day| format!("superseded {day}")),
            fact.by.as_ref().map(|by| format!("by ^{by}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let (head, about) =
            (clean::text(&fact.shown()).into_owned(), clean::text(&parts.join(" · ")).into_owned());
        format!("{HEAD}L{}{HEAD:#}  {head}\n      {FAINT}{about}{FAINT:#}\n", fact.line)
    }
}

impl Answer for BlamedNote {
    fn shown(&self, page: &Page<'_>) -> Shown {
        if self.facts.is_empty() {
            return Shown::text(format!("{} has no facts.\n", clean::text(&self.path)));
        }
        Shown::text(self.facts.iter().map(|fact| fact.shown(page)).collect::<String>())
    }
}
