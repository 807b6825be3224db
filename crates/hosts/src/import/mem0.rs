//! mem0's exports: a list of memories, an object with one, or one per line.

use std::path::Path;

use jiff::Timestamp;
use mindfile_note::fact::{Kind as FactKind, Line, Name};
use mindfile_note::hash::Digest;
use serde_json::Value;

use super::facts::entity;
use super::{Work, items};
use crate::Error;
use mindfile::retain::TEXT_LIMIT;
use mindfile_disk::tree::has_extension;

impl Work<'_> {
    pub(super) fn mem0(&mut self, path: &Path) -> Result<(), Error> {
        let mut rows = Vec::new();
        if has_extension(path, "jsonl") {
            self.lines(path, &mut |value, _| rows.push(value.clone()))?;
        } else if let Err(what) =
            items::each(path, &["results", "memories", "data"], &mut |row| rows.push(row))
        {
            self.report.bad(path, None, what);
        }
        for (row, number) in rows.iter().zip(1..) {
            match line(row) {
                Ok((key, line)) => self.fact(&key, line)?,
                Err(what) => self.report.bad(path, Some(number), what),
            }
        }
        Ok(())
    }
}

/// A memory as a fact line, and its id there.
fn line(row: &Value) -> Result<(String, Line<'static>), &'static str> {
    let text = ["memory", "text", "data", "content"].iter().find_map(|name| row[*name].as_str());
    let text = text.map(str::trim).filter(|text| !text.is_empty()).ok_or("it has no text")?;
    if text.len() > TEXT_LIMIT {
        return Err("its text is longer than 8 KiB");
    }
    let key = match &row["id"] {
        Value::String(id) => id.clone(),
        Value::Number(id) => id.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            Digest::of(text.as_bytes()).to_string()
        }
    };
    let entities: Vec<String> =
        row["user_id"].as_str().map(entity).into_iter().filter(|name| !name.is_empty()).collect();
    let kind = if is_preference(row) { FactKind::Opinion } else { FactKind::World };
    let mut line = Line::new(kind, &entities, text).ok_or("it has no text")?;
    line.set(Name::Source, Some(&format!("import:mem0/{}", entity(&key))));
    let at = ["created_at", "createdAt"].iter().find_map(|name| row[*name].as_str());
    line.set(Name::Seen, at.and_then(day).as_deref());
    let mut id = Digest::of(key.as_bytes()).to_string();
    id.truncate(10);
    line.set_id(Some(&format!("m{id}")));
    Ok((key, line))
}

fn is_preference(row: &Value) -> bool {
    let categories = [&row["categories"], &row["metadata"]["category"], &row["metadata"]["categories"]];
    categories.iter().any(|value| value.to_string().to_lowercase().contains("preference"))
}

fn day(text: &str) -> Option<String> {
    let at: Option<Timestamp> = text.parse().ok();
    let date = at.map(|at| at.to_zoned(jiff::tz::TimeZone::UTC).date());
    date.or_else(|| text.get(..10)?.parse().ok()).map(|date| date.to_string())
}
