//! A home directory of its own for each test, and the program run in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::Expect;
use serde_json::Value;
use tempfile::TempDir;

pub(crate) struct Home {
    dir: TempDir,
}

/// What came of a call; the home directory is written `~`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Came {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Home {
    /// Without a workspace.
    pub(crate) fn bare() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// With three notes, none of them dated: their scores do not depend on the day.
    pub(crate) fn new() -> Self {
        let home = Self::bare();
        home.note("MEMORY.md", "# Memory\n\nThe dog is called Pixel and fears the street sweeper.\n");
        home.note(
            "memory/api.md",
            "# API\n\nThe rate limit is 100 requests per minute.\n\nTimeouts are 30 seconds.\n",
        );
        home.note("memory/trip.md", "# Trip to Osaka\n\nTrain tickets are in the blue folder.\n");
        home
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.path().join("state/workspace")
    }

    pub(crate) fn note(&self, path: &str, text: &str) {
        write(&self.workspace().join(path), text.as_bytes());
    }

    pub(crate) fn config(&self, text: &str) {
        write(&self.path().join("state/mindfile.json"), text.as_bytes());
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mindfile"));
        command.args(words).current_dir(self.path()).env_clear().stdin(Stdio::null());
        command
            .env("HOME", self.path())
            .env("MINDFILE_STATE_DIR", self.path().join("state"))
            .env("TZ", "UTC");
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Came {
        self.came(&self.command(words).output().unwrap())
    }

    pub(crate) fn came(&self, output: &Output) -> Came {
        let text = |bytes: &[u8]| {
            String::from_utf8(bytes.to_vec()).unwrap().replace(self.path().to_str().unwrap(), "~")
        };
        Came { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// What a call that succeeds prints.
    pub(crate) fn out(&self, words: &[&str]) -> String {
        let came = self.run(words);
        assert_eq!(came.code, 0, "{words:?}: {came:?}");
        came.out
    }

    /// What a call that succeeds prints as JSON.
    pub(crate) fn json(&self, words: &[&str]) -> Value {
        let out = self.out(&[words, &["--json"]].concat());
        serde_json::from_str(&out).unwrap()
    }
}

impl Came {
    /// The whole of it, for comparing.
    pub(crate) fn check(&self, expected: &Expect) {
        expected.assert_eq(&format!("exit {}\n--- stdout\n{}--- stderr\n{}", self.code, self.out, self.err));
    }
}

pub(crate) fn write(path: &Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    mindfile::durable::replace(path, bytes).unwrap();
}

/// The same JSON with every number replaced, where the numbers are not the point.
pub(crate) fn shape(value: &Value) -> Value {
    match value {
        Value::Number(_) => Value::from("<number>"),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), shape(value))).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

pub(crate) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}
