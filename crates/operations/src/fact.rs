//! A fact as JSON, the same wherever one is given.

use mindfile::fact::{FactRecord, Sensitivity};
use schemars::JsonSchema;
use serde::Serialize;

use crate::explain::rounded;
use crate::text::clean;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Fact {
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
    /// In one line, for a list.
    pub(crate) fn line(&self) -> String {
        let Self { kind, text, path, line, id, .. } = self;
        format!("- {kind}: {}\n", clean::text(&format!("{text} ({path}#L{line} ^{id})")))
    }

    pub(crate) fn new(fact: &FactRecord) -> Self {
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
            sensitivity: fact.sensitivity.map(Sensitivity::as_str),
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

/// Where a fact stands.
pub(crate) fn place(fact: &FactRecord) -> String {
    format!("{}#L{}", fact.path, fact.line)
}
