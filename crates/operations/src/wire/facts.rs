//! `inspect` and `entities` as JSON.

use mindfile::fact::{EntityPage, FactRecord, Hub, Inspection, Listed, Met, Page, State};
use schemars::JsonSchema;
use serde::Serialize;

use crate::fact::Fact;

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
