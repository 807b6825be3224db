//! The words of `doctor`, and that mending does what it says and nothing else.

mod index;
mod notes;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use expect_test::{Expect, expect};
use mindfile::config::{SwitchedOff, Warning};
use mindfile::fault::Spelling;
use mindfile_care::doctor::{self, Finding, Severity};

use crate::world::{NOTES, World, put};

impl World {
    /// As `init` leaves it: closed to others.
    fn private(notes: &[(&str, &str)]) -> Self {
        let world = Self::new(notes);
        chmod(world.dir.path(), 0o700);
        world.sync();
        chmod(&world.at("memory"), 0o700);
        world
    }

    fn doctor(&self, fix: bool) -> Vec<Finding> {
        doctor::examine(&self.memory(), fix, &[]).unwrap()
    }

    /// Everything but the praise and what depends on the machine.
    fn bad(&self, fix: bool) -> String {
        let bad: Vec<Finding> =
            self.doctor(fix).into_iter().filter(|finding| finding.severity != Severity::Good).collect();
        self.told(&bad)
    }

    fn told(&self, findings: &[Finding]) -> String {
        let findings = findings.iter().filter(|finding| !of_machine(finding)).map(told);
        self.tidy(&findings.collect::<Vec<_>>().join("\n"))
    }
}

fn told(finding: &Finding) -> String {
    let mut text = format!("{:?}: {}", finding.severity, finding.what);
    if !finding.effect.is_empty() {
        text += &format!("\n  effect: {}", finding.effect);
    }
    if let Some(fix) = &finding.fix {
        let command = fix.command.spelled(&Shell);
        text += &format!("\n  {}: {command}", if fix.safe { "safe fix" } else { "fix" });
        text += &fix.done.as_ref().map_or_else(String::new, |done| format!("\n  done: {done:?}"));
    }
    text
}

/// Operations and settings as they are typed.
struct Shell;

impl Spelling for Shell {
    fn field(&self, field: &str) -> String {
        format!("--{field}")
    }

    fn run(&self, operation: &str, fields: &[(&str, String)]) -> String {
        let operands = ["dir", "path"];
        let name = |field| if operands.contains(&field) { String::new() } else { format!(" --{field}") };
        let value = |value: &str| if value.is_empty() { String::new() } else { format!(" {value}") };
        let fields: String = fields.iter().map(|(field, given)| name(*field) + &value(given)).collect();
        format!("mindfile {operation}{fields}")
    }

    fn set(&self, key: &str, value: &str) -> String {
        let quote = if value.contains('"') { "'" } else { "" };
        format!("mindfile config set {key} {quote}{value}{quote}")
    }
}

fn of_machine(finding: &Finding) -> bool {
    ["free at", "the system allows", "file system of type"].iter().any(|words| finding.what.contains(words))
}

fn check(world: &World, expected: Expect) {
    expected.assert_eq(&world.bad(false));
}

/// What is wrong, what mending says, and that nothing is wrong afterwards.
fn check_mended(world: &World, expected: Expect) {
    expected.assert_eq(&world.bad(true));
    assert_eq!(world.bad(false), "");
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_healthy_memory_is_praised() {
    let world = World::private(NOTES);
    expect![[r#"
        Good: the configuration is understood as it is written
        Good: the workspace ~/workspace is there, readable and writable
        Good: 3 memory files were found
        Good: the index ~/memory/main.sqlite is whole: 3 chunks match their checksums
        Good: 3 notes are in the index as on the disk, compared by content
        Good: only you can read the state directory and the index"#]]
    .assert_eq(&world.told(&world.doctor(false)));
}

#[test]
fn every_complaint_names_its_effect_and_a_command() {
    let world = World::new(NOTES);
    world.sync();
    world.save("memory/new.md", b"More.\xff\n");
    world.save("memory/.mindfile-part-1-2", b"half a no");
    chmod(&world.index(), 0o644);
    let complaints = world.doctor(false).into_iter().filter(|finding| finding.severity != Severity::Good);
    for finding in complaints {
        assert!(!finding.effect.is_empty() && finding.fix.is_some(), "{finding:?}");
    }
}

#[test]
fn looking_without_mending_changes_nothing() {
    let world = World::new(NOTES);
    world.sync();
    world.save("memory/new.md", b"More.\n");
    world.save("memory/.mindfile-part-1-2", b"half a no");
    world.patch(|bytes| bytes[..64].fill(b'x'));
    let before = world.tree();
    world.doctor(false);
    assert_eq!(world.tree(), before);
}

#[test]
fn what_others_can_read_is_closed() {
    let world = World::private(NOTES);
    chmod(world.dir.path(), 0o755);
    chmod(&world.at("memory"), 0o750);
    chmod(&world.index(), 0o644);
    put(&world.at("mindfile.json"), b"{}");
    chmod(&world.at("mindfile.json"), 0o604);
    check_mended(
        &world,
        expect![[r#"
        Problem: other users of this machine can get at ~/memory/main.sqlite (mode 644), ~/mindfile.json (mode 604)
          effect: they can read the text of your notes, or settings such as keys
          safe fix: chmod 600 ~/memory/main.sqlite ~/mindfile.json
          done: Ok("closed to others")
        Warning: other users of this machine can get at ~ (mode 755), ~/memory (mode 750)
          effect: they can list what is in there and read every file that is open to them
          safe fix: chmod 700 ~ ~/memory
          done: Ok("closed to others")"#]],
    );
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!([mode(world.dir.path()), mode(&world.index())], [0o700, 0o600]);
}

#[test]
fn warnings_of_the_configuration_and_a_memory_that_is_off_are_told() {
    let mut world = World::private(NOTES);
    let on = ("enabled", "true");
    world.settings.off = Some(SwitchedOff { on, why: "memorySearch.enabled is false".to_owned() });
    let odd = Warning {
        file: world.at("openclaw.json"),
        key: "memory.serch".to_owned(),
        message: "unknown key memory.serch is ignored".to_owned(),
    };
    let findings = doctor::examine(&world.memory(), false, &[odd]).unwrap();
    let bad: Vec<Finding> =
        findings.into_iter().filter(|finding| finding.severity != Severity::Good).collect();
    expect![[r#"
        Warning: ~/openclaw.json: unknown key memory.serch is ignored
          effect: what the file says about memory.serch has no effect, or another one
          fix: mindfile config show
        Warning: memory is switched off for agent "main": memorySearch.enabled is false
          effect: no tool and no search answers
          fix: mindfile config set enabled true"#]]
    .assert_eq(&world.told(&bad));
}
