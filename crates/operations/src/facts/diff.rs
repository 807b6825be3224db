//! What a span of days did to the facts.

use jiff::civil::Date;
use mindfile::audit::{Act, Entry};
use mindfile::clock::today;
use mindfile::fact::{self, Diff, FactRecord, NewWording, Span, State};

use crate::fact::{Fact, place};
use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::count;
use crate::text::style::{FAINT, HEAD, PLACE};
use crate::values::{Chat, SpanForm};

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DiffFacts {
    /// The days, both ends among them: 2026-07-01..2026-08-01. Without an end, up to today: 7d, or 2026-07-01.
    #[schemars(with = "SpanForm")]
    pub span: String,
    /// Who reads along; direct if it is not said.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for DiffFacts {
    const ROW: Row = Row::new("diffFacts", "Tell which facts came, changed and ended in some days")
        .typed(
            "diff",
            "\
Examples:
  mindfile diff 2026-07-01..2026-08-01
  mindfile diff 7d                               the last seven days
  mindfile diff 2mo..1mo --json",
        )
        .http(Http::get("/v1/diff"));
    type Answer = FactsDiff;

    fn run(self, caller: &Caller<'_>) -> Result<FactsDiff, Failure> {
        let (from, to) = self.span.split_once("..").unwrap_or((&self.span, ""));
        let day = |text: &str| caller.day(Some(text).filter(|text| !text.is_empty()));
        let today = today(caller.memory.clock());
        let from = day(from)?.ok_or_else(|| {
            Failure::usage(format!("\"{}\" is no span of days", self.span))
                .hint("write the first and the last day, as 2026-07-01..2026-08-01, or 7d")
        })?;
        let to = day(to)?.unwrap_or(today);
        // Whichever of the two comes first.
        let span = Span { from: from.min(to), to: from.max(to) };
        let found = fact::diff(caller.memory, caller.viewer(self.chat_type), span)?;
        Ok(FactsDiff::new(span, found))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FactsDiff {
    from: String,
    to: String,
    /// The first day first, as in each of these lists.
    came: Vec<DatedFact>,
    changed: Vec<ChangedFact>,
    ended: Vec<DatedFact>,
    /// Facts that were taken out of the notes; what they said is not kept.
    removed: Vec<RemovedFact>,
    #[serde(skip)]
    found: Diff,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DatedFact {
    day: String,
    #[serde(flatten)]
    fact: Fact,
    state: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangedFact {
    day: String,
    /// What it said; not known of a fact that was edited in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Fact>,
    after: Fact,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RemovedFact {
    day: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    act: String,
    door: String,
}

impl FactsDiff {
    fn new(span: Span, found: Diff) -> Self {
        let dated = |(day, fact, state): &(Date, FactRecord, State)| DatedFact {
            day: day.to_string(),
            fact: Fact::new(fact),
            state: state.as_str(),
        };
        let changed = |change: &NewWording| ChangedFact {
            day: change.day.to_string(),
            before: change.before.as_ref().map(Fact::new),
            after: Fact::new(&change.after),
        };
        let removed = |(day, entry): &(Date, Entry)| RemovedFact {
            day: day.to_string(),
            id: entry.id.clone(),
            act: entry.act.clone(),
            door: entry.door.clone(),
        };
        Self {
            from: span.from.to_string(),
            to: span.to.to_string(),
            came: found.came.iter().map(dated).collect(),
            changed: found.changed.iter().map(changed).collect(),
            ended: found.ended.iter().map(dated).collect(),
            removed: found.removed.iter().map(removed).collect(),
            found,
        }
    }
}

impl Answer for FactsDiff {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let Diff { came, changed, ended, removed } = &self.found;
        let mut text = String::new();
        let came = came.iter().map(|(day, fact, state)| told(*day, &said(fact), &standing(*state), fact));
        part(&mut text, "came", "fact", came.collect());
        let changed = changed.iter().map(|change| {
            let before = change.before.as_ref().map(|before| format!("{} → ", before.text));
            let name = change.after.key.as_ref().map(|key| format!("{key}: ")).unwrap_or_default();
            let edited = if before.is_none() { " (edited)" } else { "" };
            let words = format!("{name}{}{}", before.unwrap_or_default(), change.after.text);
            told(change.day, &words, edited, &change.after)
        });
        part(&mut text, "changed", "fact", changed.collect());
        let ended = ended.iter().map(|(day, fact, state)| told(*day, &said(fact), &standing(*state), fact));
        part(&mut text, "ended", "fact", ended.collect());
        let removed = removed.iter().map(|(day, entry)| {
            let id = entry.id.as_deref().map(|id| format!(" ^{id}")).unwrap_or_default();
            let act = if entry.act == Act::Forget.as_str() { "forgotten" } else { "deleted" };
            clean::text(&format!("  {day}  {act} by {}{id}", entry.door)).into_owned() + "\n"
        });
        part(&mut text, "taken out", "fact", removed.collect());
        if text.is_empty() {
            text = format!("No fact came, changed or ended from {} to {}.\n", self.from, self.to);
        }
        Shown::text(text)
    }
}

fn part(text: &mut String, what: &str, of: &str, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    text.push_str(&format!("{HEAD}{} {what}{HEAD:#}\n{}", count(lines.len(), of), lines.concat()));
}

fn told(day: Date, words: &str, more: &str, fact: &FactRecord) -> String {
    let (words, place, id) = (clean::text(words), place(fact), clean::text(&fact.id));
    format!("  {day}  {words}{more}  {PLACE}{}{PLACE:#} {FAINT}^{id}{FAINT:#}\n", clean::text(&place))
}

fn said(fact: &FactRecord) -> String {
    match &fact.key {
        Some(key) => format!("{key}: {}", fact.text),
        None => fact.shown(),
    }
}

fn standing(state: State) -> String {
    if state == State::Current { String::new() } else { format!(" ({})", state.as_str()) }
}
