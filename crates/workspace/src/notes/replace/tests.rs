//! What others do between our look at a file and the exchange, and what becomes of it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

struct Scene {
    dir: TempDir,
    place: Place,
    path: NotePath,
}

impl Scene {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let place = Place { base: dir.path().to_owned(), rel: "a.md".to_owned() };
        let scene = Self { dir, place, path: NotePath::new("a.md".to_owned()) };
        scene.put("a.md", b"old\n");
        scene
    }

    fn swap(&self) -> Swap<'_> {
        Swap::begin(&self.place, &self.path, b"old\n", b"new\n").unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::File::create(self.file(name)).unwrap().write_all(bytes).unwrap();
    }

    /// All files, hidden ones included, by name and text.
    fn files(&self) -> Vec<(String, String)> {
        let entries = fs::read_dir(self.dir.path()).unwrap().map(|entry| entry.unwrap());
        let mut all: Vec<_> = entries
            .map(|entry| {
                (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())
            })
            .collect();
        all.sort();
        all
    }
}

fn one(name: &str, text: &str) -> Vec<(String, String)> {
    vec![(name.to_owned(), text.to_owned())]
}

#[test]
fn a_line_added_before_the_exchange_is_a_conflict_and_stays() {
    let scene = Scene::new();
    let swap = scene.swap();
    scene.put("a.md", b"old\nmore\n");
    assert!(matches!(swap.run(), Err(Error::Conflict { kept: None, .. })));
    assert_eq!(scene.files(), one("a.md", "old\nmore\n"));
}

#[test]
fn a_file_renamed_over_the_note_is_a_conflict_and_stays() {
    let scene = Scene::new();
    let swap = scene.swap();
    scene.put("b", b"theirs\n");
    fs::rename(scene.file("b"), scene.file("a.md")).unwrap();
    assert!(matches!(swap.run(), Err(Error::Conflict { kept: None, .. })));
    assert_eq!(scene.files(), one("a.md", "theirs\n"));
}

#[test]
fn a_note_removed_meanwhile_stays_removed() {
    let scene = Scene::new();
    let swap = scene.swap();
    fs::remove_file(scene.file("a.md")).unwrap();
    assert!(matches!(swap.run(), Err(Error::Conflict { kept: None, .. })));
    assert_eq!(scene.files(), vec![]);
}

#[test]
fn a_link_put_in_the_place_of_the_note_is_put_back() {
    let scene = Scene::new();
    let swap = scene.swap();
    fs::remove_file(scene.file("a.md")).unwrap();
    std::os::unix::fs::symlink("/dev/null", scene.file("a.md")).unwrap();
    assert!(matches!(swap.run(), Err(Error::Conflict { kept: None, .. })));
    assert!(fs::symlink_metadata(scene.file("a.md")).unwrap().is_symlink());
}

#[test]
fn what_is_written_to_our_text_before_it_is_taken_back_is_kept_beside_the_note() {
    let scene = Scene::new();
    let swap = scene.swap();
    scene.put("a.md", b"first other\n");
    swap.exchange().unwrap();
    scene.put("a.md", b"second other\n");
    let Error::Conflict { kept: Some(kept), .. } = swap.take_back() else { panic!("nothing was kept") };
    let expected = [one("a.md", "first other\n"), one(kept.as_str(), "second other\n")].concat();
    let mut files = scene.files();
    files.sort_by_key(|(name, _)| name != "a.md");
    assert_eq!(files, expected);
}

#[test]
fn lines_added_to_our_text_before_it_is_taken_back_go_to_the_note() {
    let scene = Scene::new();
    let swap = scene.swap();
    scene.put("a.md", b"first other\n");
    swap.exchange().unwrap();
    scene.put("a.md", b"new\nadded\n");
    assert!(matches!(swap.take_back(), Error::Conflict { kept: None, .. }));
    assert_eq!(scene.files(), one("a.md", "first other\nadded\n"));
}

#[test]
fn a_note_that_vanished_before_it_is_taken_back_leaves_the_other_text_beside() {
    let scene = Scene::new();
    let swap = scene.swap();
    scene.put("a.md", b"other\n");
    swap.exchange().unwrap();
    fs::remove_file(scene.file("a.md")).unwrap();
    let Error::Conflict { kept: Some(kept), .. } = swap.take_back() else { panic!("nothing was kept") };
    assert_eq!(scene.files(), one(kept.as_str(), "other\n"));
}

#[test]
fn without_an_exchange_the_old_text_is_held_by_a_second_name() {
    let scene = Scene::new();
    assert_eq!(scene.swap().by_second_name().unwrap(), None);
    assert_eq!(scene.files(), one("a.md", "new\n"));
}

#[test]
fn without_an_exchange_a_line_added_meanwhile_stays_at_the_end() {
    let scene = Scene::new();
    let swap = scene.swap();
    scene.put("a.md", b"old\nmore\n");
    assert_eq!(swap.by_second_name().unwrap(), None);
    assert_eq!(scene.files(), one("a.md", "new\nmore\n"));
}

#[test]
fn without_an_exchange_another_text_is_kept_beside_the_note() {
    let scene = Scene::new();
    let swap = scene.swap();
    scene.put("a.md", b"theirs\n");
    let Err(Error::Conflict { kept: Some(kept), .. }) = swap.by_second_name() else {
        panic!("nothing was kept")
    };
    assert_eq!(scene.files(), [one(kept.as_str(), "theirs\n"), one("a.md", "new\n")].concat());
}
