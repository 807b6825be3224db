//! The server that the tests talk to, and places of their own in it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mindfile_postgres::{EXACT_UP_TO, Options, PostgresIndex};
use postgres::Client;
use zeroize::Zeroizing;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Where the server is; none where nobody said so, which is said loudly, because then nothing was tested.
pub(crate) fn url() -> Option<String> {
    let url = std::env::var("MINDFILE_TEST_POSTGRES").ok();
    if url.is_none() {
        eprintln!(
            "SKIPPED: no PostgreSQL server; run crates/postgres/tests/server cargo test -p mindfile-postgres"
        );
    }
    url
}

/// A database that no other test uses.
pub(crate) fn database(server: &str) -> String {
    let name = format!("t{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    admin(server).batch_execute(&format!("CREATE DATABASE {name}")).unwrap();
    server.replace("/postgres", &format!("/{name}"))
}

/// Somebody else who speaks to the server.
pub(crate) struct Admin(Mutex<Client>);

pub(crate) fn admin(url: &str) -> Admin {
    try_admin(url).unwrap()
}

pub(crate) fn try_admin(url: &str) -> Result<Admin, postgres::Error> {
    Ok(Admin(Mutex::new(Client::connect(url, postgres::NoTls)?)))
}

impl Admin {
    pub(crate) fn batch_execute(&self, sql: &str) -> Result<(), postgres::Error> {
        self.0.lock().unwrap().batch_execute(sql)
    }

    pub(crate) fn number(&self, sql: &str) -> i64 {
        self.0.lock().unwrap().query_one(sql, &[]).unwrap().get(0)
    }
}

pub(crate) fn options(url: &str, agent: &str) -> Options {
    Options {
        url: Zeroizing::new(url.to_owned()),
        password: None,
        agent: agent.to_owned(),
        schema: "mindfile".to_owned(),
        pool: 6,
        timeout: Duration::from_secs(5),
        ca_file: None,
        exact_up_to: EXACT_UP_TO,
    }
}

pub(crate) fn open(url: &str, agent: &str) -> PostgresIndex {
    PostgresIndex::open(&options(url, agent)).unwrap()
}
