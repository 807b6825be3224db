//! Imports single memories as fact lines in a note of their own, many per write.

use mindfile_index::{FactQuery, single};
use std::collections::BTreeMap;

use mindfile_note::fact::{self, Kind as FactKind, Line, Name, is_entity_char};
use mindfile_note::hash::Digest;

use super::ledger::ItemState;
use super::{Mode, Work};
use crate::Error;
use mindfile::draft::{self, Items, Notes};
use mindfile::fact::Sensitivity;
use mindfile::private;
use mindfile::retain::TEXT_LIMIT;
use mindfile_note::fact::RETAIN;
use mindfile_workspace::NotePath;

/// Facts that are written at once.
const BATCH: usize = 256;

/// Facts that wait to be written.
#[derive(Default)]
pub(super) struct PendingFacts {
    /// By the note that they go to.
    lines: BTreeMap<String, Vec<String>>,
    items: Vec<(String, Digest, String)>,
}

/// A statement about somebody as a fact line, and what it is called: the same statement is the same fact in every run. None
/// of what says nothing, or more than a fact can.
pub(super) fn statement(kind: FactKind, about: &[&str], text: &str) -> Option<(String, Line<'static>)> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let names: Vec<String> = about.iter().map(|name| entity(name)).filter(|name| !name.is_empty()).collect();
    if text.len() > TEXT_LIMIT {
        return None;
    }
    let mut line = Line::new(kind, &names, &text)?;
    let key = Digest::of(format!("{}\0{text}", names.join("\0")).as_bytes()).to_string();
    line.set_id(Some(&format!("i{}", &key[..10])));
    Some((key, line))
}

/// As a name that a tag can have.
pub(super) fn entity(text: &str) -> String {
    let fits = |c: char| if is_entity_char(c) { c } else { '-' };
    text.chars().map(fits).collect::<String>().trim_matches(['-', '.', '/']).to_owned()
}

impl Work<'_> {
    /// A fact with its id. `key` is what it is called where it comes from.
    pub(super) fn fact(&mut self, key: &str, mut line: Line<'_>) -> Result<(), Error> {
        let said = fact::write(&line);
        match self.ledger.knows(self.source.name, key, said.as_bytes()) {
            ItemState::Same => self.report.facts.known += 1,
            ItemState::Other => self.report.facts.kept += 1,
            ItemState::No if draft::refuse(self.memory, "the fact", line.text()).is_err() => {
                self.report.facts.refused += 1
            }
            ItemState::No if self.is_known(&line)? => self.report.facts.known += 1,
            ItemState::No => {
                if line.source().is_none() {
                    line.set(Name::Source, Some(&format!("import:{}", self.source.name)));
                }
                self.report.facts.new += 1;
                let written = fact::write(&line);
                self.report.show(written.clone());
                let target = self.target(&line);
                self.facts.items.push((key.to_owned(), Digest::of(said.as_bytes()), target.clone()));
                self.facts.lines.entry(target).or_default().push(written);
                if self.facts.items.len() >= BATCH {
                    self.write_facts()?;
                }
            }
        }
        Ok(())
    }

    fn is_known(&self, line: &Line<'_>) -> Result<bool, Error> {
        let index = self.memory.index()?;
        let snapshot = index.snapshot()?;
        Ok(!single::list(&*snapshot, FactQuery::Ids(&[&line.id_or_derived()]))?.is_empty())
    }

    /// What is most sensitive goes to a private note.
    fn target(&self, line: &Line<'_>) -> String {
        let folder = if line.sensitivity() == Some(Sensitivity::High) { private::FOLDER } else { "memory" };
        format!("{folder}/import/{}.md", self.source.name)
    }

    /// Writes the facts that wait: first the notes, then that they are in them.
    pub(super) fn write_facts(&mut self) -> Result<(), Error> {
        let pending = std::mem::take(&mut self.facts);
        if pending.items.is_empty() || self.mode == Mode::Preview {
            return Ok(());
        }
        for (target, lines) in &pending.lines {
            let path = self.workspace.is_memory_path(target)?;
            self.write_lines(&path, &lines.join("\n"))?;
        }
        self.ledger.note(self.source.name, &pending.items, self.memory.clock().now())?;
        Ok(())
    }

    fn write_lines(&mut self, path: &NotePath, lines: &str) -> Result<(), Error> {
        let notes = Notes::with(self.memory, self.workspace.clone())?;
        let title = format!("Imported from {}", self.source.name);
        let items = Items { text: lines, heading: RETAIN, title: &title };
        let draft = notes.imported(path, "the fact", lines)?;
        self.report.notices.extend(draft.notices.iter().cloned());
        Ok(draft.append(&items, &mut || {})?)
    }
}
