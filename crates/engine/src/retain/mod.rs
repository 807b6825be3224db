//! Keeping a fact: one line of Markdown, on the disk before the answer, in the index right after it.
//!
//! Retaining processes take turns ([`turn`]). The line itself is appended, never written by reading and replacing the note;
//! only a keyed memory changes in its place.

pub(crate) mod duplicate;
mod entity;
mod error;
mod keyed;
mod refusal;
pub(crate) mod request;
mod turn;
mod weigh;
pub(crate) mod write;

use std::sync::atomic::Ordering;

use jiff::civil::Date;
use mindfile_index::{FactQuery, MOST_ENTITIES, Origin, Snapshot, single};
use mindfile_model::Role;
use mindfile_model::chat::ChatModel;
use mindfile_note::chunk;
use mindfile_note::fact::{self, Line, Name, Sensitivity};
use mindfile_note::hash::Digest;
use mindfile_note::text;

pub use duplicate::Duplicate;
pub use error::Error;
pub use request::{Request, TEXT_LIMIT};
pub use weigh::AskModel;

use crate::audit::{Act, Record, What};
use crate::clock;
use crate::corpus::Corpus;
use crate::durable;
use crate::fact::load::{self, Place};
use crate::fact::{Access, FACT_LIMIT, FactRecord, Uses};
use crate::fault::OutOfRange;
use crate::fit;
use crate::ingest::{self, Budget, Scope};
use crate::join_scoped;
use crate::origin::{BESIDE, Door, UNTRUSTED, check_place};
use crate::policy::Policy;
use crate::private::{self, KeyError, is_private};
use crate::reconcile::Recipe;
use crate::reconcile::{self, NOTE_LIMIT};
use crate::workspace::{NotePath, Workspace};

pub(crate) use entity::check as check_entity;

/// What a refusal calls it.
const FACT: &str = "the fact";
/// Stands where the text of a private fact would.
const VEIL: &str = "(private)";

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A new line, or a new value of a key.
    Written,
    /// A fact with this id is there already; nothing was written.
    Known,
    /// The key has this value already; its date was renewed.
    Confirmed,
    /// The key has a confirmed value; the new one waits for a confirmation.
    Proposed,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Retained {
    pub outcome: Outcome,
    pub fact: FactRecord,
    /// The value of the key that was replaced, or that a proposal would replace.
    pub before: Option<FactRecord>,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

/// What a request is carried out with.
struct Work<'a> {
    request: &'a Request,
    workspace: &'a Workspace,
    path: NotePath,
    today: Date,
    line: Line<'static>,
    /// Whose word it is.
    origin: Origin,
}

impl Corpus {
    /// Keeps a fact.
    pub fn retain(&self, request: &Request) -> Result<Retained, crate::Error> {
        self.retain_asking(request, None)
    }

    /// Keeps a fact; how much it matters is asked of a chat model, if there is one and the caller does not say. A model
    /// that is of no help leaves an estimate, which is said.
    pub fn retain_with(
        &self,
        request: &Request,
        model: Option<&dyn ChatModel>,
    ) -> Result<Retained, crate::Error> {
        match model {
            Some(model) => self.retain_asking(request, Some(&mut weigh::by(model))),
            None => self.retain(request),
        }
    }

    /// As [`Self::retain`]; a fact whose salience is not said is shown to a chat model, before anyone is kept waiting.
    pub fn retain_asking(
        &self,
        request: &Request,
        ask: Option<&mut AskModel<'_>>,
    ) -> Result<Retained, crate::Error> {
        self.retain_at(self.door, request, ask)
    }

    /// As [`Self::retain_asking`], for a text that comes through another door than the memory's own.
    pub(crate) fn retain_at(
        &self,
        door: Door,
        request: &Request,
        ask: Option<&mut AskModel<'_>>,
    ) -> Result<Retained, crate::Error> {
        request.check()?;
        if !self.settings.enabled {
            return Err(crate::Error::Disabled { agent: self.settings.agent.to_string() });
        }
        let workspace = self.workspace()?;
        let today = clock::today(&*self.clock);
        let origin = self.origin_of(door, &request.text)?;
        let path = self.target(&workspace, request, today, origin)?;
        check_place(origin, door, &path)?;
        self.ask_refusal_of(request)?;
        let is_private = is_private(path.as_str());
        let mut notices = if is_private { self.key_notice()? } else { Vec::new() };
        self.policy.admit(FACT, &request.text)?;
        // A model would be told what is to be kept from everyone.
        let ask = ask.filter(|_| !is_private);
        let (salience, notice) = weigh::salience(request, &self.policy.cover(&request.text), ask);
        let turn = self.take_turn()?;
        let index = self.index()?;
        let seen = if self.caught_up.load(Ordering::Relaxed) { Some(index.snapshot()?) } else { None };
        let later;
        let snapshot = match seen {
            Some(seen) if self.is_indexed(&workspace, &*seen, &path)? => seen,
            behind => {
                drop(behind);
                self.catch_up(&path)?;
                later = self.index()?;
                later.snapshot()?
            }
        };
        let with_private = is_private || self.viewer().sees_private_notes();
        let snapshot = if with_private { self.joined(snapshot)? } else { snapshot };
        if let Some(known) = self.known_by_id(request, &*snapshot)? {
            return Ok(self.veiled(known));
        }
        let line = self.draft(request, salience, &*snapshot, today)?;
        self.policy.admit(FACT, &fact::write(&line))?;
        let work = Work { request, workspace: &workspace, path, today, line, origin };
        let retained = match &request.key {
            None => self.retain_line(work, snapshot),
            Some(key) => self.retain_value(work, key, snapshot),
        };
        drop(turn);
        let mut retained = retained.map_err(|error| self.veiled_error(error))?;
        notices.extend(notice);
        notices.extend(self.notices());
        retained.notices.extend(notices);
        Ok(self.veiled(retained))
    }

    /// What a private fact says is told to its owner alone; who writes one through another door learns of no other.
    fn veiled(&self, mut retained: Retained) -> Retained {
        let hidden = |fact: &FactRecord| is_private(&fact.path) && !self.door.is_owner();
        if retained.outcome == Outcome::Known && hidden(&retained.fact) {
            VEIL.clone_into(&mut retained.fact.text);
        }
        retained.before = retained.before.filter(|before| !hidden(before));
        retained
    }

    fn veiled_error(&self, error: crate::Error) -> crate::Error {
        let mut error = error;
        if let crate::Error::Retain(Error::Duplicate { path, text, .. }) = &mut error
            && is_private(path)
            && !self.door.is_owner()
        {
            VEIL.clone_into(text);
        }
        error
    }

    pub(super) fn audit_retained(&self, id: &str, text: &str) {
        self.audit(&Record { act: Act::Retain, what: What::Fact, id: Some(id), text: Some(text) });
    }

    /// Today's note, or the file that is named. A folder of plain notes keeps them beside each other: a
    /// folder `memory` would make it a workspace of which they are no part.
    fn target(
        &self,
        workspace: &Workspace,
        request: &Request,
        today: Date,
        origin: Origin,
    ) -> Result<NotePath, crate::Error> {
        let file = request.file.as_deref();
        if request.sensitivity == Some(Sensitivity::High) {
            return self.private_target(workspace, file, today, origin);
        }
        let beside = file.is_none() && self.is_plain_folder() && !workspace.scan()?.files.is_empty();
        let folder = match (origin.is_trusted(), beside) {
            (true, true) => "",
            (true, false) => "memory/",
            (false, true) => BESIDE,
            (false, false) => UNTRUSTED,
        };
        let daily = format!("{folder}{today}.md");
        Ok(workspace.is_memory_path(file.unwrap_or(&daily))?)
    }

    /// What is most sensitive goes to a private note, and nowhere else.
    fn private_target(
        &self,
        workspace: &Workspace,
        file: Option<&str>,
        today: Date,
        origin: Origin,
    ) -> Result<NotePath, crate::Error> {
        if self.is_plain_folder() && !workspace.scan()?.files.is_empty() {
            return Err(KeyError::NoPlace.into());
        }
        let folder = if origin.is_trusted() { private::FOLDER } else { private::UNTRUSTED };
        let daily = format!("{}/{today}.md", folder.trim_end_matches('/'));
        let path = workspace.is_memory_path(file.unwrap_or(&daily))?;
        if is_private(path.as_str()) {
            return Ok(path);
        }
        let allowed = "below memory/private/ where the sensitivity is high";
        Err(OutOfRange { field: "file", value: path.to_string(), allowed }.into())
    }

    /// Whether the index fits and knows the note as it is now.
    fn is_indexed(
        &self,
        workspace: &Workspace,
        snapshot: &dyn Snapshot,
        path: &NotePath,
    ) -> Result<bool, crate::Error> {
        Ok(fit::fits(self, snapshot)? && reconcile::is_indexed(workspace, snapshot, path)?)
    }

    /// Lets the index know what others wrote: everything at first, afterwards the note that is written to.
    fn catch_up(&self, path: &NotePath) -> Result<(), crate::Error> {
        if self.caught_up.load(Ordering::Relaxed) {
            return ingest::run(self, Scope::Notes(std::slice::from_ref(path)), Budget::Unlimited).map(drop);
        }
        ingest::run(self, Scope::All, Budget::QUESTION)?;
        self.caught_up.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn known_by_id(
        &self,
        request: &Request,
        snapshot: &dyn Snapshot,
    ) -> Result<Option<Retained>, crate::Error> {
        let Some(id) = &request.id else { return Ok(None) };
        let docs = single::list(snapshot, FactQuery::Ids(&[id]))?;
        let known = load::records(snapshot, &docs, &*self.journal.uses()?)?.into_iter().next();
        Ok(known.map(|fact| Retained { outcome: Outcome::Known, fact, before: None, notices: Vec::new() }))
    }

    /// The line as the request and the memory make it, with its id.
    fn draft(
        &self,
        request: &Request,
        salience: f32,
        snapshot: &dyn Snapshot,
        today: Date,
    ) -> Result<Line<'static>, crate::Error> {
        let entities = entity::collect(&request.entities, &request.text, snapshot)?;
        let mut line = request.line(&entities, salience)?;
        if request.key.is_some() || request.ttl.is_some() || request.file.is_some() {
            line.set(Name::Seen, Some(&today.to_string()));
        }
        let id = match &request.id {
            Some(id) => id.clone(),
            None => self.new_id(&line, snapshot)?,
        };
        line.set_id(Some(&id));
        let bytes = fact::write(&line).len();
        if bytes > FACT_LIMIT {
            return Err(Error::TooLong { bytes, limit: FACT_LIMIT }.into());
        }
        Ok(line)
    }

    /// Short, of the line and the moment, and not in use.
    fn new_id(&self, line: &Line<'_>, snapshot: &dyn Snapshot) -> Result<String, crate::Error> {
        let said = format!("{} {} {}", line.derived_id(), self.clock.now(), durable::nonce());
        let whole = Line::new(line.kind(), [""], &Digest::of(said.as_bytes()).to_string());
        let whole = whole.map_or_else(|| line.derived_id(), |line| line.derived_id());
        for length in 6..whole.len() {
            if single::list(snapshot, FactQuery::Ids(&[&whole[..length]]))?.is_empty() {
                return Ok(whole[..length].to_owned());
            }
        }
        Ok(whole)
    }

    /// The snapshot is given up before anything is written: one that is held keeps the index from clearing its log.
    fn retain_line(
        &self,
        work: Work<'_>,
        snapshot: Box<dyn Snapshot + '_>,
    ) -> Result<Retained, crate::Error> {
        if !work.request.force
            && let Some(raised) = self.refuse_duplicate(&work, &*snapshot)?
        {
            self.audit_retained(&raised.fact.id, &raised.fact.text);
            return Ok(raised);
        }
        drop(snapshot);
        self.add_line(&work, Outcome::Written, None)
    }

    /// Appends the line. Its binding, the audit log and the index are brought up to date while the disk takes it; if the
    /// index cannot be, the fact is on the disk all the same, and the next sync finds it.
    fn add_line(
        &self,
        work: &Work<'_>,
        outcome: Outcome,
        before: Option<FactRecord>,
    ) -> Result<Retained, crate::Error> {
        // A text that looks like a fact line reads otherwise by itself than in the line that is written.
        let said = [work.line.text(), &fact::write(&work.line)];
        let owed = self.bind_ahead(work.origin, work.path.as_str(), &said)?;
        let (id, shown) = (work.line.id_or_derived(), self.policy.cover(work.line.text()));
        let (mut bound, mut looked) = (Ok(()), Ok(()));
        let mut logged = false;
        write::append(work.workspace, &work.path, &work.today.to_string(), &work.line, &mut || {
            let again = std::mem::replace(&mut logged, true);
            let log = || {
                if !again {
                    self.audit_retained(&id, &shown)
                }
            };
            let look = || self.look_at(work.workspace, &work.path);
            (bound, ((), looked)) = join_scoped(|| owed.settle(), || join_scoped(log, look));
        })?;
        bound?;
        let told = |error: crate::Error| format!("written, but not indexed yet: {error}");
        let mut notices: Vec<String> = looked.err().map(told).into_iter().collect();
        notices.extend(too_many(work.line.entities().count()));
        let fact = self.placed(work.workspace, &work.path, &id)?;
        Ok(Retained { outcome, fact, before, notices })
    }

    /// After [`Self::catch_up`], which saw that the index fits.
    fn look_at(&self, workspace: &Workspace, path: &NotePath) -> Result<(), crate::Error> {
        let (index, recipe) = (self.index()?, Recipe::of(self, false));
        reconcile::notes(workspace, &*index, &recipe, std::slice::from_ref(path)).map(drop)
    }

    fn bind_line(&self, work: &Work<'_>, path: &NotePath) -> Result<(), crate::Error> {
        self.bind_as(work.origin, path.as_str(), &[work.line.text(), &fact::write(&work.line)])
    }

    /// What is known already is an error. Something that nobody trusted and that the owner says now, too, becomes the
    /// owner's word, and is the answer.
    fn refuse_duplicate(
        &self,
        work: &Work<'_>,
        snapshot: &dyn Snapshot,
    ) -> Result<Option<Retained>, crate::Error> {
        let entities: Vec<String> = work.line.entities().map(str::to_owned).collect();
        let vector = self.vector_of(&work.line);
        let (text, today) = (&*self.policy.cover(work.line.text()), work.today);
        let new = duplicate::New { text, entities: &entities, vector: vector.as_deref(), today };
        let trusted = work.origin.is_trusted();
        match duplicate::find(snapshot, &new, trusted)? {
            None => Ok(None),
            Some(Duplicate { fact, exact: true })
                if work.origin == Origin::Owner && !fact.origin.is_trusted() =>
            {
                self.set_origin(&fact, work.origin)?;
                let fact = FactRecord { origin: work.origin, ..fact };
                let notices = vec![format!("what {} said is confirmed, and the owner's word now", fact.path)];
                Ok(Some(Retained { outcome: Outcome::Confirmed, fact, before: None, notices }))
            }
            Some(Duplicate { fact, exact }) => {
                let FactRecord { id, path, line, text, .. } = fact;
                Err(Error::Duplicate { id, path, line, text, exact }.into())
            }
        }
    }

    /// The meaning of a line, where it costs nothing to ask: a provider is not kept waiting for a comparison of words.
    fn vector_of(&self, line: &Line<'_>) -> Option<Vec<f32>> {
        let embedder = self.embedder.as_deref().filter(|_| self.is_embedded())?;
        let about: Vec<&str> = line.entities().collect();
        let text = format!("{}\n{}", about.join(" "), line.text());
        let vectors = embedder.embed(Role::Document, &[&text], None).ok()?;
        vectors.into_iter().flatten().next().map(mindfile_model::Vector::into_values)
    }

    /// A fact as it stands now: as the index says, which has just seen its note, else as the note does.
    pub(crate) fn placed(
        &self,
        workspace: &Workspace,
        path: &NotePath,
        id: &str,
    ) -> Result<FactRecord, crate::Error> {
        let index = self.index()?;
        let snapshot = index.snapshot()?;
        let here = |fact: &&FactRecord| fact.path == path.as_str();
        let docs = single::list(&*snapshot, FactQuery::Ids(&[id]))?;
        let known = load::records(&*snapshot, &docs, &Uses::new())?;
        match known.iter().filter(here).max_by_key(|fact| fact.line) {
            Some(fact) => Ok(fact.clone()),
            None => {
                let fact = read_back(workspace, path, id, &*snapshot, &self.policy)?;
                let origin = self.judge()?.line(path.as_str(), &fact.text);
                Ok(FactRecord { origin, ..fact })
            }
        }
    }
}

/// A fact as its note says it.
fn read_back(
    workspace: &Workspace,
    path: &NotePath,
    id: &str,
    snapshot: &dyn Snapshot,
    policy: &Policy,
) -> Result<FactRecord, crate::Error> {
    let read = workspace.read(path, NOTE_LIMIT)?;
    let raw = text::decode(&read.bytes);
    let decoded = policy.cover(&raw);
    let facts = chunk::facts(&decoded);
    let found = facts.iter().rev().find(|placed| placed.fact.id_or_derived() == id);
    let found = found.ok_or_else(|| crate::fact::Error::NoFact { id: id.to_owned() })?;
    let place = Place { path: path.as_str(), line: found.line };
    let mut names: Vec<String> = Vec::new();
    for tag in found.fact.entities() {
        let lower = tag.to_lowercase();
        let name = single::entity(snapshot, &lower)?.map_or(lower, |entity| entity.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(load::of_line(&found.fact, place, names, Access::default()))
}

fn too_many(entities: usize) -> Option<String> {
    let more = entities > MOST_ENTITIES;
    more.then(|| format!("it names {entities} entities; only the first {MOST_ENTITIES} are linked"))
}
