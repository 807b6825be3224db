//! Odd bytes, odd files, and files that cannot be read.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use expect_test::expect;
use mindfile::search::Request;
use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;

use super::told;
use crate::other_user::{hand_over, in_child};
use crate::world::{NOTES, World};

fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn any_bytes_are_a_note() {
    let world = World::new(&[("memory/crlf.md", "# Tide\r\n\r\nHigh at noon.\r\nLow at dusk.\r\n")]);
    world.save("memory/bom.md", b"\xef\xbb\xbf# Mark\n\nA byte order mark.\n");
    world.save("memory/cut.md", b"Caf\xe9 and a cut emoji \xf0\x9f\x8c\n");
    world.save("memory/utf16.md", &utf16("# Wide\n\nSixteen bits.\n"));
    world.save("memory/nul.md", b"before\0after\n");
    world.save("memory/blank.md", b" \n\t\n");
    world.save("memory/empty.md", b"");
    expect!["7 notes: 7 added, 0 changed, 0 renamed, 0 removed, 5 chunks"].assert_eq(&world.synced());
    expect![[r##"
        memory/bom.md#L1-L3 "# Mark\n\nA byte order mark."
        memory/crlf.md#L1-L4 "# Tide\n\nHigh at noon.\nLow at dusk."
        memory/cut.md#L1-L1 "Caf� and a cut emoji �"
        memory/nul.md#L1-L1 "before\0after"
        memory/utf16.md#L1-L3 "# Wide\n\nSixteen bits.""##]]
    .assert_eq(&world.texts().join("\n"));
    for (query, path) in
        [("tide", "crlf"), ("byte order mark", "bom"), ("emoji", "cut"), ("sixteen", "utf16")]
    {
        assert_eq!(world.finds(query)[0], format!("memory/{path}.md"), "{query}");
    }
    assert!(world.sync().is_unchanged());
}

#[test]
fn a_note_that_is_too_long_is_indexed_to_a_limit_and_named() {
    let world = World::new(&[("memory/long.md", "The first line is found.\n")]);
    let file = fs::File::options().write(true).open(world.note("memory/long.md")).unwrap();
    file.set_len((16 << 20) + 5).unwrap();
    let mut report = world.sync();
    report.chunks = 0;
    expect![[r#"
        1 notes: 1 added, 0 changed, 0 renamed, 0 removed, 0 chunks
        problem memory/long.md: 16777221 bytes long, only the first 16777216 are indexed"#]]
    .assert_eq(&told(&report));
    assert_eq!(world.finds("first line")[0], "memory/long.md");
}

#[test]
fn links_and_what_is_not_a_file_are_named_as_skipped() {
    let world = World::new(NOTES);
    symlink(world.note("MEMORY.md"), world.note("memory/link.md")).unwrap();
    mkfifoat(CWD, world.note("memory/pipe.md"), Mode::RWXU).unwrap();
    let expected = expect![[r#"
        skipped memory/link.md: links are not followed
        skipped memory/pipe.md: not a file but a FIFO"#]];
    for _ in 0..2 {
        let told = world.synced();
        expected.assert_eq(told.split_once('\n').unwrap().1);
    }
    assert_eq!(world.chunks().len(), 3);
}

#[test]
fn a_note_that_becomes_a_link_is_gone() {
    let world = World::new(NOTES);
    world.sync();
    fs::rename(world.note("memory/garden.md"), world.at("outside.md")).unwrap();
    symlink(world.at("outside.md"), world.note("memory/garden.md")).unwrap();
    expect![[r#"
        2 notes: 0 added, 0 changed, 0 renamed, 1 removed, 0 chunks
        skipped memory/garden.md: links are not followed"#]]
    .assert_eq(&world.synced());
}

#[test]
fn what_an_interrupted_write_left_is_cleared_away() {
    let world = World::new(NOTES);
    world.save("memory/.mindfile-part-1-2", b"half a no");
    expect!["3 notes: 3 added, 0 changed, 0 renamed, 0 removed, 3 chunks"].assert_eq(&world.synced());
    assert!(!world.note("memory/.mindfile-part-1-2").exists());
}

#[test]
fn a_note_that_cannot_be_read_keeps_its_last_version() {
    let dir = TempDir::new().unwrap();
    hand_over(dir.path());
    let status = in_child("reconcile::odd::unreadable_notes_as_another_user", dir.path()).wait().unwrap();
    assert!(status.success());
    assert!(dir.path().join("done").exists());
}

#[test]
#[ignore = "runs as a user for whom permissions hold, started by `a_note_that_cannot_be_read_keeps_its_last_version`"]
fn unreadable_notes_as_another_user() {
    if rustix::process::geteuid().is_root() {
        return;
    }
    let world = World::new(NOTES);
    world.save("memory/deep/well.md", b"# Well\n\nThe well is dry.\n");
    world.sync();
    world.save("memory/garden.md", b"# Garden\n\nThe pumpkins are ripe.\n");
    let close =
        |path: &str, mode| fs::set_permissions(world.note(path), fs::Permissions::from_mode(mode)).unwrap();
    close("memory/garden.md", 0o000);
    close("memory/deep", 0o000);
    let expected = expect![[r#"
        3 notes: 0 added, 0 changed, 0 renamed, 0 removed, 0 chunks (unchanged)
        skipped memory/deep: cannot be read: Permission denied (os error 13)
        problem memory/garden.md: cannot open memory/garden.md: Permission denied (os error 13)"#]];
    expected.assert_eq(&world.synced());
    expected.assert_eq(&world.synced());
    assert_eq!(world.finds("tomatoes")[0], "memory/garden.md");
    assert_eq!(world.finds("well dry")[0], "memory/deep/well.md");
    close("memory/garden.md", 0o600);
    close("memory/deep", 0o700);
    assert_eq!(world.sync().changed, 1);
    let answer = world.memory().search(&Request::new("pumpkins"), None).unwrap();
    assert_eq!((answer.answer.hits[0].path.as_str(), answer.stale), ("memory/garden.md", None));
    let report = world.memory().sync(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(report.problems.is_empty() && report.is_unchanged());
    fs::File::create(Path::new("done")).unwrap();
}
