//! Facts and entities as text.

use jiff::civil::Date;
use mindfile::fact::{EntityPage, FactRecord, Hub, Inspection, Listed, State};
use mindfile::origin::Origin;

use super::clean;
use super::quantity::{count, number};
use super::style::HEAD;
use super::table::{self, Side};

pub(crate) fn inspected(found: &Inspection, today: Date) -> String {
    let mut lines = vec![found.fact.shown()];
    lines.push(format!("  ^{} · {} · {}", found.fact.id, found.state.as_str(), place(&found.fact)));
    lines.extend(values(&found.fact).map(|words| format!("  {words}")));
    lines.push(format!("  {}", origin(found)));
    lines.push(format!("  {}", used(&found.fact)));
    lines.push(format!("  {}", found.line.trim()));
    lines.extend(found.copies.iter().map(|copy| format!("  also in {}", place(copy))));
    lines.extend(found.injected.iter().map(|place| format!("  given unasked in {place}")));
    if let Some(key) = &found.fact.key {
        lines.push(format!("{HEAD}{}{HEAD:#}", clean::text(key)));
        lines
            .extend(found.values.iter().map(|(value, state)| format!("  {}", version(value, *state, today))));
    }
    lines.iter().map(|line| format!("{}\n", styled(line))).collect()
}

/// Headings carry styles of our own; whatever else looks like one is written out.
fn styled(line: &str) -> String {
    if line.starts_with(&HEAD.to_string()) { line.to_owned() } else { clean::text(line).into_owned() }
}

fn place(fact: &FactRecord) -> String {
    format!("{}#L{}", fact.path, fact.line)
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
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// `agent's word, by mcp on 2026-11-15`
fn origin(found: &Inspection) -> String {
    let whose = match found.fact.origin {
        Origin::Untrusted => "nobody's word: untrusted",
        Origin::Agent => "an agent's word",
        Origin::Owner => "the owner's word",
        Origin::System => "mindfile's own",
    };
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
    format!("v{} {}{since}{until}: {} ^{} {place}", value.version, state.as_str(), value.text, value.id)
}

pub(crate) fn entities(all: &[Listed], limit: usize) -> String {
    if all.is_empty() {
        return "No fact names anybody yet.\n".to_owned();
    }
    let row = |entity: &Listed| {
        let hub = match entity.hub {
            Hub::Yes => "hub",
            Hub::No => "",
        };
        [
            format!("@{}", clean::text(&entity.spelled)),
            count(entity.facts as usize, "fact"),
            format!("{:.2}", entity.weight),
            hub.to_owned(),
        ]
    };
    let rows: Vec<[String; 4]> = all.iter().take(limit).map(row).collect();
    let sides = [Side::Left, Side::Right, Side::Right, Side::Left];
    table::lines(sides, &rows).iter().map(|line| format!("{line}\n")).collect()
}

pub(crate) fn entity(page: &EntityPage, limit: usize) -> String {
    let Listed { spelled, facts, weight, .. } = &page.entity;
    let mut lines = vec![format!("@{spelled} · {} · weight {weight:.2}", count(*facts as usize, "fact"))];
    if !page.aliases.is_empty() {
        let names: Vec<String> = page.aliases.iter().map(|alias| format!("@{alias}")).collect();
        lines.push(format!("also {}", names.join(", ")));
    }
    lines.extend(page.page.iter().map(|path| format!("page {path}")));
    lines.push(String::new());
    let facts = page.facts.iter().take(limit);
    lines.extend(facts.map(|fact| format!("- {} ({} ^{})", fact.shown(), place(fact), fact.id)));
    if page.facts.len() > limit {
        lines.push(format!("  and {} more", number(page.facts.len() - limit)));
    }
    if !page.neighbours.is_empty() {
        lines.push(String::new());
        lines.push("named together with:".to_owned());
    }
    let met = page.neighbours.iter().take(limit);
    lines.extend(met.map(|met| {
        format!("  @{} · {} · weight {:.2}", met.spelled, count(met.together as usize, "fact"), met.weight)
    }));
    lines.iter().map(|line| format!("{}\n", clean::text(line))).collect()
}
