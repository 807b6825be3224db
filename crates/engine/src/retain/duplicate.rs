//! Whether a memory knows already what a new fact says.

use std::collections::BTreeSet;

use mindfile_index::{Doc, EntityQuery, FactQuery, Filter, Snapshot};
use mindfile_note::agree::Statement;
use mindfile_note::alias;
use mindfile_note::words;
use mindfile_ranking::fact::{FactRecord, Uses, load};

use crate::error::Error;

/// How many facts are compared.
const COMPARED: usize = 12;
/// The share of terms that two texts have in common from which on they say the same.
const SAME_WORDS: f32 = 0.8;
/// Less of the words will do where the meaning is that close.
const SAME_MEANING: f32 = 0.93;
const FEW_WORDS: f32 = 0.55;

/// What a new fact would repeat.
#[derive(Debug, Clone, PartialEq)]
pub struct Duplicate {
    pub fact: FactRecord,
    /// The same words, whatever their case and punctuation.
    pub exact: bool,
}

/// A fact as it is compared.
pub(super) struct NewStatement<'a> {
    pub(super) text: &'a str,
    pub(super) entities: &'a [String],
    pub(super) vector: Option<&'a [f32]>,
    pub(super) today: jiff::civil::Date,
}

/// `trusted`: something that is only alike and that nobody trusts does not stand in the way.
pub(super) fn find(
    snapshot: &dyn Snapshot,
    new: &NewStatement<'_>,
    trusted: bool,
) -> Result<Option<Duplicate>, Error> {
    let terms = words::query(new.text).terms;
    let docs = snapshot.find_facts(FactQuery::Sharing(&terms), &Filter::default(), COMPARED)?.concat();
    if docs.is_empty() {
        return Ok(None);
    }
    let (said, people) = (FactText::of(new.text), people(new.entities, snapshot)?);
    let records = load::records(snapshot, &docs, &Uses::new())?;
    let mut best: Option<(f32, Duplicate)> = None;
    for (fact, doc) in records.into_iter().zip(docs) {
        if !fact.holds(new.today) || fact.key.is_some() || !same_people(&fact, &people) {
            continue;
        }
        let cosine = || new.cosine(snapshot, doc);
        let Some((score, exact)) = said.likeness(&FactText::of(&fact.text), cosine)? else { continue };
        if trusted && !exact && !fact.origin.is_trusted() {
            continue;
        }
        if best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, Duplicate { fact, exact }));
        }
    }
    Ok(best.map(|(_, duplicate)| duplicate))
}

impl NewStatement<'_> {
    fn cosine(&self, snapshot: &dyn Snapshot, doc: Doc) -> Result<f32, Error> {
        let chunks = snapshot.chunks(&[doc])?;
        let other = chunks.first().and_then(|chunk| chunk.embedding.vector());
        let products = self.vector.unwrap_or(&[]).iter().zip(other.unwrap_or(&[])).map(|(a, b)| a * b);
        Ok(products.sum())
    }
}

/// What a text says, as it is compared.
struct FactText<'a> {
    text: &'a str,
    /// Its words.
    plain: String,
    /// Its numbers, in their order.
    numbers: Vec<String>,
    is_negated: bool,
}

impl<'a> FactText<'a> {
    fn of(text: &'a str) -> Self {
        let plain = normalised(text);
        let numbers =
            plain.split(' ').filter(|word| word.contains(char::is_numeric)).map(str::to_owned).collect();
        Self { text, plain, numbers, is_negated: Statement::of(text).is_negated() }
    }

    /// How alike two texts are, if they say the same; and whether in the same words. How close their meanings are is
    /// asked only where it decides.
    fn likeness(
        &self,
        other: &FactText<'_>,
        cosine: impl FnOnce() -> Result<f32, Error>,
    ) -> Result<Option<(f32, bool)>, Error> {
        if self.plain == other.plain {
            return Ok(Some((2.0, true)));
        }
        // "port 8080" and "port 8081", "likes" and "does not like" are all words but the one that matters.
        if self.numbers != other.numbers || self.is_negated != other.is_negated {
            return Ok(None);
        }
        let (own, others) = (term_set(self.text), term_set(other.text));
        let common = own.intersection(&others).count() as f32;
        let jaccard = common / (own.union(&others).count() as f32).max(1.0);
        let same = jaccard >= SAME_WORDS || (jaccard >= FEW_WORDS && cosine()? >= SAME_MEANING);
        Ok(same.then_some((jaccard, false)))
    }
}

/// Lower case, words only.
pub(crate) fn normalised(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

fn term_set(text: &str) -> BTreeSet<String> {
    words::terms(text).into_iter().filter(|term| !words::is_stop(term)).collect()
}

/// The names in force of whom a new fact is about.
pub(super) fn people(entities: &[String], snapshot: &dyn Snapshot) -> Result<BTreeSet<String>, Error> {
    let names: Vec<String> =
        entities.iter().map(|entity| alias::canonical(entity).unwrap_or_default()).collect();
    let asked: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = snapshot.entities(EntityQuery::Named(&asked), &Filter::default())?;
    let known = found.into_iter().map(|entity| entity.known().map(|entity| entity.name));
    Ok(names.iter().zip(known).map(|(name, known)| known.unwrap_or_else(|| name.clone())).collect())
}

/// "is on holiday" is another fact for another person: one must be about all that the other is about.
fn same_people(fact: &FactRecord, names: &BTreeSet<String>) -> bool {
    let known: BTreeSet<String> = fact.entities.iter().cloned().collect();
    names.is_subset(&known) || known.is_subset(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, expected: Option<bool>) {
        let likeness = FactText::of(a).likeness(&FactText::of(b), || Ok(0.0)).unwrap();
        assert_eq!(likeness.map(|(_, exact)| exact), expected, "{a} / {b}");
    }

    #[test]
    fn the_same_words_are_a_duplicate_however_they_are_set() {
        check("Sarah leads the team.", "sarah  leads the TEAM", Some(true));
        check(
            "Rate limiting is 100 requests per minute",
            "The rate limit is 100 requests per minute",
            Some(false),
        );
        check("Sarah leads the data team", "Sarah left the data team in spring", None);
    }

    #[test]
    fn a_number_or_a_negation_makes_another_fact() {
        check("The staging port is 8080 now", "The staging port is 8081 now", None);
        check("Room 3 is booked on day 4", "Room 4 is booked on day 3", None);
        check("Peter likes the new office chairs", "Peter does not like the new office chairs", None);
        check("Peter likes the new office chairs", "Peter doesn't like the new office chairs", None);
    }
}
