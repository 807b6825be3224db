//! A disk that is full while a conversation is written down, flushed or compacted, at each of its durable calls: every
//! turn that was there stays, one that was answered for is there, the program says what went wrong, and the next turn is
//! taken as if nothing had been.

use mindfile::session::{self, Role};

use crate::cases::{self, Tally};
use crate::child::{self, Outcome};
use crate::shim::{self, Call, Kind};
use crate::tree::{self, Tree};
use crate::world::World;

const SESSION: &str = "full";
const KINDS: [Kind; 3] = [Kind::Enospc, Kind::EnospcStays, Kind::Short];
/// How many of all (command, call, kind) are tried by default.
const BRIEFLY: usize = 60;
const NEW: &str = "Remember that the spare key is with the neighbour.";

const SCENES: [&[&str]; 4] = [
    &["session", "append", "--session", SESSION, "--role", "user", NEW],
    &["session", "flush", "--session", SESSION],
    &["session", "compact", "--session", SESSION, "--overflow"],
    &["session", "append", "--session", "other", "--role", "user", NEW],
];

#[test]
fn a_full_disk_loses_no_turn() {
    let Some(library) = shim::library() else { return };
    let world = World::new();
    let start = Start::new(&world);
    let mut tally = Tally::new("a_full_disk_loses_no_turn");
    let mut trials = Vec::new();
    for scene in SCENES {
        let (outcome, calls) = start.run(scene, library, 0, Kind::Enospc);
        assert!(outcome.is_ok() && !calls.is_empty(), "{scene:?}: {outcome:?}");
        for (at, call) in calls.iter().enumerate() {
            trials
                .extend(KINDS.iter().filter(|kind| kind.applies_to(call)).map(|kind| (scene, at + 1, *kind)));
        }
    }
    let stride = (trials.len() / cases::count(BRIEFLY).max(1)).max(1);
    for (scene, at, kind) in trials.into_iter().step_by(stride) {
        let (outcome, calls) = start.run(scene, library, at, kind);
        let case = format!("{scene:?}, call {at}, {}: {outcome:?}", kind.as_str());
        assert!(outcome.is_civil(), "{case}");
        assert!(outcome.is_ok() || !outcome.stderr.trim().is_empty(), "says nothing: {case}");
        tally.case();
        tally.add("struck", usize::from(calls.iter().any(|call| call.struck)));
        tally.add(if outcome.is_ok() { "done" } else { "reported" }, 1);
        start.check(&case, scene, &outcome);
    }
    tally.say();
    assert!(tally.count("struck") > 0);
}

/// A conversation that is worth something, and the disk as it was then.
struct Start<'a> {
    world: &'a World,
    state: Tree,
    notes: Tree,
    said: Vec<String>,
}

impl<'a> Start<'a> {
    fn new(world: &'a World) -> Self {
        std::fs::create_dir_all(world.workspace().join("memory")).unwrap();
        let talk = "We decided to paint the boat on Friday, and the harbour is closed in winter. ".repeat(20);
        for turn in 0..6 {
            let words = format!("{talk} Turn {turn}.");
            let arguments = ["session", "append", "--session", SESSION, "--role", "user", &words];
            assert!(child::run(&mut world.program("state", &arguments)).is_ok());
        }
        let (state, notes) = (tree::of(&world.path("state")), tree::of(&world.workspace()));
        let said = said(world, SESSION);
        assert_eq!(said.len(), 6);
        Self { world, state, notes, said }
    }

    fn run(&self, words: &[&str], library: &std::path::Path, at: usize, kind: Kind) -> (Outcome, Vec<Call>) {
        tree::put(&self.state, &self.world.path("state"));
        tree::put(&self.notes, &self.world.workspace());
        let log = self.world.path("calls.log");
        let mut command = self.world.program("state", words);
        shim::arm(&mut command, library, &self.world.path(""), &log, at, kind);
        let outcome = child::run(&mut command);
        let calls = shim::take_log(&log);
        (outcome, calls.into_iter().filter(|call| call.path != log).collect())
    }

    fn check(&self, case: &str, scene: &[&str], outcome: &Outcome) {
        let after = said(self.world, SESSION);
        assert_eq!(after[..self.said.len()], self.said[..], "{case}: turns are lost");
        let next =
            ["session", "append", "--session", scene[3], "--role", "user", "And the tide turns at noon."];
        let came = child::run(&mut self.world.program("state", &next));
        assert!(came.is_ok(), "{case}: the next turn: {came:?}");
        let after = said(self.world, scene[3]);
        assert_eq!(after.last().map(String::as_str), Some("And the tide turns at noon."), "{case}");
        if scene[1] == "append" && outcome.is_ok() {
            assert!(after.iter().any(|text| text == NEW), "{case}: it was answered for");
        }
        let found = child::run(
            &mut self
                .world
                .program("state", &["search", "tide turns at noon", "--source", "sessions", "--json"]),
        );
        let results = found.json()["results"].as_array().map_or(0, Vec::len);
        assert!(found.is_ok() && results > 0, "{case}: it is not found: {found:?}");
    }
}

/// What people said, as the transcript has it; every line of it can be read.
fn said(world: &World, session: &str) -> Vec<String> {
    let path = world.path("state").join("agents/main/sessions").join(format!("{session}.jsonl"));
    let bytes = std::fs::read(&path).unwrap_or_default();
    let transcript = session::read(session, &bytes);
    let damage = transcript.damage.iter().filter(|damage| !damage.torn).count();
    assert_eq!(damage, 0, "{:?}", transcript.damage);
    let messages = transcript.messages().filter(|(_, message)| message.role == Role::User);
    messages.map(|(_, message)| message.text()).collect()
}
