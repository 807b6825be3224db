//! Exact bytes, exact lines, and no way out of the workspace.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use mindfile_workspace::{Error, Lines, Special, Start};
use rustix::fs::{CWD, Mode, mkfifoat};

use super::{note, put, workspace};

#[test]
fn bytes_come_back_as_they_are() {
    let odd: &[&[u8]] =
        &[b"", b"\xef\xbb\xbfbom\r\n\ttab \r lone", b"\xff\xfe\x00invalid\xc3\x28", b"no end", b"\0\0"];
    for bytes in odd {
        let (_dir, workspace) = workspace(&[("memory/a.md", bytes)]);
        let read = workspace.read(&note(&workspace, "memory/a.md"), 1 << 20).unwrap();
        assert_eq!((read.bytes.as_slice(), read.truncated, read.unstable), (*bytes, false, false));
        assert_eq!(read.stat, workspace.scan().unwrap().files[0].stat);
    }
}

#[test]
fn a_long_file_is_cut_at_the_limit() {
    let (_dir, workspace) = workspace(&[("memory/a.md", b"0123456789")]);
    let a = note(&workspace, "memory/a.md");
    let read = workspace.read(&a, 4).unwrap();
    assert_eq!((read.bytes.as_slice(), read.truncated, read.unstable), (b"0123".as_slice(), true, false));
    assert!(!workspace.read(&a, 10).unwrap().truncated);
}

#[test]
fn a_sparse_file_of_a_terabyte_is_read_up_to_the_limit() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"")]);
    fs::File::options().write(true).open(dir.path().join("memory/a.md")).unwrap().set_len(1 << 40).unwrap();
    let read = workspace.read(&note(&workspace, "memory/a.md"), 1000).unwrap();
    assert_eq!((read.bytes.len(), read.truncated, read.stat.size), (1000, true, 1 << 40));
}

#[test]
fn what_is_missing_linked_or_no_file_is_refused_with_its_reason() {
    let (dir, workspace) = workspace(&[("outside/secret.md", b"secret"), ("memory/folder.md/", b"")]);
    let memory = dir.path().join("memory");
    symlink("../outside/secret.md", memory.join("link.md")).unwrap();
    symlink("../outside", memory.join("linked")).unwrap();
    symlink("/proc/self/mem", memory.join("magic.md")).unwrap();
    mkfifoat(CWD, memory.join("pipe.md"), Mode::RWXU).unwrap();
    let error = |path: &str| workspace.read(&note(&workspace, path), 99).unwrap_err();
    assert_eq!(error("memory/none.md").to_string(), "memory/none.md does not exist");
    assert_eq!(error("memory/no/ne.md").to_string(), "memory/no/ne.md does not exist");
    assert_eq!(error("memory/link.md").to_string(), "memory/link.md is a link, or lies behind one");
    assert_eq!(
        error("memory/linked/secret.md").to_string(),
        "memory/linked/secret.md is a link, or lies behind one"
    );
    assert!(matches!(error("memory/magic.md"), Error::Link { .. }));
    assert!(matches!(error("memory/pipe.md"), Error::NotRegular { what: Special::Fifo, .. }));
    assert_eq!(error("memory/folder.md").to_string(), "memory/folder.md is not a file but a folder");
}

#[test]
fn a_folder_that_turns_into_a_link_while_it_is_read_leaks_nothing() {
    let (dir, workspace) = workspace(&[("memory/d/a.md", b"mine"), ("outside/a.md", b"secret")]);
    let a = note(&workspace, "memory/d/a.md");
    let d = dir.path().join("memory/d");
    let away = dir.path().join("memory/away");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                fs::rename(&d, &away).unwrap();
                symlink("../outside", &d).unwrap();
                fs::remove_file(&d).unwrap();
                fs::rename(&away, &d).unwrap();
            }
        });
        let mut read = 0;
        for _ in 0..20_000 {
            match workspace.read(&a, 99) {
                Ok(found) => {
                    assert_eq!(found.bytes, b"mine");
                    read += 1;
                }
                Err(Error::Missing { .. } | Error::Link { .. }) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        stop.store(true, Ordering::Relaxed);
        assert!(read > 0);
    });
}

fn check(text: &[u8], from: u32, count: Option<u32>, bytes: &[u8], lines: u32, total_lines: Option<u32>) {
    let (_dir, workspace) = workspace(&[("memory/a.md", text)]);
    let found = workspace.lines(&note(&workspace, "memory/a.md"), from, count).unwrap();
    let expected = Lines { from: from.into(), lines, bytes: bytes.to_vec(), total_lines, next: None };
    assert_eq!(found, expected);
}

#[test]
fn lines_are_exact() {
    let text = b"one\r\ntwo\n\xff\xfe three\n\nfive";
    check(text, 1, None, text, 5, Some(5));
    check(text, 2, Some(1), b"two\n", 1, None);
    check(text, 3, Some(2), b"\xff\xfe three\n\n", 2, None);
    check(text, 4, Some(9), b"\nfive", 2, Some(5));
    check(text, 5, Some(1), b"five", 1, Some(5));
    check(text, 6, None, b"", 0, Some(5));
    check(text, 1, Some(0), b"", 0, None);
    check(b"", 1, None, b"", 0, Some(0));
    check(b"\n", 1, None, b"\n", 1, Some(1));
    check(b"\n", 2, None, b"", 0, Some(1));
}

#[test]
fn lines_are_counted_from_one() {
    let (_dir, workspace) = workspace(&[("memory/a.md", b"x")]);
    let error = workspace.lines(&note(&workspace, "memory/a.md"), 0, None).unwrap_err();
    assert_eq!(error.to_string(), "lines are counted from 1, not from 0");
}

#[test]
fn lines_across_block_borders_are_those_of_the_text() {
    let text: String = (1..40_000).map(|n| format!("{n}{}\n", "x".repeat(n % 37))).collect();
    let (_dir, workspace) = workspace(&[("memory/a.md", text.as_bytes())]);
    let a = note(&workspace, "memory/a.md");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for from in [1, 2, 3_333, 20_000, 39_998, 39_999] {
        let found = workspace.lines(&a, from, Some(2)).unwrap();
        let at = from as usize - 1;
        let wanted = lines[at..lines.len().min(at + 2)].concat();
        assert_eq!(String::from_utf8(found.bytes).unwrap(), wanted);
        assert_eq!(workspace.line_at(&a, lines[..at].concat().len() as u64).unwrap(), from);
    }
}

#[test]
fn a_huge_line_is_cut_and_said_to_be() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"first\n")]);
    let path = dir.path().join("memory/a.md");
    fs::File::options().write(true).open(path).unwrap().set_len(1 << 30).unwrap();
    let found = workspace.lines(&note(&workspace, "memory/a.md"), 2, None).unwrap();
    assert_eq!(
        (found.bytes.len(), found.lines, found.next, found.total_lines),
        (4 << 20, 1, Some(Start { line: 2, byte: 4 << 20 }), None)
    );
}

#[test]
fn the_parts_of_a_huge_note_are_the_note() {
    let lines: String = (0..200_000).map(|n| format!("line {n} of the day, naïve and 東京\n")).collect();
    let words = "Schlüssel 東京 ".repeat(400_000);
    let letters = "東".repeat(3 << 20);
    for text in [lines.clone(), format!("{lines}{words}\n{lines}"), letters, format!("one\n{words}\n"), words]
    {
        let (_dir, workspace) = workspace(&[("memory/a.md", text.as_bytes())]);
        let a = note(&workspace, "memory/a.md");
        let (mut from, mut parts) = (Start::from(1), Vec::new());
        loop {
            let found = workspace.lines(&a, from, None).unwrap();
            assert_eq!(Lines::of(&text, from, None), found);
            let part = String::from_utf8(found.bytes).unwrap();
            assert!(part.len() <= 4 << 20);
            let is_whole = part.ends_with('\n') || part.ends_with(' ') || !part.contains(' ');
            assert!(is_whole, "{:?}", &part[part.len() - 9..]);
            parts.push(part);
            match found.next {
                Some(next) => from = next,
                None => break,
            }
        }
        assert!(parts.len() > 1 && parts.concat() == text);
    }
}

#[test]
fn a_place_beyond_a_line_is_the_next_line() {
    let (_dir, workspace) = workspace(&[("memory/a.md", b"one\ntwo\nthree")]);
    let a = note(&workspace, "memory/a.md");
    for (line, byte, found) in
        [(1, 1, "ne\ntwo\nthree"), (2, 3, "\nthree"), (2, 9, "three"), (3, 9, ""), (9, 9, "")]
    {
        let lines = workspace.lines(&a, Start { line, byte }, None).unwrap();
        assert_eq!(String::from_utf8(lines.bytes).unwrap(), found, "{line} {byte}");
        assert_eq!((lines.total_lines, lines.next), (Some(3), None));
    }
    assert_eq!(workspace.lines(&a, Start { line: 1, byte: 1 }, Some(1)).unwrap().bytes, b"ne\n");
    assert_eq!(workspace.lines(&a, Start { line: 1, byte: 9 }, Some(1)).unwrap().lines, 0);
}

#[test]
fn a_file_that_grows_while_it_is_read_gives_one_of_its_states() {
    let (dir, workspace) = workspace(&[("memory/a.md", b"")]);
    let path = dir.path().join("memory/a.md");
    let a = note(&workspace, "memory/a.md");
    std::thread::scope(|scope| {
        scope.spawn(|| (0..300).for_each(|n| put(&path, "line\n".repeat(n).as_bytes())));
        for _ in 0..300 {
            let read = workspace.read(&a, 1 << 20).unwrap();
            assert!(read.unstable || read.bytes.len() as u64 == read.stat.size);
        }
    });
}
