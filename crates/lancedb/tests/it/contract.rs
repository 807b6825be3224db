//! The contract that every engine keeps, with the numbers of SQLite's ranking.

use std::cell::RefCell;

use mindfile_index::conformance::notes::{note, put, text, vector};
use mindfile_index::conformance::{self, Allowances, follow_all, step};
use mindfile_index::{Backend, Batch, Change, FactQuery, Filter, Index, NoteQuery, QueryTerm, Shelf, single};
use mindfile_lancedb::LanceIndex;
use proptest::prelude::*;

use crate::place::{apply, folder, local, part};

/// Few by default, `MINDFILE_CASES` when asked.
pub(crate) fn cases() -> u32 {
    std::env::var("MINDFILE_CASES").ok().map_or(6, |text| text.parse().unwrap())
}

#[test]
fn lancedb_keeps_the_contract() {
    let folders = RefCell::new(Vec::new());
    let fresh = || -> Box<dyn Index> {
        let folder = folder();
        let index = LanceIndex::open(&local(&folder)).unwrap();
        folders.borrow_mut().push(folder);
        Box::new(index)
    };
    conformance::all(&fresh, Allowances::default(), cases());
}

#[test]
fn after_any_edits_every_check_passes() {
    conformance::on_any(cases(), &prop::collection::vec(step(), 1..24), |steps| {
        let folder = folder();
        let index = LanceIndex::open(&local(&folder)).unwrap();
        follow_all(&index, &steps);
        index.verify().unwrap();
        Ok(())
    });
}

#[test]
fn tables_that_were_put_together_answer_as_before() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    for number in 0..12_u64 {
        let lines: Vec<String> = (0..20).map(|line| text(number * 31 + line)).collect();
        apply(&index, Change::Put(note(&format!("memory/{}.md", number % 5), &lines, number % 2 == 0)));
    }
    let answers = || {
        let snapshot = index.snapshot().unwrap();
        let terms = QueryTerm::as_asked(&["coffe".to_owned(), "deadlin".to_owned()]);
        let words = snapshot.lexical(Shelf::Chunks, &terms, &Filter::default(), 50).unwrap();
        let near = snapshot.nearest(Shelf::Facts, &vector(&text(3)), &Filter::default(), 10, &[]).unwrap();
        (words, near, conformance::associations(&*snapshot))
    };
    let before = answers();
    assert!(!before.0.hits.is_empty() && !before.1.is_empty());
    index.purge().unwrap();
    assert_eq!(answers(), before);
    index.verify().unwrap();
    apply(&index, Change::Compact);
    assert_eq!(answers(), before);
}

#[test]
fn what_is_taken_over_from_the_generation_before_answers_as_if_it_were_read() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    let lines = |seed: u64| (0..20).map(|line| text(seed * 31 + line)).collect::<Vec<String>>();
    for number in 0..6_u64 {
        apply(&index, Change::Put(note(&format!("memory/{number}.md"), &lines(number), number != 3)));
    }
    let answers = |index: &LanceIndex| {
        let snapshot = index.snapshot().unwrap();
        let near = |shelf| snapshot.nearest(shelf, &vector(&text(3)), &Filter::default(), 400, &[]).unwrap();
        let terms = QueryTerm::as_asked(&["coffe".to_owned(), "deadlin".to_owned()]);
        (Shelf::ALL.map(near), snapshot.lexical(Shelf::Chunks, &terms, &Filter::default(), 400).unwrap())
    };
    let alike = || assert_eq!(answers(&index), answers(&LanceIndex::open(&local(&folder)).unwrap()));
    alike();
    for change in [
        Change::Put(note("memory/1.md", &lines(1)[..17], true)),
        Change::Put(note("memory/3.md", &lines(3), true)),
        Change::Remove { path: "memory/0.md".to_owned() },
        Change::Put(note("memory/new.md", &lines(9)[..2], true)),
        Change::Compact,
        Change::Put(note("memory/new.md", &lines(9)[..3], true)),
    ] {
        apply(&index, change);
        alike();
    }
}

#[test]
fn what_was_written_is_there_when_it_is_opened_again() {
    let folder = folder();
    apply(&LanceIndex::open(&local(&folder)).unwrap(), put("a.md", &["coffee deadline", "walk dog"]));
    let again = LanceIndex::look(&local(&folder)).unwrap().unwrap();
    again.verify().unwrap();
    let snapshot = again.snapshot().unwrap();
    assert_eq!(snapshot.generation(), 1);
    assert_eq!(
        snapshot
            .lexical(Shelf::Chunks, &QueryTerm::as_asked(&["coffe".to_owned()]), &Filter::default(), 5)
            .unwrap()
            .hits
            .len(),
        1
    );
    let facts = snapshot.facts(&single::list(&*snapshot, FactQuery::All).unwrap()).unwrap();
    assert_eq!(facts.iter().map(|fact| fact.fields.salience).collect::<Vec<_>>(), [0.95, 0.95]);
}

/// As in LanceDB's own memory extension: whoever reads the table finds what a fact is worth, and of what kind it is.
#[test]
fn any_program_can_read_facts_with_importance_and_category() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    apply(&index, put("a.md", &["coffee deadline", "walk dog"]));
    let part = part(&folder);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (found, schema) = runtime.block_on(async {
        let tables = lancedb::connect(&part).execute().await.unwrap();
        let facts = tables.open_table("facts").execute().await.unwrap();
        let condition =
            "importance > 0.94 AND importance < 0.96 AND category = 'world' AND vector IS NOT NULL";
        (facts.count_rows(Some(condition.to_owned())).await.unwrap(), facts.schema().await.unwrap())
    });
    assert_eq!(found, 2);
    for name in ["id", "text", "vector", "importance", "category", "created_at"] {
        assert!(schema.column_with_name(name).is_some(), "{name}");
    }
}

#[test]
fn a_rebuild_goes_on_where_it_stopped_and_takes_its_place_in_one_step() {
    let folder = folder();
    let (index, other) =
        (LanceIndex::open(&local(&folder)).unwrap(), LanceIndex::open(&local(&folder)).unwrap());
    apply(&index, put("old.md", &["coffee"]));
    let before = index.snapshot().unwrap().generation();
    let made = index.rebuild(false).unwrap().unwrap();
    assert!(other.rebuild(false).unwrap().is_none(), "one at a time");
    let one = |path: &str, line: &str| Batch { changes: vec![put(path, &[line])], ..Batch::default() };
    made.index().unwrap().apply(&one("a.md", "walk")).unwrap();
    drop(made);
    let made = other.rebuild(false).unwrap().unwrap();
    made.index().unwrap().apply(&one("b.md", "dog")).unwrap();
    let reader = index.snapshot().unwrap();
    assert_eq!(reader.notes(NoteQuery::All).unwrap().len(), 1);
    made.carry_cache().unwrap();
    made.replace().unwrap();
    assert_eq!(
        reader
            .lexical(Shelf::Chunks, &QueryTerm::as_asked(&["coffe".to_owned()]), &Filter::default(), 5)
            .unwrap()
            .hits
            .len(),
        1
    );
    drop(reader);
    let now = index.snapshot().unwrap();
    let paths: Vec<String> = now.notes(NoteQuery::All).unwrap().into_iter().map(|note| note.path).collect();
    assert_eq!(paths, ["a.md", "b.md"]);
    assert!(now.generation() > before);
    drop(now);
    index.verify().unwrap();
    index.reset().unwrap();
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap(), []);
}
