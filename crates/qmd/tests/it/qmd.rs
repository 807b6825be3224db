//! QMD as the engine. A shell script stands in for the program, so that it can fail in every way; the real one is driven by
//! `integrations/qmd/test`.

mod answers;
mod faults;
mod upkeep;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use mindfile::Memory;
use mindfile::Response;
use mindfile::config::{BackendName, QmdPath, Settings};
use mindfile::origin::Door;
use mindfile::search::Request;

use crate::world::{World, put};

const STAND_IN: &str = r#"#!/bin/sh
here=$(dirname "$0")
echo "$1" >> "$here/calls"
case "$1" in
--version) echo "qmd 2.8.3 (stand-in)" ;;
update) . "$here/update" ;;
*) . "$here/answer" ;;
esac
"#;
const UPDATE: &str = "mkdir -p \"$XDG_CACHE_HOME/qmd\"; echo index > \"$XDG_CACHE_HOME/qmd/index.sqlite\"";
const NOTES: &[(&str, &str)] = &[
    ("MEMORY.md", "# Long-term\n\nAnn leads the Falcon project.\n"),
    ("memory/garden.md", "# Garden\n\nTomatoes were planted behind the shed.\nThey need water.\n"),
];

/// A workspace whose engine is a program that does what it is told.
struct Stand {
    world: World,
}

impl Stand {
    fn new(notes: &[(&str, &str)]) -> Self {
        mindfile_qmd::provide();
        let mut world = World::new(notes);
        let text = world.at("text");
        let program = world.at("bin/qmd");
        put(&text, STAND_IN.as_bytes());
        fs::create_dir(world.at("bin")).unwrap();
        // A program that another thread's child has open for writing cannot be started.
        let made = Command::new("install").args(["-m", "700"]).args([&text, &program]).status();
        assert!(made.unwrap().success());
        world.settings.backend = BackendName::Qmd;
        world.settings.qmd.command = program;
        let mut stand = Self { world };
        stand.updates(UPDATE);
        stand.settings().query.min_score = 0.35;
        stand.answers("[]");
        stand
    }

    fn settings(&mut self) -> &mut Settings {
        &mut self.world.settings
    }

    /// What it prints when it is asked.
    fn answers(&self, text: &str) {
        put(&self.world.at("answer.json"), text.as_bytes());
        self.does("cat \"$here/answer.json\"");
    }

    fn does(&self, script: &str) {
        put(&self.world.at("bin/answer"), script.replace("$here/", "$here/../").as_bytes());
    }

    fn updates(&self, script: &str) {
        put(&self.world.at("bin/update"), script.as_bytes());
    }

    /// What it was called for since the last look.
    fn calls(&self) -> Vec<String> {
        let path = self.world.at("bin/calls");
        let calls = fs::read_to_string(&path).unwrap_or_default();
        put(&path, b"");
        calls.lines().map(str::to_owned).collect()
    }

    fn folder(&mut self, name: &str, notes: &[(&str, &str)]) {
        let path = self.world.at(name);
        for (file, text) in notes {
            put(&path.join(file), text.as_bytes());
        }
        let name = Some(name.to_owned());
        let pattern = None;
        self.world.settings.qmd.paths.push(QmdPath { path, name, pattern });
    }

    fn memory(&self) -> Memory {
        self.world.memory().through(Door::Terminal)
    }

    fn ask(&self, question: &str) -> Response {
        self.asks(&Request::new(question))
    }

    fn asks(&self, request: &Request) -> Response {
        self.memory().search(request, None).unwrap()
    }
}

/// `qmd --json` for these places: collection and path, first line, number of lines, and a line of it.
fn hits(places: &[(&str, u32, u32, &str)]) -> String {
    let one = |(file, line, lines, said): &(&str, u32, u32, &str)| {
        let snippet = format!("@@ -{line},{lines} @@ (0 before, 0 after)\n{said}");
        serde_json::json!({ "docid": "abc", "score": 0, "file": format!("qmd://{file}"), "line": line, "snippet": snippet })
    };
    serde_json::Value::from(places.iter().map(one).collect::<Vec<_>>()).to_string()
}

/// Who answered, and each hit in a line.
fn told(response: &Response) -> String {
    let hits = response.answer.hits.iter();
    let hits: String = hits.map(|hit| format!("{} {:?}\n", hit.citation(), hit.snippet)).collect();
    format!("{}\n{hits}", response.backend)
}

fn quick(settings: &mut Settings) {
    settings.qmd.limits.timeout = Duration::from_millis(400);
    settings.qmd.update.update_timeout = Duration::from_secs(20);
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Something that must not be stored; put together, so that no scanner takes it for a real one.
fn token() -> String {
    ["gh", "p_", "q7Rt2Lw9Xc4Vb8Nm1Kj5Hg3Fd6Sa0PoIuYtR"].concat()
}
