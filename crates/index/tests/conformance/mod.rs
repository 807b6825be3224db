//! The contract as checks that any backend can be put to, also one of another crate: whatever is applied, it answers as
//! the reference does. A check that fails panics and names what differed.
//!
//! A backend's test calls [`all`] with a function that makes an empty index, and says in [`Allowances`] where it may
//! differ.
#![expect(clippy::unwrap_used, reason = "a check that cannot go on must stop")]

mod answers;
pub mod notes;
mod steps;

use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use crate::{
    Batch, CENSUS, CacheKey, Change, Embedding, Error, FORGOTTEN, FactQuery, Filter, Index, NoteQuery,
    QueryTerm, ReferenceIndex, Shelf, Snapshot, Source,
};
pub use answers::{Associations, associations, found, located, places};
use mindfile_note::hash::Digest;
use notes::{DIMS, note, put};
pub use steps::{Step, apply, changes, follow, step};

/// Where a backend's answers may differ from the reference's. The default allows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allowances {
    /// ChunkTerms are ranked by the engine's own formula: the same rows are found, with other scores.
    pub word_scores: bool,
}

/// Makes an empty index, another one with each call.
pub type Fresh<'a> = dyn Fn() -> Box<dyn Index> + 'a;

/// Every check, with so many random sequences of changes.
pub fn all(fresh: &Fresh<'_>, allowed: Allowances, sequences: u32) {
    answers_are_those_of_the_reference(fresh, allowed, sequences);
    facts_after_edits_are_those_of_a_rebuild(fresh, sequences);
    a_batch_is_applied_whole_or_not_at_all(fresh);
    a_snapshot_does_not_see_later_batches(fresh);
    a_batch_for_another_generation_does_nothing(fresh);
    what_was_read_before_something_was_forgotten_is_refused(fresh);
    what_is_forgotten_is_not_answered(fresh);
    a_transcript_leaves_the_census_as_it_is(fresh);
    the_cache_keeps_the_most_recent(fresh);
}

/// Runs a check on random input; what failed is made as small as it can be.
pub fn on_any<S: Strategy>(sequences: u32, input: &S, check: impl Fn(S::Value) -> Result<(), TestCaseError>)
where
    S::Value: Debug,
{
    let config = ProptestConfig {
        cases: sequences,
        failure_persistence: None,
        max_shrink_iters: 64,
        ..ProptestConfig::default()
    };
    if let Err(failed) = TestRunner::new(config).run(input, check) {
        panic!("{failed}");
    }
}

pub fn answers_are_those_of_the_reference(fresh: &Fresh<'_>, allowed: Allowances, sequences: u32) {
    on_any(sequences, &prop::collection::vec(step(), 1..14), |steps| {
        let index = fresh();
        let reference = ReferenceIndex::default();
        for step in &steps {
            apply(&*index, step);
            apply(&reference, step);
            let expected = answers::answers(&*reference.snapshot().unwrap(), allowed);
            prop_assert_eq!(answers::answers(&*index.snapshot().unwrap(), allowed), expected);
        }
        Ok(())
    });
}

pub fn facts_after_edits_are_those_of_a_rebuild(fresh: &Fresh<'_>, sequences: u32) {
    on_any(sequences, &prop::collection::vec(step(), 1..24), |steps| {
        let followed = fresh();
        let rebuilt = fresh();
        let reference = ReferenceIndex::default();
        let batch = Batch { changes: follow_all(&*followed, &steps), ..Batch::default() };
        rebuilt.apply(&batch).unwrap();
        reference.apply(&batch).unwrap();
        let expected = associations(&*reference.snapshot().unwrap());
        prop_assert_eq!(&associations(&*followed.snapshot().unwrap()), &expected);
        prop_assert_eq!(&associations(&*rebuilt.snapshot().unwrap()), &expected);
        Ok(())
    });
}

/// Applies the steps; returns the notes as they are then.
pub fn follow_all(index: &dyn Index, steps: &[Step]) -> Vec<Change> {
    let mut notes = BTreeMap::new();
    for step in steps {
        let changes = changes(step, &*index.snapshot().unwrap());
        changes.into_iter().for_each(|change| follow(&mut notes, change));
        apply(index, step);
    }
    notes.into_values().map(Change::Put).collect()
}

/// With vectors of the wrong size as the thing that goes wrong in the middle.
pub fn a_batch_is_applied_whole_or_not_at_all(fresh: &Fresh<'_>) {
    let index = fresh();
    put_one(&*index, put("a.md", &["coffee"])).unwrap();
    let before = index.snapshot().unwrap().generation();
    let mut wrong = note("b.md", &["walk".to_owned()], true);
    wrong.chunks[0].embedding = Embedding::Vector(vec![1.0, 0.0]);
    let changes = vec![put("c.md", &["dog"]), Change::Put(wrong)];
    let error = index.apply(&Batch { changes, ..Batch::default() }).unwrap_err();
    assert_eq!(error.to_string(), "a vector has 2 dimensions where the index has 8");
    let snapshot = index.snapshot().unwrap();
    assert_eq!((snapshot.notes(NoteQuery::All).unwrap().len(), snapshot.generation()), (1, before));
    assert_eq!(hits(&*snapshot, "dog"), 0);
    let nearest = |query: &[f32]| snapshot.nearest(Shelf::Chunks, query, &Filter::default(), 5, &[]);
    assert!(matches!(nearest(&[f32::NAN; DIMS]), Err(Error::NotFinite)));
    assert!(matches!(nearest(&[1.0]), Err(Error::Dimensions { .. })));
}

pub fn a_snapshot_does_not_see_later_batches(fresh: &Fresh<'_>) {
    let index = fresh();
    put_one(&*index, put("MEMORY.md", &["coffee"])).unwrap();
    let before = index.snapshot().unwrap();
    assert_eq!(before.notes(NoteQuery::All).unwrap().len(), 1);
    put_one(&*index, Change::Remove { path: "MEMORY.md".to_owned() }).unwrap();
    assert_eq!((hits(&*before, "coffe"), hits(&*index.snapshot().unwrap(), "coffe")), (1, 0));
    assert_eq!(before.notes(NoteQuery::All).unwrap().len(), 1);
    assert!(before.generation() < index.snapshot().unwrap().generation());
}

pub fn a_batch_for_another_generation_does_nothing(fresh: &Fresh<'_>) {
    let index = fresh();
    let now = put_one(&*index, put("a.md", &["coffee"])).unwrap();
    let late = Batch { changes: vec![put("b.md", &["walk"])], only_at: Some(now + 7), ..Batch::default() };
    assert_eq!(index.apply(&late).unwrap(), now);
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap().len(), 1);
    assert!(index.apply(&Batch { only_at: Some(now), ..late }).unwrap() > now);
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap().len(), 2);
}

pub fn what_was_read_before_something_was_forgotten_is_refused(fresh: &Fresh<'_>) {
    let index = fresh();
    let late = Batch { changes: vec![put("MEMORY.md", &["coffee"])], read_at: Some(0), ..Batch::default() };
    put_one(&*index, Change::Forget { hashes: Vec::new(), ids: Vec::new() }).unwrap();
    let refused = index.apply(&late).unwrap_err().to_string();
    assert_eq!(refused, "something was forgotten after the texts were read");
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap(), []);
    assert_eq!(index.snapshot().unwrap().meta(FORGOTTEN).unwrap().as_deref(), Some("1"));
    index.apply(&Batch { read_at: Some(1), ..late }).unwrap();
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap().len(), 1);
}

pub fn what_is_forgotten_is_not_answered(fresh: &Fresh<'_>) {
    let index = fresh();
    put_one(&*index, put("a.md", &["coffee deadline", "walk dog"])).unwrap();
    let key = cache_key(1);
    let cached = Change::Cache { key: key.clone(), vector: vec![1.0; DIMS], now_ms: 1 };
    put_one(&*index, cached).unwrap();
    let forget = Change::Forget { hashes: vec![key.hash], ids: Vec::new() };
    let changes = vec![forget, put("a.md", &["walk dog"])];
    index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    let snapshot = index.snapshot().unwrap();
    assert_eq!((hits(&*snapshot, "coffe"), hits(&*snapshot, "dog")), (0, 1));
    assert_eq!(snapshot.cached(&[key]).unwrap(), [None]);
    assert_eq!(found(&*snapshot, FactQuery::Keys(&["drink"])), [[]]);
    assert_eq!(found(&*snapshot, FactQuery::Sharing(&["coffe".to_owned()])), [[]]);
}

pub fn a_transcript_leaves_the_census_as_it_is(fresh: &Fresh<'_>) {
    let index = fresh();
    let census = |change: Change| {
        put_one(&*index, change).unwrap();
        index.snapshot().unwrap().meta(CENSUS).unwrap()
    };
    let mut said = note("sessions/a.jsonl", &["coffee".to_owned()], true);
    said.note.source = Source::Sessions;
    let taken = Some("taken".into());
    assert_eq!(census(Change::Meta { key: CENSUS.to_owned(), value: "taken".to_owned() }), taken);
    assert_eq!(census(Change::Put(said.clone())), taken);
    assert_eq!(census(Change::Grow { note: said.clone(), from: 2 }), taken);
    assert_eq!(census(Change::Touch(said.note)), taken);
    assert_eq!(census(put("MEMORY.md", &["coffee"])), None);
}

pub fn the_cache_keeps_the_most_recent(fresh: &Fresh<'_>) {
    let index = fresh();
    let keys: Vec<CacheKey> = (0..6).map(cache_key).collect();
    let cached = |(key, now_ms): (&CacheKey, i64)| Change::Cache {
        key: key.clone(),
        vector: vec![now_ms as f32; DIMS],
        now_ms,
    };
    let changes = keys.iter().zip(1..).map(cached).collect();
    index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    put_one(&*index, Change::PruneCache { keep: 2, most: 3 }).unwrap();
    let left = index.snapshot().unwrap().cached(&keys).unwrap();
    assert_eq!(left.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, false, true, true, true]);
    assert_eq!(left[5].as_deref(), Some(&[6.0; DIMS][..]));
    assert_eq!(index.snapshot().unwrap().stats().unwrap().cache_entries, 3);
}

fn cache_key(number: u8) -> CacheKey {
    let name = |text: &str| text.to_owned();
    CacheKey { provider: name("p"), model: name("m"), provider_key: name("k"), hash: Digest::of(&[number]) }
}

fn put_one(index: &dyn Index, change: Change) -> Result<u64, Error> {
    index.apply(&Batch { changes: vec![change], ..Batch::default() })
}

fn hits(snapshot: &dyn Snapshot, term: &str) -> usize {
    let terms = QueryTerm::as_asked(&[term.to_owned()]);
    snapshot.lexical(Shelf::Chunks, &terms, &Filter::default(), 5).unwrap().hits.len()
}
