//! What a new fact says otherwise than facts that hold: those it takes the place of, and those that somebody has to look at.

use mindfile_index::{FactQuery, Filter, Snapshot};
use mindfile_note::agree::Difference;
use mindfile_note::words;
use mindfile_ranking::fact::{Compared, FactRecord, Uses, load};

use super::duplicate;
use super::load::LineRef;
use super::{NewFact, Retained};
use crate::draft::Notes;
use crate::error::Error;
use crate::succession::{Past, is_own, retire};

/// How many facts are compared.
const COMPARED: usize = 24;

/// Facts that do not agree with a new one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rivals {
    /// Those it takes the place of; they stay in their notes as what was.
    pub past: Vec<FactRecord>,
    /// Those of which nobody has said whether they still hold.
    pub doubtful: Vec<FactRecord>,
}

/// Nobody's word takes the place of what is trusted, and an agent's none of the owner's.
pub(super) fn find(new: &NewFact<'_>, snapshot: &dyn Snapshot) -> Result<Rivals, Error> {
    let admitted = new.admitted;
    let mut rivals = Rivals::default();
    if !admitted.origin.is_trusted() {
        return Ok(rivals);
    }
    let terms = words::query(new.line.text()).terms;
    let docs = snapshot.find_facts(FactQuery::Sharing(&terms), &Filter::default(), COMPARED)?.concat();
    if docs.is_empty() {
        return Ok(rivals);
    }
    let tags: Vec<String> = new.line.entities().map(str::to_owned).collect();
    let names = duplicate::people(&tags, snapshot)?.into_iter().collect();
    let place = LineRef { path: admitted.path.as_str(), line: u32::MAX };
    let said = load::of_line(&new.line, place, names, super::Access::default());
    let compared = Compared::of(&said);
    for fact in load::records(snapshot, &docs, &Uses::new())? {
        if !fact.origin.is_trusted() || !fact.holds(admitted.today) {
            continue;
        }
        match compared.difference(&Compared::of(&fact)) {
            Some(Difference::Certain) if admitted.origin >= fact.origin && is_own(&fact) => {
                rivals.past.push(fact)
            }
            Some(_) => rivals.doubtful.push(fact),
            None => {}
        }
    }
    // Where several differ in the same part, they are a list of what holds together.
    if rivals.doubtful.len() > 1 {
        rivals.doubtful.clear();
    }
    Ok(rivals)
}

/// Marks what is past, after the new fact is on the disk: whatever happens between, something holds.
pub(super) fn mark(notes: &Notes<'_>, retained: Retained, rivals: Rivals) -> Retained {
    let past: Vec<Past<'_>> = rivals.past.iter().map(|fact| Past { fact, by: &retained.fact }).collect();
    let marked = if past.is_empty() { Ok(()) } else { retire(notes, &past) };
    let told = marked.err().map(|error| format!("what it takes the place of is not marked yet: {error}"));
    let notices = retained.notices.into_iter().chain(told).collect();
    Retained { fact: retained.fact, notices, rivals, ..retained }
}
