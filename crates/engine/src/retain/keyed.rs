//! Keyed memories: a new value takes the place of the old one, which stays as what was true until then.
//!
//! A value that was confirmed and is held with confidence is not given up for one sighting: the new value is written as
//! a proposal, and becomes the value when it is seen again on another day or confirmed.

use jiff::civil::Date;
use mindfile_index::Snapshot;
use mindfile_note::fact::{self, Line, Name, RETAIN};
use mindfile_ranking::fact::load;
use mindfile_ranking::fact::{FactRecord, keyed};
use mindfile_trust::place::is_private;
use mindfile_workspace::NotePath;

use super::duplicate::normalised;
use super::{NewFact, Outcome, Retained, add_line, audit_retained, placed};
use crate::draft::{Edit, Items, Notes};
use crate::error::Error;

/// From this confidence on, a confirmed value is not replaced at the first sight of another.
const STABLE: f32 = 0.8;

pub(super) fn retain_value(
    notes: &Notes<'_>,
    mut new: NewFact<'_>,
    key: &str,
    snapshot: Box<dyn Snapshot + '_>,
) -> Result<Retained, Error> {
    let corpus = notes.corpus();
    let (request, today, origin) = (new.admitted.request, new.admitted.today, new.admitted.origin);
    let values = load::values(&*snapshot, key, &*corpus.journal.uses()?)?;
    drop(snapshot);
    let current = keyed::current(&values);
    check_version(key, request.if_version, current)?;
    new.line.set(Name::Confirmed, Some(&today.to_string()));
    // What the index has of a value is what may be seen of it.
    let said = normalised(&corpus.policy.cover(new.line.text()));
    let same = |value: &&FactRecord| normalised(&value.text) == said;
    match current {
        None => first_value(notes, new, &values),
        // What nobody trusts confirms nothing and replaces nothing.
        Some(value) if !origin.is_trusted() => {
            let proposal = values.iter().filter(|value| value.proposed).find(same);
            propose(notes, new, value, proposal)
        }
        Some(value) if same(&value) && value.holds(today) => confirm(notes, &new, value),
        Some(value) => {
            let trusted = |value: &&FactRecord| value.proposed && value.origin.is_trusted();
            let proposal = values.iter().filter(trusted).find(same);
            let again = proposal.is_some_and(|proposal| proposal.since().is_some_and(|day| day < today));
            if is_stable(value, today) && !request.confirm && !again {
                return propose(notes, new, value, proposal);
            }
            match proposal {
                Some(proposal) => promote(notes, &new, value, proposal),
                None => replace_value(notes, new, value),
            }
        }
    }
}

/// There is no value in force; versions go on where they stopped.
fn first_value(notes: &Notes<'_>, mut new: NewFact<'_>, values: &[FactRecord]) -> Result<Retained, Error> {
    let last = values.iter().filter(|value| !value.proposed).map(|value| value.version).max();
    new.line.set(Name::Version, Some(&(last.unwrap_or(0) + 1).to_string()));
    add_line(notes, &new, Outcome::Written, None)
}

/// The same value again: its day of confirmation is today, what had faded is restored, and a surer one makes it surer.
fn confirm(notes: &Notes<'_>, new: &NewFact<'_>, value: &FactRecord) -> Result<Retained, Error> {
    let today = new.admitted.today.to_string();
    let surer = new.admitted.request.confidence;
    let change = |line: &mut Line<'_>| {
        let known = line.confidence().map(|known| known as f32);
        let sure = surer.into_iter().chain(line.faded().map(|before| before as f32)).max_by(f32::total_cmp);
        line.set(Name::Confirmed, Some(&today));
        if let Some(sure) = sure.filter(|sure| known.is_none_or(|known| known < *sure)) {
            line.set(Name::Confidence, Some(&super::request::number(sure)));
        }
        line.set(Name::Faded, None);
    };
    let path = notes.workspace().is_memory_path(&value.path)?;
    notes.edit(&path, &Edit { id: &value.id, line: value.line, change: &change, after: None })?;
    answer_with(notes, &path, &value.id, Outcome::Confirmed, None)
}

fn propose(
    notes: &Notes<'_>,
    mut new: NewFact<'_>,
    value: &FactRecord,
    proposal: Option<&FactRecord>,
) -> Result<Retained, Error> {
    if let Some(proposal) = proposal {
        let fact = proposal.clone();
        audit_retained(notes.corpus(), &fact.id, &fact.text);
        let before = Some(value.clone());
        return Ok(Retained::of(Outcome::Proposed, fact, before));
    }
    new.line.set(Name::Confirmed, None);
    new.line.set(Name::Version, Some(&(value.version + 1).to_string()));
    new.line.set(Name::Proposed, Some(&new.admitted.today.to_string()));
    add_line(notes, &new, Outcome::Proposed, Some(value.clone()))
}

/// A proposal becomes the value where it stands, and is written first: of two values the higher version counts, whatever
/// happens between.
fn promote(
    notes: &Notes<'_>,
    new: &NewFact<'_>,
    value: &FactRecord,
    proposal: &FactRecord,
) -> Result<Retained, Error> {
    let today = new.admitted.today.to_string();
    let version = (value.version + 1).to_string();
    let change = |line: &mut Line<'_>| {
        line.set(Name::Proposed, None);
        line.set(Name::Version, Some(&version));
        line.set(Name::Confirmed, Some(&today));
        line.set(Name::Seen, Some(&today));
    };
    let place = notes.workspace().is_memory_path(&proposal.path)?;
    notes.edit(&place, &Edit { id: &proposal.id, line: proposal.line, change: &change, after: None })?;
    notes.index()?;
    let supersede = superseded(&today, &proposal.id);
    let path = notes.workspace().is_memory_path(&value.path)?;
    notes.edit(&path, &Edit { id: &value.id, line: value.line, change: &supersede, after: None })?;
    answer_with(notes, &place, &proposal.id, Outcome::Written, Some(value.clone()))
}

/// The old line says until when it held and what came after it; the new one stands right below it.
fn replace_value(notes: &Notes<'_>, mut new: NewFact<'_>, value: &FactRecord) -> Result<Retained, Error> {
    new.line.set(Name::Version, Some(&(value.version + 1).to_string()));
    let today = new.admitted.today.to_string();
    let id = new.line.id_or_derived().into_owned();
    let supersede = superseded(&today, &id);
    let path = notes.workspace().is_memory_path(&value.path)?;
    let edit = Edit { id: &value.id, line: value.line, change: &supersede, after: None };
    let own = &new.admitted.path;
    // A private value does not stand beside one in clear.
    if is_private(own.as_str()) && !is_private(&value.path) {
        let written = fact::write(&new.line);
        let items = Items { text: &written, heading: RETAIN, title: &today };
        new.draft(notes, own)?.append(&items, &mut || {})?;
        notes.edit(&path, &edit)?;
        return answer_with(notes, own, &id, Outcome::Written, Some(value.clone()));
    }
    new.draft(notes, &path)?.edit(&Edit { after: Some(&new.line), ..edit })?;
    answer_with(notes, &path, &id, Outcome::Written, Some(value.clone()))
}

fn superseded<'a>(today: &'a str, by: &'a str) -> impl Fn(&mut Line<'_>) + 'a {
    move |line| {
        line.set(Name::Until, Some(today));
        line.set(Name::By, Some(by));
    }
}

fn answer_with(
    notes: &Notes<'_>,
    path: &NotePath,
    id: &str,
    outcome: Outcome,
    before: Option<FactRecord>,
) -> Result<Retained, Error> {
    notes.index()?;
    let fact = placed(notes.corpus(), notes.workspace(), path, id)?;
    audit_retained(notes.corpus(), &fact.id, &fact.text);
    Ok(Retained::of(outcome, fact, before))
}

fn check_version(key: &str, expected: Option<u32>, current: Option<&FactRecord>) -> Result<(), Error> {
    let found = current.map_or(0, |value| value.version);
    match expected {
        Some(expected) if expected != found => {
            Err(super::Error::OtherVersion { key: key.to_owned(), expected, found }.into())
        }
        Some(_) | None => Ok(()),
    }
}

/// Whether one sighting of another value is not enough.
fn is_stable(value: &FactRecord, today: Date) -> bool {
    value.confirmed.is_some() && value.confidence.is_some_and(|c| c >= STABLE) && value.holds(today)
}
