//! A server of a test's own, that can be stopped, killed and begun again. Gone when it is dropped.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

pub(crate) struct Own {
    folder: tempfile::TempDir,
    bin: PathBuf,
    port: u16,
    mounted: bool,
    /// Settings of the server, as its command line says them.
    how: String,
}

impl Own {
    /// On a disk of that size, where one is named. None where no server can be started.
    pub(crate) fn start(size: &str) -> Option<Self> {
        let own = Self::prepare(size)?;
        own.again();
        Some(own)
    }

    /// The same, not begun yet.
    pub(crate) fn prepare(size: &str) -> Option<Self> {
        let Some(bin) = std::env::var_os("MINDFILE_TEST_POSTGRES_BIN").map(PathBuf::from) else {
            eprintln!(
                "SKIPPED: no PostgreSQL programs; run crates/postgres/tests/server cargo test -p mindfile-postgres"
            );
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let how = format!(
            "-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories='' -c max_wal_size=48MB -c min_wal_size=32MB"
        );
        let own = Self { folder, bin, port, mounted: !size.is_empty(), how };
        if own.mounted && !own.mount(&format!("size={size}")) {
            eprintln!("SKIPPED: no small disk can be mounted here");
            return None;
        }
        std::fs::create_dir(own.data().parent().unwrap()).unwrap();
        own.hand_over();
        let data = own.data().display().to_string();
        assert!(own.run(
            "initdb",
            &["-D", &data, "-U", "mindfile", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        ));
        Some(own)
    }

    /// Whether it was built with encryption.
    pub(crate) fn speaks_tls(&self) -> bool {
        let built = Command::new(self.bin.join("pg_config")).arg("--configure").output();
        built.is_ok_and(|built| {
            let how = String::from_utf8_lossy(&built.stdout).into_owned();
            how.contains("--with-ssl=openssl") || how.contains("--with-openssl")
        })
    }

    /// A setting from the next beginning on.
    pub(crate) fn set(&mut self, setting: &str) {
        self.how.push_str(&format!(" -c {setting}"));
    }

    /// A file of the server's, such as a key, that nobody else may read.
    pub(crate) fn put(&self, name: &str, text: &str) {
        let file = self.data().join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        self.hand_over();
    }

    /// An ordinary user's: the server refuses root.
    fn hand_over(&self) {
        if is_root() {
            Command::new("chown").arg("-R").arg("65534:65534").arg(self.folder.path()).status().unwrap();
        }
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

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("server/data")
    }

    pub(crate) fn url(&self) -> String {
        format!("postgresql://mindfile@127.0.0.1:{}/postgres", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn run(&self, program: &str, words: &[&str]) -> bool {
        let program = self.bin.join(program);
        let mut command = Command::new(if is_root() { Path::new("setpriv") } else { &program });
        if is_root() {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(&program);
        }
        command.args(words).env("LC_ALL", "C").current_dir("/");
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    }

    /// As its owner would do it.
    pub(crate) fn stop(&self) {
        let data = self.data().display().to_string();
        assert!(self.run("pg_ctl", &["-D", &data, "-m", "fast", "-w", "-t", "30", "stop"]));
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
        for _ in 0..50 {
            if self.run("pg_ctl", &["-D", &data, "-w", "-t", "30", "-l", &log, "-o", &self.how, "start"]) {
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
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}
