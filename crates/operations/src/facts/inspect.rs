//! One fact with everything that is known of it.

use jiff::civil::Date;
use mindfile::clock::today;
use mindfile::fact::{self, FactRecord, Inspection, State};
use mindfile::origin::Origin;

use crate::fact::{Fact, place};
use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::count;
use crate::text::style::HEAD;
use crate::values::{Chat, WhenForm};

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Inspect {
    /// The fact's id, or a key.
    pub id: String,
    /// What the key said on that day: 2026-07-14, or 30d before today.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub as_of: Option<String>,
    /// Who reads along; direct if it is not said.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for Inspect {
    const ROW: Row = Row::new("inspectFact", "Show one fact with its state, its use and its history")
        .typed(
            "inspect",
            "\
Examples:
  mindfile inspect k3f9a2
  mindfile inspect editor.theme                  a key: its value, its proposals, its history
  mindfile inspect editor.theme --as-of 2026-03-01",
        )
        .http(Http::get("/v1/facts/{id}"));
    type Answer = InspectedFact;

    fn run(self, caller: &Caller<'_>) -> Result<InspectedFact, Failure> {
        let day = caller.day(self.as_of.as_deref())?;
        let found = fact::inspect(caller.memory, caller.viewer(self.chat_type), &self.id, day)?;
        Ok(InspectedFact::new(found))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InspectedFact {
    #[serde(flatten)]
    fact: Fact,
    state: &'static str,
    raw: String,
    access_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_accessed_at: Option<String>,
    /// Which door it came through, and when.
    #[serde(skip_serializing_if = "Option::is_none")]
    door: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    came_at: Option<String>,
    /// Lines of automatic context that are the fact, or rest on it.
    injected: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    history: Vec<KeyValue>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    copies: Vec<Fact>,
    #[serde(skip)]
    found: Inspection,
}

#[derive(Debug, Serialize, JsonSchema)]
struct KeyValue {
    #[serde(flatten)]
    fact: Fact,
    state: &'static str,
}

impl InspectedFact {
    fn new(found: Inspection) -> Self {
        let last = found.fact.access.last_ms.and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
        let came = found.binding.and_then(|binding| jiff::Timestamp::from_millisecond(binding.at_ms).ok());
        let value =
            |(fact, state): &(FactRecord, State)| KeyValue { fact: Fact::new(fact), state: state.as_str() };
        Self {
            fact: Fact::new(&found.fact),
            state: found.state.as_str(),
            raw: found.line.clone(),
            access_count: found.fact.access.count,
            last_accessed_at: last.map(|last| last.to_string()),
            door: found.binding.map(|binding| binding.door.as_str()),
            came_at: came.map(|at| at.to_string()),
            injected: found.injected.clone(),
            history: found.values.iter().map(value).collect(),
            copies: found.copies.iter().map(Fact::new).collect(),
            found,
        }
    }
}

impl Answer for InspectedFact {
    fn shown(&self, page: &Page<'_>) -> Shown {
        Shown::text(lines(&self.found, today(page.clock)))
    }
}

fn lines(found: &Inspection, today: Date) -> String {
    let mut lines = vec![found.fact.shown()];
    lines.push(format!("  ^{} · {} · {}", found.fact.id, found.state.as_str(), place(&found.fact)));
    lines.extend(values(&found.fact).map(|words| format!("  {words}")));
    lines.push(format!("  {}", origin(found)));
    lines.push(format!("  {}", used(&found.fact)));
    lines.push(format!("  {}", found.line.trim()));
    lines.extend(found.copies.iter().map(|copy| format!("  also in {}", place(copy))));
    lines.extend(found.injected.iter().map(|place| format!("  given unasked in {place}")));
    if !found.values.is_empty() {
        let title = found.fact.key.as_deref().unwrap_or("Over time");
        lines.push(format!("{HEAD}{}{HEAD:#}", clean::text(title)));
        lines
            .extend(found.values.iter().map(|(value, state)| format!("  {}", version(value, *state, today))));
    }
    lines.iter().map(|line| format!("{}\n", styled(line))).collect()
}

/// Headings carry styles of our own; whatever else looks like one is written out.
fn styled(line: &str) -> String {
    if line.starts_with(&HEAD.to_string()) { line.to_owned() } else { clean::text(line).into_owned() }
}

fn values(fact: &FactRecord) -> Option<String> {
    let day = |name: &str, day: Option<Date>| day.map(|day| format!("{name} {day}"));
    let parts = [
        fact.confidence.map(|c| format!("confidence {c}")),
        fact.sensitivity.map(|s| format!("sensitivity {}", s.as_str())),
        fact.source.as_ref().map(|source| format!("from {source}")),
        day("seen", fact.since()),
        day("confirmed", fact.confirmed),
        day("holds until", fact.valid_until),
        day("due", fact.due),
        day("superseded", fact.until),
        fact.by.as_ref().map(|by| format!("by ^{by}")),
        (!fact.beside.is_empty()).then(|| format!("holds beside ^{}", fact.beside.join(" ^"))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

pub(super) fn whose(origin: Origin) -> &'static str {
    match origin {
        Origin::Untrusted => "nobody's word: untrusted",
        Origin::Agent => "an agent's word",
        Origin::Owner => "the owner's word",
        Origin::System => "mindfile's own",
    }
}

/// `agent's word, by mcp on 2026-11-15`
fn origin(found: &Inspection) -> String {
    let whose = whose(found.fact.origin);
    let by = found.binding.and_then(|binding| {
        let at = jiff::Timestamp::from_millisecond(binding.at_ms).ok()?;
        Some(format!(", by {} on {}", binding.door, at.strftime("%Y-%m-%d")))
    });
    format!("{whose}{}", by.unwrap_or_default())
}

fn used(fact: &FactRecord) -> String {
    let last = fact.access.last_ms.and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    match last {
        Some(last) => format!("recalled {}, last {last:.0}", count(fact.access.count as usize, "time")),
        None => "never recalled".to_owned(),
    }
}

/// `v2 current since 2026-11-15: dark ^k3f9a2`
fn version(value: &FactRecord, state: State, today: Date) -> String {
    let since = value.since().map(|day| format!(" since {day}")).unwrap_or_default();
    let until = value.until.map(|day| format!(" until {day}")).unwrap_or_default();
    let expired = value.valid_until.filter(|last| *last < today).map(|day| format!(" until {day}"));
    let until = if until.is_empty() { expired.unwrap_or_default() } else { until };
    let place = place(value);
    let version = value.key.as_ref().map(|_| format!("v{} ", value.version)).unwrap_or_default();
    format!("{version}{}{since}{until}: {} ^{} {place}", state.as_str(), value.text, value.id)
}
