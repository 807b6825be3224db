//! Recall of an agent that has run for two months: a made-up world whose gold facts are known because it was made up.
//!
//! A world is made from a seed number. Every question is asked of this memory and of three others over the same facts:
//! plain keyword search, plain vector search, and the guide's formulas as written. An answer is a set of facts;
//! precision, recall and F1 are means over the questions that have an answer, `empty` is the share of rightly empty
//! answers among those that have none.

mod filler;
mod measure;
mod names;
mod sides;
mod thread;
mod world;

use std::ops::ControlFlow;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use mindfile_index::Doc;

pub use measure::{Measured, Outcome, by_category};
pub use sides::Side;
pub use world::{Question, World, world};

use crate::error::Error;
use crate::fact::graph::Graph;
use crate::recall::Slice;

/// A world whose facts can be found.
pub struct Ready {
    pub world: World,
    pub slice: Slice,
    pub graph: Graph,
    pub now: Timestamp,
}

pub fn ready(world: World) -> Ready {
    let doc = |at: usize| Doc(i64::try_from(at).unwrap_or(i64::MAX));
    let named = world.facts.iter().enumerate().map(|(at, fact)| (doc(at), fact.entities.as_slice()));
    let graph = Graph::of(named);
    let now = world.today.to_zoned(TimeZone::UTC).map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp());
    Ready { slice: Slice::new(&world.facts), graph, now, world }
}

/// What each side answered in the worlds of the seeds, question by question.
pub fn run(
    seeds: impl IntoIterator<Item = u64>,
    on_world: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Vec<(Side, Vec<Outcome>)>, Error> {
    let mut sides: Vec<(Side, Vec<Outcome>)> = Side::ALL.into_iter().map(|side| (side, Vec::new())).collect();
    for seed in seeds {
        let ready = ready(world(seed));
        for (side, outcomes) in &mut sides {
            outcomes.extend(ask(&ready, *side, seed)?);
        }
        if on_world(seed).is_break() {
            return Err(Error::Interrupted);
        }
    }
    Ok(sides)
}

fn ask(ready: &Ready, side: Side, seed: u64) -> Result<Vec<Outcome>, Error> {
    let questions = ready.world.questions.iter();
    questions
        .map(|question| {
            let returned = side.answer(ready, &question.text)?;
            Ok(Outcome { seed, question: question.clone(), returned })
        })
        .collect()
}
