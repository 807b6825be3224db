//! One fact with everything that is known of it: its line, its state, its use, and the history of its key.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use jiff::civil::Date;
use mindfile_index::{FactQuery, NoteQuery, Snapshot, single};
use mindfile_note::CitedLine;
use mindfile_note::text;
use mindfile_trust::origin::Binding;
use mindfile_workspace::NOTE_LIMIT;

use super::{FactRecord, State, Uses, keyed, load};
use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::view::Freshness;
use crate::viewer::Viewer;

#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    pub fact: FactRecord,
    pub state: State,
    /// The line as it stands in the note.
    pub line: String,
    /// Every value of its key, or what it took the place of and what took its place, the newest first; empty where there is
    /// nothing but the fact.
    pub values: Vec<(FactRecord, State)>,
    /// Other lines with the same id.
    pub copies: Vec<FactRecord>,
    /// Which door it came through, and when; none for a line that a hand wrote.
    pub binding: Option<Binding>,
    /// Where it gets into what a model is given unasked: its own line, and lines that rest on it.
    pub injected: Vec<String>,
}

/// The fact with an id, or the value of a key, on a day: today if none is named.
pub fn inspect(
    corpus: &Corpus,
    viewer: Viewer,
    name: &str,
    as_of: Option<Date>,
) -> Result<Inspection, Error> {
    let view = corpus.view(viewer, Freshness::Refresh)?;
    let snapshot = view.snapshot()?;
    let day = as_of.unwrap_or_else(|| clock::today(&*corpus.clock));
    let name = name.trim().trim_start_matches('^');
    let uses = corpus.journal.uses()?;
    let docs = single::list(&*snapshot, FactQuery::Ids(&[name]))?;
    let mut found = load::records(&*snapshot, &docs, &uses)?;
    let fact = if found.is_empty() { value_on(&*snapshot, name, day, &uses)? } else { Some(found.remove(0)) };
    let fact = fact.ok_or_else(|| super::Error::NoFact { id: name.to_owned() })?;
    let line = load::line(&*snapshot, &fact)?;
    let values = history(&*snapshot, &fact, day, &uses)?;
    corpus.audit_shown(
        values.iter().map(|(value, _)| value).filter(|value| value.id != fact.id).chain([&fact]),
    );
    let binding = corpus.judge()?.binding(&fact.path, &line);
    let injected = injected(corpus, &*snapshot, &fact)?;
    Ok(Inspection { state: fact.state(day), line, values, copies: found, binding, injected, fact })
}

/// Lines of automatic context that are the fact, or rest on it.
fn injected(corpus: &Corpus, snapshot: &dyn Snapshot, fact: &FactRecord) -> Result<Vec<String>, Error> {
    let today = clock::today(&*corpus.clock);
    let yesterday = today.yesterday().unwrap_or(today);
    let own = [
        ("MEMORY.md".to_owned(), "core memory"),
        ("USER.md".to_owned(), "the user's page"),
        (format!("memory/{today}.md"), "today's note"),
        (format!("memory/{yesterday}.md"), "yesterday's note"),
    ];
    let own = own.into_iter().filter(|(path, _)| fact.origin.is_trusted() && *path == fact.path);
    let mut places: Vec<String> = own.map(|(path, what)| format!("{path}#L{} ({what})", fact.line)).collect();
    let workspace = corpus.workspace()?;
    for note in snapshot.notes(NoteQuery::All)?.into_iter().filter(|note| is_derived(&note.path)) {
        let Ok(read) = workspace.read(&workspace.is_memory_path(&note.path)?, NOTE_LIMIT) else {
            continue;
        };
        let decoded = text::decode(&read.bytes);
        for (number, line) in (1_u32..).zip(text::lines(&decoded)) {
            if CitedLine::read(line).is_some_and(|line| line.cites.contains(&fact.id)) {
                places.push(format!("{}#L{number}", note.path));
            }
        }
    }
    Ok(places)
}

/// What a key said on a day; before its first value, or where there is only a proposal, the first line there is.
fn value_on(snapshot: &dyn Snapshot, key: &str, day: Date, uses: &Uses) -> Result<Option<FactRecord>, Error> {
    let values = load::values(snapshot, key, uses)?;
    let held = values.iter().filter(|value| value.held_on(day)).max_by_key(|value| value.version);
    Ok(held.or_else(|| keyed::current(&values)).or(values.first()).cloned())
}

fn history(
    snapshot: &dyn Snapshot,
    fact: &FactRecord,
    day: Date,
    uses: &Uses,
) -> Result<Vec<(FactRecord, State)>, Error> {
    let values = match &fact.key {
        Some(key) => {
            let mut values = load::values(snapshot, key, uses)?;
            values.sort_by_key(|value| Reverse((value.version, value.proposed, value.since())));
            values
        }
        None => succession(snapshot, fact, uses)?,
    };
    Ok(values.into_iter().map(|value| (value.state(day), value)).map(|(s, v)| (v, s)).collect())
}

/// What took the place of what, around a fact without a key: those that hold, then those that ended last.
fn succession(snapshot: &dyn Snapshot, fact: &FactRecord, uses: &Uses) -> Result<Vec<FactRecord>, Error> {
    let all = load::records(snapshot, &single::list(snapshot, FactQuery::All)?, uses)?;
    let mut known = BTreeSet::from([fact.id.clone()]);
    loop {
        let before = known.len();
        for one in all.iter().filter(|one| one.key.is_none()) {
            let Some(by) = &one.by else { continue };
            if known.contains(by) || known.contains(&one.id) {
                known.extend([one.id.clone(), by.clone()]);
            }
        }
        if known.len() == before {
            break;
        }
    }
    if known.len() == 1 {
        return Ok(Vec::new());
    }
    let mut values: Vec<FactRecord> = all.into_iter().filter(|one| known.contains(&one.id)).collect();
    values.sort_by_key(|value| Reverse((value.by.is_none(), value.until, value.place())));
    Ok(values)
}

/// Pages that reflection writes.
fn is_derived(path: &str) -> bool {
    path == "MEMORY.md" || path.starts_with("bank/")
}
