//! `memory.json` of the reference server of the Model Context Protocol: JSON lines of entities with observations, and of
//! relations between them.

use std::path::Path;

use mindfile_note::fact::{Kind as FactKind, Line};
use serde_json::Value;

use super::Work;
use super::facts::statement;
use crate::Error;

impl Work<'_> {
    pub(super) fn memory_json(&mut self, path: &Path) -> Result<(), Error> {
        let mut rows = Vec::new();
        self.lines(path, &mut |value, _| rows.push(value.clone()))?;
        for (row, number) in rows.iter().zip(1..) {
            match statements(row) {
                Some(statements) => {
                    for (key, line) in statements.into_iter().flatten() {
                        self.fact(&key, line)?;
                    }
                }
                None => self.report.bad(path, Some(number), "it is neither an entity nor a relation"),
            }
        }
        Ok(())
    }
}

/// What a row says, fact by fact; none of what says nothing.
fn statements(row: &Value) -> Option<Vec<Option<(String, Line<'static>)>>> {
    let text = |name: &str| row[name].as_str();
    match text("type")? {
        "entity" => {
            let name = text("name")?;
            let kind = text("entityType").map(|kind| format!("{name} is a {kind}"));
            let observed =
                row["observations"].as_array()?.iter().filter_map(Value::as_str).map(str::to_owned);
            let said = kind.into_iter().chain(observed);
            Some(said.map(|said| statement(FactKind::World, &[name], &said)).collect())
        }
        "relation" => {
            let (from, to) = (text("from")?, text("to")?);
            let relation = text("relationType")?.replace('_', " ");
            Some(vec![statement(FactKind::World, &[from, to], &format!("{from} {relation} {to}"))])
        }
        _ => None,
    }
}
