//! Forgetting for good: one fact, or all that a question names.

use mindfile::forget::{Erasure, Forgotten, What};

use serde_json::Value;

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::count;
use crate::text::style::{FAINT, PLACE};
use crate::values::{Below, SessionForm, WhenForm, WordForm};
use mindfile::fault::Hint;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Delete {
    /// The fact's id, or a key with all its values.
    pub id: String,
    /// Say what would go, and change nothing.
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
}

impl Operation for Delete {
    const ROW: Row = Row::new("deleteFact", "Forget one fact everywhere")
        .typed(
            "delete",
            "\
Examples:
  mindfile delete k3f9a2 --dry-run               what goes with it
  mindfile delete k3f9a2 --yes
  mindfile delete editor.theme                   a key, with all its values",
        )
        .http(Http::delete("/v1/facts/{id}"));
    type Answer = Gone;

    fn run(self, caller: &Caller<'_>) -> Result<Gone, Failure> {
        forget(caller, What::Fact(self.id), self.dry_run)
    }
}

#[derive(Debug, Clone, Default, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    {"required": ["last"]},
    {"anyOf": [{"required": ["since"]}, {"required": ["until"]}]},
    {"required": ["entity"]},
    {"required": ["query"]},
    {"required": ["session"]},
    {"required": ["origin"]},
]))]
pub struct Forget {
    /// The daily notes, facts and messages of the last days: 7d, 2w, 3mo.
    #[arg(long, value_name = "SPAN")]
    #[schemars(with = "Option<WhenForm>")]
    pub last: Option<String>,
    /// Those of this day and after.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub since: Option<String>,
    /// Those of this day and before.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub until: Option<String>,
    /// Every fact that names it, and its page.
    #[arg(long, value_name = "NAME")]
    pub entity: Option<String>,
    /// Every line and sentence that has these words in this order.
    #[arg(long, value_name = "WORDS")]
    #[schemars(with = "Option<WordForm>")]
    pub query: Option<String>,
    /// A conversation, and what was kept of it.
    #[arg(long, value_name = "ID")]
    #[schemars(with = "Option<SessionForm>")]
    pub session: Option<String>,
    /// Everything that is untrusted, or everything that agents wrote.
    #[arg(long, value_name = "ORIGIN")]
    pub origin: Option<Below>,
    /// Say what would go, and change nothing.
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
}

impl Forget {
    fn what(self, caller: &Caller<'_>) -> Result<What, Failure> {
        let days = if self.since.is_some() || self.until.is_some() {
            let since = caller.day(self.since.as_deref())?;
            Some(What::Days { since, until: caller.day(self.until.as_deref())? })
        } else {
            None
        };
        let last = caller.day(self.last.as_deref())?;
        let all = [
            last.map(|since| What::Days { since: Some(since), until: None }),
            days,
            self.entity.map(What::Entity),
            self.query.map(What::Query),
            self.session.map(What::Session),
            self.origin.map(|origin| What::Origin(origin.into())),
        ];
        let mut given = all.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(what), None) => Ok(what),
            (None, _) => Err(Failure::usage("nothing is said to be forgotten").hint(one_of())),
            (Some(_), Some(_)) => Err(Failure::usage("more than one thing is said to be forgotten")
                .hint("ask for one after the other")),
        }
    }
}

fn one_of() -> Hint {
    let hint = Hint::say("one of ").field("last").and(", ").field("since").and(" and ").field("until");
    let hint = hint.and(", ").field("entity").and(", ").field("query").and(", ").field("session");
    hint.and(", ").field("origin")
}

impl Operation for Forget {
    const ROW: Row = Row::new("forget", "Remove something from notes, conversations and index for good")
        .typed(
            "forget",
            "\
Examples:
  mindfile forget --last 7d --dry-run            what would go
  mindfile forget --since 2026-03-01 --until 2026-03-14 --yes
  mindfile forget --entity Sarah
  mindfile forget --query \"the landlord's number\"
  mindfile forget --session s1 --yes
  mindfile forget --origin untrusted --yes
  mindfile forget --allow \"Sarah leads the team\"   it may be stored again

What was forgotten is refused by every way in, and what cannot be finished at once is said.",
        )
        .http(Http::post("/v1/forget"));
    type Answer = Gone;

    fn run(self, caller: &Caller<'_>) -> Result<Gone, Failure> {
        let dry_run = self.dry_run;
        caller.check_alone()?;
        let what = self.what(caller)?;
        caller.catch_up()?;
        forget(caller, what, dry_run)
    }
}

fn forget(caller: &Caller<'_>, what: What, dry_run: bool) -> Result<Gone, Failure> {
    caller.check_alone()?;
    Ok(Gone::new(caller.memory.forget(&Erasure { what, dry_run })?, dry_run))
}

impl ToolOperation for Forget {
    const TOOL: Tool = Tool {
        name: "memory_forget",
        title: "Forget for good",
        about: "Take something out of notes, conversations and index so that it does not come back. Only when the \
                person asks for it: call it with dryRun, show what would go, and go on when they agree.",
        deed: Deed::Forgets,
        fields: &["query", "entity", "dryRun"],
        usual: true,
    };

    fn told(gone: &Gone) -> String {
        let mut lines = vec![if gone.dry_run { "Would be forgotten:" } else { "Forgotten:" }.to_owned()];
        lines.extend(gone.notes.iter().map(|note| format!("{note} (whole)")));
        let line = |one: &GoneLine| format!("{}#L{}: {}", one.path, one.line, one.text.trim_end());
        lines.extend(gone.lines.iter().map(line));
        let message = |one: &GoneMessage| format!("session {}, line {}: {}", one.session, one.line, one.text);
        lines.extend(gone.messages.iter().map(message));
        lines.extend(gone.files.iter().map(|file| format!("{file} (file)")));
        if lines.len() == 1 {
            lines = vec!["There is nothing of it.".to_owned()];
        }
        lines.extend(gone.pending.iter().map(|why| format!("Not finished yet: {why}")));
        lines.join("\n")
    }

    fn lean(gone: &Gone) -> Value {
        says(Self::told(gone))
    }

    fn given(_: &Gone) -> Vec<GivenPlace> {
        Vec::new()
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gone {
    ok: bool,
    dry_run: bool,
    facts: usize,
    lines: Vec<GoneLine>,
    notes: Vec<String>,
    messages: Vec<GoneMessage>,
    files: Vec<String>,
    /// Why something of it is still in a file; empty when nothing is.
    pending: Vec<String>,
    notices: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct GoneLine {
    path: String,
    line: u32,
    text: String,
    why: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct GoneMessage {
    session: String,
    line: u32,
    text: String,
    why: &'static str,
}

impl Gone {
    /// Whether nothing of it is known.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.notes.is_empty() && self.messages.is_empty()
    }

    fn new(forgotten: Forgotten, dry_run: bool) -> Self {
        let lines = forgotten.lines.into_iter();
        let messages = forgotten.messages.into_iter();
        Self {
            ok: true,
            dry_run,
            facts: forgotten.facts,
            lines: lines
                .map(|gone| GoneLine {
                    path: gone.path,
                    line: gone.line,
                    text: gone.text,
                    why: gone.why.as_str(),
                })
                .collect(),
            notes: forgotten.notes,
            messages: messages
                .map(|gone| GoneMessage {
                    session: gone.session,
                    line: gone.line,
                    text: gone.text,
                    why: gone.why.as_str(),
                })
                .collect(),
            files: forgotten.files,
            pending: forgotten.pending,
            notices: forgotten.notices,
        }
    }

    /// Every line that goes, where it stands and why, then what else goes.
    fn text(&self) -> String {
        if self.is_empty() {
            return "Nothing of it is known.\n".to_owned();
        }
        let mut text = String::new();
        for note in &self.notes {
            text.push_str(&format!("{PLACE}{}{PLACE:#}  the whole note\n", clean::text(note)));
        }
        for gone in &self.lines {
            text.push_str(&line(&format!("{}#L{}", gone.path, gone.line), gone.text.trim(), gone.why));
        }
        for gone in &self.messages {
            let place = format!("sessions/{}.jsonl#L{}", gone.session, gone.line);
            text.push_str(&line(&place, &gone.text, gone.why));
        }
        for file in &self.files {
            text.push_str(&format!("{PLACE}{}{PLACE:#}\n", clean::text(file)));
        }
        let all = [
            count(self.facts, "fact"),
            count(self.notes.len(), "note"),
            count(self.lines.len(), "line"),
            count(self.messages.len(), "message"),
        ];
        let done = if self.dry_run { "Would forget" } else { "✓ Forgotten" };
        text.push_str(&format!("{done}: {}\n", all.join(", ")));
        for why in &self.pending {
            text.push_str(&format!("pending: {}; the next sync goes on\n", clean::text(why)));
        }
        text
    }
}

fn line(place: &str, text: &str, why: &str) -> String {
    let why = match why {
        "cites" => format!("  {FAINT}(rests on it){FAINT:#}"),
        "quotes" => format!("  {FAINT}(says the same){FAINT:#}"),
        _ => String::new(),
    };
    format!("{PLACE}{}{PLACE:#}  {}{why}\n", clean::text(place), clean::text(text))
}

impl Answer for Gone {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown { text: self.text(), notices: self.notices.clone(), ..Shown::default() }
    }
}
