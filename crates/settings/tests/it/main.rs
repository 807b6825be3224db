//! Configuration: where it is read from, who wins, and the words for what is wrong.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

mod changes;
mod docs;
mod effects;
mod files;
mod layers;
mod mistakes;
mod places;
mod providers;
mod table;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use mindfile_fault::{Fault, Spelling};
use mindfile_model::provider::Secret;
use mindfile_settings::{
    self as config, AgentId, Change, Citations, ClosedTo, Configuration, Effect, Engine, Error, Fusion, KEYS,
    Kind, Maker, Origin, Overrides, Setting,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Terminal;

impl Spelling for Terminal {
    fn field(&self, field: &str) -> String {
        format!("--{}", field.replace('_', "-"))
    }

    fn run(&self, operation: &str, _: &[(&str, String)]) -> String {
        format!("mindfile {operation}")
    }

    fn set(&self, key: &str, value: &str) -> String {
        format!("{key} = {value}")
    }
}

/// A home directory with configuration files in it.
struct Home {
    dir: TempDir,
    overrides: Overrides,
}

impl Home {
    /// A home with `~/.mindfile`, which is the state directory while there is no `~/.openclaw`.
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let path = dir.path().to_owned();
        let overrides = Overrides { home: Some(path.clone()), cwd: path.join("cwd"), ..Overrides::default() };
        Self { dir, overrides }
    }

    fn with(self, file: &str, text: &str) -> Self {
        self.with_bytes(file, text.as_bytes())
    }

    fn with_bytes(self, file: &str, bytes: &[u8]) -> Self {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::File::create(path).unwrap().write_all(bytes).unwrap();
        self
    }

    fn openclaw(self, text: &str) -> Self {
        self.with(".mindfile/openclaw.json", text)
    }

    fn mindfile(self, text: &str) -> Self {
        self.with(".mindfile/mindfile.json", text)
    }

    fn workspace(self, text: &str) -> Self {
        self.with(".mindfile/workspace/.mindfile.json", text)
    }

    fn agent(mut self, id: &str) -> Self {
        self.overrides.flags.agent = Some(id.to_owned());
        self
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    fn load(&self) -> Result<Configuration, Error> {
        config::load(&self.overrides)
    }

    fn loaded(&self) -> Configuration {
        self.load().unwrap_or_else(|error| panic!("{}", self.failure(&error)))
    }

    /// Text without the place of the temporary home.
    fn tidy(&self, text: &str) -> String {
        text.replace(self.dir.path().to_str().unwrap(), "~")
    }

    fn failure(&self, error: &Error) -> String {
        let hint =
            error.hint().map_or_else(String::new, |hint| format!("\nhint: {}", hint.spelled(&Terminal)));
        self.tidy(&format!("{error}{hint}"))
    }

    fn error(&self) -> String {
        self.failure(&self.load().unwrap_err())
    }

    fn warnings(&self) -> String {
        self.tidy(&self.loaded().warnings.iter().map(|w| format!("{w}\n")).collect::<String>())
    }

    fn value(&self, key: &str) -> Value {
        config::get(&self.loaded(), key).unwrap()
    }

    fn origin(&self, key: &str) -> String {
        match setting(&self.loaded(), key).origin {
            Origin::File { path, at } => self.tidy(&format!("{at} in {}", path.display())),
            other @ (Origin::Default | Origin::Env(_) | Origin::Flag(_)) => other.to_string(),
        }
    }

    fn set(&self, key: &str, value: &str) -> Result<Change, Error> {
        config::set(&self.overrides, key, value)
    }

    fn refusal(&self, key: &str, value: &str) -> String {
        self.failure(&self.set(key, value).unwrap_err())
    }
}

fn setting(loaded: &Configuration, key: &str) -> Setting {
    loaded.origins.iter().find(|setting| setting.key == key).unwrap().clone()
}

fn check(found: &str, expected: Expect) {
    expected.assert_eq(found);
}

/// What our file's mistakes are called, one after the other; `{}` in the frame stands for each text.
fn mindfile_errors(frame: &str, texts: &[&str], expected: Expect) {
    let mut found = String::new();
    for text in texts {
        let home = Home::new().mindfile(&frame.replace("{}", text));
        assert_eq!(home.load().unwrap_err().fault(), Fault::Caller);
        found += &format!("{}\n", home.error());
    }
    check(&found, expected);
}
