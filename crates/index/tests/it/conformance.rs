//! The contract, the same for every backend: whatever is applied, SQLite answers as the reference does.

use mindfile_index::ReferenceIndex;
use mindfile_index::{Batch, Change, Doc, Filter, Index, Snapshot, Stats, StoredNote};
use mindfile_index::{SqliteIndex, VectorEngine};
use mindfile_note::words;
use proptest::prelude::*;

use crate::notes::{WORDS, note, put, text, vector};

/// Everything that an index can be asked, without the numbers that differ from one index to another.
#[derive(Debug, PartialEq)]
struct Answers {
    notes: Vec<StoredNote>,
    chunks: Vec<(String, u32, u32, String, bool)>,
    words: Vec<Vec<(String, u32, u32)>>,
    meaning: Vec<Vec<(String, u32, u32)>>,
    pending: usize,
    stats: Stats,
}

fn answers(snapshot: &dyn Snapshot) -> Answers {
    let filters = [Filter::default(), Filter { since: Some(20_001), ..Filter::default() }];
    let ask_words = |filter: &Filter| {
        let all = words::terms(&WORDS.join(" "));
        let singles = all.iter().map(|term| vec![term.clone()]).chain([all.clone()]);
        singles
            .map(|terms| {
                let hits = snapshot.lexical(&terms, filter, 1000).unwrap().hits;
                places(snapshot, &hits.iter().map(|hit| (hit.doc, hit.score)).collect::<Vec<_>>())
            })
            .collect::<Vec<_>>()
    };
    let ask_meaning = |filter: &Filter| {
        (0..4)
            .map(|seed| {
                places(snapshot, &snapshot.nearest(&vector(&text(seed)), filter, 20, &[]).unwrap_or_default())
            })
            .collect::<Vec<_>>()
    };
    let notes = snapshot.notes().unwrap();
    Answers {
        chunks: all_chunks(snapshot, &notes),
        words: filters.iter().flat_map(ask_words).collect(),
        meaning: filters.iter().flat_map(ask_meaning).collect(),
        pending: snapshot.unembedded(1000).unwrap().len(),
        stats: snapshot.stats().unwrap(),
        notes,
    }
}

/// Places with their score in thousandths, in an order that does not depend on `Doc`.
fn places(snapshot: &dyn Snapshot, hits: &[(Doc, f32)]) -> Vec<(String, u32, u32)> {
    let docs: Vec<Doc> = hits.iter().map(|(doc, _)| *doc).collect();
    let chunks = snapshot.chunks(&docs).unwrap();
    let mut places: Vec<_> = chunks
        .iter()
        .zip(hits)
        .map(|(chunk, (_, score))| {
            (chunk.path.clone(), chunk.start_line, (score.abs() * 1000.0).round() as u32)
        })
        .collect();
    places.sort();
    places
}

fn all_chunks(snapshot: &dyn Snapshot, notes: &[StoredNote]) -> Vec<(String, u32, u32, String, bool)> {
    let mut all = Vec::new();
    for note in notes {
        for line in 1..20 {
            let docs = snapshot.locate(&note.path, line).unwrap();
            for chunk in snapshot.chunks(&docs).unwrap() {
                let embedded = chunk.embedding.vector().is_some();
                all.push((
                    chunk.id.as_str().to_owned(),
                    chunk.start_line,
                    chunk.end_line,
                    chunk.text.clone(),
                    embedded,
                ));
            }
        }
    }
    all.sort();
    all
}

#[derive(Debug, Clone)]
enum Step {
    Put { path: usize, lines: Vec<u64>, embedded: bool },
    Remove { path: usize },
    Rename { from: usize, to: usize },
    EmbedPending,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..4_usize, prop::collection::vec(0..40_u64, 0..8), any::<bool>())
            .prop_map(|(path, lines, embedded)| Step::Put { path, lines, embedded }),
        1 => (0..4_usize).prop_map(|path| Step::Remove { path }),
        1 => (0..4_usize, 0..4_usize).prop_map(|(from, to)| Step::Rename { from, to }),
        1 => Just(Step::EmbedPending),
    ]
}

fn path(number: usize) -> String {
    ["memory/a.md", "memory/b.md", "memory/day-1.md", "MEMORY.md"][number].to_owned()
}

fn changes(step: &Step, snapshot: &dyn Snapshot) -> Vec<Change> {
    match step {
        Step::Put { path: number, lines, embedded } => {
            let lines: Vec<String> = lines.iter().map(|&seed| text(seed)).collect();
            vec![Change::Put(note(&path(*number), &lines, *embedded))]
        }
        Step::Remove { path: number } => vec![Change::Remove { path: path(*number) }],
        Step::Rename { from, to } => {
            let found = snapshot.notes().unwrap().into_iter().find(|note| note.path == path(*from));
            let to = path(*to);
            found
                .filter(|note| note.path != to)
                .map(|note| Change::Rename { from: note.path.clone(), to: StoredNote { path: to, ..note } })
                .into_iter()
                .collect()
        }
        Step::EmbedPending => {
            let docs = snapshot.unembedded(3).unwrap();
            let chunks = snapshot.chunks(&docs).unwrap();
            let embeddings = chunks.iter().map(|chunk| {
                (chunk.doc, chunk.id.clone(), mindfile_index::Embedding::Vector(vector(&chunk.text)))
            });
            vec![Change::Embed { model: "m".to_owned(), embeddings: embeddings.collect() }]
        }
    }
}

fn apply(index: &dyn Index, step: &Step) {
    let changes = changes(step, &*index.snapshot().unwrap());
    index.apply(&Batch { changes, model: "m".to_owned(), now_ms: 1, ..Batch::default() }).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sqlite_answers_as_the_reference_does(steps in prop::collection::vec(step(), 1..14)) {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = SqliteIndex::open(&folder.path().join("i.sqlite"), VectorEngine::Scan).unwrap();
        let reference = ReferenceIndex::default();
        for step in &steps {
            apply(&sqlite, step);
            apply(&reference, step);
            prop_assert_eq!(answers(&*sqlite.snapshot().unwrap()), answers(&*reference.snapshot().unwrap()));
        }
        sqlite.verify().unwrap();
    }

    /// What is written as a term is found as that term, and not as parts of it.
    #[test]
    fn terms_of_any_text_are_stored_whole(
        lines in prop::collection::vec("(\\PC{1,12}|[a-z]{1,5}['.:/@#_-][0-9]{1,2}[-'’.][!-~]{1,4}| )*", 1..6),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let index = SqliteIndex::open(&folder.path().join("i.sqlite"), VectorEngine::Scan).unwrap();
        let batch = vec![Change::Put(note("MEMORY.md", &lines, false))];
        index.apply(&Batch { changes: batch, ..Batch::default() }).unwrap();
        index.verify().unwrap();
    }

    #[test]
    fn both_vector_engines_find_the_same_chunks(lines in prop::collection::vec(0..10_000_u64, 1..60), query in 0..9_u64) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("i.sqlite");
        let scan = SqliteIndex::open(&path, VectorEngine::Scan).unwrap();
        let lines: Vec<String> = lines.iter().map(|&seed| text(seed)).collect();
        scan.apply(&Batch { changes: vec![Change::Put(note("MEMORY.md", &lines, true))], ..Batch::default() }).unwrap();
        let other = SqliteIndex::open(&path, VectorEngine::SqliteVec).unwrap();
        let query = vector(&text(query));
        let top = |index: &SqliteIndex| {
            let snapshot = index.snapshot().unwrap();
            places(&*snapshot, &snapshot.nearest(&query, &Filter::default(), 10, &[]).unwrap())
                .into_iter().map(|(_, _, score)| score).collect::<Vec<_>>()
        };
        prop_assert_eq!(top(&scan), top(&other));
    }
}

#[test]
fn a_snapshot_does_not_see_later_batches() {
    let folder = tempfile::tempdir().unwrap();
    let index = SqliteIndex::open(&folder.path().join("i.sqlite"), VectorEngine::Scan).unwrap();
    index.apply(&Batch { changes: vec![put("MEMORY.md", &["coffee"])], ..Batch::default() }).unwrap();
    let before = index.snapshot().unwrap();
    assert_eq!(before.notes().unwrap().len(), 1);
    index
        .apply(&Batch { changes: vec![Change::Remove { path: "MEMORY.md".to_owned() }], ..Batch::default() })
        .unwrap();
    let hits = |snapshot: &dyn Snapshot| {
        snapshot.lexical(&["coffe".to_owned()], &Filter::default(), 5).unwrap().hits.len()
    };
    assert_eq!((hits(&*before), hits(&*index.snapshot().unwrap())), (1, 0));
}

#[test]
fn a_vector_of_the_wrong_size_is_an_error_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let index = SqliteIndex::open(&folder.path().join("i.sqlite"), VectorEngine::Scan).unwrap();
    index.apply(&Batch { changes: vec![put("a.md", &["coffee"])], ..Batch::default() }).unwrap();
    let mut wrong = note("b.md", &["walk".to_owned()], true);
    wrong.chunks[0].embedding = mindfile_index::Embedding::Vector(vec![1.0, 0.0]);
    let error = index.apply(&Batch { changes: vec![Change::Put(wrong)], ..Batch::default() }).unwrap_err();
    assert_eq!(error.to_string(), "a vector has 2 dimensions where the index has 8");
    let snapshot = index.snapshot().unwrap();
    assert_eq!(snapshot.notes().unwrap().len(), 1);
    assert!(snapshot.nearest(&[f32::NAN; 8], &Filter::default(), 5, &[]).is_err());
    assert!(snapshot.nearest(&[1.0], &Filter::default(), 5, &[]).is_err());
}
