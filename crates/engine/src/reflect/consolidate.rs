//! Many facts into few lines, without a model: duplicates folded, opinions weighed against each other, grouped by entity,
//! cut to a number of tokens by priority.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use mindfile_note::fact::Kind;
use mindfile_ranking::fact::FactRecord;

use super::alike::{Relation, relation};
use super::line::Line;
use super::select::{Chosen, Selection};

/// What an opinion is held with that does not say.
pub const UNSAID: f32 = 0.6;
/// How much of its doubt a confirming sighting takes from an opinion, and how much of its confidence a contradicting one
/// leaves.
const CONFIRMS: f32 = 0.2;
const CONTRADICTS: f32 = 0.7;

/// Facts that say the same, as one.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub kind: Kind,
    pub text: String,
    /// The names in force of whom it is about.
    pub names: Vec<String>,
    /// As the newest of the facts spells them.
    pub spelled: Vec<String>,
    /// Every fact it rests on, the one it is worded by first.
    pub cites: Vec<String>,
    pub salience: f32,
    pub priority: f64,
    /// Of an opinion, after all sightings.
    pub confidence: Option<f32>,
    /// Facts that say the opposite, and are older.
    pub against: Vec<String>,
}

impl Item {
    /// A name as this item spells it.
    pub fn spelling(&self, name: &str) -> String {
        let spelled = self.spelled.iter().find(|tag| tag.to_lowercase() == name);
        spelled.map_or_else(|| name.to_owned(), Clone::clone)
    }
}

/// What became of a selection.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Consolidated {
    /// The highest priority first.
    pub items: Vec<Item>,
    /// Facts that were folded into another.
    pub folded: usize,
    /// Facts that a newer one contradicts.
    pub contradicted: usize,
}

pub fn consolidate(selection: &Selection) -> Consolidated {
    let mut newest_first: Vec<&Chosen> = selection.chosen.iter().collect();
    newest_first.sort_by(|a, b| day(&b.fact).cmp(&day(&a.fact)).then_with(|| a.fact.id.cmp(&b.fact.id)));
    let mut heaps: Vec<Heap<'_>> = Vec::new();
    for chosen in newest_first {
        place(chosen, &mut heaps);
    }
    let folded = heaps.iter().map(|heap| heap.same.len() - 1).sum();
    let contradicted = heaps.iter().map(|heap| heap.against.len()).sum();
    let mut items: Vec<Item> = heaps.iter().map(Heap::item).collect();
    items.sort_by(|a, b| b.priority.total_cmp(&a.priority).then_with(|| a.cites.cmp(&b.cites)));
    Consolidated { items, folded, contradicted }
}

fn day(fact: &FactRecord) -> Option<Date> {
    fact.confirmed.max(fact.since())
}

/// Facts that say the same, newest first, and those that say the opposite.
struct Heap<'a> {
    same: Vec<&'a Chosen>,
    against: Vec<&'a Chosen>,
}

fn place<'a>(chosen: &'a Chosen, heaps: &mut Vec<Heap<'a>>) {
    for heap in heaps.iter_mut() {
        match relation(&heap.same[0].fact, &chosen.fact) {
            Relation::Same => return heap.same.push(chosen),
            Relation::Opposite => return heap.against.push(chosen),
            Relation::Apart => {}
        }
    }
    heaps.push(Heap { same: vec![chosen], against: Vec::new() });
}

impl Heap<'_> {
    fn item(&self) -> Item {
        let newest = &self.same[0].fact;
        let ids = |chosen: &[&Chosen]| chosen.iter().map(|chosen| chosen.fact.id.clone()).collect();
        Item {
            kind: newest.kind,
            text: newest.text.clone(),
            names: newest.entities.clone(),
            spelled: newest.spelled.clone(),
            cites: ids(&self.same),
            salience: self.same.iter().map(|chosen| chosen.fact.salience).fold(0.0, f32::max),
            priority: self.same.iter().map(|chosen| chosen.priority).fold(0.0, f64::max),
            confidence: (newest.kind == Kind::Opinion).then(|| self.confidence()),
            against: ids(&self.against),
        }
    }

    /// Sightings on one day count once: who repeats himself in one conversation confirms nothing.
    fn confidence(&self) -> f32 {
        let first = self.same.iter().filter_map(|chosen| chosen.fact.confidence).fold(0.0, f32::max);
        let start = if first > 0.0 { first } else { UNSAID };
        let days =
            |chosen: &[&Chosen]| chosen.iter().map(|chosen| day(&chosen.fact)).collect::<BTreeSet<_>>().len();
        let confirmed = (1..days(&self.same)).fold(start, |c, _| c + (1.0 - c) * CONFIRMS);
        let weighed = (0..days(&self.against)).fold(confirmed, |c, _| c * CONTRADICTS);
        (weighed * 100.0).round() / 100.0
    }
}

/// Items under the entity they are about.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// As spelled; empty for what is about nothing in particular.
    pub entity: String,
    pub lines: Vec<Line>,
}

/// The most important items that fit into `budget` tokens, grouped, and how many did not fit.
pub fn cut(items: &[Item], budget: usize) -> (Vec<Group>, usize) {
    let mut kept: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    let (mut tokens, mut left_out) = (0, 0);
    for item in items {
        let name = item.names.first().map_or("", String::as_str);
        let heading = if kept.contains_key(name) { 0 } else { heading_tokens(name) };
        let more = heading + Line::from(item).tokens();
        if tokens + more > budget {
            left_out += 1;
            continue;
        }
        tokens += more;
        kept.entry(name).or_default().push(item);
    }
    let mut groups: Vec<(f64, Group)> = kept
        .into_iter()
        .map(|(name, items)| {
            let lines = items.iter().copied().map(Line::from).collect();
            (items[0].priority, Group { entity: items[0].spelling(name), lines })
        })
        .collect();
    groups.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.entity.cmp(&b.1.entity)));
    (groups.into_iter().map(|(_, group)| group).collect(), left_out)
}

/// Of `### @entity` and the blank line before it.
fn heading_tokens(entity: &str) -> usize {
    (entity.chars().count() + 8).div_ceil(4)
}
