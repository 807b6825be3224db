//! What is heard, on a real file system: without waiting, since the system queues a change before the call returns.

use std::fs;
use std::path::Path;

use mindfile_workspace::{Extra, Workspace};
use tempfile::TempDir;

use super::*;

struct World {
    home: TempDir,
    workspace: Workspace,
    lookout: Lookout,
    seen: u64,
}

impl World {
    fn new() -> Self {
        let home = TempDir::new().unwrap();
        fs::create_dir_all(home.path().join("ws/memory")).unwrap();
        fs::create_dir_all(home.path().join("extra")).unwrap();
        let extras = [Extra { path: "../extra".into(), pattern: None }];
        let workspace = Workspace::open(&home.path().join("ws"), &extras).unwrap();
        let lookout = Lookout::default();
        lookout.open();
        let mut world = Self { home, workspace, lookout, seen: 0 };
        assert_eq!(world.look(), None, "what was there before is not known");
        world
    }

    fn at(&self, path: &str) -> std::path::PathBuf {
        self.home.path().join(path)
    }

    fn put(&self, path: &str) {
        put(&self.at(path));
    }

    /// The notes that changed since the last look; none where they have to be walked.
    fn look(&mut self) -> Option<Vec<String>> {
        let sight = self.lookout.look(&self.workspace, self.seen)?;
        self.seen = sight.at;
        let mut changed: Vec<String> = sight.changed?.iter().map(ToString::to_string).collect();
        changed.sort();
        Some(changed)
    }
}

#[expect(clippy::disallowed_methods, reason = "a test makes files of its own")]
fn put(path: &Path) {
    fs::write(path, "- W: x\n").unwrap();
}

fn notes(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

#[test]
fn each_change_is_known_at_once_and_once() {
    let mut world = World::new();
    assert_eq!(world.look(), Some(notes(&[])));
    world.put("ws/memory/a.md");
    world.put("ws/MEMORY.md");
    world.put("extra/x.md");
    assert_eq!(world.look(), Some(notes(&["../extra/x.md", "MEMORY.md", "memory/a.md"])));
    assert_eq!(world.look(), Some(notes(&[])));
    fs::rename(world.at("ws/memory/a.md"), world.at("ws/memory/b.md")).unwrap();
    assert_eq!(world.look(), Some(notes(&["memory/a.md", "memory/b.md"])));
    fs::remove_file(world.at("ws/memory/b.md")).unwrap();
    assert_eq!(world.look(), Some(notes(&["memory/b.md"])));
}

#[test]
fn who_did_not_look_for_long_is_told_all() {
    let mut world = World::new();
    let seen = world.seen;
    world.put("ws/memory/a.md");
    assert_eq!(world.look(), Some(notes(&["memory/a.md"])));
    world.put("ws/memory/b.md");
    let sight = world.lookout.look(&world.workspace, seen).unwrap();
    assert_eq!(sight.changed.unwrap().len(), 2);
}

#[test]
fn what_is_no_note_changes_nothing() {
    let mut world = World::new();
    for path in ["ws/README.md", "ws/memory/.a.md.swp", "ws/memory/a.md~", "ws/memory/4913", "ws/SOUL.md"] {
        world.put(path);
    }
    fs::create_dir(world.at("ws/target")).unwrap();
    fs::create_dir(world.at("ws/memory/.git")).unwrap();
    assert_eq!(world.look(), Some(notes(&[])));
}

#[test]
fn a_new_folder_is_walked_once_and_watched_from_then_on() {
    let mut world = World::new();
    fs::create_dir_all(world.at("ws/memory/new/er")).unwrap();
    world.put("ws/memory/new/er/a.md");
    assert_eq!(world.look(), None);
    assert_eq!(world.look(), Some(notes(&[])));
    world.put("ws/memory/new/er/b.md");
    assert_eq!(world.look(), Some(notes(&["memory/new/er/b.md"])));
    fs::rename(world.at("ws/memory/new"), world.at("ws/memory/old")).unwrap();
    assert_eq!(world.look(), None);
    world.put("ws/memory/old/er/b.md");
    assert_eq!(world.look(), Some(notes(&["memory/old/er/b.md"])));
}

#[test]
fn a_workspace_that_another_took_the_place_of_is_walked() {
    let mut world = World::new();
    fs::rename(world.at("ws"), world.at("away")).unwrap();
    fs::create_dir_all(world.at("ws/memory")).unwrap();
    assert_eq!(world.look(), None);
    world.put("ws/memory/a.md");
    assert_eq!(world.look(), Some(notes(&["memory/a.md"])));
}

#[test]
fn a_doubt_is_a_walk() {
    let mut world = World::new();
    world.lookout.doubt();
    assert_eq!(world.look(), None);
    assert_eq!(world.look(), Some(notes(&[])));
}

#[test]
fn a_note_with_another_name_is_walked_for_as_long_as_it_has_it() {
    let mut world = World::new();
    world.put("ws/memory/a.md");
    fs::hard_link(world.at("ws/memory/a.md"), world.at("elsewhere.md")).unwrap();
    // The system does not tell of it; a scan sees it.
    world.lookout.doubt();
    assert_eq!(world.look(), None);
    assert_eq!(world.lookout.blind(), Some(Blind::Names { path: "memory/a.md".to_owned() }));
    fs::remove_file(world.at("elsewhere.md")).unwrap();
    world.lookout.doubt();
    assert_eq!(world.look(), None);
    assert_eq!((world.look(), world.lookout.blind()), (Some(notes(&[])), None));
}

#[test]
fn what_an_interrupted_write_left_is_walked_for() {
    let mut world = World::new();
    world.put("ws/memory/.mindfile-part-1-1");
    assert_eq!(world.look(), None);
    fs::remove_file(world.at("ws/memory/.mindfile-part-1-1")).unwrap();
    assert_eq!(world.look(), Some(notes(&[])));
}

#[test]
fn events_that_were_lost_are_a_walk() {
    let mut world = World::new();
    let most: usize =
        fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap().trim().parse().unwrap();
    let (a, b) = (world.at("ws/memory/a.md"), world.at("ws/memory/b.md"));
    world.put("ws/memory/a.md");
    // Equal events that follow each other are one.
    for _ in 0..most / 4 + 1 {
        fs::rename(&a, &b).unwrap();
        fs::rename(&b, &a).unwrap();
    }
    assert_eq!(world.look(), None);
    world.put("ws/memory/b.md");
    assert_eq!(world.look(), Some(notes(&["memory/b.md"])));
}

#[test]
fn nobody_watches_before_and_after() {
    let lookout = Lookout::default();
    let world = World::new();
    assert_eq!(lookout.look(&world.workspace, 0), None);
    assert_eq!(lookout.blind(), Some(Blind::Unwatched));
    world.lookout.close();
    assert_eq!(world.lookout.look(&world.workspace, 9), None);
}
