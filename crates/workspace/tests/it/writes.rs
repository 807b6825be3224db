//! Writes: whole, durable, byte-exact, and nobody's bytes lost.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mindfile_disk::durable;
use mindfile_fault::Fault;
use mindfile_workspace::{Ending, Error, Expect, NewWorkspace, Settlement, Workspace, Writer, init};
use tempfile::TempDir;

use super::{names, note, put, skipped, writer};
use crate::other_user::{hand_over, in_child};

fn appended(before: &[u8], text: &[u8]) -> Vec<u8> {
    let (dir, workspace) = writer(&[("memory/a.md", before)]);
    let done = workspace.append(&note(&workspace, "memory/a.md"), text).unwrap();
    let after = fs::read(dir.path().join("memory/a.md")).unwrap();
    assert!(after.starts_with(before));
    assert!(!done.created);
    after
}

#[test]
fn appended_lines_follow_the_line_ends_of_the_file() {
    assert_eq!(appended(b"", b"new\n"), b"new\n");
    assert_eq!(appended(b"old\n", b"new"), b"old\nnew\n");
    assert_eq!(appended(b"old", b"new\n"), b"old\nnew\n");
    assert_eq!(appended(b"a\r\nb", b"new\nmore\n"), b"a\r\nb\r\nnew\r\nmore\r\n");
    assert_eq!(appended(b"a\r\nb\r\n", b"new\r\n"), b"a\r\nb\r\nnew\r\n");
    assert_eq!(appended(b"\xef\xbb\xbfa\xff\xc3", b"new\n"), b"\xef\xbb\xbfa\xff\xc3\nnew\n");
}

#[test]
fn the_ending_of_a_text_is_that_of_its_last_whole_line() {
    assert_eq!(Ending::of(b"a\r\nb\nc"), Ending::Lf);
    assert_eq!(Ending::of(b"a\nb\r\nc"), Ending::CrLf);
    assert_eq!(Ending::of(b"a"), Ending::Lf);
    assert_eq!(Ending::CrLf.apply(b"a\nb\r\n\rc\n"), b"a\r\nb\r\n\rc\r\n");
}

#[test]
fn appending_makes_the_file_and_its_folders_private() {
    let (dir, workspace) = writer(&[]);
    let path = note(&workspace, "memory/deep/er/a.md");
    let done = workspace.append(&path, b"first\n").unwrap();
    assert!(done.created);
    assert_eq!(fs::read(dir.path().join("memory/deep/er/a.md")).unwrap(), b"first\n");
    let mode = |path: &str| fs::metadata(dir.path().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("memory/deep"), mode("memory/deep/er/a.md")), (0o700, 0o600));
    assert_eq!(workspace.scan().unwrap().files[0].stat, done.stat);
}

#[test]
fn writes_do_not_go_through_links() {
    let (dir, workspace) = writer(&[("memory/", b""), ("outside/a.md", b"theirs")]);
    symlink("../outside", dir.path().join("memory/folder")).unwrap();
    symlink("../outside/a.md", dir.path().join("memory/a.md")).unwrap();
    for path in ["memory/folder/a.md", "memory/folder/new.md", "memory/a.md"] {
        let path = note(&workspace, path);
        assert!(workspace.append(&path, b"x\n").is_err());
        assert!(workspace.replace(&path, b"x\n", Expect::Bytes(b"theirs")).is_err());
        assert!(workspace.replace(&path, b"x\n", Expect::Absent).is_err());
    }
    assert_eq!(fs::read(dir.path().join("outside/a.md")).unwrap(), b"theirs");
    assert_eq!(fs::read_dir(dir.path().join("outside")).unwrap().count(), 1);
}

#[test]
fn a_utf16_file_is_not_spoiled() {
    let (_dir, workspace) = writer(&[("memory/a.md", b"\xff\xfea\0")]);
    let error = workspace.append(&note(&workspace, "memory/a.md"), b"x\n").unwrap_err();
    assert_eq!(error.to_string(), "memory/a.md is UTF-16, and a line of UTF-8 would spoil it");
}

/// What an editor does with the note once it has seen the new line, and what stands there in the end.
fn edited_meanwhile(save: &mut dyn FnMut(&Path, &str)) -> (Result<(), Error>, String) {
    let (dir, workspace) = writer(&[("memory/a.md", b"# Day\n\n- W: old ^a1\n")]);
    let file = dir.path().join("memory/a.md");
    let done = workspace.append_meanwhile(&note(&workspace, "memory/a.md"), b"- W: new ^b2\n", &mut || {
        save(&file, &fs::read_to_string(&file).unwrap());
    });
    (done.map(drop), fs::read_to_string(&file).unwrap())
}

fn renamed_over(file: &Path, text: &str) {
    let aside = file.with_extension("tmp");
    put(&aside, text.as_bytes());
    fs::rename(&aside, file).unwrap();
}

#[test]
fn a_line_that_an_editor_took_over_is_not_written_again() {
    let (done, text) = edited_meanwhile(&mut |file, seen| renamed_over(file, seen));
    assert_eq!((done.is_ok(), text.as_str()), (true, "# Day\n\n- W: old ^a1\n- W: new ^b2\n"));
    let (done, text) = edited_meanwhile(&mut |file, seen| {
        renamed_over(file, &seen.replace("- W", "* W").replace("# Day", "# Thursday"));
    });
    assert_eq!((done.is_ok(), text.as_str()), (true, "# Thursday\n\n* W: old ^a1\n* W: new ^b2\n"));
}

#[test]
fn a_line_that_an_editor_took_away_with_an_older_copy_is_written_again() {
    let older = |seen: &str| seen.replace("- W: new ^b2\n", "and more");
    let mut saves = 0;
    let (done, text) = edited_meanwhile(&mut |file, seen| {
        saves += 1;
        if saves == 1 {
            renamed_over(file, &older(seen));
        }
    });
    assert_eq!((done.is_ok(), text.as_str()), (true, "# Day\n\n- W: old ^a1\nand more\n- W: new ^b2\n"));
    let mut saves = 0;
    let (done, text) = edited_meanwhile(&mut |file, seen| {
        saves += 1;
        if saves == 1 {
            put(file, older(seen).as_bytes());
        }
    });
    assert_eq!((done.is_ok(), text.as_str()), (true, "# Day\n\n- W: old ^a1\nand more\n- W: new ^b2\n"));
}

#[test]
fn a_line_that_comes_with_the_rest_of_a_save_is_not_written_again() {
    let mut saving = None;
    let (done, text) = edited_meanwhile(&mut |file, seen| {
        if saving.is_none() {
            put(file, b"");
            let (file, seen) = (file.to_owned(), seen.to_owned());
            saving = Some(std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(20));
                put(&file, seen.as_bytes());
            }));
        }
    });
    saving.unwrap().join().unwrap();
    assert_eq!((done.is_ok(), text.as_str()), (true, "# Day\n\n- W: old ^a1\n- W: new ^b2\n"));
}

#[test]
fn an_editor_that_never_gives_way_is_said() {
    let (done, text) = edited_meanwhile(&mut |file, seen| {
        put(file, seen.replace("- W: new ^b2\n", "").as_bytes());
    });
    let error = done.unwrap_err();
    assert_eq!(error.to_string(), "somebody else changed memory/a.md at the same moment; nothing was kept");
    assert_eq!(error.fault(), Fault::Environment);
    assert_eq!(text, "# Day\n\n- W: old ^a1\n");
}

#[test]
fn appending_threads_lose_nothing() {
    let (dir, workspace) = writer(&[("memory/a.md", b"no end")]);
    let path = note(&workspace, "memory/a.md");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let workspace = &workspace;
            let path = &path;
            scope.spawn(move || {
                for n in 0..50 {
                    workspace.append(path, format!("{writer}-{n}\n").as_bytes()).unwrap();
                }
            });
        }
    });
    assert_eq!(whole_lines(dir.path(), 4, 50), 200);
}

#[test]
fn appending_processes_lose_nothing() {
    let (dir, _workspace) = writer(&[("memory/a.md", b"no end")]);
    hand_over(dir.path());
    let children: Vec<_> = (0..4).map(|_| in_child("writes::append_as_one_of_many", dir.path())).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let text = fs::read_to_string(dir.path().join("memory/a.md")).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains('-')).collect();
    assert_eq!((lines.len(), BTreeSet::from_iter(lines).len()), (200, 200));
}

#[test]
#[ignore = "runs in a process that `appending_processes_lose_nothing` starts"]
fn append_as_one_of_many() {
    if !Path::new("memory/a.md").exists() {
        return;
    }
    let workspace = Workspace::open(".".as_ref(), &[]).unwrap().writer(tempfile::tempfile().unwrap());
    let path = note(&workspace, "memory/a.md");
    for n in 0..50 {
        workspace.append(&path, format!("{}-{n}\n", std::process::id()).as_bytes()).unwrap();
    }
}

#[test]
fn a_short_write_is_taken_back_and_reported() {
    let (dir, _workspace) = writer(&[("memory/a.md", b"old\n")]);
    hand_over(dir.path());
    let mut child = in_child("writes::append_more_than_is_allowed", dir.path());
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read(dir.path().join("memory/a.md")).unwrap(), b"old\n");
}

#[test]
#[ignore = "runs in a process that `a_short_write_is_taken_back_and_reported` starts"]
fn append_more_than_is_allowed() {
    if !Path::new("memory/a.md").exists() {
        return;
    }
    let limit = rustix::process::Rlimit { current: Some(100), maximum: Some(100) };
    rustix::process::setrlimit(rustix::process::Resource::Fsize, limit).unwrap();
    let workspace = Workspace::open(".".as_ref(), &[]).unwrap().writer(tempfile::tempfile().unwrap());
    let error = workspace.append(&note(&workspace, "memory/a.md"), &[b'x'; 200]).unwrap_err();
    assert_eq!(error.to_string(), "only 96 of 201 bytes were written to memory/a.md, and taken back");
}

/// How many of the lines `writer-n` stand whole in `memory/a.md`.
fn whole_lines(dir: &Path, writers: usize, each: usize) -> usize {
    let text = fs::read_to_string(dir.join("memory/a.md")).unwrap();
    let lines: BTreeSet<&str> = text.lines().collect();
    let all = (0..writers).flat_map(|writer| (0..each).map(move |n| format!("{writer}-{n}")));
    all.filter(|line| lines.contains(line.as_str())).count()
}

#[test]
fn a_replacement_is_byte_exact_and_keeps_the_mode() {
    let (dir, workspace) = writer(&[("memory/a.md", b"old\r\n\xff")]);
    let file = dir.path().join("memory/a.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let path = note(&workspace, "memory/a.md");
    let done = workspace.replace(&path, b"\xef\xbb\xbfnew\r\n\0", Expect::Bytes(b"old\r\n\xff")).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"\xef\xbb\xbfnew\r\n\0");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!((done.created, done.pending), (false, None));
    assert_eq!(fs::read_dir(dir.path().join("memory")).unwrap().count(), 1);
    assert_eq!(workspace.scan().unwrap().files[0].stat, done.stat);
}

#[test]
fn a_replacement_of_other_bytes_than_expected_changes_nothing() {
    let (dir, workspace) = writer(&[("memory/a.md", b"theirs")]);
    let path = note(&workspace, "memory/a.md");
    for expect in [Expect::Bytes(b"mine"), Expect::Bytes(b"theirs and more"), Expect::Absent] {
        let error = workspace.replace(&path, b"new", expect).unwrap_err();
        assert_eq!(error.to_string(), "memory/a.md was changed by someone else meanwhile");
        assert_eq!(error.hint(), Some("nothing was written; try again".into()));
        assert_eq!(error.fault(), Fault::Environment);
    }
    assert_eq!(fs::read(dir.path().join("memory/a.md")).unwrap(), b"theirs");
    assert_eq!(fs::read_dir(dir.path().join("memory")).unwrap().count(), 1);
    let gone = workspace.replace(&note(&workspace, "memory/b.md"), b"new", Expect::Bytes(b"old"));
    assert!(matches!(gone, Err(Error::Missing { .. })));
}

#[test]
fn a_new_file_is_made_where_none_is() {
    let (dir, workspace) = writer(&[]);
    let path = note(&workspace, "bank/entities/sarah.md");
    assert!(workspace.replace(&path, b"# Sarah\n", Expect::Absent).unwrap().created);
    assert_eq!(fs::read(dir.path().join("bank/entities/sarah.md")).unwrap(), b"# Sarah\n");
}

#[test]
fn lines_written_late_through_an_open_file_come_back() {
    let (dir, workspace) = writer(&[("memory/a.md", b"one\n")]);
    let path = note(&workspace, "memory/a.md");
    let mut editor = fs::File::options().append(true).open(dir.path().join("memory/a.md")).unwrap();
    let done = workspace.replace(&path, b"two\n", Expect::Bytes(b"one\n")).unwrap();
    let pending = done.pending.unwrap();
    let scan = workspace.scan().unwrap();
    assert_eq!((names(&scan), &scan.leftovers), (vec!["memory/a.md"], &vec![pending.clone()]));
    assert_eq!(workspace.settle(&pending, i64::MAX).unwrap(), Settlement::Pending);
    editor.write_all(b"late\n").unwrap();
    drop(editor);
    assert_eq!(workspace.settle(&pending, i64::MAX).unwrap(), Settlement::Restored(path));
    assert_eq!(fs::read(dir.path().join("memory/a.md")).unwrap(), b"two\nlate\n");
    assert_eq!(workspace.scan().unwrap().leftovers, []);
}

#[test]
fn an_old_file_that_was_rewritten_late_is_kept_as_a_note_of_its_own() {
    let (dir, workspace) = writer(&[("memory/a.md", b"one\n")]);
    let path = note(&workspace, "memory/a.md");
    let mut editor = fs::File::options().write(true).open(dir.path().join("memory/a.md")).unwrap();
    let pending = workspace.replace(&path, b"two\n", Expect::Bytes(b"one\n")).unwrap().pending.unwrap();
    editor.write_all(b"ONE\nand more\n").unwrap();
    drop(editor);
    let Settlement::KeptAs(kept) = workspace.settle(&pending, i64::MAX).unwrap() else {
        panic!("it was dropped")
    };
    assert_eq!(workspace.read(&kept, 99).unwrap().bytes, b"ONE\nand more\n");
    assert!(kept.as_str().starts_with("memory/a.conflict-"));
}

#[test]
fn what_a_dead_process_left_is_dropped_only_if_it_is_known() {
    let (dir, workspace) = writer(&[("memory/a.md", b"one\n")]);
    let path = note(&workspace, "memory/a.md");
    let held = fs::File::options().append(true).open(dir.path().join("memory/a.md")).unwrap();
    let pending = workspace.replace(&path, b"two\n", Expect::Bytes(b"one\n")).unwrap().pending.unwrap();
    drop(held);
    let part = dir.path().join("memory/.mindfile-part-1-1");
    put(&part, b"half a wri");
    put(&dir.path().join("memory/.mindfile-was-nonsense"), b"someone else's");
    let left = workspace.scan().unwrap().leftovers;
    assert_eq!(
        left.iter().map(|left| left.path()).collect::<Vec<_>>(),
        ["memory/.mindfile-part-1-1".to_owned(), pending.path()]
    );
    // Somebody may be about to give it its name: a restore or a merge, which take no lock of the folder.
    let writing = fs::File::options().write(true).open(&part).unwrap();
    assert_eq!(workspace.settle(&left[0], i64::MIN).unwrap(), Settlement::Pending);
    drop(writing);
    for leftover in &left {
        assert_eq!(workspace.settle(leftover, i64::MIN).unwrap(), Settlement::Dropped);
    }
    // Named meanwhile by whoever was writing it.
    assert_eq!(workspace.settle(&left[0], i64::MIN).unwrap(), Settlement::Dropped);
    assert_eq!(fs::read_dir(dir.path().join("memory")).unwrap().count(), 2);
}

/// A person's program that adds lines in bursts while the note is rewritten all the time: each line must be in the
/// note or in a file beside it.
#[test]
fn a_person_who_appends_while_we_rewrite_loses_no_line() {
    let (dir, workspace) = writer(&[("memory/a.md", b"start\n")]);
    let done = AtomicBool::new(false);
    let (written, rewrites) = std::thread::scope(|scope| {
        let editor = scope.spawn(|| append_in_bursts(&dir.path().join("memory/a.md"), &done));
        let rewrites = rewrite(&workspace, 40);
        done.store(true, Ordering::Relaxed);
        (editor.join().unwrap(), rewrites)
    });
    for leftover in workspace.scan().unwrap().leftovers {
        workspace.settle(&leftover, i64::MAX).unwrap();
    }
    let scan = workspace.scan().unwrap();
    let all: String = scan.files.iter().map(|found| text(&workspace, found.path.as_str())).collect();
    let lines: BTreeSet<&str> = all.lines().collect();
    let lost: Vec<String> =
        (0..written).map(|n| format!("0-{n}")).filter(|line| !lines.contains(line.as_str())).collect();
    assert_eq!((lost, skipped(&scan), scan.leftovers), (vec![], vec![], vec![]));
    assert_eq!(rewrites, 40);
}

fn append_in_bursts(file: &Path, done: &AtomicBool) -> usize {
    let mut written = 0;
    while !done.load(Ordering::Relaxed) {
        for _ in 0..20 {
            let mut editor = fs::File::options().append(true).open(file).unwrap();
            editor.write_all(format!("0-{written}\n").as_bytes()).unwrap();
            written += 1;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    written
}

/// Rewrites the note until it succeeded `wanted` times, or a time far beyond what that takes has passed.
fn rewrite(workspace: &Writer, wanted: usize) -> usize {
    let path = note(workspace, "memory/a.md");
    let began = Instant::now();
    let mut rewrites = 0;
    while rewrites < wanted && began.elapsed() < Duration::from_secs(60) {
        let old = workspace.read(&path, 1 << 20).unwrap().bytes;
        let new = [b"# rewritten\n", old.strip_prefix(b"# rewritten\n").unwrap_or(&old)].concat();
        match workspace.replace(&path, &new, Expect::Bytes(&old)) {
            Ok(_) => rewrites += 1,
            Err(Error::Conflict { .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    rewrites
}

fn text(workspace: &Writer, path: &str) -> String {
    String::from_utf8(workspace.read(&note(workspace, path), 1 << 20).unwrap().bytes).unwrap()
}

#[test]
fn rewriting_processes_that_expect_the_same_text_do_not_overwrite_each_other() {
    let (dir, workspace) = writer(&[("memory/a.md", b"")]);
    let path = note(&workspace, "memory/a.md");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let workspace = &workspace;
            let path = &path;
            scope.spawn(move || (0..25).for_each(|n| add_line(workspace, path, &format!("{writer}-{n}\n"))));
        }
    });
    assert_eq!(whole_lines(dir.path(), 4, 25), 100);
    assert_eq!(fs::read_dir(dir.path().join("memory")).unwrap().count(), 1);
}

fn add_line(workspace: &Writer, path: &mindfile_workspace::NotePath, line: &str) {
    loop {
        let old = workspace.read(path, 1 << 20).unwrap().bytes;
        match workspace.replace(path, &[&old, line.as_bytes()].concat(), Expect::Bytes(&old)) {
            Ok(done) => return assert_eq!(done.pending, None),
            Err(Error::Conflict { kept: None, .. }) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_file_outside_the_workspace_is_replaced_whole_behind_its_link() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("new/folder/mindfile.json");
    durable::replace(&path, b"{}").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let link = dir.path().join("link.json");
    symlink("new/folder/mindfile.json", &link).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    durable::replace(&link, b"{\"a\":1}").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&path).unwrap(), b"{\"a\":1}");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o644);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn init_makes_what_is_missing_and_overwrites_nothing() {
    let dir = TempDir::new().unwrap();
    let root = dir.path().join("a/workspace");
    let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let made = all(&["MEMORY.md", "SOUL.md", "memory/"]);
    assert_eq!(init(&root).unwrap(), NewWorkspace { made: made.clone(), already: vec![] });
    put(&root.join("SOUL.md"), b"mine");
    assert_eq!(init(&root).unwrap(), NewWorkspace { made: vec![], already: made });
    assert_eq!(fs::read(root.join("SOUL.md")).unwrap(), b"mine");
    fs::rename(root.join("MEMORY.md"), root.join("memory.md")).unwrap();
    assert_eq!(init(&root).unwrap().already, all(&["memory.md", "SOUL.md", "memory/"]));
}
