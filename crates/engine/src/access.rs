//! The access journal: which facts were recalled, and what models were given, with when. It cannot be made again from the
//! notes, so it lives in a text file of its own beside the index, and the index only mirrors it.
//!
//! One JSON object a line: `{"at":MILLISECONDS,"ids":["k3f9a2"]}` is one recall, `{"id":"k3f9a2","count":3,"at":…}` a
//! sum of many, `{"at":…,"by":"prompt-submit","door":"hook","session":"s1","given":[["memory/x.md#L3",12,"k3f9a2"]]}` what
//! a model was given at one time: places with their tokens, and never a text.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use mindfile_disk::log::{CompactionDue, Log, Sync, Tail};
use mindfile_index::Access;
use mindfile_model::count;
use mindfile_ranking::fact::{FactRecord, Uses};
use mindfile_workspace::transcripts::id_of;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Sums that are kept; those used longest ago go first.
const MOST_FACTS: usize = 100_000;
/// How often it is known what models were given; the oldest go first.
const MOST_GIVEN: usize = 2_000;

/// How often each fact was given unasked since it was last recalled.
pub type Idle = HashMap<String, u32>;

/// What a model was given at one time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Giving {
    pub at: i64,
    /// The event of a host, the tool or the operation by which.
    pub by: String,
    pub door: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    pub given: Vec<GivenPlace>,
}

/// A place in a note or a conversation that a model was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenPlace", into = "WrittenPlace")]
pub struct GivenPlace {
    pub citation: String,
    /// An estimate: four letters are one.
    pub tokens: u64,
    /// The fact that stands there.
    pub fact: Option<String>,
}

impl GivenPlace {
    /// Lines of a note or of a conversation, and what a model was told of them.
    pub fn lines(path: &str, first: u32, last: u32, text: &str) -> Self {
        let range = if first == last { String::new() } else { format!("-L{last}") };
        Self { citation: format!("{path}#L{first}{range}"), tokens: count::estimate(text) as u64, fact: None }
    }

    /// The same of which a model was told this instead.
    #[must_use]
    pub fn told(self, text: &str) -> Self {
        Self { tokens: count::estimate(text) as u64, ..self }
    }

    pub fn fact(fact: &FactRecord, text: &str) -> Self {
        Self { fact: Some(fact.id.clone()), ..Self::lines(&fact.path, fact.line, fact.line, text) }
    }

    /// The note, or the conversation, as it is cited.
    pub fn path(&self) -> &str {
        self.citation.split_once("#L").map_or(&*self.citation, |(path, _)| path)
    }
}

/// As it is written.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenPlace {
    Fact(String, u64, String),
    Lines(String, u64),
}

impl From<WrittenPlace> for GivenPlace {
    fn from(place: WrittenPlace) -> Self {
        match place {
            WrittenPlace::Fact(citation, tokens, fact) => Self { citation, tokens, fact: Some(fact) },
            WrittenPlace::Lines(citation, tokens) => Self { citation, tokens, fact: None },
        }
    }
}

impl From<GivenPlace> for WrittenPlace {
    fn from(GivenPlace { citation, tokens, fact }: GivenPlace) -> Self {
        match fact {
            Some(fact) => Self::Fact(citation, tokens, fact),
            None => Self::Lines(citation, tokens),
        }
    }
}

impl Giving {
    /// What begins a conversation is given unasked; everything else answers somebody.
    pub fn is_unasked(&self) -> bool {
        UNASKED.contains(&self.by.as_str())
    }
}

/// What is given at the beginning of a conversation, whatever it will be about.
pub const CONTEXT: &str = "context";
const UNASKED: [&str; 2] = [CONTEXT, "session-start"];

/// What goes from the journal.
#[derive(Debug, Clone, Default)]
pub struct Removal<'a> {
    pub facts: Option<&'a BTreeSet<String>>,
    /// Notes of which something goes: what their lines say changes with it.
    pub notes: Option<&'a BTreeSet<String>>,
    /// Conversations of which something goes.
    pub sessions: BTreeSet<&'a str>,
}

impl Removal<'_> {
    fn takes_fact(&self, id: &str) -> bool {
        self.facts.is_some_and(|facts| facts.contains(id))
    }

    fn takes(&self, place: &GivenPlace) -> bool {
        let path = place.path();
        place.fact.as_deref().is_some_and(|id| self.takes_fact(id))
            || self.notes.is_some_and(|notes| notes.contains(path))
            || id_of(path).is_some_and(|session| self.sessions.contains(session))
    }

    /// What stays of a giving.
    fn of(&self, mut giving: Giving) -> Option<Giving> {
        giving.given.retain(|place| !self.takes(place));
        let stays = giving.session.as_deref().is_none_or(|session| !self.sessions.contains(session));
        (stays && !giving.given.is_empty()).then_some(giving)
    }
}

pub struct Journal {
    log: Log,
    known: Mutex<JournalState>,
}

/// What was read so far.
#[derive(Default)]
struct JournalState {
    tail: Option<Tail>,
    known: Known,
}

/// What the lines add up to.
#[derive(Default)]
struct Known {
    uses: Arc<Uses>,
    idle: Arc<Idle>,
    given: Vec<Giving>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum JournalLine {
    Given(Giving),
    Recall {
        at: i64,
        ids: Vec<String>,
    },
    Sum {
        id: String,
        count: u32,
        at: Option<i64>,
        #[serde(default, skip_serializing_if = "is_zero")]
        idle: u32,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Journal {
    pub fn new(path: &Path) -> Self {
        Self { log: Log::new(path, "access"), known: Mutex::default() }
    }

    pub fn path(&self) -> &Path {
        self.log.path()
    }

    /// Notes that facts were recalled.
    pub fn append(&self, ids: &[String], now_ms: i64) -> Result<(), Error> {
        if ids.is_empty() {
            return Ok(());
        }
        self.add(&JournalLine::Recall { at: now_ms, ids: ids.to_vec() })
    }

    /// Notes what a model was given. What a conversation has been given already, and nothing else since by the same means, is
    /// no news: a context is sent with each turn.
    pub fn append_given(&self, giving: Giving) -> Result<(), Error> {
        let is_same = |known: &&Giving| known.session == giving.session && known.by == giving.by;
        let is_known = |known: &Known| {
            let last = known.given.iter().rev().find(is_same);
            last.is_some_and(|last| last.session.is_some() && last.given == giving.given)
        };
        if giving.given.is_empty() || self.read(is_known)? {
            return Ok(());
        }
        self.add(&JournalLine::Given(giving))
    }

    fn add(&self, entry: &JournalLine) -> Result<(), Error> {
        let line = line(entry).map_err(|source| self.error(source))?;
        match self.log.append(&line, Sync::No)? {
            CompactionDue::Yes => self.compact(),
            CompactionDue::No => Ok(()),
        }
    }

    /// How often each fact was recalled, and when last.
    pub fn uses(&self) -> Result<Arc<Uses>, Error> {
        self.read(|known| Arc::clone(&known.uses))
    }

    /// How often each fact was given unasked since it was last recalled.
    pub fn idle(&self) -> Result<Arc<Idle>, Error> {
        self.read(|known| Arc::clone(&known.idle))
    }

    /// What models were given, the oldest first.
    pub fn given(&self) -> Result<Vec<Giving>, Error> {
        self.read(|known| known.given.clone())
    }

    fn read<T>(&self, part: impl FnOnce(&Known) -> T) -> Result<T, Error> {
        let mut state = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let more = self.log.read_new(&mut state.tail)?;
        if more.afresh {
            state.known = Known::default();
        }
        if !more.bytes.is_empty() {
            state.known.take(&more.bytes);
        }
        Ok(part(&state.known))
    }

    /// Rewrites the journal as one sum a fact, and what was given lately.
    pub fn compact(&self) -> Result<(), Error> {
        self.remove(&Removal::default()).map(drop)
    }

    /// Forgets the use of facts, and what was given of them, of notes and in a session. Returns how many facts were known.
    pub fn remove(&self, gone: &Removal<'_>) -> Result<usize, Error> {
        let removed = self.log.rewrite(|bytes| {
            let mut known = Known::default();
            known.take(bytes);
            let removed = known.uses.keys().filter(|id| gone.takes_fact(id)).count();
            Ok((written(known, gone)?, removed))
        });
        Ok(removed?.unwrap_or(0))
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Io { path: self.log.path().to_owned(), source }
    }
}

impl Known {
    /// Adds entries up. A line that cannot be read is what a full disk or a power cut left of one.
    fn take(&mut self, bytes: &[u8]) {
        let (uses, idle) = (Arc::make_mut(&mut self.uses), Arc::make_mut(&mut self.idle));
        for line in bytes.split(|byte| *byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(JournalLine::Recall { at, ids }) => {
                    for id in ids {
                        idle.remove(&id);
                        add(uses, id, 1, Some(at));
                    }
                }
                Ok(JournalLine::Sum { id, count, at, idle: times }) => {
                    idle.remove(&id);
                    if times > 0 {
                        idle.insert(id.clone(), times);
                    }
                    if count > 0 {
                        add(uses, id, count, at);
                    }
                }
                Ok(JournalLine::Given(giving)) => {
                    let ids = giving.given.iter().filter_map(|place| place.fact.clone());
                    ids.filter(|_| giving.is_unasked()).for_each(|id| *idle.entry(id).or_default() += 1);
                    self.given.push(giving);
                }
                Err(_) => {}
            }
        }
    }
}

fn add(uses: &mut Uses, id: String, count: u32, at: Option<i64>) {
    let access = uses.entry(id).or_default();
    access.count = access.count.saturating_add(count);
    access.last_ms = access.last_ms.max(at);
}

/// What was given stands first: the sums after it hold.
fn written(known: Known, gone: &Removal<'_>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    let old = known.given.len().saturating_sub(MOST_GIVEN);
    for giving in known.given.iter().skip(old).cloned().filter_map(|giving| gone.of(giving)) {
        body.extend(line(&JournalLine::Given(giving))?);
    }
    let unused = known.idle.keys().filter(|id| !known.uses.contains_key(*id));
    let mut sums: Vec<(&String, Access)> = known.uses.iter().map(|(id, access)| (id, *access)).collect();
    sums.extend(unused.map(|id| (id, Access::default())));
    sums.retain(|(id, _)| !gone.takes_fact(id));
    sums.sort_by(|a, b| b.1.last_ms.cmp(&a.1.last_ms).then_with(|| a.0.cmp(b.0)));
    sums.truncate(MOST_FACTS);
    for (id, access) in sums {
        let idle = known.idle.get(id).copied().unwrap_or_default();
        let sum = JournalLine::Sum { id: id.clone(), count: access.count, at: access.last_ms, idle };
        body.extend(line(&sum)?);
    }
    Ok(body)
}

fn line(entry: &JournalLine) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(entry)?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn giving(by: &str, session: &str, facts: &[&str]) -> Giving {
        let place = |id: &&str| GivenPlace {
            citation: format!("memory/{id}.md#L3"),
            tokens: 12,
            fact: Some((*id).to_owned()),
        };
        let (by, door, session) = (by.to_owned(), "hook".to_owned(), Some(session.to_owned()));
        Giving { at: 7, by, door, session, given: facts.iter().map(place).collect() }
    }

    fn idle(journal: &Journal) -> Vec<(String, u32)> {
        let mut idle: Vec<(String, u32)> =
            journal.idle().unwrap().iter().map(|(id, n)| (id.clone(), *n)).collect();
        idle.sort();
        idle
    }

    #[test]
    fn a_recall_ends_idleness_and_compacting_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("access.jsonl");
        let journal = Journal::new(&path);
        journal.append_given(giving("session-start", "s1", &["a", "b"])).unwrap();
        journal.append_given(giving("context", "s2", &["a", "c"])).unwrap();
        journal.append_given(giving("prompt-submit", "s2", &["c"])).unwrap();
        journal.append(&["b".to_owned()], 9).unwrap();
        for _ in 0..3 {
            assert_eq!(idle(&journal), [("a".to_owned(), 2), ("c".to_owned(), 1)]);
            assert_eq!(idle(&Journal::new(&path)), idle(&journal));
            assert_eq!((journal.given().unwrap().len(), journal.uses().unwrap().len()), (3, 1));
            journal.compact().unwrap();
        }
    }

    #[test]
    fn what_a_conversation_was_given_already_is_noted_once() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::new(&folder.path().join("access.jsonl"));
        for facts in [&["a"][..], &["a"], &["a", "b"], &["a"], &[]] {
            journal.append_given(giving("context", "s1", facts)).unwrap();
        }
        journal.append_given(giving("context", "s2", &["a"])).unwrap();
        let given: Vec<usize> = journal.given().unwrap().iter().map(|giving| giving.given.len()).collect();
        assert_eq!(given, [1, 2, 1, 1]);
    }

    #[test]
    fn what_is_forgotten_leaves_what_was_given() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::new(&folder.path().join("access.jsonl"));
        let kept = || -> Vec<(Option<String>, Vec<String>)> {
            let facts =
                |giving: &Giving| giving.given.iter().filter_map(|place| place.fact.clone()).collect();
            journal.given().unwrap().iter().map(|giving| (giving.session.clone(), facts(giving))).collect()
        };
        journal.append_given(giving("context", "s1", &["a", "b", "c"])).unwrap();
        journal.append_given(giving("context", "s2", &["a"])).unwrap();
        let (facts, notes) = (BTreeSet::from(["a".to_owned()]), BTreeSet::from(["memory/b.md".to_owned()]));
        journal.remove(&Removal { facts: Some(&facts), notes: Some(&notes), ..Removal::default() }).unwrap();
        assert_eq!(kept(), [(Some("s1".to_owned()), vec!["c".to_owned()])]);
        journal.remove(&Removal { sessions: BTreeSet::from(["s1"]), ..Removal::default() }).unwrap();
        assert_eq!(kept(), []);
    }
}
