//! Facts that do not agree: which they are, and which of two holds.
//!
//! The one that does not hold stays in its note, marked with the day from which it is past and with the fact that took its
//! place; two that both hold name each other, and are not asked about again. Nothing is taken away, so that whatever was
//! settled can be settled otherwise.

use mindfile_index::{FactQuery, single};
use mindfile_note::fact::Line;
use mindfile_trust::audit::{Act, What};
use mindfile_workspace::NotePath;

use super::{Disagreement, Error as FactError, FactRecord, inspect, load};
use crate::audit::Record;
use crate::clock;
use crate::corpus::Corpus;
use crate::draft::{Edit, Notes};
use crate::error::{Denial, Error};
use crate::retain;
use crate::succession::{ending, passes, stands, stands_beside};
use crate::view::Freshness;
use crate::viewer::Viewer;

/// What somebody says of two facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// The first holds and the second is past.
    Replaces,
    /// They do not exclude each other.
    Both,
}

/// Two facts as they stand after they were settled.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    pub fact: FactRecord,
    pub other: FactRecord,
    pub settlement: Settlement,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

/// The facts that hold and do not agree, as far as the viewer may see them, the newest first.
pub fn disagreements(corpus: &Corpus, viewer: Viewer) -> Result<Vec<Disagreement>, Error> {
    let view = corpus.view(viewer, Freshness::Refresh)?;
    let snapshot = view.snapshot()?;
    let docs = single::list(&*snapshot, FactQuery::All)?;
    let facts = load::records(&*snapshot, &docs, &*corpus.journal.uses()?)?;
    let mut found = mindfile_ranking::fact::disagreements(&facts, clock::today(&*corpus.clock));
    found.reverse();
    corpus.audit_shown(found.iter().flat_map(|one| [&one.newer, &one.older]));
    Ok(found)
}

/// Says which of two facts holds. A door may put the owner's word aside only where it is the owner's, or where the fact that
/// holds is the owner's word as well.
pub fn settle(corpus: &Corpus, holds: &str, other: &str, settlement: Settlement) -> Result<Settled, Error> {
    let door = corpus.door;
    if !door.origin().is_trusted() {
        return Err(Denial::NotTheOwner { door, what: "settle what does not agree" }.into());
    }
    let notes = Notes::open(corpus)?;
    let (fact, other) = (found(corpus, holds)?, found(corpus, other)?);
    if fact.id == other.id {
        return Err(FactError::Itself { id: fact.id }.into());
    }
    if settlement == Settlement::Replaces && fact.origin.max(door.origin()) < other.origin {
        return Err(Denial::NotItsWord { door, id: other.id }.into());
    }
    let (path, other_path) = (place(&notes, &fact)?, place(&notes, &other)?);
    let until = ending(&fact, &other, clock::today(&*corpus.clock)).to_string();
    let change = |line: &mut Line<'_>| match settlement {
        Settlement::Replaces => stands(line, &other),
        Settlement::Both => stands_beside(line, &other),
    };
    let change_other = |line: &mut Line<'_>| match settlement {
        Settlement::Replaces => passes(line, &until, &fact.id),
        Settlement::Both => stands_beside(line, &fact),
    };
    // What holds is written first: whatever happens between, something does.
    notes.edit_all(&path, &[Edit { id: &fact.id, line: fact.line, change: &change, after: None }])?;
    notes.edit_all(
        &other_path,
        &[Edit { id: &other.id, line: other.line, change: &change_other, after: None }],
    )?;
    notes.index()?;
    let fact = retain::placed(corpus, notes.workspace(), &path, &fact.id)?;
    let other = retain::placed(corpus, notes.workspace(), &other_path, &other.id)?;
    let text = format!("{}\n{}", fact.text, other.text);
    notes.finish(&Record { act: Act::Settle, what: What::Fact, id: Some(&fact.id), text: Some(&text) })?;
    drop(notes);
    Ok(Settled { fact, other, settlement, notices: corpus.notices() })
}

fn found(corpus: &Corpus, name: &str) -> Result<FactRecord, Error> {
    let fact = inspect(corpus, corpus.viewer(), name, None)?.fact;
    match fact.key {
        Some(key) => Err(FactError::Keyed { id: fact.id, key }.into()),
        None => Ok(fact),
    }
}

fn place(notes: &Notes<'_>, fact: &FactRecord) -> Result<NotePath, Error> {
    Ok(notes.workspace().is_memory_path(&fact.path)?)
}
