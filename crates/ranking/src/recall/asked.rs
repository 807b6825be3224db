//! The words of a question, each with what it weighs and how near a fact comes to it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use mindfile_index::{Entity, Form};
use mindfile_model::{EmbeddedTable, Interaction};
use mindfile_note::words::{self, Unit};

use super::facts::{Facts, ShelvedFact};
use super::lexicon::Lexicon;
use super::traverse::damping;
use super::wanted::{AnswerSort, is_open, is_question};
use crate::error::Error;
use crate::fact::FactRecord;
use crate::search::is_german;

/// Words that say that something is asked, not what: asking for them finds nothing. Stop words are left out anyway.
static ASKING: LazyLock<HashSet<String>> = LazyLock::new(|| {
    words::terms(
        "know known remember recall remind happen happened happening anything something nothing everything anyone someone \
         anybody somebody thing things stuff latest recent recently update updates info information details current \
         currently nowadays now still already find show give need want us people way make made kind sort out look going \
         use used using able should could",
    )
    .into_iter()
    .collect()
});

/// The most words that one entity's name may have in a question.
const LONGEST_NAME: usize = 3;

/// One word of the question, or several that are one name.
struct Word {
    terms: Vec<String>,
    /// Its tokens among the tokens of the question.
    tokens: Range<usize>,
    /// What finding it is worth: its rarity among the facts.
    weight: f32,
    /// The entity that it names.
    entity: Option<Entity>,
    /// Whether it is written as a name: with a capital within the sentence, with `@`, or as a compound.
    is_name: bool,
    /// Whether any fact has it.
    is_known: bool,
    /// Other forms of it that facts have.
    forms: Vec<Form>,
}

/// Something that the question names.
struct QuestionName {
    /// None: no fact knows the name.
    name: Option<String>,
    /// How much a fact's being about it tells.
    says: f32,
}

/// The question, ready to be compared with facts.
pub(super) struct Question<'a> {
    pub(super) text: &'a str,
    /// Whether it is in a language that the table does not know.
    pub(super) is_foreign: bool,
    /// How many facts there are.
    pub(super) facts: usize,
    words: Vec<Word>,
    names: Vec<QuestionName>,
    interaction: Interaction,
    total: f32,
    /// What its words weigh that name nothing.
    pub(super) rest: f32,
    pub(super) wanted: AnswerSort,
    pub(super) is_open: bool,
}

/// How a fact answers the question, each value about 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Nearness {
    /// The share of the question's weight that the fact has, where a word that does not stand in it counts as much as its
    /// nearest there.
    pub(super) near: f32,
    /// The same for the words that name nothing.
    pub(super) rest: f32,
    /// The share of what is named that the fact is about.
    pub(super) names: f32,
}

impl<'a> Question<'a> {
    pub(super) fn new(text: &'a str, lexicon: &Lexicon, facts: &dyn Facts) -> Result<Self, Error> {
        let table = EmbeddedTable::open();
        let capitals_name = !(lexicon.is_foreign && is_german(text));
        let (mut words, mut tokens) = (Vec::new(), Vec::new());
        for part in parts(text, capitals_name, facts)? {
            for mut word in part.weigh(lexicon) {
                let from = tokens.len();
                if word.terms.iter().any(|term| lexicon.is_understood(term)) {
                    tokens.extend(table.tokens(&part.text).into_iter().map(|token| (token, 1.0)));
                }
                word.tokens = from..tokens.len();
                words.push(word);
            }
        }
        let total = facts.total()?;
        Ok(Self {
            text,
            is_foreign: lexicon.is_foreign,
            facts: lexicon.facts,
            names: words.iter().filter_map(|word| QuestionName::of(word, total)).collect(),
            interaction: Interaction::new(&table, &tokens),
            total: words.iter().map(|word| word.weight).sum(),
            rest: words.iter().filter(|word| word.is_rest()).map(|word| word.weight).sum(),
            wanted: AnswerSort::by(text),
            // Which words speculate is known in English alone: what is asked elsewhere is taken to be a fact.
            is_open: is_open(text) && !(lexicon.is_foreign && is_question(text)),
            words,
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The entities that it names.
    pub(super) fn entities(&self) -> impl Iterator<Item = &Entity> {
        self.words.iter().filter_map(|word| word.entity.as_ref())
    }

    /// Whether it names an entity of the fact.
    pub(super) fn names_any_of(&self, fact: &FactRecord) -> bool {
        self.entities().any(|entity| fact.entities.contains(&entity.name))
    }

    /// The share of what it names that no fact knows; None where it names nothing.
    pub(super) fn names_unknown(&self) -> Option<f32> {
        let unknown = self.names.iter().filter(|named| named.name.is_none()).count();
        (!self.names.is_empty()).then(|| unknown as f32 / self.names.len() as f32)
    }

    /// Whether it names entities and asks nothing in particular about them.
    pub(super) fn is_overview(&self) -> bool {
        self.wanted == AnswerSort::Anything && self.words.iter().all(|word| word.entity.is_some())
    }

    /// Whether a fact has the sort of thing that is asked for.
    pub(super) fn sort_is_in(&self, fact: &ShelvedFact) -> bool {
        self.wanted.is_in(fact, self.text)
    }

    pub(super) fn nearness(&mut self, fact: &ShelvedFact) -> Nearness {
        let best = self.interaction.score(&fact.tokens).best;
        let (mut near, mut rest) = (0.0, 0.0);
        for word in &self.words {
            let stands = word.terms.iter().any(|term| fact.terms.contains(term));
            let instead = || soft(&best[word.tokens.clone()]).max(word.formed(fact));
            let hit = word.weight * if stands { 1.0 } else { instead() };
            near += hit;
            if word.is_rest() {
                rest += hit;
            }
        }
        let share = |part: f32, whole: f32| if whole > 0.0 { part / whole } else { 0.0 };
        let near = share(near, self.total);
        Nearness { near, rest: share(rest, self.rest), names: self.share_of_names(fact, near) }
    }

    /// The share of what is named that a fact is about. A hub, and a common word that happens to be a tag, say less than a
    /// rare name: for the rest of their weight, and where nothing is named, `near` has to do.
    fn share_of_names(&self, fact: &ShelvedFact, near: f32) -> f32 {
        if self.names.is_empty() {
            return near;
        }
        let one = |named: &QuestionName| {
            let about = named.name.as_ref().is_some_and(|name| fact.fact.entities.contains(name));
            let about = if about { 1.0 } else { 0.0 };
            named.says * about + (1.0 - named.says) * near
        };
        self.names.iter().map(one).sum::<f32>() / self.names.len() as f32
    }
}

impl Word {
    /// Whether it names nothing.
    fn is_rest(&self) -> bool {
        self.entity.is_none() && (self.is_known || !self.is_name)
    }

    /// How much of it a fact has in another form.
    fn formed(&self, fact: &ShelvedFact) -> f32 {
        let had = self.forms.iter().filter(|form| fact.terms.contains(&form.term));
        had.map(|form| form.similarity).fold(0.0, f32::max)
    }
}

impl QuestionName {
    /// What a tag counts that the question does not write as a name.
    const COMMON: f32 = 0.5;

    fn of(word: &Word, total: usize) -> Option<Self> {
        match &word.entity {
            Some(entity) => {
                let marked = if word.is_name { 1.0 } else { Self::COMMON };
                Some(Self { name: Some(entity.name.clone()), says: marked * damping(entity.facts, total) })
            }
            None => (word.is_name && !word.is_known).then_some(Self { name: None, says: 1.0 }),
        }
    }
}

/// A piece of the question before it is weighed.
struct Piece {
    text: String,
    entity: Option<Entity>,
    is_name: bool,
}

/// The words of a question without the marks around them; those that are one entity's name together are one part.
/// `capitals_name` says whether a capital letter within the sentence begins a name.
fn parts(text: &str, capitals_name: bool, facts: &dyn Facts) -> Result<Vec<Piece>, Error> {
    let raw: Vec<&str> = text.split_whitespace().collect();
    let known = NamedEntities::of(&raw, facts)?;
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < raw.len() {
        let (entity, length) = known.at(&raw[at..]);
        let words: Vec<&str> = raw[at..at + length].iter().map(|word| bare(word)).collect();
        let text = words.join(" ");
        if !text.is_empty() {
            let is_name =
                length > 1 || is_marked(raw[at], &text) || (capitals_name && at > 0 && is_capital(&text));
            parts.push(Piece { text, entity, is_name });
        }
        at += length;
    }
    Ok(parts)
}

/// The entities that words of a question could name, asked for at once.
struct NamedEntities(HashMap<String, Entity>);

impl NamedEntities {
    fn of(raw: &[&str], facts: &dyn Facts) -> Result<Self, Error> {
        let at = |at: usize| names_at(&raw[at..]).map(|(name, _)| name);
        let mut names: Vec<String> = (0..raw.len()).flat_map(at).collect();
        names.sort();
        names.dedup();
        let entities = facts.entities(&names)?;
        let known = names.into_iter().zip(entities).filter_map(|(name, entity)| Some((name, entity?)));
        Ok(Self(known.collect()))
    }

    /// The entity that the first words name, and how many words that takes; one word that names nothing is one.
    fn at(&self, raw: &[&str]) -> (Option<Entity>, usize) {
        let found = names_at(raw).find_map(|(name, length)| Some((self.0.get(&name)?, length)));
        found.map_or((None, 1), |(entity, length)| (Some(entity.clone()), length))
    }
}

/// The names that the first words could be, the longest first, each with how many words it takes.
fn names_at(raw: &[&str]) -> impl Iterator<Item = (String, usize)> {
    let lengths = (1..=LONGEST_NAME.min(raw.len())).rev();
    lengths.flat_map(|length| {
        let words: Vec<String> = raw[..length].iter().map(|word| bare(word).to_lowercase()).collect();
        let whole = !words.iter().any(String::is_empty);
        let spellings = [words.join("-"), words.join("_")].into_iter();
        spellings.take(if length == 1 { 1 } else { 2 }).filter(move |_| whole).map(move |name| (name, length))
    })
}

impl Piece {
    /// Its words that say something of what is asked: itself, or, in a script without spaces, what it is made of.
    fn weigh(&self, lexicon: &Lexicon) -> Vec<Word> {
        let terms = whole_terms(&self.text);
        let is_made_of = lexicon.is_foreign && self.entity.is_none();
        let (pairs, whole): (Vec<String>, Vec<String>) =
            terms.into_iter().partition(|term| is_made_of && words::unit(term) != Unit::Word);
        let all = pairs.into_iter().map(|pair| vec![pair]).chain([whole]);
        all.filter_map(|terms| self.word(terms, lexicon)).collect()
    }

    fn word(&self, terms: Vec<String>, lexicon: &Lexicon) -> Option<Word> {
        let content = terms.iter().filter(|term| !ASKING.contains(*term));
        let weight = content.filter_map(|term| lexicon.weight(term)).fold(0.0, f32::max);
        (weight > 0.0).then(|| Word {
            weight,
            tokens: 0..0,
            entity: self.entity.clone(),
            is_name: self.is_name,
            is_known: terms.iter().any(|term| lexicon.is_heard(term)),
            forms: terms.iter().flat_map(|term| lexicon.forms(term)).cloned().collect(),
            terms,
        })
    }
}

/// The terms that a word is found by: a compound as a whole, so that `orders-db` is not found in `audit-db`.
fn whole_terms(text: &str) -> Vec<String> {
    let terms = words::terms(text);
    let is_compound = |term: &&String| term.contains(|c: char| !c.is_alphanumeric());
    let whole: Vec<String> = terms.iter().filter(is_compound).cloned().collect();
    if whole.is_empty() { terms } else { whole }
}

fn is_marked(raw: &str, text: &str) -> bool {
    raw.starts_with('@') || text.contains(['-', '_', '/', '.'])
}

fn is_capital(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase)
}

/// A word without the marks around it and without `'s`.
fn bare(word: &str) -> &str {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

fn soft(best: &[f32]) -> f32 {
    let sum: f32 = best.iter().map(|cosine| cosine.max(0.0)).sum();
    if best.is_empty() { 0.0 } else { sum / best.len() as f32 }
}
