//! Kills at any time, one process or several at once, always on the same state directory. No note changes, and the
//! next run answers as an index made from nothing would.

use std::time::Duration;

use crate::cases::{self, Tally};
use crate::child::{self, Running};
use crate::hand::Hand;
use crate::random::Random;
use crate::tree;
use crate::world::World;

const COMMANDS: [&[&str]; 4] = [
    &["index"],
    &["search", "--json", "rate limit of the api"],
    &["index", "--force"],
    &["search", "--json", "--mode", "keyword", "postgres"],
];

#[test]
fn random_sigkills() {
    let world = World::new();
    let mut hand = Hand::new(&world.workspace(), 7);
    hand.fill(40);
    let spans = COMMANDS.map(|command| child::run(&mut world.program("state", command)).took);
    let mut tally = Tally::new("random_sigkills");
    let mut random = Random::new(cases::seeds(1)[0]);
    let wanted = cases::count(40);
    while tally.count("killed") < wanted {
        let edits = random.below(3);
        (0..edits).for_each(|_| drop(hand.edit()));
        let before = tree::of(&world.workspace());
        strike(&world, &spans, &mut random, &mut tally);
        assert!(tree::of(&world.workspace()) == before, "the workspace changed");
        heals(&world, &mut tally);
        tally.case();
    }
    tally.say();
}

/// Starts one to three commands at once and kills each at a time of its own.
fn strike(world: &World, spans: &[Duration; 4], random: &mut Random, tally: &mut Tally) {
    let count = if random.one_in(3) { random.within(2..4) } else { 1 };
    let chosen: Vec<usize> = (0..count).map(|_| random.below(COMMANDS.len())).collect();
    let mut running: Vec<(Duration, Running)> = chosen
        .iter()
        .map(|&which| {
            let after = spans[which].mul_f64(random.below(1000) as f64 / 900.0);
            (after, child::start(&mut world.program("state", COMMANDS[which])))
        })
        .collect();
    running.sort_by_key(|(after, _)| *after);
    for (after, run) in running {
        let outcome = run.kill_after(after);
        assert!(outcome.is_civil() && (outcome.was_killed() || outcome.is_ok()), "{outcome:?}");
        tally.add(if outcome.was_killed() { "killed" } else { "over before" }, 1);
    }
}

fn heals(world: &World, tally: &mut Tally) {
    let outcome = child::run(&mut world.program("state", &["index", "--json"]));
    assert!(outcome.is_ok(), "the next run: {outcome:?}");
    assert_eq!(outcome.json()["held"], 0, "{outcome:?}");
    assert_eq!(outcome.json()["notices"], serde_json::Value::Null, "a kill is no damage");
    if let Some(difference) = world.held("state").difference(&world.truth()) {
        panic!("after {} kills: {difference}", tally.count("killed"));
    }
}
