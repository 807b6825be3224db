//! What is wrong with the address, the rights or the tables is said before anything is written.

use mindfile_index::{Backend, Batch, Error, Index};
use mindfile_index::{NoteQuery, conformance::notes::put};
use mindfile_postgres::{Options, PostgresIndex};

use crate::server::{self, admin, database, open, options};

fn refused(url: &str) -> Error {
    PostgresIndex::open(&options(url, "main")).map(drop).unwrap_err()
}

fn hint(error: &Error) -> &str {
    let Error::Unusable { hint, .. } = error else { panic!("{error}") };
    hint
}

#[test]
fn a_server_that_is_not_there_is_unavailable() {
    let error = refused("postgresql://ann@127.0.0.1:1/notes");
    assert!(matches!(error, Error::Unavailable { .. }), "{error}");
    assert!(
        error
            .to_string()
            .starts_with("postgres at postgresql://ann@127.0.0.1:1/notes#mindfile cannot be reached")
    );
    let error = refused("postgresql://ann@no-such-host.invalid/notes");
    assert!(matches!(error, Error::Unavailable { .. }), "{error}");
}

#[test]
fn an_address_that_is_none_is_refused() {
    for url in ["", "not an address", "mysql://u@h/d", "postgresql:///d"] {
        let error = refused(url);
        assert!(error.to_string().contains("memory.postgres.url"), "{url}: {error}");
        assert!(hint(&error).contains("postgresql://USER:PASSWORD@HOST"));
    }
}

#[test]
fn a_database_or_a_password_that_is_wrong_is_named_with_what_to_do() {
    let Some(server) = server::url() else { return };
    let error = refused(&server.replace("/postgres", "/no_such_database"));
    assert!(error.to_string().contains("no_such_database"), "{error}");
    assert!(hint(&error).contains("CREATE DATABASE"));
    let error = refused(&server.replace("mindfile@", "nobody_there@"));
    assert!(hint(&error).contains("the user and the password"), "{error}");
}

#[test]
fn tables_that_somebody_else_made_are_left_alone() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let owner = admin(&url);
    owner.batch_execute("CREATE SCHEMA mindfile; CREATE TABLE mindfile.notes (mine text)").unwrap();
    let error = refused(&url);
    assert!(error.to_string().ends_with("has tables that mindfile did not make"), "{error}");
    assert!(hint(&error).contains("memory.postgres.schema"));
    assert_eq!(owner.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'mindfile'"), 1);
    let beside = Options { schema: "My \"own\" notes".to_owned(), ..options(&url, "main") };
    PostgresIndex::open(&beside).unwrap().verify().unwrap();
}

#[test]
fn tables_of_a_newer_program_are_left_alone_and_older_ones_are_brought_up() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    drop(open(&url, "main"));
    let owner = admin(&url);
    owner.batch_execute("COMMENT ON SCHEMA mindfile IS 'mindfile index, version 99'").unwrap();
    let error = refused(&url);
    assert!(error.to_string().contains("made by a newer mindfile (version 99"), "{error}");
    assert!(hint(&error).starts_with("update mindfile"));
    owner.batch_execute("DROP SCHEMA mindfile CASCADE; CREATE SCHEMA mindfile").unwrap();
    owner.batch_execute("COMMENT ON SCHEMA mindfile IS 'mindfile index, version 0'").unwrap();
    let error = PostgresIndex::look(&options(&url, "main")).map(drop).unwrap_err();
    assert!(matches!(error, Error::Version { found: 0, .. }), "{error}");
    open(&url, "main").verify().unwrap();
}

/// A row of `postings` was one term of one entry; the second version said more of it, and counted terms.
/// The third did not count whom facts name.
const OLDER: [&str; 3] = [
    "DROP TABLE postings; CREATE TABLE postings (agent text, part int, shelf int2, term text, doc int8, count int NOT NULL,
       PRIMARY KEY (agent, part, shelf, term, doc)) PARTITION BY HASH (agent);
     CREATE TABLE postings_0 PARTITION OF postings FOR VALUES WITH (MODULUS 1, REMAINDER 0);
     INSERT INTO postings SELECT agent, part, shelf, 'coffe', doc, 1 FROM entries",
    "DROP TABLE postings; CREATE TABLE postings (agent text, part int, shelf int2, term text, doc int8, count int NOT NULL, length int,
       source int2, origin int2, PRIMARY KEY (agent, part, shelf, term, doc)) PARTITION BY HASH (agent);
     CREATE TABLE postings_0 PARTITION OF postings FOR VALUES WITH (MODULUS 1, REMAINDER 0);
     INSERT INTO postings SELECT agent, part, shelf, 'coffe', doc, 1, 2, 0, 2 FROM entries;
     CREATE TABLE terms (agent text, part int, shelf int2, term text, source int2, origin int2, rows int8)",
    "",
];

#[test]
fn tables_of_older_versions_keep_their_rows_and_their_roles() {
    let Some(server) = server::url() else { return };
    let batch = |path: &str| Batch { changes: vec![put(path, &["coffee deadline"])], ..Batch::default() };
    for (version, older) in (1..).zip(OLDER) {
        let url = database(&server);
        open(&url, "main").apply(&batch("memory/a.md")).unwrap();
        let role = url.rsplit('/').next().unwrap().replace('t', "old_");
        let owner = admin(&url);
        owner
            .batch_execute(&format!("CREATE ROLE {role} LOGIN; SELECT mindfile.admit('{role}', 'main')"))
            .unwrap();
        let back = format!(
            "SET search_path TO mindfile; DROP TABLE entities; {older};
             COMMENT ON SCHEMA mindfile IS 'mindfile index, version {version}'"
        );
        owner.batch_execute(&back).unwrap();
        let index = open(&url, "main");
        index.verify().unwrap();
        assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap().len(), 1);
        let index = open(&url.replace("mindfile@", &format!("{role}@")), "main");
        index.apply(&batch("memory/b.md")).unwrap();
        index.verify().unwrap();
    }
}

#[test]
fn a_role_that_may_make_no_tables_is_told_who_can() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let role = url.rsplit('/').next().unwrap().replace('t', "poor_");
    admin(&url).batch_execute(&format!("CREATE ROLE {role} LOGIN")).unwrap();
    let error = refused(&url.replace("mindfile@", &format!("{role}@")));
    assert!(error.to_string().contains("permission denied"), "{error}");
    assert!(hint(&error).contains("admit"), "{}", hint(&error));
    assert_eq!(admin(&url).number("SELECT count(*) FROM pg_namespace WHERE nspname = 'mindfile'"), 0);
}

#[test]
fn looking_makes_nothing() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    assert!(PostgresIndex::look(&options(&url, "main")).unwrap().is_none());
    assert_eq!(admin(&url).number("SELECT count(*) FROM pg_namespace WHERE nspname = 'mindfile'"), 0);
    drop(open(&url, "other"));
    assert!(PostgresIndex::look(&options(&url, "main")).unwrap().is_none());
    assert_eq!(admin(&url).number("SELECT count(*) FROM mindfile.agents"), 1);
}

#[test]
fn many_hosts_that_begin_at_once_make_the_tables_once() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    std::thread::scope(|scope| {
        for host in 0..6 {
            let url = &url;
            scope.spawn(move || open(url, &format!("agent {}", host % 3)).snapshot().unwrap().generation());
        }
    });
    assert_eq!(admin(&url).number("SELECT count(*) FROM mindfile.agents"), 3);
}
