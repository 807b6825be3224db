//! A home of its own for a test: a workspace, state directories beside it, and the program run on them.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::{SignedDuration, Timestamp};
use mindfile::Memory;
use mindfile::clock::{Clock, System};
use mindfile::config::{self, Flags, Overrides};
use mindfile::reconcile::Report;
use mindfile::search::Request;
use mindfile_index::{Backend, SqliteIndex, VectorEngine};
use tempfile::TempDir;

use crate::cases;
use crate::dump::{self, Dump};
use crate::tree;

pub(crate) struct World {
    home: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { home: TempDir::with_prefix("mindfile-faults-").unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.path("workspace")
    }

    /// The index that belongs to a state directory.
    pub(crate) fn index(&self, state: &str) -> PathBuf {
        self.path(state).join("memory/main.sqlite")
    }

    /// The program, set up for this home; `MINDFILE_BIN` names another build of it.
    pub(crate) fn program(&self, state: &str, arguments: &[&str]) -> Command {
        let built = env!("CARGO_BIN_EXE_mindfile").to_owned();
        let mut command = Command::new(cases::variable("MINDFILE_BIN").unwrap_or(built));
        command.env_clear().env("HOME", self.home.path()).env("TZ", "UTC").current_dir(self.home.path());
        command
            .args(arguments)
            .arg("--workspace")
            .arg(self.workspace())
            .arg("--state-dir")
            .arg(self.path(state));
        command
    }

    /// The program as a user for whom permissions hold: for root they do not.
    pub(crate) fn program_of_nobody(&self, state: &str, arguments: &[&str]) -> Command {
        let command = self.program(state, arguments);
        if fs::metadata("/proc/self").unwrap().uid() != 0 {
            return command;
        }
        let own = self.path("mindfile");
        fs::copy(command.get_program(), &own).unwrap();
        hand_over(self.home.path());
        let mut nobody = Command::new(own);
        nobody.args(command.get_args()).current_dir(self.home.path()).env_clear();
        nobody.env("HOME", self.home.path()).uid(NOBODY).gid(NOBODY);
        nobody
    }

    /// The library in this process, by a clock that is ahead: to it, no file is so new that it may change unseen.
    pub(crate) fn memory(&self, state: &str) -> Memory {
        self.memory_at(state, Ahead(SignedDuration::from_secs(10)))
    }

    pub(crate) fn memory_at(&self, state: &str, clock: Ahead) -> Memory {
        let flags = Flags {
            state_dir: Some(self.path(state)),
            workspace: Some(self.workspace()),
            ..Flags::default()
        };
        let overrides = Overrides {
            flags,
            home: Some(self.home.path().to_owned()),
            cwd: self.path(""),
            ..Overrides::default()
        };
        Memory::new(config::load(&overrides).unwrap().settings, Box::new(clock))
    }

    pub(crate) fn sync(&self, state: &str) -> Report {
        self.memory(state).sync(&mut |_| ControlFlow::Continue(())).unwrap()
    }

    /// The truth about the workspace as it is now: what an index made from nothing holds and answers.
    pub(crate) fn truth(&self) -> Truth {
        let state = "state-of-truth";
        remove(&self.path(state));
        self.sync(state);
        let truth = self.held(state);
        remove(&self.path(state));
        truth
    }

    /// What the index of a state directory holds and answers, after every check of it that there is.
    pub(crate) fn held(&self, state: &str) -> Truth {
        let index = SqliteIndex::open(&self.index(state), VectorEngine::default()).unwrap();
        if let Err(error) = index.verify() {
            let kept = std::env::temp_dir().join(format!("mindfile-damaged-{}", std::process::id()));
            tree::put(&tree::of(&self.path("")), &kept);
            panic!("{error}; kept as {}", kept.display());
        }
        let dump = dump::of(&self.index(state));
        Truth { dump, answers: answers(&self.memory(state), &QUERIES) }
    }
}

const NOBODY: u32 = 65534;

fn hand_over(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    for entry in fs::read_dir(path).into_iter().flatten() {
        hand_over(&entry.unwrap().path());
    }
}

/// Everything that two indexes of the same notes must agree on.
#[derive(Debug, PartialEq)]
pub(crate) struct Truth {
    pub(crate) dump: Dump,
    pub(crate) answers: Vec<String>,
}

impl Truth {
    /// Where the two differ, in words; none where they do not.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let answers = self.answers.iter().zip(&other.answers).find(|(one, two)| one != two);
        let answers = answers.map(|(one, two)| format!("answers differ:\n  {one}\n  {two}"));
        self.dump.difference(&other.dump).or(answers)
    }
}

/// The machine's clock, this much ahead. Dates come out as in UTC.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ahead(pub(crate) SignedDuration);

impl Clock for Ahead {
    fn now(&self) -> Timestamp {
        System.now() + self.0
    }

    fn zone(&self) -> jiff::tz::TimeZone {
        jiff::tz::TimeZone::UTC
    }
}

/// Words, meaning, both; words that are in every note and in none; a date, an exclusion, a phrase.
pub(crate) const QUERIES: [&str; 20] = [
    "rate limit of the api",
    "who is leaving the company",
    "database migration",
    "\"connection pool\"",
    "deploy failed on friday",
    "alpha",
    "beta gamma",
    "delta -alpha",
    "what did we decide about the landlord",
    "coffee with tomasz",
    "2026-07-14",
    "zeppelin",
    "project acme",
    "running slow queries",
    "the",
    "postgres",
    "Straße Übung",
    "記憶 検索",
    "epsilon zeta eta theta",
    "note",
];

/// One line a query: all that a person would see, and no doc numbers.
pub(crate) fn answers(memory: &Memory, queries: &[impl AsRef<str>]) -> Vec<String> {
    queries.iter().map(|query| answer(memory, query.as_ref())).collect()
}

pub(crate) fn answer(memory: &Memory, query: &str) -> String {
    let request = Request { max_results: Some(10), ..Request::new(query.to_owned()) };
    match memory.search(&request, None) {
        Ok(response) => {
            let hit = |hit: &mindfile::search::Hit| {
                format!("{} {:.4} {:?}", hit.citation(), hit.score, hit.snippet)
            };
            let hits: Vec<String> = response.answer.hits.iter().map(hit).collect();
            format!("{query}: {:?} {:?} {hits:?}", response.degraded, response.stale)
        }
        Err(error) => format!("{query}: FAILED {error}"),
    }
}

pub(crate) fn remove(path: &Path) {
    match fs::remove_dir_all(path) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => panic!("{}: {error}", path.display()),
    }
}
