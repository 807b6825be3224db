//! Keyed memories: a new value takes the place of the old one, which stays as what was true until then.
//!
//! A value that was confirmed and is held with confidence is not given up for one sighting: the new value is written as
//! a proposal, and becomes the value when it is seen again on another day or confirmed.

use mindfile_index::Snapshot;
use mindfile_note::fact::{Line, Name};

use super::duplicate::normalised;
use super::write::{self, Edit};
use super::{Outcome, Retained, Work};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fact;
use crate::fact::load;
use crate::fact::{FactRecord, keyed};
use crate::ingest::{self, Budget, Scope};
use crate::private::is_private;
use crate::workspace::NotePath;

/// From this confidence on, a confirmed value is not replaced at the first sight of another.
const STABLE: f32 = 0.8;

impl Corpus {
    pub(super) fn retain_value(
        &self,
        mut work: Work<'_>,
        key: &str,
        snapshot: Box<dyn Snapshot + '_>,
    ) -> Result<Retained, Error> {
        let values = load::values(&*snapshot, key, &*self.journal.uses()?)?;
        drop(snapshot);
        let current = keyed::current(&values);
        check_version(key, work.request.if_version, current)?;
        work.line.set(Name::Confirmed, Some(&work.today.to_string()));
        // What the index has of a value is what may be seen of it.
        let said = normalised(&self.policy.cover(work.line.text()));
        let same = |value: &&FactRecord| normalised(&value.text) == said;
        match current {
            None => self.first_value(work, &values),
            // What nobody trusts confirms nothing and replaces nothing.
            Some(value) if !work.origin.is_trusted() => {
                let proposal = values.iter().filter(|value| value.proposed).find(same);
                self.propose(work, value, proposal)
            }
            Some(value) if same(&value) && value.holds(work.today) => self.confirm(&work, value),
            Some(value) => {
                let trusted = |value: &&FactRecord| value.proposed && value.origin.is_trusted();
                let proposal = values.iter().filter(trusted).find(same);
                let again =
                    proposal.is_some_and(|proposal| proposal.since().is_some_and(|day| day < work.today));
                if is_stable(value, &work) && !work.request.confirm && !again {
                    return self.propose(work, value, proposal);
                }
                self.replace_value(work, value, proposal)
            }
        }
    }

    /// There is no value in force; versions go on where they stopped.
    fn first_value(&self, mut work: Work<'_>, values: &[FactRecord]) -> Result<Retained, Error> {
        let last = values.iter().filter(|value| !value.proposed).map(|value| value.version).max();
        work.line.set(Name::Version, Some(&(last.unwrap_or(0) + 1).to_string()));
        self.add_line(&work, Outcome::Written, None)
    }

    /// The same value again: its day of confirmation is today, what had faded is restored, and a surer one makes it surer.
    fn confirm(&self, work: &Work<'_>, value: &FactRecord) -> Result<Retained, Error> {
        let (today, surer) = (work.today.to_string(), work.request.confidence);
        let change = |line: &mut Line<'_>| {
            let known = line.confidence().map(|known| known as f32);
            let sure =
                surer.into_iter().chain(line.faded().map(|before| before as f32)).max_by(f32::total_cmp);
            line.set(Name::Confirmed, Some(&today));
            if let Some(sure) = sure.filter(|sure| known.is_none_or(|known| known < *sure)) {
                line.set(Name::Confidence, Some(&super::request::number(sure)));
            }
            line.set(Name::Faded, None);
        };
        let path = self.change_in_place(work, value, &change, None)?;
        self.answer_with(work, &path, &value.id, Outcome::Confirmed, None)
    }

    fn propose(
        &self,
        mut work: Work<'_>,
        value: &FactRecord,
        proposal: Option<&FactRecord>,
    ) -> Result<Retained, Error> {
        if let Some(proposal) = proposal {
            let (fact, before) = (proposal.clone(), Some(value.clone()));
            self.audit_retained(&fact.id, &fact.text);
            return Ok(Retained { outcome: Outcome::Proposed, fact, before, notices: Vec::new() });
        }
        work.line.set(Name::Confirmed, None);
        work.line.set(Name::Version, Some(&(value.version + 1).to_string()));
        work.line.set(Name::Proposed, Some(&work.today.to_string()));
        self.add_line(&work, Outcome::Proposed, Some(value.clone()))
    }

    /// The old line says until when it held and what came after it; the new one stands right below it. A proposal becomes
    /// the value where it stands, and is written first: of two values the higher version counts, whatever happens between.
    fn replace_value(
        &self,
        mut work: Work<'_>,
        value: &FactRecord,
        proposal: Option<&FactRecord>,
    ) -> Result<Retained, Error> {
        let version = (value.version + 1).to_string();
        work.line.set(Name::Version, Some(&version));
        let today = work.today.to_string();
        let id = proposal.map_or_else(|| work.line.id_or_derived().into_owned(), |p| p.id.clone());
        if let Some(proposal) = proposal {
            let promote = |line: &mut Line<'_>| {
                line.set(Name::Proposed, None);
                line.set(Name::Version, Some(&version));
                line.set(Name::Confirmed, Some(&today));
                line.set(Name::Seen, Some(&today));
            };
            self.change_in_place(&work, proposal, &promote, None)?;
        }
        let supersede = |line: &mut Line<'_>| {
            line.set(Name::Until, Some(&today));
            line.set(Name::By, Some(&id));
        };
        // A private value does not stand beside one in clear.
        let is_apart = proposal.is_none() && is_private(work.path.as_str()) && !is_private(&value.path);
        let place = if is_apart { work.path.clone() } else { work.workspace.is_memory_path(&value.path)? };
        if proposal.is_none() {
            self.bind_line(&work, &place)?;
        }
        if is_apart {
            write::append(work.workspace, &place, &today, &work.line, &mut || {})?;
        }
        let after = (proposal.is_none() && !is_apart).then_some(&work.line);
        let path = self.change_in_place(&work, value, &supersede, after)?;
        let path = match proposal {
            Some(proposal) => work.workspace.is_memory_path(&proposal.path)?,
            None if is_apart => work.path.clone(),
            None => path,
        };
        self.answer_with(&work, &path, &id, Outcome::Written, Some(value.clone()))
    }

    fn change_in_place(
        &self,
        work: &Work<'_>,
        value: &FactRecord,
        change: &dyn Fn(&mut Line<'_>),
        after: Option<&Line<'_>>,
    ) -> Result<NotePath, Error> {
        let path = work.workspace.is_memory_path(&value.path)?;
        let edit = Edit { id: &value.id, line: value.line, change, after };
        if write::edit(work.workspace, &path, &edit)? {
            ingest::run(self, Scope::Notes(std::slice::from_ref(&path)), Budget::Unlimited)?;
            return Ok(path);
        }
        Err(fact::Error::NoFact { id: value.id.clone() }.into())
    }

    fn answer_with(
        &self,
        work: &Work<'_>,
        path: &NotePath,
        id: &str,
        outcome: Outcome,
        before: Option<FactRecord>,
    ) -> Result<Retained, Error> {
        let fact = self.placed(work.workspace, path, id)?;
        self.audit_retained(&fact.id, &fact.text);
        Ok(Retained { outcome, fact, before, notices: Vec::new() })
    }
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
fn is_stable(value: &FactRecord, work: &Work<'_>) -> bool {
    value.confirmed.is_some() && value.confidence.is_some_and(|c| c >= STABLE) && value.holds(work.today)
}
