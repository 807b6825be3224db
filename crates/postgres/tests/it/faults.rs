//! Things that happen to a database in a network: what was said to be done is done once, and what was not is tried again
//! or told.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mindfile_index::conformance::notes::{put, text, vector};
use mindfile_index::{
    Backend, Batch, Change, Error, Filter, Index, NoteQuery, QueryTerm, RowQuery, Shelf, single,
};
use mindfile_postgres::{Options, PostgresIndex};

use crate::own::Own;
use crate::proxy::Proxy;
use crate::server::{self, admin, database, open, options};

const KILLS: u64 = 5;

fn batch(note: usize) -> Batch {
    let changes = vec![put(&format!("memory/{note}.md"), &["coffee deadline", &text(note as u64)])];
    Batch { changes, ..Batch::default() }
}

fn has(index: &PostgresIndex, note: usize) -> bool {
    let path = format!("memory/{note}.md");
    let snapshot = index.snapshot().unwrap();
    let rows = snapshot.rows_of(&path, RowQuery::ChunksAt(1)).unwrap().len();
    assert_eq!(
        rows,
        usize::from(single::note(&*snapshot, &path).unwrap().is_some()),
        "{path} is there whole or not at all"
    );
    rows == 1
}

#[test]
fn a_reply_that_is_lost_after_the_commit_leaves_no_doubt() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let proxy = Proxy::to(&url);
    let index = open(&proxy.url, "main");
    for note in 0..20 {
        let before = index.snapshot().unwrap().generation();
        proxy.cut_after_commit();
        let generation = index.apply(&batch(note)).unwrap();
        assert!(proxy.has_cut(), "the connection was cut");
        assert_eq!(generation, before + 1, "applied once");
        assert!(has(&index, note));
    }
    assert_eq!(admin(&url).number("SELECT count(*) FROM mindfile.batches"), 20);
    index.verify().unwrap();
}

#[test]
fn a_request_that_is_lost_before_the_commit_is_sent_again() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let proxy = Proxy::to(&url);
    let index = open(&proxy.url, "main");
    for note in 0..20 {
        proxy.cut_before_commit();
        index.apply(&batch(note)).unwrap();
        assert!(proxy.has_cut(), "the connection was cut");
        assert!(has(&index, note));
    }
    assert_eq!(index.snapshot().unwrap().generation(), 20);
}

#[test]
fn a_server_that_is_killed_while_it_commits_loses_nothing_that_was_acknowledged() {
    let Some(own) = Own::start("") else { return };
    let index = open(&own.url(), "main");
    let done = AtomicBool::new(false);
    let mut acknowledged = Vec::new();
    std::thread::scope(|scope| {
        let killer = scope.spawn(|| {
            for kill in 0..KILLS {
                std::thread::sleep(Duration::from_millis(200 + 70 * kill));
                own.kill();
                own.again();
            }
            done.store(true, Ordering::Relaxed);
        });
        let mut note = 0;
        while !done.load(Ordering::Relaxed) {
            match index.apply(&batch(note)) {
                Ok(_) => acknowledged.push(note),
                Err(error) => assert!(matches!(error, Error::Unavailable { .. }), "{error}"),
            }
            note += 1;
        }
        killer.join().unwrap();
    });
    for note in &acknowledged {
        assert!(has(&index, *note), "note {note} was acknowledged");
    }
    index.verify().unwrap();
    eprintln!("{KILLS} kills, {} batches acknowledged", acknowledged.len());
}

#[test]
fn what_two_writers_did_to_each_other_is_tried_again() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let index = open(&url, "main");
    for (number, code) in [(0, "40001"), (1, "40P01")] {
        admin(&url)
            .batch_execute(&format!(
                "CREATE SEQUENCE public.s{number};
                 CREATE FUNCTION public.fail{number}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                   IF nextval('public.s{number}') <= 2 THEN RAISE EXCEPTION 'as if' USING ERRCODE = '{code}'; END IF;
                   RETURN NEW; END $$;
                 CREATE TRIGGER fail{number} BEFORE INSERT ON mindfile.notes_{} FOR EACH ROW EXECUTE FUNCTION public.fail{number}()",
                partition(&url)
            ))
            .unwrap();
        index.apply(&batch(number)).unwrap();
        assert!(has(&index, number));
    }
    let always = "CREATE OR REPLACE FUNCTION public.fail0() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'as if' USING ERRCODE = '40001'; END $$";
    admin(&url).batch_execute(always).unwrap();
    let error = index.apply(&batch(2)).unwrap_err();
    assert!(matches!(error, Error::Engine { .. }), "an end comes: {error}");
    assert!(!has(&index, 2));
}

fn partition(url: &str) -> i64 {
    admin(url).number(
        "SELECT n::int8 FROM generate_series(0, 7) n WHERE satisfies_hash_partition('mindfile.notes'::regclass, 8, n::int4, 'main'::text)",
    )
}

#[test]
fn without_pgvector_words_are_searched_and_the_rest_is_said() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    open(&url, "main").apply(&batch(0)).unwrap();
    let as_without = "ALTER TABLE mindfile.vectors ALTER COLUMN embedding TYPE real[]; DROP EXTENSION vector";
    admin(&url).batch_execute(as_without).unwrap();
    let index = open(&url, "main");
    index.apply(&batch(1)).unwrap();
    assert!(index.without_meaning().unwrap().contains("CREATE EXTENSION vector"));
    assert!(index.version().ends_with("without pgvector"));
    let near = |index: &PostgresIndex| {
        let snapshot = index.snapshot().unwrap();
        snapshot.nearest(Shelf::Chunks, &vector("coffee deadline"), &Filter::default(), 5, &[]).unwrap().len()
    };
    let hits = |index: &PostgresIndex| {
        let snapshot = index.snapshot().unwrap();
        snapshot
            .lexical(Shelf::Chunks, &QueryTerm::as_asked(&["coffe".to_owned()]), &Filter::default(), 5)
            .unwrap()
            .hits
            .len()
    };
    assert_eq!((near(&index), hits(&index)), (0, 2));
    index.verify().unwrap();
    admin(&url).batch_execute("CREATE EXTENSION vector").unwrap();
    let index = open(&url, "main");
    assert_eq!((near(&index), hits(&index), index.without_meaning()), (4, 2, None));
    index.apply(&Batch { changes: vec![Change::Compact], ..Batch::default() }).unwrap();
    assert!(!index.is_current(), "its vectors have pgvector's own type now");
    let index = open(&url, "main");
    assert_eq!((near(&index), index.is_current()), (4, true));
    index.verify().unwrap();
    let refused = admin(&url).batch_execute("DROP EXTENSION vector").unwrap_err();
    assert!(refused.as_db_error().unwrap().message().contains("other objects depend on it"));
}

#[test]
fn who_finds_every_connection_in_use_is_told_after_a_while() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let few = Options { pool: 2, timeout: Duration::from_millis(300), ..options(&url, "main") };
    let index = PostgresIndex::open(&few).unwrap();
    let held = [index.snapshot().unwrap(), index.snapshot().unwrap()];
    let error = index.snapshot().map(drop).unwrap_err();
    assert!(error.to_string().ends_with("all 2 connections were in use for 300ms"), "{error}");
    drop(held);
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap(), []);
}

#[test]
fn a_server_that_was_restarted_meanwhile_is_used_again() {
    let Some(own) = Own::start("") else { return };
    let index = open(&own.url(), "main");
    index.apply(&batch(0)).unwrap();
    for (end, note) in [(Own::kill as fn(&Own), 1), (Own::stop, 2)] {
        end(&own);
        assert!(matches!(index.snapshot().map(drop), Err(Error::Unavailable { .. })));
        own.again();
        assert!(has(&index, 0));
        index.apply(&batch(note)).unwrap();
        assert!(has(&index, note));
    }
}

#[test]
fn a_full_disk_is_an_error_and_loses_nothing_that_was_acknowledged() {
    let Some(own) = Own::start("110m") else { return };
    let index = open(&own.url(), "main");
    let large = |note: usize| {
        let lines: Vec<String> =
            (0..60).map(|line| format!("{} {}", text(note as u64 * 60 + line), "x".repeat(900))).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        Batch { changes: vec![put(&format!("memory/{note}.md"), &lines)], ..Batch::default() }
    };
    let mut acknowledged = Vec::new();
    let error = (0..2_000).find_map(|note| match index.apply(&large(note)) {
        Ok(_) => {
            acknowledged.push(note);
            None
        }
        Err(error) => Some(error),
    });
    let error = error.expect("the disk is full at some time");
    assert!(matches!(error, Error::Engine { .. } | Error::Unavailable { .. }), "{error}");
    own.grow("600m");
    own.kill();
    own.again();
    let index = open(&own.url(), "main");
    for note in &acknowledged {
        assert!(has(&index, *note), "note {note} was acknowledged");
    }
    index.apply(&large(5_000)).unwrap();
    index.verify().unwrap();
    eprintln!("{} batches before the disk was full: {error}", acknowledged.len());
}
