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
    /// How many at most of those that came, of those that changed and so on, the last ones; all if it is not said.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
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
        Ok(FactsDiff::new(span, found, self.limit.unwrap_or(usize::MAX)))
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
    total: DiffTotals,
    #[serde(skip)]
    found: Diff,
}

/// How many there are, listed or not.
#[derive(Debug, Serialize, JsonSchema)]
struct DiffTotals {
    came: usize,
    changed: usize,
    ended: usize,
    removed: usize,
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
    fn new(span: Span, mut found: Diff, limit: usize) -> Self {
        let total = DiffTotals {
            came: last(&mut found.came, limit),
            changed: last(&mut found.changed, limit),
            ended: last(&mut found.ended, limit),
            removed: last(&mut found.removed, limit),
        };
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
            total,
            found,
        }
    }
}

/// Leaves the last of them, and tells how many there were.
fn last<T>(all: &mut Vec<T>, limit: usize) -> usize {
    let total = all.len();
    all.drain(..total.saturating_sub(limit));
    total
}

impl Answer for FactsDiff {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let Diff { came, changed, ended, removed } = &self.found;
        let mut text = String::new();
        let came = came.iter().map(|(day, fact, state)| told(*day, &said(fact), &standing(*state), fact));
        part(&mut text, "came", (came.collect(), self.total.came));
        let changed = changed.iter().map(|change| {
            let before = change.before.as_ref().map(|before| format!("{} → ", before.text));
            let name = change.after.key.as_ref().map(|key| format!("{key}: ")).unwrap_or_default();
            let edited = if before.is_none() { " (edited)" } else { "" };
            let words = format!("{name}{}{}", before.unwrap_or_default(), change.after.text);
            told(change.day, &words, edited, &change.after)
        });
        part(&mut text, "changed", (changed.collect(), self.total.changed));
        let ended = ended.iter().map(|(day, fact, state)| told(*day, &said(fact), &standing(*state), fact));
        part(&mut text, "ended", (ended.collect(), self.total.ended));
        let removed = removed.iter().map(|(day, entry)| {
            let id = entry.id.as_deref().map(|id| format!(" ^{id}")).unwrap_or_default();
            let act = if entry.act == Act::Forget.as_str() { "forgotten" } else { "deleted" };
            clean::text(&format!("  {day}  {act} by {}{id}", entry.door)).into_owned() + "\n"
        });
        part(&mut text, "taken out", (removed.collect(), self.total.removed));
        if text.is_empty() {
            text = format!("No fact came, changed or ended from {} to {}.\n", self.from, self.to);
        }
        Shown::text(text)
    }
}

fn part(text: &mut String, what: &str, (lines, total): (Vec<String>, usize)) {
    if total == 0 {
        return;
    }
    let left = total - lines.len();
    let earlier = if left > 0 { format!("  and {left} before\n") } else { String::new() };
    text.push_str(&format!("{HEAD}{} {what}{HEAD:#}\n{}{earlier}", count(total, "fact"), lines.concat()));
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
