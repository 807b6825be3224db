//! What took the place of what, in the lines of facts: one that is past names what came after it, two that both hold name each
//! other.

use std::collections::BTreeMap;

use jiff::civil::Date;
use mindfile_note::fact::{Line, Name};
use mindfile_ranking::fact::FactRecord;
use mindfile_trust::audit::{Act, What};

use crate::audit::Record;
use crate::clock;
use crate::draft::{Edit, Notes};
use crate::error::Error;

/// A fact that holds is not past because of the other.
pub(crate) fn stands(line: &mut Line<'_>, other: &FactRecord) {
    if line.by().as_deref() == Some(&*other.id) {
        line.set(Name::Until, None);
        line.set(Name::By, None);
    }
    let mut beside = line.beside();
    beside.retain(|id| *id != other.id);
    line.set(Name::Beside, (!beside.is_empty()).then(|| beside.join(" ")).as_deref());
}

/// The same, and both hold.
pub(crate) fn stands_beside(line: &mut Line<'_>, other: &FactRecord) {
    stands(line, other);
    let beside = [line.beside(), vec![other.id.clone()]].concat();
    line.set(Name::Beside, Some(&beside.join(" ")));
}

pub(crate) fn passes(line: &mut Line<'_>, until: &str, by: &str) {
    let mut beside = line.beside();
    beside.retain(|id| id != by);
    line.set(Name::Beside, (!beside.is_empty()).then(|| beside.join(" ")).as_deref());
    line.set(Name::Until, Some(until));
    line.set(Name::By, Some(by));
}

/// The day from which the other one is past: that on which the one that holds was seen, if that is later, else today.
pub(crate) fn ending(fact: &FactRecord, other: &FactRecord, today: Date) -> Date {
    fact.since()
        .filter(|day| *day <= today && other.since().is_none_or(|other| other < *day))
        .unwrap_or(today)
}

/// A fact that another one takes the place of.
pub struct Past<'a> {
    pub fact: &'a FactRecord,
    pub by: &'a FactRecord,
}

/// Marks facts as past, each note in one write. Lines that are not there any more are passed over.
pub fn retire(notes: &Notes<'_>, past: &[Past<'_>]) -> Result<(), Error> {
    let corpus = notes.corpus();
    let today = clock::today(&*corpus.clock);
    let mut by_path: BTreeMap<&str, Vec<&Past<'_>>> = BTreeMap::new();
    for one in past {
        by_path.entry(&one.fact.path).or_default().push(one);
    }
    for (path, past) in by_path {
        let change = |one: &&Past<'_>| {
            let (until, by) = (ending(one.by, one.fact, today).to_string(), one.by.id.clone());
            move |line: &mut Line<'_>| passes(line, &until, &by)
        };
        let changes: Vec<_> = past.iter().map(change).collect();
        let edits: Vec<Edit<'_>> = past
            .iter()
            .zip(&changes)
            .map(|(one, change)| Edit { id: &one.fact.id, line: one.fact.line, change, after: None })
            .collect();
        notes.edit_all(&notes.workspace().is_memory_path(path)?, &edits)?;
    }
    notes.index()?;
    for one in past {
        let text = format!("{}\n{}", one.by.text, one.fact.text);
        corpus.audit(&Record { act: Act::Settle, what: What::Fact, id: Some(&one.by.id), text: Some(&text) });
    }
    Ok(())
}

/// Two facts that hold beside each other name each other.
pub fn accept(notes: &Notes<'_>, one: &FactRecord, other: &FactRecord) -> Result<(), Error> {
    for (fact, other) in [(one, other), (other, one)] {
        let change = |line: &mut Line<'_>| stands_beside(line, other);
        let edit = Edit { id: &fact.id, line: fact.line, change: &change, after: None };
        notes.edit_all(&notes.workspace().is_memory_path(&fact.path)?, &[edit])?;
    }
    notes.index()
}

/// Whether this program may write to the note of a fact: notes outside the workspace are somebody else's.
pub fn is_own(fact: &FactRecord) -> bool {
    !fact.path.starts_with("../") && !fact.path.starts_with('/')
}
