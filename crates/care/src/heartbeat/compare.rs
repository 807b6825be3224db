//! Finds near-duplicates among the facts that hold, and facts that do not agree.
//!
//! Two texts with enough words in common share at least one of their rarest words, so only facts that meet there are
//! compared: a pass over thousands of facts is cheap and misses none.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::review::last_seen;
use mindfile::fact::{Disagreement, FactRecord};
use mindfile::reflect::alike::{Relation, SAME, Vocabulary, may_say_the_same, relation};
use mindfile_ranking::fact::disagreements;

/// A fact is compared with so many others at most: a thousand copies of one line are found by any fifty of them.
const COMPARED: usize = 50;

/// What the facts say of each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FactComparison {
    /// Groups of facts that nearly say the same, the newest of each first.
    pub clusters: Vec<Vec<FactRecord>>,
    /// Pairs that do not agree.
    pub disagreements: Vec<Disagreement>,
}

/// Keyed memories are left out: a key has one value at a time.
pub fn compare(facts: &[FactRecord], today: Date) -> FactComparison {
    let mut standing: Vec<&FactRecord> =
        facts.iter().filter(|fact| fact.holds(today) && fact.key.is_none()).collect();
    standing.sort_by(|a, b| {
        last_seen(b).cmp(&last_seen(a)).then_with(|| (&a.path, a.line).cmp(&(&b.path, b.line)))
    });
    let mut groups: Vec<usize> = (0..standing.len()).collect();
    let words = words_of(&standing);
    each_candidate(&words, |newer, older| {
        // What takes long is done for those few that it can join.
        let may_join = may_say_the_same(&words[newer], &words[older]);
        if may_join && relation(standing[newer], standing[older]) == Relation::Same {
            join(&mut groups, newer, older);
        }
    });
    let clusters = clusters(&standing, &mut groups);
    FactComparison { clusters, disagreements: disagreements(facts, today) }
}

/// The content words of each fact.
fn words_of(facts: &[&FactRecord]) -> Vec<Vec<u32>> {
    let mut vocabulary = Vocabulary::default();
    facts.iter().map(|fact| vocabulary.of(&fact.text)).collect()
}

/// Calls `visit` once with each pair that may share enough words, the smaller number first.
fn each_candidate(words: &[Vec<u32>], mut visit: impl FnMut(usize, usize)) {
    let most = words.iter().flatten().max().map_or(0, |most| *most as usize + 1);
    let mut common = vec![0_u32; most];
    for word in words.iter().flatten() {
        common[*word as usize] += 1;
    }
    let mut met: Vec<Vec<usize>> = vec![Vec::new(); most];
    let mut known: Vec<usize> = Vec::new();
    for (at, words) in words.iter().enumerate() {
        let mut rarest = words.clone();
        rarest.sort_unstable_by_key(|word| (common[*word as usize], *word));
        rarest.truncate(deciding(words.len()));
        known.clear();
        known.extend(rarest.iter().flat_map(|word| &met[*word as usize]));
        known.sort_unstable();
        known.dedup();
        known.iter().take(COMPARED).for_each(|before| visit(*before, at));
        for word in rarest {
            // The first of all are among the first of each.
            let met = &mut met[word as usize];
            if met.len() < COMPARED {
                met.push(at);
            }
        }
    }
}

/// How many of the rarest words must be looked at, so that two texts with enough in common meet in one of them.
fn deciding(words: usize) -> usize {
    let shared = (SAME * words as f32).ceil() as usize;
    words - shared.min(words) + 1
}

fn find(groups: &mut [usize], mut at: usize) -> usize {
    while groups[at] != at {
        groups[at] = groups[groups[at]];
        at = groups[at];
    }
    at
}

fn join(groups: &mut [usize], a: usize, b: usize) {
    let a = find(groups, a);
    let b = find(groups, b);
    groups[a.max(b)] = a.min(b);
}

fn clusters(facts: &[&FactRecord], groups: &mut [usize]) -> Vec<Vec<FactRecord>> {
    let mut together: BTreeMap<usize, Vec<&FactRecord>> = BTreeMap::new();
    for (at, fact) in facts.iter().enumerate() {
        together.entry(find(groups, at)).or_default().push(fact);
    }
    let groups = together.into_values().filter(|group| group.len() > 1);
    groups.map(|group| group.into_iter().cloned().collect()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::civil::date;

    use super::*;
    use crate::heartbeat::sample::fact;

    #[test]
    fn near_duplicates_are_gathered_and_what_does_not_agree_is_paired() {
        let facts = [
            fact("- W @api: The rate limit is 100 requests per minute ^a", 1),
            fact("- W @api: Rate limit is 100 requests per minute ^b", 3),
            fact("- W @api: Rate limit is 200 requests per minute ^c", 3),
            fact("- O @peter: Peter likes the new office chairs ^d", 1),
            fact("- O @peter: Peter does not like the new office chairs ^e", 2),
            fact("- W @peter: Peter plays chess ^f", 2),
        ];
        let found = compare(&facts, date(2026, 3, 1));
        let clusters: Vec<Vec<&str>> =
            found.clusters.iter().map(|group| group.iter().map(|f| f.id.as_str()).collect()).collect();
        assert_eq!(clusters, [["b", "a"]]);
        let pairs: Vec<(&str, &str)> =
            found.disagreements.iter().map(|one| (one.newer.id.as_str(), one.older.id.as_str())).collect();
        assert_eq!(pairs, [("e", "d"), ("c", "a"), ("c", "b")]);
    }

    #[test]
    fn no_pair_that_comparing_all_finds_is_missed() {
        let word = |n: usize| {
            format!("{}{}ra", char::from(b'b' + (n % 24) as u8), char::from(b'b' + (n / 7 % 24) as u8))
        };
        let facts: Vec<FactRecord> = (0..150_usize)
            .map(|n| {
                let text: Vec<String> = (0..6).map(|k| word(n / 3 * 5 + k * (1 + n % 2))).collect();
                let not = if n % 5 == 0 { "never " } else { "" };
                fact(&format!("- W @a: {not}{} ^f{n}", text.join(" ")), 1)
            })
            .collect();
        let refs: Vec<&FactRecord> = facts.iter().collect();
        let mut found = BTreeSet::new();
        each_candidate(&words_of(&refs), |newer, older| assert!(found.insert((newer, older))));
        let words = words_of(&refs);
        let mut near = 0;
        for older in 0..facts.len() {
            for newer in 0..older {
                if relation(&facts[newer], &facts[older]) == Relation::Same {
                    near += 1;
                    assert!(may_say_the_same(&words[newer], &words[older]), "{newer} {older}");
                    assert!(found.contains(&(newer, older)), "{newer} {older}");
                }
            }
        }
        assert!(near >= 30 && found.len() < facts.len() * facts.len() / 8, "{near} of {}", found.len());
    }

    #[test]
    fn a_fact_is_compared_with_the_newest_that_share_a_word_however_many_do() {
        let facts: Vec<FactRecord> =
            (0..3 * COMPARED).map(|n| fact(&format!("- W @a: common words ^f{n}"), 1)).collect();
        let refs: Vec<&FactRecord> = facts.iter().collect();
        let mut met = vec![Vec::new(); facts.len()];
        each_candidate(&words_of(&refs), |newer, older| met[older].push(newer));
        for (at, met) in met.into_iter().enumerate() {
            assert_eq!(met, (0..at.min(COMPARED)).collect::<Vec<_>>());
        }
    }
}
