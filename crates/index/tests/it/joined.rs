//! An index on the disk and one in memory beside it answer as one index that holds both.

use std::collections::BTreeSet;

use mindfile_index::{
    Batch, Change, Doc, EntityQuery, FactQuery, Filter, Form, Index, Part, QueryTerm, ReferenceIndex, Shelf,
    Snapshot, SqliteIndex, VectorEngine, ViewSnapshot, associate, single,
};
use mindfile_note::words;

use mindfile_index::conformance::found;
use mindfile_index::conformance::notes::{NAMES, WORDS, note, text, vector};

/// The texts of rows with where they stand: numbers differ between indexes.
fn places(snapshot: &dyn Snapshot, docs: &[Doc]) -> Vec<(String, u32, String)> {
    let chunks = snapshot.chunks(docs).unwrap();
    chunks.iter().map(|chunk| (chunk.path.clone(), chunk.start_line, chunk.text.clone())).collect()
}

struct Three {
    _dir: tempfile::TempDir,
    disk: SqliteIndex,
    apart: ReferenceIndex,
    whole: ReferenceIndex,
}

/// Notes on the disk, others in memory, and all of them in one.
fn three() -> Three {
    let dir = tempfile::tempdir().unwrap();
    let disk = SqliteIndex::open(&dir.path().join("index.sqlite"), VectorEngine::Scan).unwrap();
    let apart = ReferenceIndex::apart();
    let whole = ReferenceIndex::default();
    let put = |index: &dyn Index, path: &str, seeds: std::ops::Range<u64>| {
        let lines: Vec<String> = seeds.map(text).collect();
        let changes = vec![Change::Put(note(path, &lines, true))];
        index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    };
    for (path, seeds) in [("memory/a.md", 1..30), ("memory/day.md", 30..50)] {
        put(&disk, path, seeds.clone());
        put(&whole, path, seeds);
    }
    put(&apart, "memory/private/b.md", 50..70);
    put(&whole, "memory/private/b.md", 50..70);
    Three { _dir: dir, disk, apart, whole }
}

#[test]
fn two_indexes_answer_as_one() {
    let Three { disk, apart, whole, _dir } = three();
    let joined = ViewSnapshot::joined(disk.snapshot().unwrap(), apart.hold());
    let whole = whole.snapshot().unwrap();
    let filter = Filter::default();
    for shelf in Shelf::ALL {
        for word in WORDS {
            let mut terms = QueryTerm::as_asked(&words::query(word).terms);
            let forms =
                terms.iter().map(|sought| Form { term: sought.term.clone(), similarity: 0.5 }).collect();
            terms.push(QueryTerm { term: "unheard".to_owned(), forms });
            let (a, b) =
                (joined.lexical(shelf, &terms, &filter, 99), whole.lexical(shelf, &terms, &filter, 99));
            let a = a.unwrap();
            let b = b.unwrap();
            assert_eq!((&a.terms, a.chunks), (&b.terms, b.chunks));
            let set = |snapshot: &dyn Snapshot, found: &mindfile_index::Lexical| -> BTreeSet<_> {
                places(snapshot, &found.hits.iter().map(|hit| hit.doc).collect::<Vec<_>>())
                    .into_iter()
                    .collect()
            };
            assert_eq!(set(&joined, &a), set(&*whole, &b), "{word}");
            let near = |snapshot: &dyn Snapshot| -> BTreeSet<_> {
                let found = snapshot.nearest(shelf, &vector(word), &filter, 99, &[]).unwrap();
                places(snapshot, &found.iter().map(|(doc, _)| *doc).collect::<Vec<_>>()).into_iter().collect()
            };
            assert_eq!(near(&joined), near(&*whole), "{word}");
        }
    }
}

#[test]
fn a_limit_holds_for_both_together() {
    let Three { disk, apart, _dir, .. } = three();
    let joined = ViewSnapshot::joined(disk.snapshot().unwrap(), apart.hold());
    let filter = Filter::default();
    for word in WORDS {
        let near = |limit| joined.nearest(Shelf::Chunks, &vector(word), &filter, limit, &[]).unwrap();
        let some = near(3);
        let all = near(99);
        assert_eq!(some, all[..some.len()], "{word}");
        let beyond = some.iter().filter(|(_, cosine)| *cosine < some[2].1).count();
        assert_eq!(beyond, 0, "{word}");
        let last = all[all.len() - 1];
        let also = joined.nearest(Shelf::Chunks, &vector(word), &filter, 3, &[last.0]).unwrap();
        assert!(also.contains(&last), "{word}");
        let terms = QueryTerm::as_asked(&words::query(word).terms);
        let lexical = |limit| {
            joined.lexical(Shelf::Chunks, &terms, &filter, limit).unwrap().hits.into_iter().map(|hit| hit.doc)
        };
        let some: Vec<Doc> = lexical(2).collect();
        assert_eq!(some, lexical(99).take(some.len()).collect::<Vec<_>>(), "{word}");
    }
}

#[test]
fn facts_and_entities_are_those_of_both() {
    let Three { disk, apart, whole, _dir } = three();
    let joined = ViewSnapshot::joined(disk.snapshot().unwrap(), apart.hold());
    let whole = whole.snapshot().unwrap();
    for filter in [Filter::default(), Filter { trusted: true, ..Filter::default() }] {
        for query in [EntityQuery::All, EntityQuery::Named(&NAMES)] {
            let entities = |snapshot: &dyn Snapshot| snapshot.entities(query, &filter).unwrap();
            assert_eq!(entities(&joined), entities(&*whole), "{query:?}");
        }
        let of = |snapshot: &dyn Snapshot, limit| {
            let lists = snapshot.find_facts(FactQuery::Naming(&NAMES), &filter, limit).unwrap();
            lists.iter().map(|docs| places(snapshot, docs)).collect::<Vec<_>>()
        };
        assert_eq!(of(&joined, usize::MAX), of(&*whole, usize::MAX));
        assert_eq!(of(&joined, 3), of(&*whole, 3));
    }
    for name in NAMES {
        let neighbours = |snapshot: &dyn Snapshot| {
            let facts = snapshot.facts(&single::list(snapshot, FactQuery::Naming(&[name])).unwrap()).unwrap();
            let lists = facts.iter().map(|fact| fact.names.as_slice());
            associate::neighbours(snapshot, name, lists, &Filter::default()).unwrap()
        };
        assert_eq!(neighbours(&joined), neighbours(&*whole), "{name}");
    }
    let all = |snapshot: &dyn Snapshot| places(snapshot, &found(snapshot, FactQuery::All).concat());
    assert_eq!(all(&joined), all(&*whole));
    let a = joined.stats().unwrap();
    let b = whole.stats().unwrap();
    assert_eq!((a.notes, a.chunks, a.facts, a.entities), (b.notes, b.chunks, b.facts, b.entities));
}

#[test]
fn numbers_tell_which_of_the_two_a_row_is_of() {
    let Three { disk, apart, _dir, .. } = three();
    let on_disk = found(&*disk.snapshot().unwrap(), FactQuery::All).concat();
    let in_memory = found(&*apart.snapshot().unwrap(), FactQuery::All).concat();
    assert!(
        on_disk.iter().all(|doc| doc.part == Part::Main)
            && in_memory.iter().all(|doc| doc.part == Part::Beside)
    );
    let joined = ViewSnapshot::joined(disk.snapshot().unwrap(), apart.hold());
    let mixed = [in_memory[0], on_disk[0], in_memory[0]];
    let found: Vec<String> = places(&joined, &mixed).into_iter().map(|(path, _, _)| path).collect();
    assert_eq!(found, ["memory/private/b.md", "memory/a.md", "memory/private/b.md"]);
}
