//! From the entities of what answers to those they are named with, and on from there, with activation that fades.
//!
//! An entity passes on its activation times the decay, times what the pair is worth, damped at both ends by how many facts
//! name them: a hub neither gives nor takes. A pair is worth more the more facts name both, and little if all of
//! these are minor. What arrives over several paths adds up; the strongest path is kept. It ends at the depth, at the
//! floor, and at the largest number of entities.

use std::collections::{BTreeMap, HashMap};

use mindfile_index::Entity;

use super::facts::Facts;
use crate::error::Error;

/// Activation below this is nothing.
pub const FLOOR: f32 = 0.05;
/// More entities than this are never active.
pub const MOST: usize = 50;
pub const DEEPEST: u32 = 3;
/// How many facts of an entity are looked at for what it is named with.
const LOOKED_AT: usize = 16;

/// An entity that the traversal reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Active {
    pub name: String,
    pub activation: f32,
    /// What of it the facts of the entity get: less for a hub.
    pub brings: f32,
    /// Steps from the entities it began with.
    pub step: u32,
    /// From where it began to this entity.
    pub path: Vec<String>,
}

/// What was passed on in one step: from one entity to others, the strongest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub step: u32,
    pub from: String,
    pub to: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Traversal {
    /// The most active first.
    pub active: Vec<Active>,
    pub passed: Vec<Step>,
}

/// How activation is passed on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spreading {
    pub steps: u32,
    /// What one step leaves.
    pub decay: f32,
    /// How much the salience of the facts that make a pair decides what passes: a power of it.
    pub conduct: f32,
}

impl Spreading {
    /// What of the activation a pair lets through, 0 to 1.
    fn tie(self, pair: Pair) -> f32 {
        /// Facts of so much salience, and above, let everything through.
        const OPEN: f32 = 0.6;
        let count = pair.count as f32;
        count / (count + 0.5) * (pair.salience / OPEN).min(1.0).powf(self.conduct)
    }
}

/// Spreads activation from the seeds, each with its own.
pub fn traverse(
    facts: &dyn Facts,
    seeds: &[(String, f32)],
    spreading: Spreading,
) -> Result<Traversal, Error> {
    let total = facts.total()?;
    let mut spread = Spread { facts, spreading, total, reached: HashMap::new(), passed: Vec::new() };
    let seeds = seeds.iter().filter(|(_, activation)| *activation >= FLOOR).take(MOST);
    let begin = |(name, activation): &(String, f32)| Arriving::alone(name, *activation);
    let seeds: Vec<(String, Arriving)> = seeds.map(|seed| (seed.0.clone(), begin(seed))).collect();
    for (asked, active) in spread.arrive(seeds, 0)? {
        spread.reached.entry(asked).or_insert(active);
    }
    for step in 1..=spreading.steps {
        if !spread.step(step)? {
            break;
        }
    }
    let mut active: Vec<Active> = spread.reached.into_values().collect();
    active.sort_by(order);
    Ok(Traversal { active, passed: spread.passed })
}

/// What of its activation an entity that `count` of `total` facts name can give and take.
pub fn damping(count: u32, total: usize) -> f32 {
    /// An entity with so many facts is no hub, however few there are in all.
    const COMMON: f32 = 12.0;
    let common = COMMON.max((total as f32).sqrt() / 2.0);
    1.0 / (1.0 + (count as f32 / common).powi(2))
}

/// The facts that name two entities: how many, and the highest salience.
#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    count: u32,
    salience: f32,
}

/// What arrives at an entity from all sides, and over which path most of it.
#[derive(Default)]
struct Arriving {
    sum: f32,
    most: f32,
    path: Vec<String>,
}

impl Arriving {
    fn alone(name: &str, sum: f32) -> Self {
        Self { sum, most: sum, path: vec![name.to_owned()] }
    }
}

struct Spread<'a> {
    facts: &'a dyn Facts,
    spreading: Spreading,
    total: usize,
    reached: HashMap<String, Active>,
    passed: Vec<Step>,
}

impl Spread<'_> {
    /// One step; false when nothing was reached that was not active before.
    fn step(&mut self, step: u32) -> Result<bool, Error> {
        let mut givers: Vec<Active> =
            self.reached.values().filter(|active| active.step + 1 == step).cloned().collect();
        givers.sort_by(order);
        let mut arriving = self.give(&givers)?;
        arriving.retain(|_, arriving| arriving.sum >= FLOOR);
        let arrived = self.arrive(arriving.into_iter().collect(), step)?;
        let mut arrived: Vec<Active> = arrived.into_iter().map(|(_, active)| active).collect();
        arrived.retain(|active| active.activation >= FLOOR);
        arrived.sort_by(order);
        arrived.truncate(MOST.saturating_sub(self.reached.len()));
        self.note(step, &givers, &arrived);
        let any = !arrived.is_empty();
        self.reached.extend(arrived.into_iter().map(|active| (active.name.clone(), active)));
        Ok(any)
    }

    /// Entities with what reaches them, damped unless they are where the traversal begins; those that no fact knows are
    /// left out.
    fn arrive(&self, arriving: Vec<(String, Arriving)>, step: u32) -> Result<Vec<(String, Active)>, Error> {
        let (names, arriving): (Vec<String>, Vec<Arriving>) = arriving.into_iter().unzip();
        let known = self.facts.entities(&names)?;
        let active = |((asked, Arriving { sum, path, .. }), entity): ((String, Arriving), Option<Entity>)| {
            let entity = entity?;
            let damped = damping(entity.facts, self.total);
            let activation = if step == 0 { sum } else { sum * damped };
            Some((asked, Active { name: entity.name, activation, brings: activation * damped, step, path }))
        };
        Ok(names.into_iter().zip(arriving).zip(known).filter_map(active).collect())
    }

    /// What arrives where, from all of these together.
    fn give(&self, givers: &[Active]) -> Result<BTreeMap<String, Arriving>, Error> {
        let given = |giver: &Active| giver.brings * self.spreading.decay;
        let givers: Vec<&Active> = givers.iter().filter(|giver| given(giver) >= FLOOR).collect();
        let mut arriving: BTreeMap<String, Arriving> = BTreeMap::new();
        for (giver, pairs) in givers.iter().zip(self.pairs(&givers)?) {
            for (name, pair) in pairs {
                let arrives = given(giver) * self.spreading.tie(pair);
                let all = arriving.entry(name.clone()).or_default();
                all.sum += arrives;
                if arrives > all.most {
                    all.most = arrives;
                    all.path.clone_from(&giver.path);
                    all.path.push(name);
                }
            }
        }
        Ok(arriving)
    }

    /// The entities that facts name together with each of these, but those that are active already.
    fn pairs(&self, givers: &[&Active]) -> Result<Vec<BTreeMap<String, Pair>>, Error> {
        let names: Vec<String> = givers.iter().map(|giver| giver.name.clone()).collect();
        let mut all: Vec<BTreeMap<String, Pair>> = givers.iter().map(|_| BTreeMap::new()).collect();
        self.facts.each_of(&names, LOOKED_AT, &mut |at, _, salience, entities| {
            for other in entities.iter().filter(|other| !self.reached.contains_key(*other)) {
                if !all[at].contains_key(other) {
                    all[at].insert(other.clone(), Pair::default());
                }
                if let Some(pair) = all[at].get_mut(other) {
                    pair.count += 1;
                    pair.salience = pair.salience.max(salience);
                }
            }
        })?;
        Ok(all)
    }

    fn note(&mut self, step: u32, givers: &[Active], arrived: &[Active]) {
        for giver in givers {
            let came = |active: &&Active| active.path.iter().rev().nth(1) == Some(&giver.name);
            let to: Vec<String> = arrived.iter().filter(came).map(|active| active.name.clone()).collect();
            if !to.is_empty() {
                self.passed.push(Step { step, from: giver.name.clone(), to });
            }
        }
    }
}

/// The most active first, then by name.
fn order(a: &Active, b: &Active) -> std::cmp::Ordering {
    b.activation.total_cmp(&a.activation).then_with(|| a.name.cmp(&b.name))
}
