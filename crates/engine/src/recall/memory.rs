//! Recall from a workspace's facts as they are now.

use std::cell::RefCell;
use std::time::Instant;

use super::indexed::{Indexed, Space};
use super::{Answer, Plan, Request, answer, plan};
use crate::clock;
use crate::corpus::{Asked, Corpus};
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};
use crate::private::is_private;
use crate::view::Freshness;
use crate::viewer::Viewer;

/// What a recall answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    pub plan: Plan,
    pub answer: Answer,
    /// What could not be consulted, and why.
    pub degraded: Vec<String>,
    /// Why the answer may be older than the notes.
    pub stale: Option<String>,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

/// Whether what is recalled counts as used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    Yes,
    No,
}

impl Corpus {
    /// Facts that answer, and facts that hang together with those. What is returned is noted in the access journal.
    pub fn recall(&self, request: &Request, touch: Touch) -> Result<Remembered, Error> {
        match self.recall_once(request, touch) {
            Err(Error::Index(error)) if error.is_outage() => self.recall_once(request, touch),
            came => came,
        }
    }

    fn recall_once(&self, request: &Request, touch: Touch) -> Result<Remembered, Error> {
        if !self.settings.enabled {
            return Err(Error::Disabled { agent: self.settings.agent.to_string() });
        }
        let mut request = request.clone();
        request.query = self.policy.question(&request.query).into_owned();
        plan(&request, self.clock.now(), clock::today(&*self.clock))?;
        let failed = self.resting();
        if let (Some(_), Some(other)) = (&failed, &self.other) {
            return other.recall(&request, touch);
        }
        let (mut degraded, mut failed) = (Vec::new(), failed.map(|failed| failed.reason));
        let ingested = ingest::run(self, Scope::All, Budget::Question { resting: failed.as_deref() })?;
        degraded.extend(ingested.unembedded);
        failed = ingested.provider_down.or(failed);
        let stale = ingested.stale;
        let viewer = Viewer { door: self.door, chat: request.chat, for_model: request.for_model };
        request.entities = self.names_in_force(&request.entities, viewer)?;
        let plan = plan(&request, self.clock.now(), clock::today(&*self.clock))?;
        let query = match self.question_vector(&plan.text, failed, &mut degraded)? {
            Asked::Vector(vector) => vector,
            Asked::Failed(_) => match &self.other {
                Some(other) => return other.recall(&request, touch),
                None => None,
            },
        };
        let answer = match self.remember(&plan, query.as_deref(), viewer) {
            Err(Error::Index(error)) if error.is_mended_by_rebuild() => {
                self.store.discard(&error, &*self.clock)?;
                ingest::run(self, Scope::All, Budget::Unlimited)?;
                self.remember(&plan, query.as_deref(), viewer)
            }
            other => other,
        }?;
        self.audit_shown(answer.recalled.iter().map(|one| &one.fact));
        let answer = self.label(answer)?;
        degraded.extend(self.closed_to(viewer));
        degraded.extend(self.store.instead().map(|outage| format!("index: {}", outage.words())));
        let mut notices = self.notices();
        if touch == Touch::Yes {
            notices.extend(self.note_use(&answer));
        }
        Ok(Remembered { plan, answer, degraded, stale, notices })
    }

    fn remember(&self, plan: &Plan, query: Option<&[f32]>, viewer: Viewer) -> Result<Answer, Error> {
        let view = self.view(viewer, Freshness::AsIndexed)?;
        let snapshot = view.snapshot_until(Instant::now() + self.settings.query.deadline)?;
        let uses = self.journal.uses()?;
        let mut shelves = self.warm.of(view.index(), snapshot.generation());
        let facts = Indexed {
            snapshot: &*snapshot,
            uses: &uses,
            space: self.space(),
            untrusted: plan.filter.untrusted,
            shelves: RefCell::new(&mut shelves),
        };
        let answer = answer(&facts, plan, query)?;
        shelves.trim();
        Ok(answer)
    }

    fn space(&self) -> Space {
        if self.is_embedded() { Space::Own } else { Space::Foreign }
    }

    /// A name that no fact has is ENOENTITY; an alias stands for the entity it means.
    fn names_in_force(&self, names: &[String], viewer: Viewer) -> Result<Vec<String>, Error> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let view = self.view(viewer, Freshness::AsIndexed)?;
        let snapshot = view.snapshot()?;
        names.iter().map(|name| Ok(crate::fact::find_entity(&*snapshot, name)?.name)).collect()
    }

    fn question_vector(
        &self,
        text: &str,
        failed: Option<String>,
        degraded: &mut Vec<String>,
    ) -> Result<Asked, Error> {
        match self.embedder.as_deref() {
            Some(embedder) => self.ask_vector(embedder, text, failed, degraded),
            None => Ok(Asked::Vector(None)),
        }
    }

    /// What nobody trusts comes in an envelope.
    fn label(&self, mut answer: Answer) -> Result<Answer, Error> {
        for one in answer.recalled.iter_mut().filter(|one| !one.fact.origin.is_trusted()) {
            one.fact.text = self.enveloped(&one.fact.text)?;
        }
        Ok(answer)
    }

    /// An answer is worth having even where its use cannot be noted, such as on a disk that is read-only. What nobody
    /// trusts gains nothing by being recalled; the use of private facts is not noted, because a journal in clear would
    /// tell of them.
    fn note_use(&self, answer: &Answer) -> Option<String> {
        let facts = answer.recalled.iter().map(|one| &one.fact);
        let noted = facts.filter(|fact| fact.origin.is_trusted() && !is_private(&fact.path));
        let ids: Vec<String> = noted.map(|fact| fact.id.clone()).collect();
        let noted = if ids.is_empty() { Ok(()) } else { self.touch(&ids) };
        noted.err().map(|error| format!("the use of these facts was not noted: {error}"))
    }
}
