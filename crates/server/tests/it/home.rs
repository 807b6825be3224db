//! A memory of its own for each test.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config::{self, Overrides};
use mindfile::origin::Door;
use mindfile::session::ChatType;
use mindfile_server::Desk;
use tempfile::TempDir;

pub(crate) struct Home {
    dir: TempDir,
}

impl Home {
    /// With three notes, none of them dated: their scores do not depend on the day.
    pub(crate) fn new() -> Self {
        let home = Self { dir: tempfile::tempdir().unwrap() };
        home.note("MEMORY.md", "# Memory\n\nThe dog is called Pixel and fears the street sweeper.\n");
        home.note(
            "memory/api.md",
            "# API\n\nThe rate limit is 100 requests per minute.\n\nTimeouts are 30 seconds.\n",
        );
        home.note("memory/trip.md", "# Trip to Osaka\n\nTrain tickets are in the blue folder.\n");
        home
    }

    fn state(&self) -> PathBuf {
        self.dir.path().join("state")
    }

    pub(crate) fn note(&self, path: &str, text: &str) {
        write(&self.state().join("workspace").join(path), text);
    }

    pub(crate) fn config(&self, text: &str) {
        write(&self.state().join("mindfile.json"), text);
    }

    /// Where a server takes in what comes through a door.
    pub(crate) fn desk(&self, door: Door, chat: ChatType) -> Arc<Desk> {
        let mut overrides = Overrides { cwd: self.dir.path().to_owned(), ..Overrides::default() };
        overrides.flags.state_dir = Some(self.state());
        let loaded = config::load(&overrides).unwrap();
        let memory = Memory::new(loaded.settings, Box::new(System)).through(door);
        Desk::new(memory, loaded.warnings, "mindfile".to_owned(), chat)
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    mindfile::durable::replace(path, text.as_bytes()).unwrap();
}
