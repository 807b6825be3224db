//! What agents share, and what they do not: a role of one agent's reads and writes nothing of another's.

use mindfile_index::{Backend, Batch, Error, Index, PurgeOutcome};
use mindfile_index::{NoteQuery, conformance::notes::put};
use mindfile_postgres::PostgresIndex;

use crate::server::{self, admin, database, open, options, try_admin};

/// Every table that holds something of an agent.
const TABLES: [&str; 14] = [
    "agents", "parts", "totals", "aliases", "meta", "uses", "batches", "notes", "entries", "vectors",
    "postings", "names", "entities", "cache",
];

struct Two {
    url: String,
    /// The address for the role that was admitted to agent `a` alone.
    as_a: String,
}

/// A database with rows of two agents, and a role for one of them.
fn two(server: &str) -> Two {
    let url = database(server);
    for agent in ["a", "b"] {
        let batch = Batch { changes: vec![put("memory/a.md", &["coffee deadline"])], ..Batch::default() };
        open(&url, agent).apply(&batch).unwrap();
    }
    let role = url.rsplit('/').next().unwrap().replace('t', "role_");
    admin(&url)
        .batch_execute(&format!("CREATE ROLE {role} LOGIN; SELECT mindfile.admit('{role}', 'a')"))
        .unwrap();
    let as_a = url.replace("mindfile@", &format!("{role}@"));
    Two { url, as_a }
}

#[test]
fn a_role_sees_and_changes_rows_of_its_own_agent_alone() {
    let Some(server) = server::url() else { return };
    let Two { url, as_a } = two(&server);
    let owner = admin(&url);
    let role = admin(&as_a);
    for table in TABLES {
        let of = |who: &server::Admin, agent: &str| {
            who.number(&format!("SELECT count(*) FROM mindfile.{table} WHERE agent = '{agent}'"))
        };
        assert_eq!(of(&role, "a"), of(&owner, "a"), "{table}");
        assert_eq!(of(&role, "b"), 0, "{table}");
        let all = owner.number(&format!("SELECT count(*) FROM mindfile.{table}"));
        role.batch_execute(&format!("DELETE FROM mindfile.{table} WHERE agent = 'b'")).unwrap();
        role.batch_execute(&format!("UPDATE mindfile.{table} SET agent = 'a' WHERE agent = 'b'")).unwrap();
        assert_eq!(owner.number(&format!("SELECT count(*) FROM mindfile.{table}")), all, "{table}");
    }
    let refused = |sql: &str| {
        let error = role.batch_execute(sql).unwrap_err();
        error.as_db_error().unwrap().message().to_owned()
    };
    let inserted = refused("INSERT INTO mindfile.meta VALUES ('b', 1, 'x', 'y')");
    assert_eq!(inserted, "new row violates row-level security policy for table \"meta\"");
    let moved = refused(
        "UPDATE mindfile.meta SET agent = 'b'; INSERT INTO mindfile.notes SELECT 'b', 9, 'x', 0, '', 0, 0, 0, 0, false, 0",
    );
    assert!(moved.contains("row-level security"), "{moved}");
    assert!(refused("SELECT * FROM mindfile.entries_0").contains("permission denied"));
    assert!(refused("SELECT * FROM mindfile.roles").contains("permission denied"));
    assert!(refused("SELECT mindfile.admit(session_user::name, 'b')").contains("permission denied"));
    assert!(refused("CREATE TABLE mindfile.mine (x int)").contains("permission denied"));
}

#[test]
fn an_agents_own_role_can_do_all_that_an_index_does() {
    let Some(server) = server::url() else { return };
    let Two { as_a, .. } = two(&server);
    let index = open(&as_a, "a");
    let batch = Batch { changes: vec![put("memory/b.md", &["walk dog"])], ..Batch::default() };
    index.apply(&batch).unwrap();
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap().len(), 2);
    index.verify().unwrap();
    let made = index.rebuild(false).unwrap().unwrap();
    made.index().unwrap().apply(&batch).unwrap();
    made.replace().unwrap();
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap().len(), 1);
    assert!(matches!(index.purge().unwrap(), PurgeOutcome::Held(why) if why.starts_with("only their owner")));
}

#[test]
fn an_agent_that_a_role_was_not_admitted_to_is_refused() {
    let Some(server) = server::url() else { return };
    let Two { as_a, .. } = two(&server);
    for agent in ["b", "c"] {
        let error = PostgresIndex::open(&options(&as_a, agent)).map(drop).unwrap_err();
        assert!(matches!(error, Error::Unusable { .. }), "{error}");
        assert!(error.to_string().contains("row-level security"), "{error}");
    }
}

#[test]
fn a_stranger_may_not_even_look() {
    let Some(server) = server::url() else { return };
    let Two { url, .. } = two(&server);
    let role = url.rsplit('/').next().unwrap().replace('t', "stranger_");
    admin(&url).batch_execute(&format!("CREATE ROLE {role} LOGIN")).unwrap();
    let url = url.replace("mindfile@", &format!("{role}@"));
    let error = PostgresIndex::open(&options(&url, "a")).map(drop).unwrap_err();
    assert!(error.to_string().contains("permission denied"), "{error}");
    assert!(try_admin(&url).unwrap().batch_execute("SELECT * FROM mindfile.entries").is_err());
}

#[test]
fn what_is_forgotten_is_not_in_the_servers_tables() {
    let Some(server) = server::url() else { return };
    let url = database(&server);
    let index = open(&url, "main");
    let batch = |lines: &[&str]| Batch { changes: vec![put("memory/a.md", lines)], ..Batch::default() };
    let secret = "xylophone quetzalcoatl";
    index.apply(&batch(&[secret, "walk dog"])).unwrap();
    index.apply(&batch(&["walk dog"])).unwrap();
    let reader = index.snapshot().unwrap();
    assert!(matches!(index.purge().unwrap(), PurgeOutcome::Held(why) if why.starts_with("a reader")));
    drop(reader);
    let elsewhere = admin(&database(&server));
    elsewhere.batch_execute("BEGIN; CREATE TABLE x (y int)").unwrap();
    index.apply(&batch(&[secret])).unwrap();
    index.apply(&batch(&["walk dog"])).unwrap();
    assert!(
        matches!(index.purge().unwrap(), PurgeOutcome::Held(why) if why.starts_with("an older transaction"))
    );
    elsewhere.batch_execute("ROLLBACK").unwrap();
    let purged = (0..20).map(|_| index.purge().unwrap()).find(|purged| *purged == PurgeOutcome::Done);
    assert!(purged.is_some(), "others end at some time");
    let owner = admin(&url);
    owner.batch_execute("CHECKPOINT").unwrap();
    owner.batch_execute("SET search_path TO mindfile").unwrap();
    for table in TABLES {
        let sql = format!(
            "SELECT count(*) FROM pg_class c, LATERAL (SELECT pg_read_binary_file(pg_relation_filepath(c.oid)) AS bytes) f
             WHERE c.relkind = 'r' AND (c.relname = '{table}' OR c.relname LIKE '{table}\\_%')
             AND pg_relation_size(c.oid) > 0 AND position('quetzalcoatl'::bytea IN f.bytes) > 0"
        );
        assert_eq!(owner.number(&sql), 0, "{table}");
    }
    index.verify().unwrap();
}
