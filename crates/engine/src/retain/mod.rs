//! Keeping a fact: one line of Markdown, on the disk before the answer, in the index right after it.
//!
//! A request is admitted, then composed to a line, then written as a draft ([`crate::draft`]): each step needs what the one
//! before it gives. The line is appended, never written by reading and replacing the note; only a keyed memory changes in
//! its place.

pub(crate) mod duplicate;
mod entity;
mod keyed;
pub mod request;
mod rival;
mod weigh;

use std::sync::atomic::Ordering;

use jiff::civil::Date;
use mindfile_disk::durable;
use mindfile_disk::join_scoped;
use mindfile_fault::OutOfRange;
use mindfile_index::Access;
use mindfile_index::{FactQuery, MOST_ENTITIES, Origin, Snapshot, single};
use mindfile_model::Role;
use mindfile_model::chat::ChatModel;
use mindfile_note::chunk;
use mindfile_note::fact::{self, Line, Name, RETAIN, Sensitivity};
use mindfile_note::hash::Digest;
use mindfile_note::text;
use mindfile_ranking::fact::load::{self, LineRef};
use mindfile_ranking::fact::{FactRecord, Uses};
use mindfile_trust::audit::{Act, What};
use mindfile_trust::place::is_private;
use mindfile_trust::place::{BESIDE, UNTRUSTED};
use mindfile_trust::place::{PRIVATE, PRIVATE_UNTRUSTED};
use mindfile_trust::policy::Policy;
use mindfile_trust::vault::KeyError;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{NotePath, Workspace};

pub use crate::error::retain::Error;
pub use duplicate::Duplicate;
pub use request::{Request, TEXT_LIMIT};
pub use rival::Rivals;
pub use weigh::AskModel;

use crate::audit::Record;
use crate::clock;
use crate::corpus::Corpus;
use crate::draft::{self, Draft, Items, NewText, Notes};
use crate::fit;
use crate::ingest::{self, Budget, Scope};
use crate::reconcile;
use crate::reconcile::Recipe;
use crate::view::Freshness;
use crate::viewer::Viewer;

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
    pub rivals: Rivals,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

impl Retained {
    fn of(outcome: Outcome, fact: FactRecord, before: Option<FactRecord>) -> Self {
        Self { outcome, fact, before, rivals: Rivals::default(), notices: Vec::new() }
    }
}

/// A request that nothing speaks against, as far as that can be told before the index is asked.
struct Admitted<'a> {
    request: &'a Request,
    workspace: Workspace,
    path: NotePath,
    today: Date,
    /// Whose word it is.
    origin: Origin,
    viewer: Viewer,
    salience: f32,
    notices: Vec<String>,
}

/// A fact as it is going to be written.
struct NewFact<'a> {
    admitted: &'a Admitted<'a>,
    line: Line<'static>,
}

/// Keeps a fact; how much it matters is asked of a chat model, if there is one and the caller does not say. A model that
/// is of no help leaves an estimate, which is said.
pub fn retain(
    corpus: &Corpus,
    viewer: Viewer,
    request: &Request,
    model: Option<&dyn ChatModel>,
) -> Result<Retained, crate::Error> {
    match model {
        Some(model) => retain_for(corpus, viewer, request, Some(&mut weigh::by(model))),
        None => retain_for(corpus, viewer, request, None),
    }
}

/// The same with whoever is asked how much it matters, who is shown the text before anyone is kept waiting. The text
/// may come through another door than the memory's own.
pub(crate) fn retain_for(
    corpus: &Corpus,
    viewer: Viewer,
    request: &Request,
    ask: Option<&mut AskModel<'_>>,
) -> Result<Retained, crate::Error> {
    let admitted = admit(corpus, viewer, request, ask)?;
    let notes = Notes::with(corpus, admitted.workspace.clone())?;
    let retained = keep(&notes, &admitted);
    drop(notes);
    let mut retained = retained?;
    if retained.outcome != Outcome::Known {
        retained.notices.extend(admitted.notices);
        retained.notices.extend(corpus.notices());
    }
    veiled(corpus, viewer, retained)
}

fn admit<'a>(
    corpus: &Corpus,
    viewer: Viewer,
    request: &'a Request,
    ask: Option<&mut AskModel<'_>>,
) -> Result<Admitted<'a>, crate::Error> {
    request.check()?;
    corpus.check_on()?;
    corpus.settle_in()?;
    let workspace = corpus.workspace()?;
    let today = clock::today(&*corpus.clock);
    let origin = draft::origin_of(corpus, viewer.door, &request.text)?;
    let path = target(corpus, &workspace, request, today, origin)?;
    draft::check_place(origin, viewer.door, &path)?;
    for text in says(request) {
        draft::refuse_forgotten(corpus, &text)?;
    }
    let is_private = is_private(path.as_str());
    let notices = if is_private { draft::key_notice(corpus)? } else { Vec::new() };
    corpus.policy.admit(FACT, &request.text)?;
    // A model would be told what is to be kept from everyone.
    let ask = ask.filter(|_| !is_private);
    let (salience, notice) = weigh::salience(request, &corpus.policy.cover(&request.text), ask);
    let notices = notices.into_iter().chain(notice).collect();
    Ok(Admitted { request, workspace, path, today, origin, viewer, salience, notices })
}

/// What a request says: a value that is nothing by itself may have been forgotten as the value of its key.
fn says(request: &Request) -> Vec<String> {
    let keyed = request.key.as_ref().map(|key| format!("{key} {}", request.text));
    std::iter::once(request.text.clone()).chain(keyed).collect()
}

fn keep(notes: &Notes<'_>, admitted: &Admitted<'_>) -> Result<Retained, crate::Error> {
    let corpus = notes.corpus();
    let Admitted { request, path, .. } = admitted;
    look_before(corpus, notes.workspace(), path)?;
    let index = corpus.index()?;
    let view = corpus.view(admitted.viewer, Freshness::AsIndexed)?;
    let seen = view.snapshot()?;
    let all = index.snapshot()?;
    let is_sealed = is_private(path.as_str());
    // An id is one in the whole memory.
    let all = if is_sealed || admitted.viewer.sees_private_notes() { corpus.joined(all)? } else { all };
    if let Some(known) = known_by_id(corpus, request, &*all)? {
        return Ok(known);
    }
    let line = compose(corpus, admitted, &*seen, &*all)?;
    let new = NewFact { admitted, line };
    match &request.key {
        // A key has one value among private notes, too, whoever writes it.
        Some(key) if is_sealed && admitted.viewer.chat.is_private() => {
            drop(seen);
            let asked = new.line.clone();
            let retained = keyed::retain_value(notes, new, key, all)?;
            let sees = admitted.viewer.sees_private_notes();
            Ok(if sees { retained } else { as_asked(&asked, path) })
        }
        Some(key) => {
            drop(all);
            keyed::retain_value(notes, new, key, seen)
        }
        None => {
            drop(all);
            retain_line(notes, &new, seen)
        }
    }
}

/// Whoever may not see the value of a key is not told whether it was the same, another, or none.
fn as_asked(line: &Line<'_>, path: &NotePath) -> Retained {
    let names = line.entities().map(str::to_lowercase).collect();
    let place = LineRef { path: path.as_str(), line: 0 };
    let fact = load::of_line(line, place, names, Access::default());
    Retained::of(Outcome::Written, fact, None)
}

/// Of a fact that the writer may not see no more is told than that there is one with this id or this value.
fn veiled(corpus: &Corpus, viewer: Viewer, mut retained: Retained) -> Result<Retained, crate::Error> {
    let audience = corpus.audience(viewer)?;
    let is_found = matches!(retained.outcome, Outcome::Known | Outcome::Confirmed);
    if is_found && !audience.sees(&retained.fact.path) {
        let fact = &mut retained.fact;
        VEIL.clone_into(&mut fact.text);
        fact.entities.clear();
        fact.spelled.clear();
        fact.key = None;
        fact.source = None;
    }
    retained.before = retained.before.filter(|before| audience.sees(&before.path));
    Ok(retained)
}

fn audit_retained(corpus: &Corpus, id: &str, text: &str) {
    corpus.audit(&Record { act: Act::Retain, what: What::Fact, id: Some(id), text: Some(text) });
}

/// Today's note, or the file that is named. A folder of plain notes keeps them beside each other: a
/// folder `memory` would make it a workspace of which they are no part.
fn target(
    corpus: &Corpus,
    workspace: &Workspace,
    request: &Request,
    today: Date,
    origin: Origin,
) -> Result<NotePath, crate::Error> {
    let file = request.file.as_deref();
    if request.sensitivity == Some(Sensitivity::High) {
        return private_target(corpus, workspace, file, today, origin);
    }
    let beside = file.is_none() && corpus.is_plain_folder() && !workspace.scan()?.files.is_empty();
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
    corpus: &Corpus,
    workspace: &Workspace,
    file: Option<&str>,
    today: Date,
    origin: Origin,
) -> Result<NotePath, crate::Error> {
    if corpus.is_plain_folder() && !workspace.scan()?.files.is_empty() {
        return Err(KeyError::NoPlace.into());
    }
    let folder = if origin.is_trusted() { PRIVATE } else { PRIVATE_UNTRUSTED };
    let daily = format!("{}/{today}.md", folder.trim_end_matches('/'));
    let path = workspace.is_memory_path(file.unwrap_or(&daily))?;
    if is_private(path.as_str()) {
        return Ok(path);
    }
    let allowed = "below memory/private/ where the sensitivity is high";
    Err(OutOfRange { field: "file", value: path.to_string(), allowed }.into())
}

/// Lets the index know what others wrote: everything at first, afterwards the note that is written to.
fn look_before(corpus: &Corpus, workspace: &Workspace, path: &NotePath) -> Result<(), crate::Error> {
    if !corpus.space().tails.caught_up.load(Ordering::Relaxed) {
        ingest::run(corpus, Scope::All, Budget::Question)?;
        corpus.space().tails.caught_up.store(true, Ordering::Relaxed);
        return Ok(());
    }
    let index = corpus.index()?;
    let snapshot = index.snapshot()?;
    if fit::fits(corpus, &*snapshot)?
        && reconcile::is_indexed(workspace, &*snapshot, path, &corpus.space().tails)?
    {
        return Ok(());
    }
    drop(snapshot);
    ingest::run(corpus, Scope::Notes(std::slice::from_ref(path)), Budget::Unlimited).map(drop)
}

fn known_by_id(
    corpus: &Corpus,
    request: &Request,
    snapshot: &dyn Snapshot,
) -> Result<Option<Retained>, crate::Error> {
    let Some(id) = &request.id else { return Ok(None) };
    let docs = single::list(snapshot, FactQuery::Ids(&[id]))?;
    let known = load::records(snapshot, &docs, &*corpus.journal.uses()?)?.into_iter().next();
    Ok(known.map(|fact| Retained::of(Outcome::Known, fact, None)))
}

/// The line as the request and the memory make it, with its id.
fn compose(
    corpus: &Corpus,
    admitted: &Admitted<'_>,
    seen: &dyn Snapshot,
    all: &dyn Snapshot,
) -> Result<Line<'static>, crate::Error> {
    let Admitted { request, today, salience, .. } = admitted;
    let entities = entity::collect(&request.entities, &request.text, seen)?;
    let mut line = request.line(&entities, *salience)?;
    if request.key.is_some() || request.ttl.is_some() || request.file.is_some() {
        line.set(Name::Seen, Some(&today.to_string()));
    }
    let id = match &request.id {
        Some(id) => id.clone(),
        None => new_id(corpus, &line, all)?,
    };
    line.set_id(Some(&id));
    let written = fact::write(&line);
    if written.len() > fact::LONGEST {
        return Err(Error::TooLong { bytes: written.len(), limit: fact::LONGEST }.into());
    }
    corpus.policy.admit(FACT, &written)?;
    Ok(line)
}

/// Short, of the line and the moment, and not in use.
fn new_id(corpus: &Corpus, line: &Line<'_>, snapshot: &dyn Snapshot) -> Result<String, crate::Error> {
    let said = format!("{} {} {}", line.derived_id(), corpus.clock.now(), durable::nonce());
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
    notes: &Notes<'_>,
    new: &NewFact<'_>,
    snapshot: Box<dyn Snapshot + '_>,
) -> Result<Retained, crate::Error> {
    if !new.admitted.request.force
        && let Some(raised) = refuse_duplicate(notes.corpus(), new, &*snapshot)?
    {
        audit_retained(notes.corpus(), &raised.fact.id, &raised.fact.text);
        return Ok(raised);
    }
    let rivals = rival::find(new, &*snapshot)?;
    drop(snapshot);
    Ok(rival::mark(notes, add_line(notes, new, Outcome::Written, None)?, rivals))
}

/// Appends the line. Its binding, the audit log and the index are brought up to date while the disk takes it; if the
/// index cannot be, the fact is on the disk all the same, and the next sync finds it.
fn add_line(
    notes: &Notes<'_>,
    new: &NewFact<'_>,
    outcome: Outcome,
    before: Option<FactRecord>,
) -> Result<Retained, crate::Error> {
    let corpus = notes.corpus();
    let (path, title) = (&new.admitted.path, new.admitted.today.to_string());
    let (id, shown) = (new.line.id_or_derived(), corpus.policy.cover(new.line.text()));
    let mut looked = Ok(());
    let mut logged = false;
    let written = fact::write(&new.line);
    let items = Items { text: &written, heading: RETAIN, title: &title };
    new.draft(notes, path)?.append(&items, &mut || {
        let again = std::mem::replace(&mut logged, true);
        let log = || {
            if !again {
                audit_retained(corpus, &id, &shown)
            }
        };
        ((), looked) = join_scoped(log, || look_at(corpus, notes.workspace(), path));
    })?;
    let told = |error: crate::Error| format!("written, but not indexed yet: {error}");
    let mut notices: Vec<String> = looked.err().map(told).into_iter().collect();
    notices.extend(too_many(new.line.entities().count()));
    let fact = placed(corpus, notes.workspace(), path, &id)?;
    Ok(Retained { notices, ..Retained::of(outcome, fact, before) })
}

/// After [`look_before`], which saw that the index fits.
fn look_at(corpus: &Corpus, workspace: &Workspace, path: &NotePath) -> Result<(), crate::Error> {
    let (index, recipe) = (corpus.index()?, Recipe::of(corpus, false));
    reconcile::notes(workspace, &*index, &recipe, std::slice::from_ref(path)).map(drop)
}

impl NewFact<'_> {
    /// The line, ready to be written to a note.
    fn draft<'n>(&self, notes: &'n Notes<'n>, path: &NotePath) -> Result<Draft<'n>, crate::Error> {
        let says = says(self.admitted.request);
        let says: Vec<&str> = says.iter().map(String::as_str).collect();
        // A text that looks like a fact line reads otherwise by itself than in the line that is written.
        let written = fact::write(&self.line);
        let lines = [(self.line.text(), self.admitted.origin), (written.as_str(), self.admitted.origin)];
        notes
            .draft(path, &NewText { what: FACT, door: self.admitted.viewer.door, says: &says, lines: &lines })
    }
}

/// What is known already is an error. Something that nobody trusted and that the owner says now, too, becomes the
/// owner's word, and is the answer.
fn refuse_duplicate(
    corpus: &Corpus,
    new: &NewFact<'_>,
    snapshot: &dyn Snapshot,
) -> Result<Option<Retained>, crate::Error> {
    let origin = new.admitted.origin;
    let entities: Vec<String> = new.line.entities().map(str::to_owned).collect();
    let vector = vector_of(corpus, &new.line);
    let text = &*corpus.policy.cover(new.line.text());
    let today = new.admitted.today;
    let compared = duplicate::NewStatement { text, entities: &entities, vector: vector.as_deref(), today };
    match duplicate::find(snapshot, &compared, origin.is_trusted())? {
        None => Ok(None),
        Some(Duplicate { fact, exact: true }) if origin == Origin::Owner && !fact.origin.is_trusted() => {
            draft::set_origin(corpus, &fact, origin)?;
            let fact = FactRecord { origin, ..fact };
            let notices = vec![format!("what {} said is confirmed, and the owner's word now", fact.path)];
            Ok(Some(Retained { notices, ..Retained::of(Outcome::Confirmed, fact, None) }))
        }
        Some(Duplicate { fact, exact }) => {
            let FactRecord { id, path, line, text, .. } = fact;
            Err(Error::Duplicate { id, path, line, text, exact }.into())
        }
    }
}

/// The meaning of a line, where it costs nothing to ask: a provider is not kept waiting for a comparison of words.
fn vector_of(corpus: &Corpus, line: &Line<'_>) -> Option<Vec<f32>> {
    let embedder = corpus.space().embedder.as_deref().filter(|_| corpus.is_embedded())?;
    let about: Vec<&str> = line.entities().collect();
    let text = format!("{}\n{}", about.join(" "), line.text());
    let vectors = embedder.embed(Role::Document, &[&text], None).ok()?;
    vectors.into_iter().flatten().next().map(mindfile_model::Vector::into_values)
}

/// A fact as it stands now: as the index says, which has just seen its note, else as the note does.
pub(crate) fn placed(
    corpus: &Corpus,
    workspace: &Workspace,
    path: &NotePath,
    id: &str,
) -> Result<FactRecord, crate::Error> {
    let index = corpus.index()?;
    let snapshot = index.snapshot()?;
    let here = |fact: &&FactRecord| fact.path == path.as_str();
    let docs = single::list(&*snapshot, FactQuery::Ids(&[id]))?;
    let known = load::records(&*snapshot, &docs, &Uses::new())?;
    match known.iter().filter(here).max_by_key(|fact| fact.line) {
        Some(fact) => Ok(fact.clone()),
        None => {
            let fact = read_back(workspace, path, id, &*snapshot, &corpus.policy)?;
            let origin = corpus.judge()?.line(path.as_str(), &fact.text);
            Ok(FactRecord { origin, ..fact })
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
    // It was written a moment ago: whoever saved an older copy since has taken it away.
    let found = found.ok_or_else(|| mindfile_workspace::Error::Overwritten { path: path.clone() })?;
    let place = LineRef { path: path.as_str(), line: found.line };
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
