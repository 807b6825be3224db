//! What a scan finds, what it names as skipped, and what it must not take for deletion.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering};

use mindfile_workspace::{Error, Extra, Reason, Workspace};
use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;

use super::{fill, names, note, put, skipped, workspace};
use crate::other_user::{hand_over, in_child};

#[test]
fn memory_files_are_found_and_nothing_else() {
    let (_dir, workspace) = workspace(&[
        ("MEMORY.md", b"m"),
        ("USER.md", b"u"),
        ("SOUL.md", b"s"),
        ("README.md", b"r"),
        ("memory/2026-01-02.md", b"d"),
        ("memory/deep/er/note.md", b"n"),
        ("memory/picture.png", b"p"),
        ("bank/entities/sarah.md", b"e"),
        ("docs/x.md", b"x"),
        ("memory/folder.md/inside.md", b"i"),
    ]);
    let scan = workspace.scan().unwrap();
    assert_eq!(
        names(&scan),
        [
            "MEMORY.md", "USER.md", "bank/entities/sarah.md", "memory/2026-01-02.md",
            "memory/deep/er/note.md", "memory/folder.md/inside.md"
        ]
    );
    assert_eq!(skipped(&scan), Vec::<String>::new());
    assert!(!scan.is_incomplete());
}

#[test]
fn hidden_files_and_the_files_of_editors_are_passed_over_silently() {
    let (_dir, workspace) = workspace(&[
        ("memory/.hidden.md", b""),
        ("memory/.git/x.md", b""),
        ("memory/.#x.md", b""),
        ("memory/.x.md.swp", b""),
        ("memory/x.md.swp", b""),
        ("memory/x.md~", b""),
        ("memory/#x.md#", b""),
        ("memory/x.md.tmp", b""),
        ("memory/4913", b""),
        ("memory/.md", b""),
        ("memory/x.md", b""),
    ]);
    let scan = workspace.scan().unwrap();
    assert_eq!(names(&scan), ["memory/x.md"]);
    assert_eq!(skipped(&scan), Vec::<String>::new());
}

#[test]
fn links_are_refused_and_named() {
    let (dir, workspace) = workspace(&[("memory/real.md", b"real"), ("outside/secret.md", b"secret")]);
    let memory = dir.path().join("memory");
    symlink("../outside/secret.md", memory.join("file.md")).unwrap();
    symlink("../outside", memory.join("folder")).unwrap();
    symlink(".", memory.join("loop")).unwrap();
    symlink("nowhere", memory.join("dangling.md")).unwrap();
    symlink("outside", dir.path().join("bank")).unwrap();
    symlink("outside/secret.md", dir.path().join("USER.md")).unwrap();
    let scan = workspace.scan().unwrap();
    assert_eq!(names(&scan), ["memory/real.md"]);
    let links = scan.skipped.iter().filter(|skipped| skipped.reason == Reason::Link);
    assert_eq!(
        links.map(|skipped| skipped.path.as_str()).collect::<Vec<_>>(),
        ["USER.md", "bank", "memory/dangling.md", "memory/file.md", "memory/folder", "memory/loop"]
    );
    assert_eq!(scan.skipped.len(), 6);
}

#[test]
fn what_is_not_a_file_is_named() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"")]);
    mkfifoat(CWD, dir.path().join("memory/pipe.md"), Mode::RWXU).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("memory/socket.md")).unwrap();
    fill(dir.path(), &[("MEMORY.md/", b"")]);
    put(&dir.path().join("bank"), b"a file where a folder should be");
    let scan = workspace.scan().unwrap();
    assert_eq!(names(&scan), ["memory/a.md"]);
    assert_eq!(
        skipped(&scan),
        [
            "MEMORY.md: not a file but a folder",
            "bank: not a folder",
            "memory/pipe.md: not a file but a FIFO",
            "memory/socket.md: not a file but a socket",
        ]
    );
}

#[test]
fn names_that_are_not_utf8_are_named_lossily() {
    let (dir, workspace) = workspace(&[("memory/", b"")]);
    put(&dir.path().join("memory").join(OsStr::from_bytes(b"caf\xe9.md")), b"x");
    put(&dir.path().join("memory").join(OsStr::from_bytes(b"d\xe9")).join("x.md"), b"x");
    let scan = workspace.scan().unwrap();
    assert_eq!(names(&scan), Vec::<&str>::new());
    assert_eq!(
        skipped(&scan),
        ["memory/caf\u{fffd}.md: its name is not UTF-8", "memory/d\u{fffd}: its name is not UTF-8"]
    );
}

#[test]
fn names_that_differ_in_case_normal_form_or_odd_characters_stay_apart() {
    let all = [
        "memory/README.md", "memory/a\nb.md", "memory/cafe\u{301}.md", "memory/caf\u{e9}.md",
        "memory/readme.md",
    ];
    let files: Vec<(&str, &[u8])> = all.iter().map(|name| (*name, b"x".as_slice())).collect();
    let (_dir, workspace) = workspace(&files);
    assert_eq!(names(&workspace.scan().unwrap()), all);
}

#[test]
fn both_spellings_of_the_long_term_memory_are_found() {
    let (_dir, workspace) = workspace(&[("MEMORY.md", b"a"), ("memory.md", b"b")]);
    assert_eq!(names(&workspace.scan().unwrap()), ["MEMORY.md", "memory.md"]);
}

#[test]
fn very_deep_folders_are_named_instead_of_walked() {
    let (dir, workspace) = workspace(&[("memory/", b"")]);
    let mut deep = dir.path().join("memory");
    for _ in 0..70 {
        deep.push("d");
    }
    put(&deep.join("x.md"), b"x");
    let scan = workspace.scan().unwrap();
    assert_eq!(names(&scan), Vec::<&str>::new());
    assert_eq!(scan.skipped.iter().map(|skipped| &skipped.reason).collect::<Vec<_>>(), [&Reason::TooDeep]);
}

#[test]
fn a_second_name_of_a_file_is_counted() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"x")]);
    fs::hard_link(dir.path().join("memory/a.md"), dir.path().join("outside")).unwrap();
    let scan = workspace.scan().unwrap();
    assert_eq!(scan.files[0].links, 2);
}

#[test]
fn a_missing_workspace_is_an_error_and_not_an_empty_scan() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"x")]);
    let moved = dir.path().with_extension("moved");
    fs::rename(dir.path(), &moved).unwrap();
    let error = workspace.scan().unwrap_err();
    assert_eq!(error.to_string(), format!("the workspace {} does not exist", dir.path().display()));
    assert!(matches!(Workspace::open(dir.path(), &[]), Err(Error::RootMissing { .. })));
    put(dir.path(), b"a file");
    assert!(matches!(workspace.scan(), Err(Error::RootNotDirectory { .. })));
    fs::remove_file(dir.path()).unwrap();
    fs::rename(&moved, dir.path()).unwrap();
    assert_eq!(names(&workspace.scan().unwrap()), ["memory/a.md"]);
}

#[test]
fn another_folder_at_the_place_of_the_workspace_has_another_identity() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"x")]);
    let before = workspace.scan().unwrap().root;
    assert_eq!(workspace.scan().unwrap().root, before);
    let moved = TempDir::new().unwrap();
    fs::rename(dir.path(), moved.path().join("w")).unwrap();
    fs::create_dir(dir.path()).unwrap();
    assert_ne!(workspace.scan().unwrap().root, before);
}

#[test]
fn an_unreadable_folder_is_not_a_deletion() {
    let (dir, _workspace) = workspace(&[("memory/a.md", b"x"), ("memory/closed/b.md", b"x")]);
    hand_over(dir.path());
    let closed = dir.path().join("memory/closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let status = in_child("scans::unreadable_folder_as_another_user", dir.path()).wait().unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(status.success());
}

#[test]
#[ignore = "runs in a process that `an_unreadable_folder_is_not_a_deletion` starts"]
fn unreadable_folder_as_another_user() {
    let workspace = Workspace::open(".".as_ref(), &[]).unwrap();
    let scan = workspace.scan().unwrap();
    assert_eq!(names(&scan), ["memory/a.md"]);
    assert_eq!(skipped(&scan), ["memory/closed: cannot be read: Permission denied (os error 13)"]);
    assert!(scan.is_incomplete());
    assert!(!scan.covers(&note(&workspace, "memory/closed/b.md")));
    assert!(scan.covers(&note(&workspace, "memory/closed-not.md")));
}

#[test]
fn the_stamp_changes_with_every_change_and_with_nothing_else() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"one"), ("memory/b.md", b"two")]);
    let stamp = || workspace.scan().unwrap().stamp;
    let first = stamp();
    assert_eq!(stamp(), first);
    put(&dir.path().join("memory/picture.png"), b"no note");
    assert_eq!(stamp(), first);
    let mut seen = vec![first];
    let a = dir.path().join("memory/a.md");
    let b = dir.path().join("memory/b.md");
    let old = fs::metadata(&a).unwrap().modified().unwrap();
    let steps: [&dyn Fn(); 5] = [
        &|| put(&a, b"longer"),
        &|| {
            put(&a, b"new");
            fs::File::options().write(true).open(&a).unwrap().set_modified(old).unwrap();
        },
        &|| fs::rename(&a, dir.path().join("memory/c.md")).unwrap(),
        &|| fs::remove_file(&b).unwrap(),
        &|| put(&b, b"two"),
    ];
    for step in steps {
        step();
        assert!(!seen.contains(&stamp()));
        seen.push(stamp());
    }
}

#[test]
fn swapping_the_names_of_two_files_changes_the_stamp() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"one"), ("memory/b.md", b"two")]);
    let first = workspace.scan().unwrap().stamp;
    let memory = dir.path().join("memory");
    for (from, to) in [("a.md", "c"), ("b.md", "a.md"), ("c", "b.md")] {
        fs::rename(memory.join(from), memory.join(to)).unwrap();
    }
    assert_ne!(workspace.scan().unwrap().stamp, first);
}

#[test]
fn extra_paths_are_named_relative_to_the_workspace() {
    let home = TempDir::new().unwrap();
    fill(
        home.path(),
        &[
            ("ws/memory/a.md", b"x"),
            ("ws/docs/in.md", b"x"),
            ("notes/b.md", b"x"),
            ("notes/deep/c.md", b"x"),
            ("notes/d.txt", b"x"),
            ("single.md", b"x"),
        ],
    );
    let extra = |path: &str| Extra { path: path.into(), pattern: None };
    let absolute = home.path().join("notes").to_str().unwrap().to_owned();
    let extras = [extra("docs"), extra(&absolute), extra("../single.md"), extra("../notes/deep")];
    let workspace = Workspace::open(&home.path().join("ws"), &extras).unwrap();
    let scan = workspace.scan().unwrap();
    let all = ["../notes/b.md", "../notes/deep/c.md", "../single.md", "docs/in.md", "memory/a.md"];
    assert_eq!(names(&scan), all);
    for name in all {
        assert_eq!(workspace.read(&note(&workspace, name), 9).unwrap().bytes, b"x");
    }
}

#[test]
fn a_census_knows_every_note_by_its_state() {
    let home = TempDir::new().unwrap();
    let notes =
        ["ws/MEMORY.md", "ws/memory/a.md", "notes/b.md", "notes/deep/c.md", "one/single.md", "one/two.md"];
    notes.iter().for_each(|note| fill(home.path(), &[(note, b"x")]));
    let paths = ["../notes", "../notes/deep", "../one/single.md", "../one/two.md"];
    let extras = paths.map(|path| Extra { path: path.into(), pattern: None });
    let workspace = Workspace::open(&home.path().join("ws"), &extras).unwrap();
    let census = || workspace.scan().unwrap().census().unwrap();
    let mut before = census();
    for (number, note) in notes.iter().enumerate() {
        assert!(workspace.is_as_in(&before));
        put(&home.path().join(note), format!("{number} changed").as_bytes());
        assert!(!workspace.is_as_in(&before), "{note}");
        assert_ne!(std::mem::replace(&mut before, census()), before);
    }
    put(&home.path().join("notes/deep/new.md"), b"x");
    assert!(!workspace.is_as_in(&before));
    before = census();
    fs::remove_file(home.path().join("one/single.md")).unwrap();
    assert!(!workspace.is_as_in(&before));
}

#[test]
fn an_extra_path_that_shares_nothing_with_the_workspace_is_named_absolutely() {
    let (_dir, workspace) = workspace(&[("memory/a.md", b"x")]);
    let extras = [Extra { path: "/nowhere-at-all/notes".into(), pattern: None }];
    let workspace = Workspace::open(workspace.root(), &extras).unwrap();
    assert_eq!(
        skipped(&workspace.scan().unwrap()),
        ["/nowhere-at-all/notes: an extra path that does not exist"]
    );
    assert_eq!(note(&workspace, "/nowhere-at-all/notes/x.md").as_str(), "/nowhere-at-all/notes/x.md");
}

#[test]
fn a_missing_extra_path_is_not_a_deletion() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"x"), ("docs/b.md", b"x")]);
    let extras = [Extra { path: "docs".into(), pattern: None }];
    let workspace = Workspace::open(workspace.root(), &extras).unwrap();
    let b = note(&workspace, "docs/b.md");
    assert!(workspace.scan().unwrap().covers(&b));
    fs::rename(dir.path().join("docs"), dir.path().join("away")).unwrap();
    let scan = workspace.scan().unwrap();
    assert_eq!(names(&scan), ["memory/a.md"]);
    assert!(!scan.covers(&b));
    symlink("away", dir.path().join("docs")).unwrap();
    assert_eq!(skipped(&workspace.scan().unwrap()), ["docs: links are not followed"]);
}

#[test]
fn an_extra_path_that_is_no_markdown_is_named() {
    let (_dir, workspace) = workspace(&[("docs/b.txt", b"x")]);
    let extras = [Extra { path: "docs/b.txt".into(), pattern: None }];
    let workspace = Workspace::open(workspace.root(), &extras).unwrap();
    assert_eq!(skipped(&workspace.scan().unwrap()), ["docs/b.txt: its name does not end in .md"]);
}

#[test]
fn the_whole_workspace_can_be_an_extra_path() {
    let (_dir, workspace) = workspace(&[("memory/a.md", b"x"), ("docs/b.md", b"x"), (".git/c.md", b"x")]);
    let workspace = Workspace::open(workspace.root(), &[Extra { path: ".".into(), pattern: None }]).unwrap();
    assert_eq!(names(&workspace.scan().unwrap()), ["docs/b.md", "memory/a.md"]);
    assert_eq!(workspace.read(&note(&workspace, "docs/b.md"), 9).unwrap().bytes, b"x");
}

#[test]
fn folders_that_move_while_they_are_scanned_do_no_harm() {
    let (dir, workspace) =
        workspace(&[("memory/a.md", b"x"), ("memory/d/e/b.md", b"x"), ("memory/d/c.md", b"x")]);
    let d = dir.path().join("memory/d");
    let other = dir.path().join("memory/other");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                fs::rename(&d, &other).unwrap();
                fs::rename(&other, &d).unwrap();
            }
        });
        for _ in 0..1000 {
            let scan = workspace.scan().unwrap();
            assert_eq!((names(&scan)[0], scan.is_incomplete()), ("memory/a.md", false));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(names(&workspace.scan().unwrap()), ["memory/a.md", "memory/d/c.md", "memory/d/e/b.md"]);
}

#[test]
fn a_pattern_chooses_among_the_notes_of_an_extra_path() {
    let (_dir, workspace) = workspace(&[
        ("docs/a.md", b"x"),
        ("docs/adr/b.md", b"x"),
        ("docs/adr/more/c.md", b"x"),
        ("docs/adr/d.txt", b"x"),
    ]);
    let found = |pattern: &str| {
        let extras = [Extra { path: "docs".into(), pattern: Some(pattern.to_owned()) }];
        let workspace = Workspace::open(workspace.root(), &extras).unwrap();
        let scan = workspace.scan().unwrap();
        scan.files.iter().map(|found| found.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(found("*.md"), ["docs/a.md"]);
    assert_eq!(found("adr/*"), ["docs/adr/b.md"]);
    assert_eq!(found("adr/**"), ["docs/adr/b.md", "docs/adr/more/c.md"]);
    let extras = [Extra { path: "docs".into(), pattern: Some("{".to_owned()) }];
    let error = Workspace::open(workspace.root(), &extras).unwrap_err();
    assert_eq!(error.to_string(), "the pattern \"{\" of an extra path is not a glob");
}

#[test]
fn an_extra_path_around_the_workspace_does_not_show_its_notes_twice() {
    let home = TempDir::new().unwrap();
    fill(home.path(), &[("ws/memory/a.md", b"x"), ("other/b.md", b"x")]);
    let extras = [Extra { path: "..".into(), pattern: None }];
    let workspace = Workspace::open(&home.path().join("ws"), &extras).unwrap();
    let scan = workspace.scan().unwrap();
    assert_eq!(names(&scan), ["../other/b.md", "memory/a.md"]);
    assert_eq!(skipped(&scan), ["../ws: the workspace itself, whose notes have their own names"]);
}
