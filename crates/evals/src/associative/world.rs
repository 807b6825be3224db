//! An agent's two months, generated from a seed: facts, questions, and which facts answer them.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use mindfile::fact::{Access, FactRecord};
use mindfile::origin::Origin;

use super::filler::{self, HUBS};
use super::names::Names;
use super::thread::{self, Thread, ThreadFact, ThreadQuestion};
use crate::random::Random;

const THREADS: usize = 18;
/// Threads that are asked about and did not happen, in worlds where all the others do.
const UNTOLD: usize = 7;
/// From this seed on, worlds are made of threads that no weight was chosen with.
const LATE: u64 = 201;
const NEEDLES_ASKED: usize = 8;
const NEEDLES: usize = 70;
const UNKNOWN: usize = 6;
const DAYS: usize = 60;
/// In percent: facts of a thread that name a hub besides.
const HUB_TOO: usize = 25;

/// In percent: asides that are tagged with what ties them to the asides of other threads.
const ASIDE_TAGGED: usize = 50;
const ASIDES: [&str; 6] = ["habit", "style", "office", "trivia", "travel", "food"];
/// Salience is somebody's guess: up to a tenth off, either way.
const OFF: usize = 10;

/// The first day of every world.
const FIRST: Date = jiff::civil::date(2026, 1, 5);

#[derive(Debug, Clone)]
pub struct World {
    pub facts: Vec<FactRecord>,
    pub questions: Vec<Question>,
    pub today: Date,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub text: String,
    /// `direct`, `needle`, `hop1` to `hop3`; without gold, `unanswerable` (about what the world has not) and `near-miss`
    /// (about what it has, asking for what nobody said).
    pub category: String,
    /// Positions in [`World::facts`].
    pub gold: Vec<usize>,
}

pub fn world(seed: u64) -> World {
    let mut random = Random::new(seed);
    let mut names = Names::new(&mut random);
    let mut builder = WorldBuilder::default();
    let (told, untold) = threads(seed, &mut random);
    for thread in told.iter().filter_map(|thread| thread.fill(&mut names, &mut random)).collect::<Vec<_>>() {
        builder.add_thread(thread, &mut random);
    }
    for thread in untold.iter().filter_map(|thread| thread.fill(&mut names, &mut random)).collect::<Vec<_>>()
    {
        builder.ask_only(&thread, &mut random);
    }
    for (number, needle) in filler::needles(&mut random).into_iter().take(NEEDLES).enumerate() {
        let at = builder.add(needle.said, &mut random);
        if number < NEEDLES_ASKED {
            builder.ask(needle.asked, &[at]);
        }
    }
    filler::dramas().for_each(|drama| {
        builder.add(drama, &mut random);
    });
    filler::unknown(&mut random, UNKNOWN).into_iter().for_each(|asked| builder.ask(asked, &[]));
    builder.fill_hubs(&mut random);
    World { facts: builder.facts, questions: builder.questions, today: FIRST + (DAYS as i64).days() }
}

/// The threads that happen in a world, and some that do not.
fn threads(seed: u64, random: &mut Random) -> (Vec<Thread>, Vec<Thread>) {
    let mut early = random.shuffled(&thread::early());
    if seed < LATE {
        let untold = early.split_off(THREADS.min(early.len()));
        return (early, untold);
    }
    early.truncate(UNTOLD);
    (random.shuffled(&thread::late()), early)
}

#[derive(Default)]
struct WorldBuilder {
    facts: Vec<FactRecord>,
    questions: Vec<Question>,
    named: BTreeMap<&'static str, usize>,
}

impl WorldBuilder {
    fn add_thread(&mut self, thread: Thread, random: &mut Random) {
        let start = random.below(DAYS / 2);
        let mut places = Vec::new();
        for (number, mut said) in thread.facts.into_iter().enumerate() {
            tag_with_hub(&mut said, random);
            places.push(self.add_on(said, start + number * random.between(1, 7), random));
        }
        for mut said in thread.asides {
            if random.chance(ASIDE_TAGGED) {
                said.tags.push((*random.pick(&ASIDES)).to_owned());
            }
            self.add(said, random);
        }
        for asked in thread.questions {
            self.ask(asked, &places);
        }
    }

    /// A thread that did not happen: what is asked about it has no answer.
    fn ask_only(&mut self, thread: &Thread, random: &mut Random) {
        let asked = random.pick(&thread.questions).text.clone();
        self.ask(ThreadQuestion { category: "unanswerable".to_owned(), gold: Vec::new(), text: asked }, &[]);
    }

    fn ask(&mut self, asked: ThreadQuestion, places: &[usize]) {
        let gold = asked.gold.iter().map(|&number| places[number]).collect();
        self.questions.push(Question { text: asked.text, category: asked.category, gold });
    }

    fn add(&mut self, said: ThreadFact, random: &mut Random) -> usize {
        let day = random.below(DAYS);
        self.add_on(said, day, random)
    }

    fn add_on(&mut self, said: ThreadFact, day: usize, random: &mut Random) -> usize {
        for (hub, _) in HUBS {
            let names = said.tags.iter().any(|tag| tag == hub);
            *self.named.entry(hub).or_default() += usize::from(names);
        }
        let day = FIRST + (day.min(DAYS - 1) as i64).days();
        let at = self.facts.len();
        self.facts.push(record(at, said, day, random));
        at
    }

    /// Facts about each hub until it has its number, some about two of them.
    fn fill_hubs(&mut self, random: &mut Random) {
        for (hub, wanted) in HUBS {
            while self.left(hub, wanted) > 0 {
                let mut said = filler::about(hub, random);
                let (other, most) = random.pick(&HUBS);
                if random.chance(12) && *other != hub && self.left(other, *most) > 0 {
                    said.tags.push((*other).to_owned());
                }
                self.add(said, random);
            }
        }
    }

    fn left(&self, hub: &str, wanted: usize) -> usize {
        wanted.saturating_sub(self.named.get(hub).copied().unwrap_or(0))
    }
}

fn tag_with_hub(said: &mut ThreadFact, random: &mut Random) {
    if random.chance(HUB_TOO) {
        let (hub, _) = random.pick(&HUBS[..4]);
        said.tags.push((*hub).to_owned());
    }
}

fn record(at: usize, said: ThreadFact, day: Date, random: &mut Random) -> FactRecord {
    let jitter = (random.below(2 * OFF + 1) as f32 - OFF as f32) / 100.0;
    let mut entities: Vec<String> = Vec::new();
    for tag in &said.tags {
        let name = tag.to_lowercase();
        if !entities.contains(&name) {
            entities.push(name);
        }
    }
    FactRecord {
        id: format!("f{at:04}"),
        kind: said.kind,
        text: said.text,
        entities,
        spelled: said.tags,
        salience: ((said.salience + jitter).clamp(0.05, 1.0) * 100.0).round() / 100.0,
        confidence: None,
        key: None,
        version: 1,
        valid_until: None,
        seen: None,
        confirmed: None,
        until: None,
        by: None,
        beside: Vec::new(),
        proposed: false,
        due: None,
        sensitivity: None,
        source: None,
        path: format!("memory/{day}.md"),
        line: u32::try_from(at).unwrap_or(u32::MAX) + 1,
        day: Some(day),
        access: access(day, random),
        origin: Origin::Owner,
    }
}

/// One fact in three was read before, whatever it says.
fn access(day: Date, random: &mut Random) -> Access {
    if !random.chance(33) {
        return Access::default();
    }
    let read = day + (random.below(DAYS) as i64).days();
    let read = read.min(FIRST + (DAYS as i64).days());
    let last_ms = read.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp().as_millisecond());
    Access { count: u32::try_from(random.between(1, 12)).unwrap_or(1), last_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_world_is_as_large_and_as_crowded_as_it_must_be() {
        for seed in [1, 2, 3, 4, 5, 101, 110, 120, 201, 220] {
            let world = world(seed);
            assert!(world.facts.len() >= 500, "{seed}: {}", world.facts.len());
            assert!(world.questions.len() >= 45, "{seed}: {}", world.questions.len());
            for (hub, wanted) in HUBS {
                let hub = hub.to_lowercase();
                let named = world.facts.iter().filter(|fact| fact.entities.contains(&hub)).count();
                assert_eq!(named, wanted, "{seed}: {hub}");
            }
            let days: Vec<Date> = world.facts.iter().filter_map(|fact| fact.day).collect();
            assert!(days.iter().max() < Some(&world.today) && days.iter().min() >= Some(&FIRST));
        }
    }

    #[test]
    fn one_seed_gives_one_world_and_another_gives_another() {
        assert_eq!(world(7).facts, world(7).facts);
        assert_eq!(world(7).questions, world(7).questions);
        assert_ne!(world(7).facts, world(8).facts);
    }
}
