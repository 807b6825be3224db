//! The workspace and its notes: what is told of them, and what is done without touching their text.

use std::fs;

use expect_test::expect;
use mindfile_care::doctor::{self, Severity};

use super::{check, check_mended, chmod, of_machine, told};
use crate::other_user::{hand_over, in_child};
use crate::world::{NOTES, World, memory, put, settings};

#[test]
fn a_missing_workspace_is_a_problem_that_needs_a_person() {
    let world = World::private(NOTES);
    fs::rename(world.at("workspace"), world.at("elsewhere")).unwrap();
    expect![[r#"
        Problem: the workspace ~/workspace does not exist
          effect: searches answer from the old index alone, and nothing new can be remembered; if it is on a disk of its own, mount that first
          fix: mindfile init ~/workspace"#]].assert_eq(&world.bad(true));
    assert!(!world.at("workspace").exists());
}

#[test]
fn an_empty_workspace_is_told_how_to_begin() {
    let world = World::private(&[]);
    check(
        &world,
        expect![[r#"
        Warning: there are no memory files in ~/workspace yet
          effect: every search comes back empty
          fix: mindfile init ~/workspace"#]],
    );
}

#[test]
fn leftovers_of_interrupted_writes_are_settled() {
    let world = World::private(NOTES);
    world.save("memory/.mindfile-part-1-2", b"half a no");
    check_mended(
        &world,
        expect![[r#"
        Warning: 1 hidden file is left from interrupted writes: memory/.mindfile-part-1-2
          effect: a line that was saved at that moment may stand only there, where no search looks
          safe fix: mindfile doctor --fix
          done: Ok("memory/.mindfile-part-1-2 held nothing new and was removed")"#]],
    );
    assert!(!world.note("memory/.mindfile-part-1-2").exists());
}

#[test]
fn what_is_passed_over_is_told_with_a_way_in() {
    let world = World::private(NOTES);
    put(&world.at("outside/team notes.md"), b"Outside.\n");
    std::os::unix::fs::symlink(world.at("outside/team notes.md"), world.note("memory/team.md")).unwrap();
    let fifo = world.note("memory/pipe.md");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    check(
        &world,
        expect![[r#"
        Warning: not indexed: memory/team.md (links are not followed)
          effect: what it holds is not searched
          fix: mindfile config set extraPaths '["~/outside/team notes.md"]'
        Warning: not indexed: memory/pipe.md (not a file but a FIFO)
          effect: what it holds is not searched
          fix: mv ~/workspace/memory/pipe.md ~/workspace/memory/pipe.md.aside"#]],
    );
}

#[test]
fn text_that_is_not_valid_and_notes_that_are_too_long_are_told() {
    let world = World::private(NOTES);
    world.save("memory/latin.md", b"caf\xe9\n");
    world.save("memory/long.md", b"");
    fs::File::options().write(true).open(world.note("memory/long.md")).unwrap().set_len(17 << 20).unwrap();
    check(
        &world,
        expect![[r#"
        Warning: 1 note is not valid text in places: memory/latin.md
          effect: those places are searched and shown as �; the files stay as they are
          fix: iconv -f WINDOWS-1252 -t UTF-8 ~/workspace/memory/latin.md > ~/workspace/memory/latin.md.utf8
        Warning: 1 note is longer than 16 MiB: memory/long.md
          effect: only the first 16 MiB of each are searched
          fix: split -C 8m --additional-suffix=.md ~/workspace/memory/long.md ~/workspace/memory/long-
        Warning: the index is behind the notes: 2 new (memory/latin.md, memory/long.md)
          effect: the next search brings it up to date first
          safe fix: mindfile index"#]],
    );
}

#[test]
fn notes_from_days_to_come_are_told() {
    let world = World::new(NOTES);
    chmod(world.dir.path(), 0o700);
    world.save("memory/2050-07-15.md", b"Tomorrow, somewhere.\n");
    world.save("memory/2063-04-05.md", b"First contact.\n");
    let late = std::time::UNIX_EPOCH + std::time::Duration::from_secs(3_000_000_000);
    let times = fs::FileTimes::new().set_modified(late);
    fs::File::options().write(true).open(world.note("memory/garden.md")).unwrap().set_times(times).unwrap();
    world.sync();
    chmod(&world.at("memory"), 0o700);
    check(
        &world,
        expect![[r#"
        Warning: 1 daily note is named after a day to come (2050-07-14 is today): memory/2063-04-05.md
          effect: counts among the newest notes until that day; check the clock, or the name
          fix: date
        Warning: 1 note has a time of change that is more than a day ahead of this machine's clock: memory/garden.md
          effect: searches by date go wrong; if the clock is right, set the time of change to now
          fix: touch ~/workspace/memory/garden.md"#]],
    );
}

#[test]
#[cfg(target_os = "linux")]
fn whoever_holds_a_folder_is_named() {
    let world = World::private(NOTES);
    let folder = fs::File::open(world.note("memory")).unwrap();
    folder.lock().unwrap();
    let me = std::process::id();
    let name = fs::read_to_string("/proc/self/comm").unwrap();
    let told = world.bad(false).replace(&me.to_string(), "4711").replace(name.trim(), "NAME");
    expect![[r#"
        Warning: process 4711 (NAME) holds the lock of ~/workspace/memory
          effect: others wait up to ten seconds to write notes there, and then give up; it is freed when the process ends
          fix: ps -o pid,stat,etime,args -p 4711"#]].assert_eq(&told);
    drop(folder);
    assert_eq!(world.bad(false), "");
}

#[test]
fn what_the_user_may_not_read_or_write_is_told() {
    let world = World::private(NOTES);
    world.save("memory/secret.md", b"Closed.\n");
    chmod(&world.note("memory/secret.md"), 0o000);
    chmod(&world.note("memory"), 0o555);
    expect![[r#"
        Problem: ~/workspace/memory cannot be written to
          effect: searches work, but nothing new can be remembered there
          fix: chmod u+rwx ~/workspace/memory
        Problem: cannot open memory/secret.md: Permission denied (os error 13)
          effect: what it says now is not found
          fix: chmod u+r ~/workspace/memory/secret.md"#]]
    .assert_eq(&as_nobody("doctor::notes::write_what_the_doctor_says", &world));
    chmod(&world.note("memory"), 0o755);
}

#[test]
#[ignore = "run by another test, as a user for whom permissions hold"]
fn write_what_the_doctor_says() {
    let state = std::env::current_dir().unwrap();
    let findings = doctor::examine(&memory(settings(&state)), false, &[]).unwrap();
    let bad = findings.iter().filter(|finding| finding.severity != Severity::Good && !of_machine(finding));
    put(&state.join("told"), bad.map(told).collect::<Vec<_>>().join("\n").as_bytes());
}

/// Hands the world over and runs the test `name` of this binary in it; what that wrote to the file `told`.
fn as_nobody(name: &str, world: &World) -> String {
    hand_over(world.dir.path());
    assert!(in_child(name, world.dir.path()).wait().unwrap().success());
    world.tidy(&fs::read_to_string(world.at("told")).unwrap())
}
