//! Measures recall for an agent that has run for two months, in a synthetic world whose gold facts are known.
//!
//! A seed makes a world. Every question is put to this memory and to three others over the same facts: plain keyword
//! search, plain vector search, and the guide's formulas as written. An answer is a set of facts; precision, recall and
//! F1 are means over the answerable questions, and `empty` is the share of correctly empty answers among the others.

mod filler;
mod measure;
mod names;
mod report;
mod sides;
mod table;
mod thread;
mod world;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use mindfile::fact::graph::Graph;
use mindfile::recall::Slice;
use mindfile_index::{Doc, Shelf};

pub use measure::{Answer, SetScores, by_category};
pub use report::WorldsReport;
pub use sides::Side;
pub use table::text;
pub use world::{Question, World, world};

use crate::error::Error;
use crate::seeds::Seeds;

/// A world whose facts can be found.
struct IndexedWorld {
    world: World,
    slice: Slice,
    graph: Graph,
    now: Timestamp,
}

fn index(world: World) -> IndexedWorld {
    let doc = |at: usize| Doc::new(Shelf::Facts, u32::try_from(at).unwrap_or(u32::MAX));
    let named = world.facts.iter().enumerate().map(|(at, fact)| (doc(at), fact.entities.as_slice()));
    let graph = Graph::of(named);
    let now = world.today.to_zoned(TimeZone::UTC).map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp());
    IndexedWorld { slice: Slice::new(&world.facts), graph, now, world }
}

/// What each side answered in the worlds of the seeds, question by question.
pub fn run(seeds: Seeds) -> Result<Vec<(Side, Vec<Answer>)>, Error> {
    let mut sides: Vec<(Side, Vec<Answer>)> = Side::ALL.iter().map(|side| (*side, Vec::new())).collect();
    for seed in seeds.numbers() {
        let indexed = index(world(seed));
        for (side, answers) in &mut sides {
            answers.extend(ask(&indexed, *side, seed)?);
        }
    }
    Ok(sides)
}

fn ask(indexed: &IndexedWorld, side: Side, seed: u64) -> Result<Vec<Answer>, Error> {
    let questions = indexed.world.questions.iter();
    questions
        .map(|question| {
            let returned = side.answer(indexed, &question.text)?;
            Ok(Answer { seed, question: question.clone(), returned })
        })
        .collect()
}
