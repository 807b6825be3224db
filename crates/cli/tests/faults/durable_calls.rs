//! Every durable call of every command fails once, in eight ways. After each: no byte of a note is lost, nothing
//! panics, the next run succeeds, and the index is what one made from nothing would be.

use std::path::Path;

use crate::cases::{self, Tally};
use crate::child::{self, Outcome};
use crate::hand::{Hand, tick};
use crate::shim::{self, Call, Kind};
use crate::tree::{self, Tree};
use crate::world::{Truth, World};

/// How many of all (command, call, kind) are tried by default.
const BRIEFLY: usize = 100;

#[test]
fn every_durable_call_fails_once() {
    let Some(library) = shim::library() else { return };
    let world = World::new();
    let mut sweep = Sweep::new(&world, library);
    let sites = sweep.sites();
    let trials: Vec<(usize, usize, Kind)> =
        sites.iter().enumerate().flat_map(|(s, calls)| of_scene(s, calls)).collect();
    let chosen = chosen(trials.len());
    for &(scene, at, kind) in chosen.iter().filter_map(|&number| trials.get(number)) {
        sweep.trial(&SCENES[scene], at, kind);
    }
    for (scene, calls) in SCENES.iter().zip(&sites) {
        println!("every_durable_call_fails_once: {} makes {} durable calls", scene.name, calls.len());
    }
    println!("every_durable_call_fails_once: {} of {} trials", chosen.len(), trials.len());
    sweep.tally.say();
    assert!(sweep.tally.count("struck") > 0);
}

/// The trials that are made of so many: those that `MINDFILE_SEED` names, else `MINDFILE_CASES` of them, spread over all.
fn chosen(trials: usize) -> Vec<usize> {
    if cases::variable("MINDFILE_SEED").is_some() {
        return cases::seeds(0).into_iter().map(|seed| seed as usize).collect();
    }
    // A stride that is prime to the number of kinds: a brief run visits all of them.
    let stride = (trials / cases::count(BRIEFLY).max(1)).max(1) | 1;
    (0..trials).step_by(stride).collect()
}

fn of_scene(scene: usize, calls: &[Call]) -> Vec<(usize, usize, Kind)> {
    let all = calls.iter().enumerate();
    all.flat_map(|(at, call)| {
        Kind::ALL.into_iter().filter(|kind| kind.applies_to(call)).map(move |kind| (at + 1, kind))
    })
    .map(|(at, kind)| (scene, at, kind))
    .collect()
}

/// A command and what it starts from.
struct Scene {
    name: &'static str,
    arguments: &'static [&'static str],
    start: Start,
}

#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// No state directory.
    Nothing,
    /// An index of the notes as they were before the last edits.
    Older,
    /// An index of the notes as they are.
    Current,
    /// A state directory whose rebuild was killed.
    Rebuilding,
    /// A settings file with comments; no index.
    Settings,
    /// No workspace either.
    Void,
}

const SCENES: [Scene; 9] = [
    Scene { name: "first index", arguments: &["index"], start: Start::Nothing },
    Scene { name: "later index", arguments: &["index"], start: Start::Older },
    Scene { name: "index --force", arguments: &["index", "--force"], start: Start::Current },
    Scene { name: "index --force, resumed", arguments: &["index", "--force"], start: Start::Rebuilding },
    Scene { name: "first search", arguments: &["search", "rate limit", "--json"], start: Start::Nothing },
    Scene { name: "later search", arguments: &["search", "rate limit", "--json"], start: Start::Older },
    Scene { name: "init", arguments: &["init"], start: Start::Void },
    Scene {
        name: "first config set",
        arguments: &["config", "set", "query.maxResults", "9"],
        start: Start::Nothing,
    },
    Scene {
        name: "config set",
        arguments: &["config", "set", "query.maxResults", "9"],
        start: Start::Settings,
    },
];

const SETTINGS: &str = "{\n  // mine\n  \"memorySearch\": { \"query\": { \"maxResults\": 4 } }\n}\n";

struct Sweep<'a> {
    world: &'a World,
    library: &'a Path,
    notes: Tree,
    older: Tree,
    current: Tree,
    rebuilding: Tree,
    truth: Truth,
    tally: Tally,
}

impl<'a> Sweep<'a> {
    fn new(world: &'a World, library: &'a Path) -> Self {
        let mut hand = Hand::new(&world.workspace(), 13);
        hand.fill(8);
        world.sync("state");
        let older = tree::of(&world.path("state"));
        tick(&world.path(""));
        (0..9).for_each(|_| drop(hand.edit()));
        world.sync("state");
        let current = tree::of(&world.path("state"));
        let (notes, truth) = (tree::of(&world.workspace()), world.truth());
        let tally = Tally::new("every_durable_call_fails_once");
        let mut sweep =
            Self { world, library, notes, older, rebuilding: current.clone(), current, truth, tally };
        sweep.rebuilding = sweep.killed_rebuild();
        sweep
    }

    fn killed_rebuild(&self) -> Tree {
        tree::put(&self.current, &self.world.path("state"));
        let (_, whole) = self.run(&["index", "--force"], 0, Kind::Kill);
        tree::put(&self.current, &self.world.path("state"));
        let (outcome, _) = self.run(&["index", "--force"], whole.len() / 4, Kind::Kill);
        assert!(outcome.was_killed(), "{outcome:?}");
        let state = tree::of(&self.world.path("state"));
        assert!(state.keys().any(|name| name.to_string_lossy().contains("rebuild")), "{:?}", state.keys());
        state
    }

    fn sites(&self) -> Vec<Vec<Call>> {
        SCENES.iter().map(|scene| self.calls(scene)).collect()
    }

    fn calls(&self, scene: &Scene) -> Vec<Call> {
        self.set(scene.start);
        let (outcome, calls) = self.run(scene.arguments, 0, Kind::Eio);
        assert!(outcome.is_ok(), "{} without a fault: {outcome:?}", scene.name);
        assert!(!calls.is_empty(), "{} made no durable call that the shim saw", scene.name);
        calls
    }

    /// The workspace stays where it is, so that its files keep their inodes and times; only `init` has none.
    fn set(&self, start: Start) {
        let state = self.world.path("state");
        match start {
            Start::Nothing | Start::Void => crate::world::remove(&state),
            Start::Older => tree::put(&self.older, &state),
            Start::Current => tree::put(&self.current, &state),
            Start::Rebuilding => tree::put(&self.rebuilding, &state),
            Start::Settings => {
                crate::world::remove(&state);
                tree::write(&state.join("mindfile.json"), SETTINGS);
            }
        }
        crate::world::remove(&self.world.path("void"));
    }

    fn run(&self, arguments: &[&str], at: usize, kind: Kind) -> (Outcome, Vec<Call>) {
        let log = self.world.path("calls.log");
        let mut command = self.world.program("state", arguments);
        if arguments == ["init"] {
            command.arg(self.world.path("void/new workspace"));
        }
        shim::arm(&mut command, self.library, &self.world.path(""), &log, at, kind);
        let outcome = child::run(&mut command);
        let calls = shim::take_log(&log);
        let ours = calls.into_iter().filter(|call| call.path != log).collect();
        (outcome, ours)
    }

    fn trial(&mut self, scene: &Scene, at: usize, kind: Kind) {
        self.set(scene.start);
        let (outcome, calls) = self.run(scene.arguments, at, kind);
        let call = calls
            .get(at - 1)
            .map_or_else(String::new, |call| format!("{} {}", call.name, call.path.display()));
        let case = format!("{}, call {at} ({call}), {}", scene.name, kind.as_str());
        assert!(outcome.is_civil(), "{case}: {outcome:?}");
        self.tally.case();
        self.tally.add("struck", usize::from(calls.iter().any(|call| call.struck)));
        self.tally.add(ending(&outcome), 1);
        assert!(tree::of(&self.world.workspace()) == self.notes, "{case}: the workspace changed");
        match scene.start {
            Start::Void => self.heals_init(&case),
            Start::Settings => self.heals_settings(&case, Some(SETTINGS)),
            Start::Nothing if scene.arguments[0] == "config" => self.heals_settings(&case, None),
            Start::Nothing | Start::Older | Start::Current | Start::Rebuilding => self.heals_index(&case),
        }
    }

    fn heals_index(&self, case: &str) {
        let outcome = child::run(&mut self.world.program("state", &["index", "--json"]));
        assert!(outcome.is_ok(), "{case}: the next run: {outcome:?}");
        self.is_true(case);
        let outcome = child::run(&mut self.world.program("state", &["index", "--force", "--json"]));
        assert!(outcome.is_ok(), "{case}: the next rebuild: {outcome:?}");
        let left = tree::of(&self.world.path("state"))
            .into_keys()
            .filter(|name| name.to_string_lossy().contains("rebuild"));
        assert_eq!(left.collect::<Vec<_>>(), Vec::<std::path::PathBuf>::new(), "{case}: left behind");
        self.is_true(case);
    }

    fn is_true(&self, case: &str) {
        let difference = self.world.held("state").difference(&self.truth);
        assert_eq!(difference, None, "{case}: after the next run");
    }

    /// The old text, or the new one, never a mix; and the same command brings the new one.
    fn heals_settings(&self, case: &str, old: Option<&str>) {
        let file = self.world.path("state/mindfile.json");
        let found = std::fs::read_to_string(&file).ok();
        let is_new =
            found.as_deref().is_some_and(|text| text.contains('9') && text.trim_end().ends_with('}'));
        assert!(is_new || found.as_deref() == old, "{case}: the settings are {found:?}");
        let outcome =
            child::run(&mut self.world.program("state", &["config", "set", "query.maxResults", "9"]));
        assert!(outcome.is_ok(), "{case}: the next run: {outcome:?}");
        let found = std::fs::read_to_string(&file).unwrap();
        let comments = old.is_none_or(|_| found.contains("// mine"));
        assert!(found.contains("\"maxResults\": 9") && comments, "{case}: the settings are {found}");
    }

    /// Whole pages or none; and the same command completes them.
    fn heals_init(&self, case: &str) {
        let made = self.world.path("void/new workspace");
        let half = tree::of(&made);
        let mut command = self.world.program("state", &["init"]);
        let outcome = child::run(command.arg(&made));
        assert!(outcome.is_ok(), "{case}: the next run: {outcome:?}");
        let whole = tree::of(&made);
        let is_page = |name: &str| {
            whole.get(Path::new(name)).is_some_and(|page| page.as_ref().is_some_and(|p| !p.is_empty()))
        };
        assert!(
            is_page("MEMORY.md") && is_page("SOUL.md") && whole.contains_key(Path::new("memory")),
            "{case}: {whole:?}"
        );
        for (name, bytes) in half.iter().filter(|(name, _)| !name.to_string_lossy().starts_with('.')) {
            assert_eq!(whole.get(name), Some(bytes), "{case}: {} was half made", name.display());
        }
    }
}

fn ending(outcome: &Outcome) -> &'static str {
    match outcome.code {
        Some(0) => "done all the same",
        Some(_) => "reported",
        None => "killed",
    }
}
