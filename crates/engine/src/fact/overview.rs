//! The whole memory as a picture: its strongest entities, what connects them, and which of them belong together.

use jiff::civil::Date;
use mindfile_index::{FactQuery, Filter, single};

use super::{AsOf, FactRecord, Hub, load};
use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fact::graph::{Graph, Stat};
use crate::view::Freshness;
use crate::viewer::Viewer;

/// After so many rounds clusters that still change hands stay where they are.
const ROUNDS: usize = 20;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overview {
    /// The most frequent first.
    pub entities: Vec<Shown>,
    /// Two places in `entities`, the lower first; the heaviest first.
    pub pairs: Vec<Pair>,
    /// How many there are in all.
    pub total: usize,
    /// The first and the last day on which a fact was seen.
    pub days: Option<(Date, Date)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub name: String,
    pub spelled: String,
    pub facts: u32,
    pub hub: Hub,
    /// The place of the strongest entity of its cluster.
    pub cluster: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    pub a: usize,
    pub b: usize,
    pub together: u32,
    pub weight: f64,
}

/// The `most` most frequent entities, of facts that hold; on a day, if one is named.
pub fn overview(corpus: &Corpus, viewer: Viewer, day: Option<Date>, most: usize) -> Result<Overview, Error> {
    let view = corpus.view(viewer, Freshness::Refresh)?;
    let snapshot = view.snapshot()?;
    let docs = single::list(&*snapshot, FactQuery::All)?;
    let facts = load::records(&*snapshot, &docs, &*corpus.journal.uses()?)?;
    let as_of = AsOf { today: clock::today(&*corpus.clock), asked: day };
    let trusted = || facts.iter().zip(&docs).filter(|(fact, _)| fact.origin.is_trusted());
    let seen: Vec<Date> = trusted().filter_map(|(fact, _)| fact.since()).collect();
    let held = trusted().filter(|(fact, _)| as_of.holds(fact));
    let graph = Graph::of(held.map(|(fact, doc): (&FactRecord, _)| (*doc, fact.entities.as_slice())));
    let stats = graph.stats();
    let names: Vec<&str> = stats.iter().take(most).map(|stat| stat.name.as_str()).collect();
    let spelled = snapshot.spellings(&names, &Filter::default())?;
    let pairs = pairs(&graph, &names);
    let clusters = clusters(names.len(), &pairs);
    let one = |((stat, spelled), cluster): ((&Stat, Option<String>), usize)| Shown {
        spelled: spelled.unwrap_or_else(|| stat.name.clone()),
        facts: stat.fact_count,
        hub: Hub::of(stat.fact_count, graph.total()),
        name: stat.name.clone(),
        cluster,
    };
    Ok(Overview {
        entities: stats.iter().zip(spelled).zip(clusters).map(one).collect(),
        pairs,
        total: graph.len(),
        days: seen.iter().min().copied().zip(seen.iter().max().copied()),
    })
}

fn pairs(graph: &Graph, names: &[&str]) -> Vec<Pair> {
    let place = |name: &str| names.iter().position(|shown| *shown == name);
    let mut pairs: Vec<Pair> = Vec::new();
    for (a, name) in names.iter().enumerate() {
        let Some(entity) = graph.find(name) else { continue };
        let met = graph.neighbours(entity).iter();
        let with = met.filter_map(|met| Some((place(graph.name(met.entity))?, met)));
        pairs.extend(with.filter(|(b, _)| a < *b).map(|(b, met)| Pair {
            a,
            b,
            together: met.cooccur_count,
            weight: met.cooccur_weight,
        }));
    }
    pairs.sort_by(|x, y| y.weight.total_cmp(&x.weight).then_with(|| (x.a, x.b).cmp(&(y.a, y.b))));
    pairs
}

/// The cluster of each entity: it belongs where its heaviest connections are, and a cluster is named by its strongest member.
/// Entities decide in turn, the weakest first, so that the same graph always has the same clusters.
fn clusters(count: usize, pairs: &[Pair]) -> Vec<usize> {
    let mut cluster: Vec<usize> = (0..count).collect();
    for _ in 0..ROUNDS {
        let before = cluster.clone();
        for entity in (0..count).rev() {
            let mut pull: Vec<(usize, f64)> = Vec::new();
            for pair in pairs.iter().filter(|pair| pair.a == entity || pair.b == entity) {
                let other = cluster[if pair.a == entity { pair.b } else { pair.a }];
                match pull.iter_mut().find(|(known, _)| *known == other) {
                    Some((_, weight)) => *weight += pair.weight,
                    None => pull.push((other, pair.weight)),
                }
            }
            let strongest = pull.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
            cluster[entity] = strongest.map_or(entity, |(other, _)| other);
        }
        if cluster == before {
            break;
        }
    }
    let head = |of: usize| cluster.iter().position(|other| *other == of).unwrap_or(of);
    cluster.iter().map(|of| head(*of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: usize, b: usize, weight: f64) -> Pair {
        Pair { a, b, together: 1, weight }
    }

    #[test]
    fn what_hangs_together_is_one_cluster_named_by_its_strongest() {
        let pairs = [
            pair(0, 2, 3.0),
            pair(0, 4, 2.0),
            pair(2, 4, 2.0),
            pair(1, 3, 3.0),
            pair(1, 5, 2.0),
            pair(3, 5, 2.0),
            pair(4, 5, 0.1),
        ];
        assert_eq!(clusters(7, &pairs), [0, 1, 0, 1, 0, 1, 6]);
    }
}
