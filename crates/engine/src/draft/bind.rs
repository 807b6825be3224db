//! Binding what is about to be written to the door it came through, before it is written.

use std::collections::{BTreeMap, BTreeSet};

use mindfile_index::{Filter, Origin, QueryTerm, Shelf};
use mindfile_note::{text, words};
use mindfile_ranking::fact::FactRecord;
use mindfile_trust::heard::Voice;
use mindfile_trust::origin::{Binding, Force, Marks, UnsyncedBinding, said};
use mindfile_trust::place::{BESIDE, UNTRUSTED};
use mindfile_trust::speaker::Door;
use mindfile_workspace::NotePath;

use super::{Draft, heard, refuse_forgotten};
use crate::corpus::Corpus;
use crate::error::Denial;
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};

/// How many chunks are looked at for a line that somebody trusted wrote before.
const LOOKED_AT: usize = 8;

/// The origin of a text that is said at `door` inside this memory: never more than that of the door to it, and an agent
/// that repeats what nobody trusts does not make it its own word.
pub fn origin_of(corpus: &Corpus, door: Door, text: &str) -> Result<Origin, Error> {
    let origin = door.origin().min(corpus.door.origin());
    if origin == Origin::Owner {
        return Ok(origin);
    }
    heard::lowered(corpus, origin, text)
}

/// Binds the lines of a text to the door of this memory. To be called before the text is written to a note by another
/// program. An error if something of it was forgotten on request.
pub fn bind(corpus: &Corpus, path: &str, text: &str) -> Result<(), Error> {
    refuse_forgotten(corpus, text)?;
    let mut by_origin: BTreeMap<Origin, Vec<&str>> = BTreeMap::new();
    for line in text::lines(text) {
        by_origin.entry(origin_of(corpus, corpus.door, line)?).or_default().push(line);
    }
    let mut bound = by_origin.into_iter().map(|(origin, lines)| bind_ahead(corpus, origin, path, &lines));
    bound.try_for_each(|owed| settle(&owed?))
}

impl Draft<'_> {
    /// Binds the lines.
    pub(super) fn bind(&self) -> Result<(), Error> {
        self.bind_ahead()?.iter().try_for_each(settle)
    }

    /// The same; what is trusted is not waited for yet, so that the disk can take it together with the lines. Text that
    /// is not trusted never reaches a note before its binding is on the disk.
    pub(super) fn bind_ahead(&self) -> Result<Vec<UnsyncedBinding<'_>>, Error> {
        let mut by_origin: BTreeMap<Origin, Vec<&str>> = BTreeMap::new();
        for (line, origin) in &self.lines {
            by_origin.entry(*origin).or_default().push(line);
        }
        let bound = |(origin, lines): (Origin, Vec<&str>)| {
            bind_ahead(self.notes.corpus, origin, self.path.as_str(), &lines)
        };
        by_origin.into_iter().map(bound).collect()
    }
}

/// Waits until a binding is on the disk.
pub(super) fn settle(owed: &UnsyncedBinding<'_>) -> Result<(), Error> {
    Ok(owed.settle()?)
}

fn bind_ahead<'c>(
    corpus: &'c Corpus,
    origin: Origin,
    path: &str,
    lines: &[&str],
) -> Result<UnsyncedBinding<'c>, Error> {
    let key = corpus.key.key()?;
    let mut marks = Vec::new();
    let once: BTreeSet<String> = lines.iter().filter_map(|line| said(line)).collect();
    for said in &once {
        let found = Marks::of(key, path, said);
        marks.push(found.here);
        // What the owner wrote elsewhere stays trusted, whoever repeats it.
        if origin.is_trusted() || !is_trusted_elsewhere(corpus, path, said)? {
            marks.extend(found.anywhere);
        }
    }
    let binding = Binding { at_ms: corpus.clock.now().as_millisecond(), origin, door: corpus.door };
    let owed = corpus.origins.append_ahead(binding, Force::Adds, &marks)?;
    if !origin.is_trusted() {
        owed.settle()?;
        let once: Vec<&str> = once.iter().map(String::as_str).collect();
        corpus.heard.hear(key, Voice::Tool, &once)?;
    }
    Ok(owed)
}

fn is_trusted_elsewhere(corpus: &Corpus, path: &str, wanted: &str) -> Result<bool, Error> {
    let index = corpus.index()?;
    let snapshot = index.snapshot()?;
    let terms = QueryTerm::as_asked(&words::query(wanted).terms);
    let filter = Filter { trusted: true, ..Filter::default() };
    let hits = snapshot.lexical(Shelf::Chunks, &terms, &filter, LOOKED_AT)?.hits;
    let docs: Vec<_> = hits.iter().take(LOOKED_AT).map(|hit| hit.doc).collect();
    let chunks = snapshot.chunks(&docs)?;
    let says = |text: &str| text::lines(text).any(|line| said(line).as_deref() == Some(wanted));
    Ok(chunks.iter().any(|chunk| chunk.path != path && says(&chunk.text)))
}

/// A conversation that comes through this door is no more than the door is. Whether that is news.
pub fn bind_session(corpus: &Corpus, session: &str) -> Result<bool, Error> {
    let origin = corpus.door.origin();
    if origin >= Origin::Owner {
        return Ok(false);
    }
    let mark = Marks::session(corpus.key.key()?, session);
    if corpus.origins.bindings()?.get(&mark).is_some_and(|known| known.origin <= origin) {
        return Ok(false);
    }
    let binding = Binding { at_ms: corpus.clock.now().as_millisecond(), origin, door: corpus.door };
    corpus.origins.append(binding, Force::Decides, &[mark])?;
    Ok(true)
}

/// Binds what a fact says, wherever it stands, and lets the index see it.
pub fn set_origin(corpus: &Corpus, fact: &FactRecord, origin: Origin) -> Result<(), Error> {
    let Some(said) = said(&fact.text) else { return Ok(()) };
    let marks = Marks::of(corpus.key.key()?, &fact.path, &said);
    let marks: Vec<_> = [Some(marks.here), marks.anywhere].into_iter().flatten().collect();
    let binding = Binding { at_ms: corpus.clock.now().as_millisecond(), origin, door: corpus.door };
    corpus.origins.append(binding, Force::Decides, &marks)?;
    let path = corpus.workspace()?.is_memory_path(&fact.path)?;
    ingest::run(corpus, Scope::Rejudged(std::slice::from_ref(&path)), Budget::Unlimited).map(drop)
}

/// Where a door that nobody trusts may write: beside the owner's notes, never among them.
pub fn check_place(origin: Origin, door: Door, path: &NotePath) -> Result<(), Error> {
    let below = path.as_str().strip_prefix("memory/").is_some_and(|rest| rest.contains('/'));
    let apart = below || path.as_str().starts_with(BESIDE);
    if origin.is_trusted() || apart {
        return Ok(());
    }
    Err(Denial::NotTrusted { door, path: path.to_string(), folder: UNTRUSTED }.into())
}
