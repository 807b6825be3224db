//! Whose file it is, what is wrong with it, and what is never touched.

use std::path::Path;

use mindfile_index::{
    Backend, Batch, Change, Error, Filter, Index, NoteQuery, PurgeOutcome, QueryTerm, Shelf,
};
use mindfile_index::{SqliteIndex, VectorEngine};

use mindfile_index::conformance::notes::put;

fn open(path: &Path) -> Result<SqliteIndex, Error> {
    SqliteIndex::open(path, VectorEngine::Scan)
}

fn filled(path: &Path) -> SqliteIndex {
    let index = open(path).unwrap();
    let notes =
        (0..30).map(|n| put(&format!("memory/{n}.md"), &["coffee deadline", "walk the dog", "E2BIG"]));
    index.apply(&Batch { changes: notes.collect(), ..Batch::default() }).unwrap();
    index
}

/// Other programs ask the file as the documents of Memory v2 have it. The views cannot have indexes: what they join does.
#[test]
fn questions_in_sql_have_their_indexes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("main.sqlite");
    SqliteIndex::open(&path, VectorEngine::Scan).unwrap();
    let db = rusqlite::Connection::open(&path).unwrap();
    for (sql, index) in [
        (
            "SELECT content FROM facts WHERE last_accessed_at > 5 ORDER BY last_accessed_at",
            "idx_facts_last_accessed",
        ),
        ("SELECT content FROM facts WHERE salience >= 0.8", "idx_facts_salience"),
        ("SELECT name FROM entity_stats WHERE fact_count > 100", "idx_entity_stats_fact_count"),
        ("SELECT * FROM entity_cooccurrence WHERE entity_id_1 = 7", "idx_fact_entities_fact"),
    ] {
        let mut plan = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = plan.query_map([], |row| row.get::<_, String>(3)).unwrap();
        let steps: Vec<String> = steps.map(Result::unwrap).collect();
        assert!(steps.iter().any(|step| step.contains(index)), "{sql}: {steps:?}");
        assert!(!steps.iter().any(|step| step.starts_with("SCAN facts")), "{sql}: {steps:?}");
    }
}

#[test]
fn a_database_of_somebody_else_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE chunks (id TEXT)").unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(matches!(open(&path), Err(Error::Foreign { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_newer_format_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    drop(filled(&path));
    rusqlite::Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    assert!(matches!(open(&path), Err(Error::Version { found: 99, .. })));
}

#[test]
fn text_where_a_database_should_be_is_somebody_elses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    std::fs::write(&path, "not a database, but long enough to look like a file of one ".repeat(40)).unwrap();
    assert!(matches!(open(&path), Err(Error::Foreign { .. })));
}

#[test]
fn a_database_with_a_broken_page_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    drop(filled(&path));
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100..4000].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    assert!(matches!(open(&path), Err(Error::Damaged { .. })));
}

#[test]
fn a_question_that_takes_too_long_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(&folder.path().join("main.sqlite")).unwrap();
    let notes = (0..3000).map(|n| put(&format!("memory/{n}.md"), &["coffee deadline", "walk the dog"]));
    index.apply(&Batch { changes: notes.collect(), ..Batch::default() }).unwrap();
    let snapshot = index.snapshot_until(std::time::Instant::now()).unwrap();
    let late = snapshot.lexical(
        Shelf::Chunks,
        &QueryTerm::as_asked(&["coffe".to_owned(), "deadlin".to_owned()]),
        &Filter::default(),
        5,
    );
    assert!(matches!(late, Err(Error::Deadline)), "{late:?}");
}

#[test]
fn an_index_that_was_moved_away_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    let index = filled(&path);
    std::fs::rename(&path, folder.path().join("elsewhere")).unwrap();
    assert!(matches!(index.apply(&Batch::default()), Err(Error::Moved { .. })));
    assert!(matches!(index.snapshot().err(), Some(Error::Moved { .. })));
}

#[test]
fn a_rebuilt_index_replaces_the_old_one_under_open_readers() {
    let folder = tempfile::tempdir().unwrap();
    let index = filled(&folder.path().join("main.sqlite"));
    let aside_path = folder.path().join("aside.sqlite");
    let aside = open(&aside_path).unwrap();
    aside.apply(&Batch { changes: vec![put("MEMORY.md", &["tea"])], ..Batch::default() }).unwrap();
    drop(aside);
    let old = index.snapshot().unwrap();
    assert_eq!(old.notes(NoteQuery::All).unwrap().len(), 30);
    index.replace_with(&aside_path).unwrap();
    let new = index.snapshot().unwrap();
    assert_eq!((old.notes(NoteQuery::All).unwrap().len(), new.notes(NoteQuery::All).unwrap().len()), (30, 1));
    assert_eq!(
        new.lexical(Shelf::Chunks, &QueryTerm::as_asked(&["tea".to_owned()]), &Filter::default(), 5)
            .unwrap()
            .hits
            .len(),
        1
    );
    assert!(new.generation() > old.generation());
}

#[test]
fn eight_processes_worth_of_first_opens_make_one_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    std::thread::scope(|scope| {
        for n in 0..8 {
            let path = &path;
            scope.spawn(move || {
                let index = open(path).unwrap();
                index
                    .apply(&Batch { changes: vec![put(&format!("{n}.md"), &["coffee"])], ..Batch::default() })
                    .unwrap();
            });
        }
    });
    assert_eq!(open(&path).unwrap().snapshot().unwrap().notes(NoteQuery::All).unwrap().len(), 8);
}

fn holds(folder: &Path, wanted: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let has = |path: &std::path::PathBuf| {
        std::fs::read(path).unwrap().windows(wanted.len()).any(|part| part == wanted.as_bytes())
    };
    files.filter(has).map(|path| path.display().to_string()).collect()
}

/// A row that is deleted is not gone yet: the control shows what a purge is for.
#[test]
fn a_purge_leaves_nothing_of_what_was_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let index = filled(&folder.path().join("main.sqlite"));
    let secret = "quokkabramble";
    index.apply(&Batch { changes: vec![put("memory/s.md", &[secret])], ..Batch::default() }).unwrap();
    let gone = Change::Remove { path: "memory/s.md".to_owned() };
    index.apply(&Batch { changes: vec![gone], ..Batch::default() }).unwrap();
    assert_ne!(holds(folder.path(), secret), Vec::<String>::new());
    assert_eq!(index.purge().unwrap(), PurgeOutcome::Done);
    assert_eq!(holds(folder.path(), secret), Vec::<String>::new());
    index.verify().unwrap();
}

#[test]
fn a_reader_holds_a_purge_up_and_the_next_one_finishes_it() {
    let folder = tempfile::tempdir().unwrap();
    let index = filled(&folder.path().join("main.sqlite"));
    let reader = index.snapshot().unwrap();
    reader.notes(NoteQuery::All).unwrap();
    let gone = Change::Remove { path: "memory/3.md".to_owned() };
    index.apply(&Batch { changes: vec![gone], ..Batch::default() }).unwrap();
    assert!(matches!(index.purge().unwrap(), PurgeOutcome::Held(_)));
    assert_eq!(reader.notes(NoteQuery::All).unwrap().len(), 30);
    drop(reader);
    assert_eq!(index.purge().unwrap(), PurgeOutcome::Done);
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap().len(), 29);
}

/// Terms are asked for as phrases of FTS5, whose syntax must not get in between.
#[test]
fn a_term_is_found_wherever_it_occurs_whatever_it_is_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(&folder.path().join("main.sqlite")).unwrap();
    let texts = [
        "don'2026-07-14 AND or NOT near(a, b) x:y c++ c# a.b_c ^up (down) *star* tea tea tea",
        "茶を飲む ชา чай чай naïve naïveté tea-2026 user@example.org https://example.org/a?b=c#d 100%",
    ];
    let notes = (0..40).map(|n| put(&format!("memory/{n}.md"), &texts));
    index.apply(&Batch { changes: notes.collect(), ..Batch::default() }).unwrap();
    let removed = (0..40).step_by(3).map(|n| Change::Remove { path: format!("memory/{n}.md") });
    index.apply(&Batch { changes: removed.collect(), ..Batch::default() }).unwrap();
    index.verify().unwrap();
    let snapshot = index.snapshot().unwrap();
    let terms = texts.map(mindfile_note::words::terms);
    for term in terms.iter().flatten() {
        let having = terms.iter().filter(|terms| terms.contains(term)).count() * 26;
        let found = snapshot
            .lexical(Shelf::Chunks, &QueryTerm::as_asked(std::slice::from_ref(term)), &Filter::default(), 100)
            .unwrap();
        assert_eq!(found.terms[0].chunks as usize, having, "{term}");
    }
    for odd in ["", " ", "\"", "a\"b", "tea tea", "\0", "tea\0", "te*", "\n"] {
        let found = snapshot
            .lexical(Shelf::Chunks, &QueryTerm::as_asked(&[odd.to_owned()]), &Filter::default(), 5)
            .unwrap();
        assert!(found.hits.is_empty(), "{odd:?}");
    }
}
