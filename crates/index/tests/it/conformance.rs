//! The contract, the same for every backend: whatever is applied, SQLite answers as the reference does.

use std::collections::BTreeMap;

use mindfile_index::{
    Alias, Batch, CENSUS, Change, Doc, Entity, FORGOTTEN, Filter, Index, NewNote, Origin, ReferenceIndex,
    Shelf, Snapshot, Source, SqliteIndex, Stats, StoredNote, VectorEngine,
};
use mindfile_note::words;
use proptest::prelude::*;

use crate::notes::{WORDS, note, put, text, vector};

/// Everything that an index can be asked, without the numbers that differ from one index to another.
#[derive(Debug, PartialEq)]
struct Answers {
    notes: Vec<StoredNote>,
    chunks: Vec<(String, u32, u32, String, bool, Origin)>,
    words: Vec<Vec<(String, u32, u32)>>,
    meaning: Vec<Vec<(String, u32, u32)>>,
    pending: usize,
    finished: Vec<usize>,
    stats: Stats,
    sizes: [u64; 2],
    associations: Associations,
}

/// What facts say of entities.
#[derive(Debug, PartialEq)]
struct Associations {
    facts: Vec<(String, u32, String, Vec<String>)>,
    keyed: Vec<(String, u32)>,
    entities: Vec<About>,
    alike: Vec<Vec<(String, u32)>>,
    declared: Vec<(String, Alias)>,
}

#[derive(Debug, PartialEq)]
struct About {
    entity: Entity,
    spelled: Option<String>,
    facts: Vec<(String, u32)>,
    trusted: Vec<(String, u32)>,
    neighbours: Vec<(Entity, u32)>,
}

fn associations(snapshot: &dyn Snapshot) -> Associations {
    let place = |docs: &[Doc]| -> Vec<(String, u32)> {
        let facts = snapshot.facts(docs).unwrap();
        let mut places: Vec<_> =
            facts.iter().map(|fact| (fact.chunk.path.clone(), fact.chunk.start_line)).collect();
        places.sort();
        places
    };
    let facts = snapshot.facts(&snapshot.all_facts().unwrap()).unwrap();
    let entity = |entity: Entity| {
        let name = entity.name.clone();
        assert_eq!(snapshot.entity(&name.to_uppercase()).unwrap().as_ref(), Some(&entity));
        let facts = snapshot.facts_of(&name).unwrap();
        let filter = Filter { trusted: true, ..Filter::default() };
        let trusted = place(&snapshot.admitted(Shelf::Facts, &facts, &filter).unwrap());
        let neighbours = snapshot.neighbours(&name).unwrap().to_vec();
        let spelled = snapshot.spelling(&name).unwrap();
        About { entity, spelled, facts: place(&facts), trusted, neighbours }
    };
    Associations {
        facts: facts
            .iter()
            .map(|f| (f.chunk.path.clone(), f.chunk.start_line, f.said.id.clone(), f.names.clone()))
            .collect(),
        keyed: place(&snapshot.facts_with_key("drink").unwrap()),
        entities: snapshot.entities().unwrap().into_iter().map(entity).collect(),
        alike: (0..6)
            .map(|seed| place(&snapshot.facts_like(&words::query(&text(seed)).terms, 1000).unwrap()))
            .collect(),
        declared: snapshot.declared().unwrap(),
    }
}

fn answers(snapshot: &dyn Snapshot) -> Answers {
    let open = Filter::default;
    let filters = [open(), Filter { since: Some(20_001), ..open() }, Filter { trusted: true, ..open() }];
    let ask_words = |(shelf, filter): (Shelf, &Filter)| {
        let all = words::terms(&WORDS.join(" "));
        let singles = all.iter().map(|term| vec![term.clone()]).chain([all.clone()]);
        singles
            .map(|terms| {
                let hits = snapshot.lexical(shelf, &terms, filter, 1000).unwrap().hits;
                places(snapshot, &hits.iter().map(|hit| (hit.doc, hit.score)).collect::<Vec<_>>())
            })
            .collect::<Vec<_>>()
    };
    let ask_meaning = |(shelf, filter): (Shelf, &Filter)| {
        (0..4)
            .map(|seed| {
                let found = snapshot.nearest(shelf, &vector(&text(seed)), filter, 20, &[]);
                places(snapshot, &found.unwrap_or_default())
            })
            .collect::<Vec<_>>()
    };
    let notes = snapshot.notes().unwrap();
    let asked = || Shelf::ALL.into_iter().flat_map(|shelf| filters.iter().map(move |filter| (shelf, filter)));
    Answers {
        chunks: all_chunks(snapshot, &notes),
        words: asked().flat_map(ask_words).collect(),
        meaning: asked().flat_map(ask_meaning).collect(),
        pending: snapshot.unembedded(1000).unwrap().len(),
        finished: notes.iter().map(|note| snapshot.finished(&note.path).unwrap().len()).collect(),
        stats: snapshot.stats().unwrap(),
        sizes: Shelf::ALL.map(|shelf| snapshot.size(shelf).unwrap()),
        associations: associations(snapshot),
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

fn all_chunks(
    snapshot: &dyn Snapshot,
    notes: &[StoredNote],
) -> Vec<(String, u32, u32, String, bool, Origin)> {
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
                    chunk.origin,
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
    Grow { path: usize, lines: Vec<u64>, embedded: bool },
    Remove { path: usize },
    Rename { from: usize, to: usize },
    EmbedPending,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..PATHS, prop::collection::vec(0..40_u64, 0..8), any::<bool>())
            .prop_map(|(path, lines, embedded)| Step::Put { path, lines, embedded }),
        2 => (0..PLAIN, prop::collection::vec(0..40_u64, 0..4), any::<bool>())
            .prop_map(|(path, lines, embedded)| Step::Grow { path, lines, embedded }),
        1 => (0..PATHS).prop_map(|path| Step::Remove { path }),
        1 => (0..PATHS, 0..PATHS).prop_map(|(from, to)| Step::Rename { from, to }),
        1 => Just(Step::EmbedPending),
    ]
}

const PATHS: usize = 6;
/// The first of them declare no aliases.
const PLAIN: usize = 4;

fn path(number: usize) -> String {
    ["memory/a.md", "memory/b.md", "memory/day-1.md", "MEMORY.md", "bank/bob.md", "bank/rob.md"][number]
        .to_owned()
}

fn changes(step: &Step, snapshot: &dyn Snapshot) -> Vec<Change> {
    match step {
        Step::Put { path: number, lines, embedded } => {
            let lines: Vec<String> = lines.iter().map(|&seed| text(seed)).collect();
            vec![Change::Put(note(&path(*number), &lines, *embedded))]
        }
        Step::Grow { path: number, lines, embedded } => {
            let path = path(*number);
            let Some(from) = snapshot.last_line(&path).unwrap() else { return Vec::new() };
            let known = (1..=from).map(|line| {
                let docs = snapshot.locate(&path, line).unwrap();
                snapshot.chunks(&docs).unwrap()[0].text.clone()
            });
            let all: Vec<String> = known.chain(lines.iter().map(|&seed| text(seed))).collect();
            let mut note = note(&path, &all, *embedded);
            note.chunks.retain(|chunk| chunk.start_line >= from);
            note.facts.retain(|fact| fact.chunk.start_line >= from);
            vec![Change::Grow { note, from }]
        }
        Step::Remove { path: number } => vec![Change::Remove { path: path(*number) }],
        Step::Rename { from, to } => {
            let found = snapshot.notes().unwrap().into_iter().find(|note| note.path == path(*from));
            let to = path(*to);
            found
                // Of a note that gets another day nothing is kept.
                .filter(|note| note.path != to && note.path.contains("day") == to.contains("day"))
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

/// Few by default, `MINDFILE_CASES` when asked.
#[expect(clippy::disallowed_methods, reason = "a test is told its length by the environment")]
fn cases() -> u32 {
    let asked = std::env::var("MINDFILE_CASES").ok();
    asked.map_or(48, |text| text.parse().unwrap())
}

/// The notes as they are after a change.
fn follow(notes: &mut BTreeMap<String, NewNote>, change: Change) {
    match change {
        Change::Put(note) => {
            notes.insert(note.note.path.clone(), note);
        }
        Change::Grow { note: new, from } => {
            if let Some(known) = notes.get_mut(&new.note.path) {
                known.chunks.retain(|chunk| chunk.start_line < from);
                known.facts.retain(|fact| fact.chunk.start_line < from);
                known.chunks.extend(new.chunks);
                known.facts.extend(new.facts);
                known.note = new.note;
            }
        }
        Change::Remove { path } => {
            notes.remove(&path);
        }
        Change::Rename { from, to } => {
            if let Some(old) = notes.remove(&from) {
                notes.insert(to.path.clone(), NewNote { note: to, ..old });
            }
        }
        Change::Touch(_)
        | Change::Embed { .. }
        | Change::Meta { .. }
        | Change::Cache { .. }
        | Change::PruneCache { .. }
        | Change::Compact
        | Change::Forget { .. }
        | Change::Use { .. } => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn facts_and_entities_after_any_edits_are_those_of_a_rebuild(steps in prop::collection::vec(step(), 1..24)) {
        let folder = tempfile::tempdir().unwrap();
        let followed = SqliteIndex::open(&folder.path().join("i.sqlite"), VectorEngine::Scan).unwrap();
        let mut notes = BTreeMap::new();
        for step in &steps {
            changes(step, &*followed.snapshot().unwrap()).into_iter().for_each(|change| follow(&mut notes, change));
            apply(&followed, step);
        }
        let rebuilt = SqliteIndex::open(&folder.path().join("r.sqlite"), VectorEngine::Scan).unwrap();
        let reference = ReferenceIndex::default();
        let batch = Batch { changes: notes.into_values().map(Change::Put).collect(), ..Batch::default() };
        rebuilt.apply(&batch).unwrap();
        reference.apply(&batch).unwrap();
        let expected = associations(&*reference.snapshot().unwrap());
        prop_assert_eq!(&associations(&*followed.snapshot().unwrap()), &expected);
        prop_assert_eq!(&associations(&*rebuilt.snapshot().unwrap()), &expected);
        prop_assert_eq!(tables(&followed), tables(&rebuilt));
        followed.verify().unwrap();
    }
}

/// The tables that people ask from a shell, without numbers of rows.
fn tables(index: &SqliteIndex) -> Vec<String> {
    let db = rusqlite::Connection::open(index.path()).unwrap();
    let mut all = Vec::new();
    for sql in [
        "SELECT name || ' ' || fact_count || ' ' || round(idf_weight, 6) FROM entity_stats ORDER BY name",
        "SELECT min(a.name, b.name) || ' ' || max(a.name, b.name) || ' ' || c.cooccur_count || ' ' ||
           round(c.cooccur_weight, 6) FROM entity_cooccurrence c JOIN entities a ON a.id = c.entity_id_1
           JOIN entities b ON b.id = c.entity_id_2 ORDER BY 1",
        "SELECT f.path || f.start_line || ' ' || e.name || ' ' || fe.entity || ' ' || f.content || f.salience || coalesce(f.created_at, '-')
           FROM fact_entities fe JOIN facts f ON f.id = fe.fact_id JOIN entities e ON e.id = fe.entity_id ORDER BY 1",
    ] {
        let mut statement = db.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
        all.extend(rows.map(Result::unwrap));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

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
            let found = snapshot.nearest(Shelf::Chunks, &query, &Filter::default(), 10, &[]).unwrap();
            let mut scores: Vec<u32> =
                places(&*snapshot, &found).into_iter().map(|(_, _, score)| score).collect();
            scores.sort_unstable_by(|a, b| b.cmp(a));
            scores.truncate(9);
            scores
        };
        prop_assert_eq!(top(&scan), top(&other));
    }
}

#[test]
fn a_transcript_leaves_the_census_of_the_notes_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = SqliteIndex::open(&folder.path().join("i.sqlite"), VectorEngine::Scan).unwrap();
    let reference = ReferenceIndex::default();
    for index in [&sqlite as &dyn Index, &reference] {
        let census = |change: Change| {
            index.apply(&Batch { changes: vec![change], ..Batch::default() }).unwrap();
            index.snapshot().unwrap().meta(CENSUS).unwrap()
        };
        let mut said = note("sessions/a.jsonl", &["coffee".to_owned()], true);
        said.note.source = Source::Sessions;
        let taken = Some("taken".to_owned());
        assert_eq!(census(Change::Meta { key: CENSUS.to_owned(), value: "taken".to_owned() }), taken);
        assert_eq!(census(Change::Put(said.clone())), taken);
        assert_eq!(census(Change::Grow { note: said.clone(), from: 2 }), taken);
        assert_eq!(census(Change::Touch(said.note)), taken);
        assert_eq!(census(put("MEMORY.md", &["coffee"])), None);
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
        let terms = ["coffe".to_owned()];
        snapshot.lexical(Shelf::Chunks, &terms, &Filter::default(), 5).unwrap().hits.len()
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
    assert!(snapshot.nearest(Shelf::Chunks, &[f32::NAN; 8], &Filter::default(), 5, &[]).is_err());
    assert!(snapshot.nearest(Shelf::Facts, &[1.0], &Filter::default(), 5, &[]).is_err());
}

#[test]
fn what_was_read_before_something_was_forgotten_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = SqliteIndex::open(&folder.path().join("i.sqlite"), VectorEngine::Scan).unwrap();
    let reference = ReferenceIndex::default();
    for index in [&sqlite as &dyn Index, &reference] {
        let late =
            Batch { changes: vec![put("MEMORY.md", &["coffee"])], read_at: Some(0), ..Batch::default() };
        let forget = Batch {
            changes: vec![Change::Forget { hashes: Vec::new(), ids: Vec::new() }],
            ..Batch::default()
        };
        index.apply(&forget).unwrap();
        assert_eq!(
            index.apply(&late).unwrap_err().to_string(),
            "something was forgotten after the texts were read"
        );
        assert_eq!(index.snapshot().unwrap().notes().unwrap(), []);
        assert_eq!(index.snapshot().unwrap().meta(FORGOTTEN).unwrap().as_deref(), Some("1"));
        index.apply(&Batch { read_at: Some(1), ..late }).unwrap();
        assert_eq!(index.snapshot().unwrap().notes().unwrap().len(), 1);
    }
}
