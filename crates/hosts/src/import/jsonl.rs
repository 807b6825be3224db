//! An export of mindfile as JSON lines: notes under their names, and facts that are in none of them.

use std::ops::ControlFlow;
use std::path::Path;

use mindfile_note::fact;
use serde_json::Value;

use super::notes::Naming;
use super::{Mode, Work};
use crate::Error;

impl Work<'_> {
    pub(super) fn jsonl(&mut self, path: &Path) -> Result<(), Error> {
        let mut failed = None;
        let mut facts = Vec::new();
        let mut bad = Vec::new();
        let mut notes = Vec::new();
        self.lines(path, &mut |value, _| match value["type"].as_str() {
            Some("note") => notes.push(value.clone()),
            Some("fact") => facts.push(value.clone()),
            Some("export") => {}
            Some(_) | None => bad.push(value.to_string()),
        })?;
        for row in &notes {
            match (row["path"].as_str(), row["text"].as_str()) {
                (Some(name), Some(text)) if failed.is_none() => {
                    failed = self.note(path, name, text.as_bytes(), Naming::Same).err();
                }
                (Some(_), Some(_)) => {}
                (_, _) => bad.push(shortened(row)),
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        self.exported_facts(&notes, &facts, &mut bad)?;
        for row in bad {
            self.report.bad(
                path,
                None,
                format!("neither a note nor a fact: {}", &row[..row.floor_char_boundary(80)]),
            );
        }
        Ok(())
    }

    /// The facts that are not in the notes of the same file.
    fn exported_facts(
        &mut self,
        notes: &[Value],
        facts: &[Value],
        bad: &mut Vec<String>,
    ) -> Result<(), Error> {
        if self.mode == Mode::Write && self.report.notes.new > 0 {
            mindfile::sync(self.memory, &mut |_| ControlFlow::Continue(()))?;
        }
        let came = |path: &str| notes.iter().any(|note| note["path"].as_str() == Some(path));
        for row in facts {
            match row["line"].as_str().and_then(fact::read) {
                Some(_) if row["path"].as_str().is_some_and(came) => self.report.facts.known += 1,
                Some(mut line) => {
                    let id = line.id_or_derived().into_owned();
                    line.set_id(Some(&id));
                    self.fact(&id, line)?;
                }
                None => bad.push(shortened(row)),
            }
        }
        Ok(())
    }
}

fn shortened(row: &Value) -> String {
    let mut text = row.to_string();
    text.truncate(text.floor_char_boundary(80));
    text
}
