//! How entities hang together: which facts name them, which two are named by one fact, and what that is worth.
//!
//! An entity that few facts name says more than one that hundreds do. `idf_weight` is 1 / ln(n + 1) for one that n facts
//! name, and a pair weighs the number of facts that name both times the weights of both.

pub mod draw;

use std::collections::HashMap;

use mindfile_index::Doc;

/// An entity within one graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity(u32);

#[derive(Debug, Clone, PartialEq)]
pub struct Stat {
    pub name: String,
    pub fact_count: u32,
    pub idf_weight: f64,
}

/// An entity that facts name together with another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    pub entity: Entity,
    pub cooccur_count: u32,
    pub cooccur_weight: f64,
}

#[derive(Debug, Clone, Default)]
pub struct Graph {
    names: Vec<String>,
    known: HashMap<String, Entity>,
    facts: Vec<Vec<Doc>>,
    /// Heaviest first, then by name.
    neighbours: Vec<Vec<Neighbour>>,
    total: usize,
}

impl Graph {
    /// The graph of facts, each with the canonical names of its entities.
    pub fn of<'a>(facts: impl IntoIterator<Item = (Doc, &'a [String])>) -> Self {
        let mut graph = Self::default();
        let mut pairs: HashMap<(Entity, Entity), u32> = HashMap::new();
        for (doc, names) in facts {
            graph.total += 1;
            let mut named: Vec<Entity> = names.iter().map(|name| graph.entity_of(name)).collect();
            named.sort_unstable();
            named.dedup();
            for (at, a) in named.iter().enumerate() {
                graph.facts[a.index()].push(doc);
                for b in &named[at + 1..] {
                    *pairs.entry((*a, *b)).or_default() += 1;
                }
            }
        }
        graph.connect(&pairs);
        graph
    }

    fn entity_of(&mut self, name: &str) -> Entity {
        if let Some(entity) = self.known.get(name) {
            return *entity;
        }
        let entity = Entity(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), entity);
        self.facts.push(Vec::new());
        entity
    }

    fn connect(&mut self, pairs: &HashMap<(Entity, Entity), u32>) {
        self.neighbours = vec![Vec::new(); self.names.len()];
        for ((a, b), count) in pairs {
            let weight = f64::from(*count) * self.idf_weight(*a) * self.idf_weight(*b);
            for (from, to) in [(a, b), (b, a)] {
                let neighbour = Neighbour { entity: *to, cooccur_count: *count, cooccur_weight: weight };
                self.neighbours[from.index()].push(neighbour);
            }
        }
        let names = &self.names;
        for neighbours in &mut self.neighbours {
            neighbours.sort_by(|a, b| {
                let by_name = || names[a.entity.index()].cmp(&names[b.entity.index()]);
                b.cooccur_weight.total_cmp(&a.cooccur_weight).then_with(by_name)
            });
        }
    }

    pub fn find(&self, name: &str) -> Option<Entity> {
        self.known.get(name).copied()
    }

    pub fn name(&self, entity: Entity) -> &str {
        &self.names[entity.index()]
    }

    /// The facts that name it.
    pub fn facts(&self, entity: Entity) -> &[Doc] {
        &self.facts[entity.index()]
    }

    pub fn neighbours(&self, entity: Entity) -> &[Neighbour] {
        &self.neighbours[entity.index()]
    }

    pub fn fact_count(&self, entity: Entity) -> u32 {
        u32::try_from(self.facts(entity).len()).unwrap_or(u32::MAX)
    }

    pub fn idf_weight(&self, entity: Entity) -> f64 {
        idf_weight(self.fact_count(entity))
    }

    /// How many facts the graph was made of, with entities or without.
    pub fn total(&self) -> usize {
        self.total
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Every entity, the most frequent first, then by name.
    pub fn stats(&self) -> Vec<Stat> {
        let entities = (0..self.names.len()).map(|at| Entity(u32::try_from(at).unwrap_or(u32::MAX)));
        let mut stats: Vec<Stat> = entities.map(|entity| self.stat(entity)).collect();
        stats.sort_by(|a, b| b.fact_count.cmp(&a.fact_count).then_with(|| a.name.cmp(&b.name)));
        stats
    }

    pub fn stat(&self, entity: Entity) -> Stat {
        Stat {
            name: self.name(entity).to_owned(),
            fact_count: self.fact_count(entity),
            idf_weight: self.idf_weight(entity),
        }
    }
}

impl Entity {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an entity that `count` facts name is worth; nothing where no fact names it.
pub fn idf_weight(count: u32) -> f64 {
    if count == 0 { 0.0 } else { 1.0 / (f64::from(count) + 1.0).ln() }
}

#[cfg(test)]
mod tests {
    use mindfile_index::Shelf;

    use super::*;

    fn graph(facts: &[&[&str]]) -> Graph {
        let named: Vec<Vec<String>> =
            facts.iter().map(|names| names.iter().map(|name| (*name).to_owned()).collect()).collect();
        Graph::of(
            named.iter().enumerate().map(|(at, names)| (Doc::new(Shelf::Facts, at as u32), names.as_slice())),
        )
    }

    fn shown(graph: &Graph, name: &str) -> Vec<(String, u32)> {
        let entity = graph.find(name).unwrap();
        let neighbours = graph.neighbours(entity).iter();
        neighbours.map(|n| (graph.name(n.entity).to_owned(), n.cooccur_count)).collect()
    }

    #[test]
    fn a_pair_is_found_from_both_ends() {
        let graph = graph(&[&["a", "b"], &["b", "a"], &["b", "c"], &[]]);
        assert_eq!(shown(&graph, "a"), [("b".to_owned(), 2)]);
        assert_eq!(shown(&graph, "b"), [("a".to_owned(), 2), ("c".to_owned(), 1)]);
        assert_eq!(graph.total(), 4);
    }

    #[test]
    fn a_name_twice_in_one_fact_counts_once() {
        let graph = graph(&[&["a", "a", "b"]]);
        assert_eq!(graph.fact_count(graph.find("a").unwrap()), 1);
        assert_eq!(shown(&graph, "a"), [("b".to_owned(), 1)]);
    }

    #[test]
    fn weights_are_those_of_the_documented_formula() {
        let graph = graph(&[&["hub", "x"], &["hub"], &["hub", "y"], &["x"]]);
        let (hub, x) = (graph.find("hub").unwrap(), graph.find("x").unwrap());
        assert!((graph.idf_weight(hub) - 1.0 / 4.0_f64.ln()).abs() < 1e-12);
        let to_x = graph.neighbours(hub).iter().find(|n| n.entity == x).unwrap();
        assert!((to_x.cooccur_weight - (1.0 / 4.0_f64.ln()) * (1.0 / 3.0_f64.ln())).abs() < 1e-12);
        assert_eq!(idf_weight(0), 0.0);
    }

    #[test]
    fn the_rarer_of_two_neighbours_comes_first() {
        let graph = graph(&[&["a", "hub"], &["a", "rare"], &["hub"], &["hub"], &["hub"]]);
        assert_eq!(shown(&graph, "a"), [("rare".to_owned(), 1), ("hub".to_owned(), 1)]);
    }
}
