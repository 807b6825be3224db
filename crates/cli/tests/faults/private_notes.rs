//! Making notes private, taking that back and changing the key, with every durable call failing once in every way. At any
//! moment the text can be read, in clear or with the key that is there; and the same command finishes what was begun.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::cases::{self, Tally};
use crate::child;
use crate::shim::{self, Kind};
use crate::tree::{self, Tree};
use crate::world::World;

/// How many of all (command, call, kind) are tried by default.
const BRIEFLY: usize = 60;
const TEXT: &str = "# Medical\n\nThe canary sings of quartz.\n";
const PLAIN: &str = "memory/medical.md";
const PRIVATE: &str = "memory/private/medical.md";

struct Scene {
    arguments: &'static [&'static str],
    /// What is run first, so that there is something to change.
    before: &'static [&'static [&'static str]],
    /// Where the text is when all is done.
    ends: &'static str,
}

const SCENES: [Scene; 4] = [
    Scene { arguments: &["encrypt", PLAIN], before: &[&["index"]], ends: PRIVATE },
    Scene { arguments: &["decrypt", PRIVATE], before: &[&["encrypt", PLAIN]], ends: PLAIN },
    Scene { arguments: &["rekey"], before: &[&["encrypt", PLAIN]], ends: PRIVATE },
    Scene {
        arguments: &[
            "retain", "The vault is green", "--sensitivity", "high", "--file", PRIVATE, "--id", "v1",
        ],
        before: &[&["encrypt", PLAIN]],
        ends: PRIVATE,
    },
];

#[test]
fn private_notes_survive_any_failure() {
    let Some(library) = shim::library() else { return };
    let world = World::new();
    let mut tally = Tally::new("private_notes_survive_any_failure");
    let mut trials = Vec::new();
    let mut starts = Vec::new();
    for (at, scene) in SCENES.iter().enumerate() {
        let start = Start::of(&world, scene);
        start.put(&world);
        let (outcome, calls) = run(&world, library, scene.arguments, 0, Kind::Eio);
        assert!(outcome.is_ok(), "{:?} without a fault: {outcome:?}", scene.arguments);
        starts.push(start);
        let kinds = calls.iter().enumerate().flat_map(|(call, made)| {
            Kind::ALL.into_iter().filter(|kind| kind.applies_to(made)).map(move |kind| (call + 1, kind))
        });
        trials.extend(kinds.map(|(call, kind)| (at, call, kind)));
        println!("private_notes: {} makes {} durable calls", scene.arguments[0], calls.len());
    }
    let stride = (trials.len() / cases::count(BRIEFLY).max(1)).max(1) | 1;
    for &(at, call, kind) in trials.iter().step_by(stride) {
        starts[at].put(&world);
        trial(&world, library, &SCENES[at], call, kind);
        tally.case();
    }
    println!("private_notes: {} of {} trials", trials.len().div_ceil(stride), trials.len());
    tally.say();
}

/// Workspace and state directory before the command.
struct Start {
    workspace: Tree,
    state: Tree,
}

impl Start {
    fn of(world: &World, scene: &Scene) -> Self {
        crate::world::remove(&world.workspace());
        crate::world::remove(&world.path("state"));
        tree::write(&world.workspace().join(PLAIN), TEXT);
        tree::write(&world.workspace().join("memory/other.md"), "Another note.\n");
        for arguments in scene.before {
            let outcome = child::run(&mut world.program("state", arguments));
            assert!(outcome.is_ok(), "{arguments:?}: {outcome:?}");
        }
        Self { workspace: tree::of(&world.workspace()), state: tree::of(&world.path("state")) }
    }

    fn put(&self, world: &World) {
        crate::world::remove(&world.workspace());
        tree::put(&self.workspace, &world.workspace());
        tree::put(&self.state, &world.path("state"));
        let key = world.path("state/private.key");
        if key.exists() {
            std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
        }
    }
}

fn run(
    world: &World,
    library: &Path,
    arguments: &[&str],
    at: usize,
    kind: Kind,
) -> (child::Outcome, Vec<shim::Call>) {
    let log = world.path("calls.log");
    let mut command = world.program("state", arguments);
    shim::arm(&mut command, library, &world.path(""), &log, at, kind);
    let outcome = child::run(&mut command);
    let calls = shim::take_log(&log).into_iter().filter(|call| call.path != log).collect();
    (outcome, calls)
}

fn trial(world: &World, library: &Path, scene: &Scene, call: usize, kind: Kind) {
    let (outcome, _) = run(world, library, scene.arguments, call, kind);
    let case = format!("{:?}, call {call}, {}", scene.arguments, kind.as_str());
    assert!(outcome.is_civil(), "{case}: {outcome:?}");
    let found: Vec<String> = [PLAIN, PRIVATE].iter().filter_map(|path| text(world, path)).collect();
    assert!(found.iter().any(|text| text.starts_with(TEXT)), "{case}: the text is {found:?}");
    let again = child::run(&mut world.program("state", scene.arguments));
    let is_done = text(world, scene.ends).is_some_and(|text| text.starts_with(TEXT));
    assert!(again.is_ok() || is_done, "{case}: the next run: {again:?}");
    let found = text(world, scene.ends);
    assert!(found.as_ref().is_some_and(|text| text.starts_with(TEXT)), "{case}: at the end {found:?}");
    if scene.ends == PRIVATE {
        assert_eq!(in_clear(world), Vec::<String>::new(), "{case}: in clear");
    }
}

fn text(world: &World, path: &str) -> Option<String> {
    let outcome = child::run(&mut world.program("state", &["get", path]));
    outcome.is_ok().then_some(outcome.stdout)
}

/// Files of the workspace that hold the text as it is.
fn in_clear(world: &World) -> Vec<String> {
    let files = tree::of(&world.workspace()).into_iter();
    let clear = files.filter(|(_, bytes)| {
        bytes.as_ref().is_some_and(|bytes| bytes.windows(6).any(|part| part == b"quartz"))
    });
    clear.map(|(path, _)| path.display().to_string()).collect()
}
