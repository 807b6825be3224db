//! A state directory that cannot be written: nothing is lost but the notes on use, and it is said.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use mindfile::origin::Door;
use mindfile::{recall, retain, search};
use tempfile::TempDir;

use crate::other_user::{hand_over, in_child};
use crate::world::{NOTES, World};

#[test]
fn where_nothing_can_be_written_beside_the_notes_questions_are_answered_and_facts_are_kept() {
    let dir = TempDir::new().unwrap();
    hand_over(dir.path());
    let name = "unwritable::a_closed_state_directory_as_another_user";
    assert!(in_child(name, dir.path()).wait().unwrap().success());
    assert!(dir.path().join("done").exists());
}

#[test]
#[ignore = "runs as a user for whom permissions hold, started by the test above"]
fn a_closed_state_directory_as_another_user() {
    if rustix::process::geteuid().is_root() {
        return;
    }
    for was_indexed in [true, false] {
        let world = World::new(NOTES);
        if was_indexed {
            world.sync();
        } else {
            fs::remove_dir_all(world.settings.state_dir.join("memory")).unwrap_or_default();
        }
        let closed = closed(&world);
        world.save("memory/cat.md", b"# Cat\n\nThe cat is called Whiskers.\n");
        let search = |words: &str| {
            let found = world.memory().search(&search::Request::new(words), None).unwrap();
            let why = found.notices.iter().filter(|why| why.contains("is kept in memory")).count();
            (found.answer.hits[0].path.clone(), why)
        };
        assert_eq!(search("cat whiskers"), ("memory/cat.md".to_owned(), 1));
        assert_eq!(search("tomatoes"), ("memory/garden.md".to_owned(), 1));
        let fact = retain::Request::new("The horse is called Hans");
        let agent = world.memory().through(Door::Mcp).retain(&fact).unwrap_err().to_string();
        assert!(
            agent.contains("main.origins.jsonl: Permission denied"),
            "it would pass for the owner's: {agent}"
        );
        let memory = world.memory().through(Door::Terminal);
        memory.retain(&fact).unwrap();
        let recalled = memory.recall(&recall::Request::new("horse".to_owned()), recall::Touch::Yes).unwrap();
        assert_eq!(recalled.answer.recalled[0].fact.text, fact.text);
        drop(memory);
        for (path, mode) in closed {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        assert_eq!(search("horse hans").1, 0, "it is written again where it can be");
    }
    fs::File::create(Path::new("done")).unwrap();
}

/// Takes the right to write from all but the workspace, and says what was taken.
fn closed(world: &World) -> Vec<(PathBuf, u32)> {
    let state = world.settings.state_dir.clone();
    let mut found = vec![(state.clone(), 0o700)];
    let mut open = vec![state];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry == world.at("workspace") {
                continue;
            }
            if entry.is_dir() {
                open.push(entry.clone());
            }
            found.push((entry.clone(), if entry.is_dir() { 0o700 } else { 0o600 }));
        }
    }
    for (path, mode) in &found {
        fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o500)).unwrap();
    }
    found
}
