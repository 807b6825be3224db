//! Bytes of the index rot. Whatever they were, an answer is the right one, or the program says that the index is
//! damaged; and it makes a new one by itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cases::{self, Tally};
use crate::child;
use crate::hand::{Hand, tick};
use crate::random::Random;
use crate::tree::{self, Tree};
use crate::world::{QUERIES, World, answers};

const PAGE: usize = 4096;
/// Enough for tables of more than one page.
const NOTES: usize = 100;
/// Every so manieth of them changes.
const STEP: usize = 3;

#[test]
fn byte_flips() {
    let world = World::new();
    let rot = Rot::new(&world);
    let mut tally = Tally::new("byte_flips");
    let mut wrong = Vec::new();
    for seed in cases::seeds(25) {
        wrong.extend(rot.trial(seed, &mut tally));
        tally.case();
    }
    tally.say();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// State directories to damage. All belong to the workspace as it is now.
struct Rot<'a> {
    world: &'a World,
    queries: Vec<String>,
    truth: Vec<String>,
    /// Of a program that has ended: the index is one file.
    closed: Tree,
    /// The same, but made before the last edits: the next run has something to change.
    older: Tree,
    /// Of a program that was killed: the newest pages are in the write-ahead log.
    open: Tree,
    /// With a rebuild that was stopped halfway: its file waits beside the index.
    halfway: Tree,
}

impl<'a> Rot<'a> {
    fn new(world: &'a World) -> Self {
        let mut hand = Hand::new(&world.workspace(), 29);
        fill(world, &mut hand);
        world.sync("state");
        let older = tree::of(&world.path("state"));
        tick(&world.path(""));
        change_some(world, &mut hand);
        let open = open_state(world);
        let closed = tree::of(&world.path("state"));
        world.sync("state-of-right");
        let queries = queries();
        let truth = answers(&world.memory("state-of-right"), &queries);
        let halfway = stopped_rebuild(world);
        Self { world, queries, truth, closed, older, open, halfway }
    }

    /// Damages an index, asks it everything, and says what was wrong.
    fn trial(&self, seed: u64, tally: &mut Tally) -> Option<String> {
        let mut random = Random::new(seed);
        let (name, start, file) = match random.below(10) {
            0 | 1 => (
                "write-ahead log",
                &self.open,
                *random.pick(&["main.sqlite", "main.sqlite-wal", "main.sqlite-shm"]),
            ),
            2..5 => ("older index", &self.older, "main.sqlite"),
            5 => ("stopped rebuild", &self.halfway, "main.sqlite.rebuild"),
            _ => ("index", &self.closed, "main.sqlite"),
        };
        let (bytes, damage) = damaged(start, file, &mut random);
        let case = |what: &str| Some(format!("seed {seed}, {name}, {damage}: {what}"));
        self.put(start, file, &bytes);
        let program =
            if name == "stopped rebuild" { self.rebuilds() } else { self.program_answers(&mut random) };
        self.put(start, file, &bytes);
        let memory = self.world.memory("state");
        let found = answers(&memory, &self.queries);
        let notices = memory.notices();
        drop(memory);
        let wrong = found.iter().zip(&self.truth).find(|(found, right)| found != right);
        let failed = wrong.is_some_and(|(found, _)| found.contains(": FAILED "));
        tally.add(verdict(wrong.is_some(), failed, !notices.is_empty()), 1);
        if let Some((found, right)) = wrong.filter(|_| !failed) {
            return case(&format!("said {found}\n  not {right}\n  notices: {notices:?}"));
        }
        if let Err(what) = program {
            return case(&what);
        }
        self.heals(failed, tally).err().and_then(|what| case(&what))
    }

    fn put(&self, start: &Tree, file: &str, bytes: &[u8]) {
        let state = self.world.path("state");
        tree::put(start, &state);
        tree::write(&state.join("memory").join(file), bytes);
    }

    fn rebuilds(&self) -> Result<(), String> {
        let outcome = child::run(&mut self.world.program("state", &["index", "--force", "--json"]));
        if !outcome.is_ok() {
            return Err(format!("the rebuild: {outcome:?}"));
        }
        let found = answers(&self.world.memory("state"), &self.queries);
        if found == self.truth { Ok(()) } else { Err("wrong after the rebuild".to_owned()) }
    }

    /// One query to the program itself. An answer is right or comes with a word about the damage.
    fn program_answers(&self, random: &mut Random) -> Result<(), String> {
        let query = random.pick(&self.queries);
        let ask =
            |state: &str| child::run(&mut self.world.program(state, &["search", "--json", "--query", query]));
        let outcome = ask("state");
        if !outcome.is_civil() || outcome.code == Some(2) {
            return Err(format!("the program ended badly on {query:?}: {outcome:?}"));
        }
        if !outcome.is_ok() {
            return match outcome.json()["error"]["message"].as_str() {
                Some(_) => Ok(()),
                None => Err(format!("the program failed without a word on {query:?}: {outcome:?}")),
            };
        }
        let (found, right) = (outcome.json(), ask("state-of-right").json());
        let same = found["results"] == right["results"];
        if same { Ok(()) } else { Err(format!("the program said {found}\n  not {right}")) }
    }

    /// The index is right from now on, without anybody's help.
    fn heals(&self, failed: bool, tally: &mut Tally) -> Result<(), String> {
        let outcome = child::run(&mut self.world.program("state", &["index", "--json"]));
        if !outcome.is_ok() {
            tally.add("not healed by the next run", 1);
            return Err(format!("the next run: {outcome:?} (failed before: {failed})"));
        }
        let found = answers(&self.world.memory("state"), &self.queries);
        if found == self.truth { Ok(()) } else { Err("wrong after the next run".to_owned()) }
    }
}

/// The fixed ones, and for notes that changed a word that stood only in them.
fn queries() -> Vec<String> {
    let own = (0..NOTES).step_by(STEP).map(own_word);
    let formed = (0..NOTES).step_by(STEP).map(|number| format!("Gdzie są {}?", bent_word(number, "ach")));
    QUERIES.iter().map(|query| (*query).to_owned()).chain(own).chain(formed).collect()
}

fn own_word(number: usize) -> String {
    format!("own{number:03}word")
}

/// A word that is looked for in another form.
fn bent_word(number: usize, ending: &str) -> String {
    let letter = |digit: usize| char::from(b'a' + u8::try_from(digit % 10).unwrap());
    format!("{}{}łódeczk{ending}", letter(number / 10), letter(number))
}

fn fill(world: &World, hand: &mut Hand) {
    for number in 0..NOTES {
        let words = format!("{} {}", own_word(number), bent_word(number, "ami"));
        let text = format!("# Page\n\n{}{words}\n", hand.text(1..9));
        tree::write(&note(world, number), text);
    }
}

fn note(world: &World, number: usize) -> PathBuf {
    world.workspace().join(format!("memory/n{number}.md"))
}

/// Of everything that can happen to a note, some: a damaged index must not bring back what is gone.
fn change_some(world: &World, hand: &mut Hand) {
    for number in (0..NOTES).step_by(STEP) {
        let path = note(world, number);
        match number / STEP % 3 {
            0 => fs::remove_file(path).unwrap(),
            1 => fs::rename(path, note(world, NOTES + number)).unwrap(),
            _ => tree::write(&path, hand.text(1..12)),
        }
    }
}

/// A state directory as a kill leaves it: copied by another process while this one has the index open.
fn open_state(world: &World) -> Tree {
    let memory = world.memory("state");
    memory.sync(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let copied =
        Command::new("cp").arg("-r").arg(world.path("state")).arg(world.path("copy")).status().unwrap();
    assert!(copied.success());
    let open = tree::of(&world.path("copy"));
    assert!(open.keys().any(|name| name.to_string_lossy().ends_with("-wal")), "{:?}", open.keys());
    open
}

fn stopped_rebuild(world: &World) -> Tree {
    let stopped = world.memory("state").rebuild(&mut |_| std::ops::ControlFlow::Break(()));
    assert!(matches!(stopped, Err(mindfile::Error::Interrupted)), "{stopped:?}");
    let halfway = tree::of(&world.path("state"));
    assert!(halfway.contains_key(Path::new("memory/main.sqlite.rebuild")), "{:?}", halfway.keys());
    halfway
}

/// The bytes of a file of the tree, some of them changed, and which.
fn damaged(tree: &Tree, file: &str, random: &mut Random) -> (Vec<u8>, String) {
    let mut bytes = tree[&Path::new("memory").join(file)].clone().unwrap();
    let spots = spots(bytes.len(), random);
    for &(at, mask) in &spots {
        bytes[at] ^= mask;
    }
    let shown: Vec<String> = spots.iter().take(8).map(|(at, mask)| format!("{at}^{mask:#04x}")).collect();
    let damage = format!("{} bytes of {file} ({})", spots.len(), shown.join(" "));
    (bytes, damage)
}

/// 1 to 64 bytes, and what is done to each: anywhere, close together, in the first page, or at the head of a page.
fn spots(length: usize, random: &mut Random) -> Vec<(usize, u8)> {
    let count = if random.one_in(2) { 1 } else { random.within(1..65) };
    let start = random.below(length);
    let manner = random.below(4);
    (0..count)
        .map(|_| {
            let at = match manner {
                0 => random.below(length),
                1 => (start + random.below(64)) % length,
                2 => random.below(PAGE.min(length)),
                _ => (random.below(length) / PAGE * PAGE + random.below(100)) % length,
            };
            (at, random.within(1..256) as u8)
        })
        .collect()
}

fn verdict(wrong: bool, failed: bool, noticed: bool) -> &'static str {
    match (wrong, failed, noticed) {
        (_, true, _) => "reported as an error",
        (false, _, true) => "healed with a notice",
        (false, _, false) => "harmless",
        (true, _, true) => "WRONG with a notice",
        (true, _, false) => "WRONG in silence",
    }
}
