//! `retain`, `inspect` and `entities` as JSON.

use mindfile::fact::{EntityPage, FactRecord, Hub, Inspection, Listed, Met, Page, State};
use mindfile::retain::{Outcome, Retained};
use schemars::JsonSchema;
use serde::Serialize;

use super::rounded;

/// A fact, the same wherever one is printed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fact {
    id: String,
    kind: String,
    text: String,
    salience: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    entities: Vec<String>,
    path: String,
    line: u32,
    origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sensitivity: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
}

impl Fact {
    pub(super) fn new(fact: &FactRecord) -> Self {
        let day = |day: Option<jiff::civil::Date>| day.map(|day| day.to_string());
        Self {
            id: fact.id.clone(),
            kind: fact.kind.to_string(),
            text: fact.text.clone(),
            salience: rounded(fact.salience),
            confidence: fact.confidence.map(rounded),
            entities: fact.spelled.clone(),
            path: fact.path.clone(),
            line: fact.line,
            origin: fact.origin.as_str(),
            version: fact.key.as_ref().map(|_| fact.version),
            key: fact.key.clone(),
            sensitivity: fact.sensitivity.map(mindfile::fact::Sensitivity::as_str),
            source: fact.source.clone(),
            seen: day(fact.since()),
            confirmed: day(fact.confirmed),
            valid_until: day(fact.valid_until),
            due: day(fact.due),
            until: day(fact.until),
            by: fact.by.clone(),
        }
    }
}

/// One page of the facts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FactList {
    facts: Vec<ListedFact>,
    /// How many there are in all.
    total: usize,
    offset: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ListedFact {
    #[serde(flatten)]
    fact: Fact,
    state: &'static str,
    access_count: u32,
}

impl FactList {
    pub fn new(page: &Page, offset: usize) -> Self {
        let one = |(fact, state): &(FactRecord, State)| ListedFact {
            fact: Fact::new(fact),
            state: state.as_str(),
            access_count: fact.access.count,
        };
        Self { facts: page.facts.iter().map(one).collect(), total: page.total, offset }
    }
}

/// What `retain` kept.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Kept {
    ok: bool,
    outcome: &'static str,
    #[serde(flatten)]
    fact: Fact,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Fact>,
}

impl Kept {
    pub fn new(retained: &Retained) -> Self {
        let outcome = match retained.outcome {
            Outcome::Written => "written",
            Outcome::Known => "known",
            Outcome::Confirmed => "confirmed",
            Outcome::Proposed => "proposed",
        };
        let before = retained.before.as_ref().map(Fact::new);
        Self { ok: true, outcome, fact: Fact::new(&retained.fact), before }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inspected {
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
    history: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    copies: Vec<Fact>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Value {
    #[serde(flatten)]
    fact: Fact,
    state: &'static str,
}

impl Inspected {
    pub fn new(found: &Inspection) -> Self {
        let last = found.fact.access.last_ms.and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
        let came = found.binding.and_then(|binding| jiff::Timestamp::from_millisecond(binding.at_ms).ok());
        let value =
            |(fact, state): &(FactRecord, State)| Value { fact: Fact::new(fact), state: state.as_str() };
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
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedEntity {
    name: String,
    spelled: String,
    fact_count: u32,
    idf_weight: f64,
    hub: bool,
}

impl ListedEntity {
    pub fn new(entity: &Listed) -> Self {
        Self {
            name: entity.name.clone(),
            spelled: entity.spelled.clone(),
            fact_count: entity.facts,
            idf_weight: decimals(entity.weight),
            hub: entity.hub == Hub::Yes,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct OneEntity {
    #[serde(flatten)]
    entity: ListedEntity,
    aliases: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    facts: Vec<Fact>,
    neighbours: Vec<Neighbour>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Neighbour {
    name: String,
    spelled: String,
    cooccur_count: u32,
    cooccur_weight: f64,
}

impl OneEntity {
    pub fn new(page: &EntityPage) -> Self {
        let neighbour = |met: &Met| Neighbour {
            name: met.name.clone(),
            spelled: met.spelled.clone(),
            cooccur_count: met.together,
            cooccur_weight: decimals(met.weight),
        };
        Self {
            entity: ListedEntity::new(&page.entity),
            aliases: page.aliases.clone(),
            page: page.page.clone(),
            facts: page.facts.iter().map(Fact::new).collect(),
            neighbours: page.neighbours.iter().map(neighbour).collect(),
        }
    }
}

/// What a change of an entity, or a picture of one, was written to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EntityChanged {
    pub ok: bool,
    pub files: Vec<String>,
}

fn decimals(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
