//! Every durable call of every way in which a note is written fails once, in eight ways: the note has its old text or
//! its new one, what was acknowledged is there, and the next run tidies up.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use mindfile::workspace::{Expect, NotePath, Workspace};

use crate::cases::{self, Tally};
use crate::child::{self, Outcome};
use crate::shim::{self, Call, Kind};
use crate::tree;
use crate::world::{World, remove};

const OLD: &str = "# Monday\n\nThe old text of the note, by a person.\n";
const NEW: &str = "# Monday\n\nThe new text of the note, by the program.\n";
const LINE: &str = "- W @api: A line that was added to the note.\n";
/// What an editor adds to the old file after it was replaced.
const LATE: &str = "A line that the editor saved late.\n";
const WAY: &str = "MINDFILE_FAULTS_WAY";
const ROOT: &str = "MINDFILE_FAULTS_ROOT";
const ACK: &str = "ACKNOWLEDGED";
const BRIEFLY: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// A line to a note that is there.
    Append,
    /// A line to a note and a folder that are not.
    AppendNew,
    Create,
    Replace,
    /// `mindfile index`, where an editor saved into the file that was replaced before.
    Settle,
}

impl Way {
    const ALL: [Self; 5] = [Self::Append, Self::AppendNew, Self::Create, Self::Replace, Self::Settle];

    fn name(self) -> String {
        format!("{self:?}")
    }

    fn note(self) -> &'static str {
        match self {
            Self::Append | Self::Create | Self::Replace | Self::Settle => "memory/note.md",
            Self::AppendNew => "memory/new/folder/note.md",
        }
    }

    /// The text before, and the text after.
    fn texts(self) -> (Option<&'static str>, String) {
        match self {
            Self::Append => (Some(OLD), format!("{OLD}{LINE}")),
            Self::AppendNew => (None, LINE.to_owned()),
            Self::Create => (None, NEW.to_owned()),
            Self::Replace => (Some(OLD), NEW.to_owned()),
            Self::Settle => (Some(NEW), format!("{NEW}{LATE}")),
        }
    }

    fn is_append(self) -> bool {
        match self {
            Self::Append | Self::AppendNew | Self::Settle => true,
            Self::Create | Self::Replace => false,
        }
    }
}

/// Not a test: what the campaign below runs in a process of its own, with the shim around it.
#[test]
#[ignore = "run by every_write_of_a_note_fails_once"]
fn one_write() {
    let way = Way::ALL.into_iter().find(|way| Some(way.name()) == cases::variable(WAY)).unwrap();
    let root = PathBuf::from(cases::variable(ROOT).unwrap());
    if write(way, &root).is_ok() {
        println!("{ACK}");
    }
}

fn write(way: Way, root: &Path) -> Result<(), mindfile::workspace::Error> {
    let turn = File::open(root).unwrap();
    let workspace = Workspace::open(root, &[])?.writer(turn);
    let note = note(&workspace, way);
    match way {
        Way::Append | Way::AppendNew => workspace.append(&note, LINE.as_bytes()).map(drop),
        Way::Create => workspace.replace(&note, NEW.as_bytes(), Expect::Absent).map(drop),
        Way::Replace | Way::Settle => {
            workspace.replace(&note, NEW.as_bytes(), Expect::Bytes(OLD.as_bytes())).map(drop)
        }
    }
}

fn note(workspace: &Workspace, way: Way) -> NotePath {
    workspace.is_memory_path(way.note()).unwrap()
}

#[test]
fn every_write_of_a_note_fails_once() {
    let Some(library) = shim::library() else { return };
    let world = World::new();
    let mut tally = Tally::new("every_write_of_a_note_fails_once");
    let mut trials = Vec::new();
    for way in Way::ALL {
        let (outcome, calls) = run(&world, library, way, 0, Kind::Eio);
        assert!(outcome.is_ok() && !calls.is_empty(), "{way:?} without a fault: {outcome:?} {calls:?}");
        println!("every_write_of_a_note_fails_once: {way:?} makes {} durable calls", calls.len());
        for (at, call) in calls.iter().enumerate() {
            trials.extend(
                Kind::ALL.into_iter().filter(|kind| kind.applies_to(call)).map(|kind| (way, at + 1, kind)),
            );
        }
    }
    let stride = (trials.len() / cases::count(BRIEFLY).max(1)).max(1) | 1;
    for &(way, at, kind) in trials.iter().step_by(stride) {
        trial(&world, library, (way, at, kind), &mut tally);
    }
    tally.say();
}

/// Sets the stage and runs the write, or what settles it, with a fault at one call.
fn run(world: &World, library: &Path, way: Way, at: usize, kind: Kind) -> (Outcome, Vec<Call>) {
    stage(world, way);
    let log = world.path("calls.log");
    let mut command = match way {
        Way::Settle => world.program("state", &["index"]),
        Way::Append | Way::AppendNew | Way::Create | Way::Replace => writing(world, way),
    };
    shim::arm(&mut command, library, &world.workspace(), &log, at, kind);
    let outcome = child::run(&mut command);
    (outcome, shim::take_log(&log))
}

fn stage(world: &World, way: Way) {
    let root = world.workspace();
    remove(&root);
    remove(&world.path("state"));
    tree::write(&root.join("memory/other.md"), "Another note.\n");
    match way {
        Way::AppendNew | Way::Create => {}
        Way::Append | Way::Replace => tree::write(&root.join(way.note()), OLD),
        Way::Settle => {
            tree::write(&root.join(way.note()), OLD);
            let mut editor = fs::File::options().append(true).open(root.join(way.note())).unwrap();
            write(way, &root).unwrap();
            editor.write_all(LATE.as_bytes()).unwrap();
        }
    }
}

fn writing(world: &World, way: Way) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["note_writes::one_write", "--exact", "--ignored", "--nocapture"]);
    command.env(WAY, way.name()).env(ROOT, world.workspace()).current_dir(world.path(""));
    command
}

fn trial(world: &World, library: &Path, (way, at, kind): (Way, usize, Kind), tally: &mut Tally) {
    let (outcome, calls) = run(world, library, way, at, kind);
    let call =
        calls.get(at - 1).map_or_else(String::new, |call| format!("{} {}", call.name, call.path.display()));
    let case = format!("{way:?}, call {at} ({call}), {}", kind.as_str());
    tally.case();
    tally.add("struck", usize::from(calls.iter().any(|call| call.struck)));
    assert!(outcome.is_civil(), "{case}: {outcome:?}");
    let acked = outcome.stdout.contains(ACK);
    tally.add(if acked { "acknowledged" } else { "not acknowledged" }, 1);
    let found = fs::read_to_string(world.workspace().join(way.note())).ok();
    is_whole(way, found.as_deref(), acked, outcome.was_killed())
        .unwrap_or_else(|what| panic!("{case}: {what}"));
    tidies_up(world, way, &case);
    let other = fs::read_to_string(world.workspace().join("memory/other.md")).unwrap();
    assert_eq!(other, "Another note.\n", "{case}");
}

/// The old text or the new one. Only an append that is killed may leave a part of its own line.
fn is_whole(way: Way, found: Option<&str>, acked: bool, killed: bool) -> Result<(), String> {
    let (old, new) = way.texts();
    let begun = found.is_some_and(|found| new.starts_with(found) && found.starts_with(old.unwrap_or("")));
    if found == Some(&new) || (found == old && !acked) || (way.is_append() && killed && begun) {
        return Ok(());
    }
    // An append that failed may have made the file, or may stand there without being acknowledged.
    let made = old.is_none() && way.is_append() && found == Some("") && !acked;
    if made { Ok(()) } else { Err(format!("acknowledged: {acked}, the note is {found:?}")) }
}

/// The next run of the program leaves the text, and no hidden file; a line that an editor saved is in the note.
fn tidies_up(world: &World, way: Way, case: &str) {
    let path = world.workspace().join(way.note());
    let before = fs::read_to_string(&path).ok();
    for _ in 0..2 {
        let outcome = child::run(&mut world.program("state", &["index", "--json"]));
        assert!(outcome.is_ok(), "{case}: the next run: {outcome:?}");
    }
    let after = fs::read_to_string(&path).ok();
    if way == Way::Settle {
        let after = after.unwrap();
        assert!(
            after.starts_with(NEW) && after.lines().any(|line| line == LATE.trim_end()),
            "{case}: {after:?}"
        );
    } else {
        assert_eq!(after, before, "{case}: the next run changed the note");
    }
    let hidden =
        tree::of(&world.workspace()).into_keys().filter(|name| name.to_string_lossy().contains("/.mindfile"));
    assert_eq!(hidden.collect::<Vec<_>>(), Vec::<PathBuf>::new(), "{case}: left behind");
}
