//! The contract that every engine keeps, with the numbers of SQLite's ranking.

use std::cell::Cell;

use mindfile_index::conformance::notes::{note, put, text, vector};
use mindfile_index::conformance::{self, Allowances, follow_all, step};
use mindfile_index::{Backend, Batch, Change, Filter, Index, NoteQuery, QueryTerm, Shelf};
use mindfile_postgres::{Options, PostgresIndex};
use proptest::prelude::*;

use crate::server::{self, database, open, options};

/// Few by default, `MINDFILE_CASES` when asked.
fn cases() -> u32 {
    std::env::var("MINDFILE_CASES").ok().map_or(6, |text| text.parse().unwrap())
}

#[test]
fn postgres_keeps_the_contract() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let made = Cell::new(0);
    let fresh = || -> Box<dyn Index> {
        made.set(made.get() + 1);
        Box::new(open(&url, &format!("agent {}", made.get())))
    };
    conformance::all(&fresh, Allowances::default(), cases());
}

#[test]
fn after_any_edits_every_check_passes() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let made = Cell::new(0);
    conformance::on_any(cases(), &prop::collection::vec(step(), 1..24), |steps| {
        made.set(made.get() + 1);
        let index = open(&url, &format!("agent {}", made.get()));
        follow_all(&index, &steps);
        index.verify().unwrap();
        Ok(())
    });
}

fn many(index: &PostgresIndex, notes: u64) {
    let changes = (0..notes).map(|n| {
        let lines: Vec<String> = (0..20).map(|line| text(n * 7919 + line * 31)).collect();
        Change::Put(note(&format!("memory/{n}.md"), &lines, true))
    });
    let changes = changes.chain([Change::Compact]).collect();
    index.apply(&Batch { changes, ..Batch::default() }).unwrap();
}

#[test]
fn many_rows_are_found_by_hnsw_with_exact_cosines() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let exact = open(&url, "main");
    let large = PostgresIndex::open(&Options { exact_up_to: 100, ..options(&url, "main") }).unwrap();
    many(&large, 200);
    assert!(large.second_opinion().unwrap().is_some(), "the HNSW index was made");
    let mut found = 0;
    let mut of = 0;
    for seed in 0..20 {
        let near = |index: &PostgresIndex| {
            let snapshot = index.snapshot().unwrap();
            snapshot.nearest(Shelf::Chunks, &vector(&text(seed)), &Filter::default(), 10, &[]).unwrap()
        };
        let known = near(&exact);
        let by_hnsw = near(&large);
        of += known.len().min(10);
        found += known.iter().take(10).filter(|(_, score)| by_hnsw.iter().any(|(_, s)| s == score)).count();
    }
    assert!(found * 100 >= of * 95, "{found} of {of}");
}

#[test]
fn two_hosts_that_index_the_same_note_converge() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let hosts = [open(&url, "main"), open(&url, "main")];
    std::thread::scope(|scope| {
        for host in &hosts {
            scope.spawn(move || {
                for round in 0..20_u64 {
                    let lines = [text(round), text(round + 1)];
                    let changes = vec![Change::Put(note("memory/a.md", &lines, true))];
                    host.apply(&Batch { changes, ..Batch::default() }).unwrap();
                }
            });
        }
    });
    let rows = |index: &PostgresIndex| {
        let snapshot = index.snapshot().unwrap();
        (
            snapshot.generation(),
            snapshot.size(Shelf::Chunks).unwrap(),
            snapshot.notes(NoteQuery::All).unwrap(),
        )
    };
    assert_eq!(rows(&hosts[0]), rows(&hosts[1]));
    assert_eq!(rows(&hosts[0]).1, 2);
    assert_eq!(rows(&hosts[0]).0, 40);
    hosts[0].verify().unwrap();
}

#[test]
fn a_rebuild_goes_on_where_it_stopped_and_takes_its_place_in_one_step() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let index = open(&url, "main");
    let other = open(&url, "main");
    index.apply(&Batch { changes: vec![put("old.md", &["coffee"])], ..Batch::default() }).unwrap();
    let before = index.snapshot().unwrap().generation();
    let made = index.rebuild(false).unwrap().unwrap();
    assert!(other.rebuild(false).unwrap().is_none(), "one at a time");
    made.index()
        .unwrap()
        .apply(&Batch { changes: vec![put("a.md", &["walk"])], ..Batch::default() })
        .unwrap();
    drop(made);
    let made = other.rebuild(false).unwrap().unwrap();
    made.index().unwrap().apply(&Batch { changes: vec![put("b.md", &["dog"])], ..Batch::default() }).unwrap();
    let reader = index.snapshot().unwrap();
    assert_eq!(reader.notes(NoteQuery::All).unwrap().len(), 1);
    made.replace().unwrap();
    assert_eq!(reader.notes(NoteQuery::All).unwrap().len(), 1, "a snapshot is one moment");
    drop(reader);
    let now = index.snapshot().unwrap();
    let paths: Vec<String> = now.notes(NoteQuery::All).unwrap().into_iter().map(|note| note.path).collect();
    assert_eq!(paths, ["a.md", "b.md"]);
    assert!(now.generation() > before);
    index.verify().unwrap();
}

#[test]
fn a_term_of_many_notes_has_few_rows() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let index = open(&url, "main");
    let owner = server::admin(&url);
    let rows = || owner.number("SELECT count(*) FROM mindfile.postings WHERE term = 'coffe' AND shelf = 0");
    for note in 0..200 {
        let changes = vec![put(&format!("memory/{note}.md"), &["coffee deadline"])];
        index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    }
    let entries = owner.number("SELECT sum(rows) FROM mindfile.postings WHERE term = 'coffe' AND shelf = 0");
    assert_eq!((rows(), entries), (3, 200));
    for note in (0..200).filter(|note| note % 8 != 0) {
        let changes = vec![Change::Remove { path: format!("memory/{note}.md") }];
        index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    }
    index.verify().unwrap();
    let found = |index: &PostgresIndex| {
        let snapshot = index.snapshot().unwrap();
        let found = snapshot
            .lexical(Shelf::Chunks, &QueryTerm::as_asked(&["coffe".to_owned()]), &Filter::default(), 500)
            .unwrap();
        (found.hits.len(), found.terms[0].chunks)
    };
    assert_eq!(found(&index), (25, 25));
}

#[test]
fn small_rows_of_a_term_are_put_together() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let index = open(&url, "main");
    let owner = server::admin(&url);
    let rows = || owner.number("SELECT count(*) FROM mindfile.postings WHERE term = 'coffe' AND shelf = 0");
    for batch in 0..20 {
        let changes = (0..100).map(|note| put(&format!("memory/{batch}/{note}.md"), &["coffee"])).collect();
        index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    }
    let before = rows();
    let words = |index: &PostgresIndex| {
        let snapshot = index.snapshot().unwrap();
        snapshot
            .lexical(Shelf::Chunks, &QueryTerm::as_asked(&["coffe".to_owned()]), &Filter::default(), 10)
            .unwrap()
    };
    let found = words(&index);
    index.apply(&Batch { changes: vec![Change::Compact], ..Batch::default() }).unwrap();
    assert_eq!((before, rows()), (20, 4));
    assert_eq!(words(&index), found);
    index.verify().unwrap();
}

#[test]
fn small_rows_do_not_wait_for_a_large_index() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let index = open(&url, "main");
    let owner = server::admin(&url);
    for batch in 0..34 {
        let changes = (0..100).map(|note| put(&format!("memory/{batch}/{note}.md"), &["coffee"])).collect();
        index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    }
    let sql = "SELECT count(*) FROM mindfile.postings WHERE term = 'coffe' AND shelf = 0";
    assert_eq!(owner.number(sql), 8, "six of 32 batches, and two later");
    index.verify().unwrap();
}

#[test]
fn what_is_damaged_is_noticed() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    for (agent, sql) in [
        "UPDATE entries SET text = text || '!'",
        "DELETE FROM postings WHERE first % 2 = 0",
        "UPDATE postings SET rows = rows + 1",
        "UPDATE postings SET bytes = set_byte(bytes, 1, 9)",
        "UPDATE postings SET bytes = set_byte(bytes, 2, 9)",
        "UPDATE postings SET bytes = bytes || '\\x010101', rows = rows + 1",
        "UPDATE postings SET term = term || 'x'",
        "DELETE FROM vectors WHERE doc % 2 = 0",
        "UPDATE names SET name = name || 'x'",
        "UPDATE entities SET facts = facts + 1",
        "INSERT INTO entities SELECT agent, part, 'nobody', 1 FROM parts",
        "UPDATE totals SET length = length + 1",
    ]
    .into_iter()
    .enumerate()
    {
        let agent = format!("agent {agent}");
        let index = open(&url, &agent);
        index
            .apply(&Batch {
                changes: vec![put("a.md", &["coffee deadline", "walk dog"])],
                ..Batch::default()
            })
            .unwrap();
        index.verify().unwrap();
        let sql = if sql.contains("WHERE") {
            format!("{sql} AND agent = '{agent}'")
        } else {
            format!("{sql} WHERE agent = '{agent}'")
        };
        server::admin(&url).batch_execute(&format!("SET search_path TO mindfile; {sql}")).unwrap();
        let found = index.verify().unwrap_err().to_string();
        assert!(found.contains("is damaged"), "{sql}: {found}");
        index.reset().unwrap();
        assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap(), []);
    }
}
