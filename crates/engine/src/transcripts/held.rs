//! Which conversations wait for their vectors. Words are found at once; a provider is asked only when a transcript has
//! grown enough and is quiet, or when the conversation is over, because every turn changes the last chunk of it.

use std::collections::{BTreeMap, HashSet};

use mindfile_index::{Doc, NoteQuery, Snapshot, Source};

use super::index::OWNER;
use crate::corpus::Corpus;
use crate::error::Error;

/// A transcript that did not change for so long is over.
const OVER_NS: i128 = 86_400_000_000_000;
/// How many chunks are looked at together.
const AT_ONCE: usize = 256;

/// What of a transcript has no vector.
#[derive(Default)]
struct Waiting {
    docs: Vec<Doc>,
    bytes: u64,
    messages: u64,
}

/// Chunks of conversations that are not embedded yet, because too little is new in them.
pub(crate) fn held_back(corpus: &Corpus, snapshot: &dyn Snapshot) -> Result<HashSet<Doc>, Error> {
    if snapshot.meta(OWNER)?.is_none() {
        return Ok(HashSet::new());
    }
    let mut waiting: BTreeMap<String, Waiting> = BTreeMap::new();
    for docs in snapshot.unembedded(usize::MAX >> 1)?.chunks(AT_ONCE) {
        for chunk in snapshot.chunks(docs)?.iter().filter(|chunk| chunk.source == Source::Sessions) {
            let one = waiting.entry(chunk.path.clone()).or_default();
            one.docs.push(chunk.doc);
            one.bytes += chunk.text.len() as u64;
            one.messages += u64::from(chunk.end_line - chunk.start_line) + 1;
        }
    }
    let paths: Vec<&str> = waiting.keys().map(String::as_str).collect();
    let notes = snapshot.notes(NoteQuery::At(&paths))?;
    let changed: BTreeMap<String, i64> =
        notes.into_iter().map(|note| (note.path, note.stat.mtime_ns)).collect();
    let mut held = HashSet::new();
    for (path, one) in waiting {
        if !is_due(corpus, &one, changed.get(&path).copied().unwrap_or(0)) {
            held.extend(one.docs);
        }
    }
    Ok(held)
}

fn is_due(corpus: &Corpus, waiting: &Waiting, changed_ns: i64) -> bool {
    let how = &corpus.settings.sessions;
    let age = corpus.clock.now().as_nanosecond() - i128::from(changed_ns);
    let quiet = age >= i128::try_from(how.debounce.as_nanos()).unwrap_or(i128::MAX);
    let enough = waiting.bytes >= how.delta_bytes || waiting.messages >= how.delta_messages;
    age >= OVER_NS || (quiet && enough)
}
