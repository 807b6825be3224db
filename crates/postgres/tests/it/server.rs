//! The server that the tests talk to, and places of their own in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mindfile_postgres::{EXACT_UP_TO, Options, PostgresIndex};
use tokio::runtime::Runtime;
use tokio_postgres::Client;
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
pub(crate) struct Admin(Client, Runtime);

pub(crate) fn admin(url: &str) -> Admin {
    try_admin(url).unwrap()
}

pub(crate) fn try_admin(url: &str) -> Result<Admin, tokio_postgres::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (client, speaking) = runtime.block_on(tokio_postgres::connect(url, tokio_postgres::NoTls))?;
    runtime.spawn(async move { speaking.await.is_ok() });
    Ok(Admin(client, runtime))
}

impl Admin {
    pub(crate) fn batch_execute(&self, sql: &str) -> Result<(), tokio_postgres::Error> {
        self.1.block_on(self.0.batch_execute(sql))
    }

    pub(crate) fn number(&self, sql: &str) -> i64 {
        self.1.block_on(self.0.query_one(sql, &[])).unwrap().get(0)
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

/// A server of a test's own, that can be killed and begun again. Gone when it is dropped.
pub(crate) struct Own {
    folder: tempfile::TempDir,
    bin: PathBuf,
    port: u16,
    mounted: bool,
}

impl Own {
    /// On a disk of that size, where one is named. None where no server can be started.
    pub(crate) fn start(size: &str) -> Option<Self> {
        let Some(bin) = std::env::var_os("MINDFILE_TEST_POSTGRES_BIN").map(PathBuf::from) else {
            eprintln!(
                "SKIPPED: no PostgreSQL programs; run crates/postgres/tests/server cargo test -p mindfile-postgres"
            );
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let own = Self { folder, bin, port, mounted: !size.is_empty() };
        if own.mounted && !own.mount(&format!("size={size}")) {
            eprintln!("SKIPPED: no small disk can be mounted here");
            return None;
        }
        std::fs::create_dir(own.data().parent().unwrap()).unwrap();
        if is_root() {
            Command::new("chown").arg("-R").arg("65534:65534").arg(own.folder.path()).status().unwrap();
        }
        let data = own.data().display().to_string();
        assert!(own.run(
            "initdb",
            &["-D", &data, "-U", "mindfile", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        ));
        own.again();
        Some(own)
    }

    fn mount(&self, option: &str) -> bool {
        let folder = self.folder.path();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", option, "tmpfs"]).arg(folder);
        is_root() && mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }

    pub(crate) fn grow(&self, size: &str) {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,size={size}")]).arg(self.folder.path());
        assert!(mount.status().unwrap().success());
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("server/data")
    }

    pub(crate) fn url(&self) -> String {
        format!("postgresql://mindfile@127.0.0.1:{}/postgres", self.port)
    }

    fn run(&self, program: &str, words: &[&str]) -> bool {
        let program = self.bin.join(program);
        let mut command = Command::new(if is_root() { Path::new("setpriv") } else { &program });
        if is_root() {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(&program);
        }
        command.args(words).env("LC_ALL", "C").current_dir("/");
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    }

    /// The server and everything that it started, at once and without a warning.
    pub(crate) fn kill(&self) {
        let Ok(text) = std::fs::read_to_string(self.data().join("postmaster.pid")) else { return };
        let Some(pid) = text.lines().next().map(str::to_owned) else { return };
        let children =
            std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        for pid in std::iter::once(pid.as_str()).chain(children.split_whitespace()) {
            Command::new("kill").args(["-9", pid]).stderr(Stdio::null()).status().unwrap();
        }
    }

    /// Whatever is left of the one before may take a moment to go.
    pub(crate) fn again(&self) {
        let data = self.data().display().to_string();
        let log = self.folder.path().join("server/log").display().to_string();
        let how = format!(
            "-c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories='' -c max_wal_size=48MB -c min_wal_size=32MB",
            self.port
        );
        for _ in 0..50 {
            if self.run("pg_ctl", &["-D", &data, "-w", "-t", "30", "-l", &log, "-o", &how, "start"]) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the server did not start: {}", std::fs::read_to_string(log).unwrap_or_default());
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        self.kill();
        if self.mounted {
            std::thread::sleep(Duration::from_millis(200));
            Command::new("umount").arg("-l").arg(self.folder.path()).status().ok();
        }
    }
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}
