//! Whatever was done to the notes in whatever order, and wherever the program was killed on the way: the index ends up
//! as one made from nothing.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::SignedDuration;

use crate::cases::{self, Tally};
use crate::child;
use crate::hand::{Hand, tick};
use crate::random::Random;
use crate::shim::{self, Kind};
use crate::world::{Ahead, QUERIES, World, answer};

/// Few commands on these small workspaces make more durable calls.
const MOST_CALLS: usize = 120;

#[test]
fn index_equals_rebuild() {
    let mut tally = Tally::new("index_equals_rebuild");
    let spans = Spans::measure();
    for seed in cases::seeds(25) {
        Sequence::new(seed, &spans).run(&mut tally);
        tally.case();
    }
    tally.say();
}

/// How long each command takes, so that kills fall anywhere within it.
struct Spans {
    index: Duration,
    force: Duration,
}

impl Spans {
    fn measure() -> Self {
        let world = World::new();
        Hand::new(&world.workspace(), 0).fill(8);
        let index = child::run(&mut world.program("state", &["index"])).took;
        let force = child::run(&mut world.program("state", &["index", "--force"])).took;
        Self { index, force }
    }
}

struct Sequence<'a> {
    seed: u64,
    world: World,
    hand: Hand,
    /// Decides what happens between edits; apart from the hand's own, so that the edits stay the same.
    random: Random,
    spans: &'a Spans,
    story: Vec<String>,
}

impl<'a> Sequence<'a> {
    fn new(seed: u64, spans: &'a Spans) -> Self {
        let world = World::new();
        let mut hand = Hand::new(&world.workspace(), seed);
        let notes = hand.random.within(1..9);
        hand.fill(notes);
        Self { seed, world, hand, random: Random::new(!seed), spans, story: Vec::new() }
    }

    fn run(&mut self, tally: &mut Tally) {
        for _ in 0..self.random.within(2..8) {
            for _ in 0..self.random.within(0..4) {
                let edit = self.hand.edit();
                self.story.push(edit);
                tally.add("edits", 1);
            }
            let step = self.step();
            tally.add(step, 1);
            self.story.push(step.to_owned());
        }
        self.compare(tally);
    }

    /// Lets the program look at the notes, in one of the ways it may, to the end or not.
    fn step(&mut self) -> &'static str {
        tick(&self.world.path(""));
        match self.random.below(10) {
            0 => "skipped",
            1 | 2 => self.sync(Ahead(SignedDuration::from_secs(10)), "synced"),
            3 => self.sync(Ahead(SignedDuration::ZERO), "synced at once"),
            4 => self.stop(),
            5 => self.search(),
            6 => self.killed(&["index"], self.spans.index, "index killed"),
            7 => self.killed(&["search", "alpha"], self.spans.index, "search killed"),
            8 => self.killed(&["index", "--force"], self.spans.force, "rebuild killed"),
            _ => self.whole(),
        }
    }

    fn sync(&self, clock: Ahead, name: &'static str) -> &'static str {
        let memory = self.world.memory_at("state", clock);
        memory.sync(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|error| self.fail(&error.to_string()));
        name
    }

    /// Interrupted as Ctrl-C does it: between two batches.
    fn stop(&self) -> &'static str {
        let memory = self.world.memory("state");
        let mut stop = |_: &mindfile::reconcile::Progress| ControlFlow::Break(());
        let stopped =
            if self.seed.is_multiple_of(2) { memory.sync(&mut stop) } else { memory.rebuild(&mut stop) };
        match stopped {
            Ok(_) | Err(mindfile::Error::Interrupted) => "interrupted",
            Err(error) => self.fail(&error.to_string()),
        }
    }

    fn search(&mut self) -> &'static str {
        let query = *self.random.pick(&QUERIES);
        let found = answer(&self.world.memory("state"), query);
        if found.contains(": FAILED ") { self.fail(&found) } else { "searched" }
    }

    /// Killed at a random time, or, as time mostly hits the start, at a random durable call.
    fn killed(&mut self, arguments: &[&str], span: Duration, name: &'static str) -> &'static str {
        let mut command = self.world.program("state", arguments);
        let outcome = match shim::library().filter(|_| self.random.one_in(2)) {
            Some(library) => {
                let kind = *self.random.pick(&[Kind::Kill, Kind::KillAfter, Kind::Torn]);
                let at = self.random.within(1..MOST_CALLS);
                shim::arm(
                    &mut command,
                    library,
                    &self.world.path("state"),
                    &self.world.path("calls.log"),
                    at,
                    kind,
                );
                child::run(&mut command)
            }
            None => child::run_killed(&mut command, span.mul_f64(self.random.below(1000) as f64 / 1000.0)),
        };
        if !outcome.is_civil() || !(outcome.was_killed() || outcome.is_ok()) {
            self.fail(&format!("{outcome:?}"));
        }
        if outcome.was_killed() { name } else { "over before the kill" }
    }

    fn whole(&self) -> &'static str {
        let outcome = child::run(&mut self.world.program("state", &["index"]));
        if outcome.is_ok() { "index run" } else { self.fail(&format!("{outcome:?}")) }
    }

    fn compare(&self, tally: &mut Tally) {
        tick(&self.world.path(""));
        let outcome = child::run(&mut self.world.program("state", &["index", "--json"]));
        if !outcome.is_ok() {
            self.fail(&format!("{outcome:?}"));
        }
        if outcome.json()["held"] != 0 {
            // More than half of the notes vanished at once: they are kept until somebody says that it was meant.
            tally.add("held back", 1);
            let purged = child::run(&mut self.world.program("state", &["index", "--force", "--json"]));
            assert!(purged.is_ok(), "{purged:?}");
        }
        if let Some(difference) = self.world.held("state").difference(&self.world.truth()) {
            self.fail(&difference);
        }
    }

    fn fail(&self, what: &str) -> ! {
        panic!("MINDFILE_SEED={}: {what}\n{:#?}", self.seed, self.story)
    }
}
