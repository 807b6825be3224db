//! Changing whom facts are about: another name for an entity, another spelling in every fact, two that are one.

use mindfile_index::{FactQuery, single};
use std::collections::BTreeSet;

use mindfile_note::chunk;
use mindfile_note::fact;
use mindfile_note::text::{self, extent};
use mindfile_trust::audit::{Act, What};

use super::{alias, entities};
use crate::audit::Record;
use crate::corpus::Corpus;
use crate::draft::Notes;
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};
use crate::retain;
use crate::view::Freshness;

/// What a renaming changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Renamed {
    pub notes: Vec<String>,
}

/// `other` means the entity from now on. One line in the entity's page of the bank says so; no fact is changed.
pub fn alias_entity(corpus: &Corpus, name: &str, other: &str) -> Result<String, Error> {
    retain::check_entity(other)?;
    ingest::run(corpus, Scope::All, Budget::Question)?;
    let index = corpus.index()?;
    let snapshot = index.snapshot()?;
    let entity = entities::find(&*snapshot, corpus.viewer(), name)?;
    let alias_name = alias::canonical(other).unwrap_or_default();
    if alias_name == entity.name {
        return Err(super::Error::EntityExists { name: entity.name }.into());
    }
    let spelled = single::spelled(&*snapshot, &entity.name)?;
    drop(snapshot);
    declare(corpus, &spelled, other, Act::Rename)
}

/// Two entities become one: the facts of the first count for the second.
pub fn merge_entities(corpus: &Corpus, from: &str, into: &str) -> Result<String, Error> {
    ingest::run(corpus, Scope::All, Budget::Question)?;
    let index = corpus.index()?;
    let snapshot = index.snapshot()?;
    let gone = entities::find(&*snapshot, corpus.viewer(), from)?;
    let kept = entities::find(&*snapshot, corpus.viewer(), into)?;
    if gone.name == kept.name {
        return Err(super::Error::EntityExists { name: kept.name }.into());
    }
    let kept = single::spelled(&*snapshot, &kept.name)?;
    let gone = single::spelled(&*snapshot, &gone.name)?;
    declare(corpus, &kept, &gone, Act::Merge)
}

fn declare(corpus: &Corpus, name: &str, other: &str, act: Act) -> Result<String, Error> {
    let notes = Notes::open(corpus)?;
    let page = notes.workspace().is_memory_path(&alias::page(name))?;
    let line = alias::line(other, name);
    let begun = notes.workspace().read(&page, 1).is_ok();
    let block = if begun { format!("{line}\n") } else { format!("# {name}\n\n{line}\n") };
    notes.derived(&page, &[]).append_text(&block, &mut || {})?;
    notes.finish(&Record { act, what: What::Entity, id: None, text: Some(&line) })?;
    Ok(page.as_str().to_owned())
}

/// Writes another name wherever facts and pages have the old one. A name that is in use is not taken over.
pub fn rename_entity(corpus: &Corpus, old: &str, new: &str) -> Result<Renamed, Error> {
    retain::check_entity(new)?;
    let view = corpus.view(corpus.viewer(), Freshness::Refresh)?;
    let snapshot = view.snapshot()?;
    let entity = entities::find(&*snapshot, corpus.viewer(), old)?;
    let taken = alias::canonical(new).filter(|new| *new != entity.name);
    if let Some(other) = taken.map(|new| single::entity(&*snapshot, &new)).transpose()?.flatten() {
        return Err(super::Error::EntityExists { name: other.name }.into());
    }
    let docs = single::list(&*snapshot, FactQuery::Naming(&[&entity.name]))?;
    let facts = snapshot.facts(&docs)?;
    let declared = snapshot.aliases()?;
    let pages = declared.iter().filter(|(_, alias)| alias.name == entity.name || alias.alias == entity.name);
    let mut notes: BTreeSet<String> = facts.iter().map(|fact| fact.chunk.path.clone()).collect();
    notes.extend(pages.map(|(path, _)| path.clone()));
    drop(snapshot);
    rename_in(corpus, &notes, &entity.name, new)
}

fn rename_in(corpus: &Corpus, paths: &BTreeSet<String>, old: &str, new: &str) -> Result<Renamed, Error> {
    let notes = Notes::open(corpus)?;
    let mut renamed = Renamed::default();
    for path in paths {
        let note = notes.workspace().is_memory_path(path)?;
        if notes.rewrite(&note, &|text| with_name(path, text, old, new))? {
            renamed.notes.push(path.clone());
        }
    }
    let text = format!("{old} {new}");
    notes.finish(&Record { act: Act::Rename, what: What::Entity, id: None, text: Some(&text) })?;
    Ok(renamed)
}

/// The text with the name changed in fact lines and alias lines; none if it is in neither.
fn with_name(path: &str, text: &str, old: &str, new: &str) -> Option<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for placed in chunk::facts(body) {
        let mut line = placed.fact.clone();
        line.rename_entities(|name| (name.to_lowercase() == old).then(|| alias::spelled(new)));
        let (start, end) = extent(text, placed.text);
        edits.push((start, end, fact::write(&line)));
    }
    for line in text::lines(body).filter(|line| !alias::declared(path, line).is_empty()) {
        let (start, end) = extent(text, line);
        edits.push((start, end, alias::renamed(line, old, new)));
    }
    edits.sort_by_key(|(start, _, _)| std::cmp::Reverse(*start));
    let mut whole = text.to_owned();
    for (start, end, line) in edits {
        whole.replace_range(start..end, &line);
    }
    (whole != text).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_changes_in_tags_and_alias_lines_only() {
        let text = "# Bob\r\nalias: Bobby = Bob\r\n\r\nBob said:\r\n- W @bob @x: Bob left\r\n```\n- W @bob: code\n```\n";
        let new = with_name("bank/entities/bob.md", text, "bob", "Robert").unwrap();
        assert_eq!(
            new,
            "# Bob\r\nalias: Bobby = Robert\r\n\r\nBob said:\r\n- W @Robert @x: Bob left\r\n```\n- W @bob: code\n```\n"
        );
        assert_eq!(with_name("memory/a.md", "alias: Bobby = Bob\n", "bob", "Robert"), None);
    }
}
