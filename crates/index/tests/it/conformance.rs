//! The contract, the same for every backend: whatever is applied, SQLite answers as the reference does; and what only
//! SQLite has: tables that people ask, checksums, and two ways to compare vectors.

use std::cell::Cell;
use std::path::Path;

use mindfile_index::conformance::notes::{note, text, vector};
use mindfile_index::conformance::{self, Allowances, follow_all, places, step};
use mindfile_index::{
    Backend, Batch, Change, Filter, Index, ReferenceIndex, Shelf, SqliteIndex, VectorEngine,
};
use proptest::prelude::*;

/// Few by default, `MINDFILE_CASES` when asked.
#[expect(clippy::disallowed_methods, reason = "a test is told its length by the environment")]
fn cases() -> u32 {
    let asked = std::env::var("MINDFILE_CASES").ok();
    asked.map_or(48, |text| text.parse().unwrap())
}

fn open(path: &Path) -> SqliteIndex {
    SqliteIndex::open(path, VectorEngine::Scan).unwrap()
}

#[test]
fn sqlite_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let made = Cell::new(0);
    let fresh = || -> Box<dyn Index> {
        made.set(made.get() + 1);
        Box::new(open(&folder.path().join(format!("{}.sqlite", made.get()))))
    };
    conformance::all(&fresh, Allowances::default(), cases());
}

#[test]
fn the_reference_keeps_the_contract() {
    conformance::all(&|| Box::new(ReferenceIndex::default()), Allowances::default(), 8);
}

#[test]
fn tables_after_any_edits_are_those_of_a_rebuild() {
    conformance::on_any(cases(), &prop::collection::vec(step(), 1..24), |steps| {
        let folder = tempfile::tempdir().unwrap();
        let followed = open(&folder.path().join("i.sqlite"));
        let rebuilt = open(&folder.path().join("r.sqlite"));
        let changes = follow_all(&followed, &steps);
        rebuilt.apply(&Batch { changes, ..Batch::default() }).unwrap();
        prop_assert_eq!(tables(&followed), tables(&rebuilt));
        followed.verify().unwrap();
        Ok(())
    });
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
