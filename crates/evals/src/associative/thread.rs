//! Threads: a few facts that hang together, the small talk around them, and the questions they answer. Read from
//! `threads.txt`, whose head says how it is written.

use std::collections::BTreeMap;

use mindfile_note::fact::Kind;

use super::names::{MONTHS, Names, WEEKDAYS};
use crate::random::Random;

const EARLY: &str = include_str!("threads.txt");
const LATE: &str = include_str!("late.txt");

/// A thread as written, with placeholders.
#[derive(Debug, Clone, Default)]
pub(super) struct Thread {
    pub(super) facts: Vec<ThreadFact>,
    /// Facts about the same entities that answer nothing.
    pub(super) asides: Vec<ThreadFact>,
    pub(super) questions: Vec<ThreadQuestion>,
}

#[derive(Debug, Clone)]
pub(super) struct ThreadFact {
    pub(super) kind: Kind,
    pub(super) salience: f32,
    pub(super) tags: Vec<String>,
    pub(super) text: String,
}

#[derive(Debug, Clone)]
pub(super) struct ThreadQuestion {
    pub(super) category: String,
    /// Numbers of facts, from 0.
    pub(super) gold: Vec<usize>,
    pub(super) text: String,
}

/// The threads that weights and words were chosen with.
pub(super) fn early() -> Vec<Thread> {
    read(EARLY)
}

/// The threads written afterwards.
pub(super) fn late() -> Vec<Thread> {
    read(LATE)
}

fn read(text: &str) -> Vec<Thread> {
    let mut threads: Vec<Thread> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        if line.starts_with('=') {
            threads.push(Thread::default());
        } else if let Some(thread) = threads.last_mut() {
            thread.add(line);
        }
    }
    threads
}

impl Thread {
    fn add(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("- ") {
            self.asides.extend(said(rest));
        } else if let Some(rest) = line.strip_prefix(['?', '!']) {
            self.questions.extend(asked(rest));
        } else {
            self.facts.extend(said(line));
        }
    }

    /// The thread with a name in every place, the same name wherever the same place stands.
    pub(super) fn fill(&self, names: &mut Names, random: &mut Random) -> Option<Self> {
        let mut filling = ChosenNames { names, random, chosen: BTreeMap::new() };
        let said = |said: &ThreadFact, filling: &mut ChosenNames<'_>| {
            let tags = said.tags.iter().map(|tag| filling.fill(tag)).collect::<Option<_>>()?;
            Some(ThreadFact { tags, text: filling.fill(&said.text)?, ..said.clone() })
        };
        Some(Self {
            facts: self.facts.iter().map(|fact| said(fact, &mut filling)).collect::<Option<_>>()?,
            asides: self.asides.iter().map(|fact| said(fact, &mut filling)).collect::<Option<_>>()?,
            questions: self
                .questions
                .iter()
                .map(|asked| Some(ThreadQuestion { text: filling.fill(&asked.text)?, ..asked.clone() }))
                .collect::<Option<_>>()?,
        })
    }
}

fn said(line: &str) -> Option<ThreadFact> {
    let (head, text) = line.split_once(": ")?;
    let mut words = head.split_whitespace();
    let kind = Kind::of_letter(words.next()?.chars().next()?)?;
    let salience = words.next()?.parse().ok()?;
    let tags = words.map(|tag| tag.trim_start_matches('@').to_owned()).collect();
    Some(ThreadFact { kind, salience, tags, text: text.to_owned() })
}

fn asked(line: &str) -> Option<ThreadQuestion> {
    let (head, text) = line.split_once(" | ")?;
    let mut words = head.split_whitespace();
    let category = words.next()?.to_owned();
    let gold = words.map(|number| Some(number.parse::<usize>().ok()? - 1)).collect::<Option<_>>()?;
    Some(ThreadQuestion { category, gold, text: text.to_owned() })
}

struct ChosenNames<'a> {
    names: &'a mut Names,
    random: &'a mut Random,
    chosen: BTreeMap<String, String>,
}

impl ChosenNames<'_> {
    fn fill(&mut self, text: &str) -> Option<String> {
        let mut filled = String::new();
        let mut rest = self.choose(text);
        while let Some((before, after)) = rest.split_once('{') {
            let (place, after) = after.split_once('}')?;
            filled.push_str(before);
            filled.push_str(&self.value(place)?);
            rest = after.to_owned();
        }
        filled.push_str(&rest);
        Some(filled)
    }

    /// One of the alternatives between `<` and `>`.
    fn choose(&mut self, text: &str) -> String {
        let Some((before, rest)) = text.split_once('<') else { return text.to_owned() };
        let Some((inner, after)) = rest.split_once('>') else { return text.to_owned() };
        let alternatives: Vec<&str> = inner.split('|').collect();
        format!("{before}{}{after}", self.random.pick(&alternatives))
    }

    fn value(&mut self, place: &str) -> Option<String> {
        if let Some(value) = self.chosen.get(place) {
            return Some(value.clone());
        }
        let value = match place.chars().next()? {
            '#' => {
                let (first, last) = place[1..].split_once('-')?;
                self.random.between(first.parse().ok()?, last.parse().ok()?).to_string()
            }
            'M' => (*self.random.pick(&MONTHS)).to_owned(),
            'W' => (*self.random.pick(&WEEKDAYS)).to_owned(),
            sort => self.names.take(sort)?.to_owned(),
        };
        self.chosen.insert(place.to_owned(), value.clone());
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_threads_is_understood() {
        for text in [EARLY, LATE] {
            check(text);
        }
    }

    fn check(text: &str) {
        let lines = |starts: fn(&str) -> bool| text.lines().filter(|line| starts(line)).count();
        let threads = read(text);
        let facts = lines(|line| line.starts_with(['W', 'B', 'O', 'S']));
        assert_eq!(threads.iter().map(|thread| thread.facts.len()).sum::<usize>(), facts);
        let asides = lines(|line| line.starts_with("- "));
        assert_eq!(threads.iter().map(|thread| thread.asides.len()).sum::<usize>(), asides);
        let questions = lines(|line| line.starts_with(['?', '!']));
        assert_eq!(threads.iter().map(|thread| thread.questions.len()).sum::<usize>(), questions);
    }

    #[test]
    fn gold_names_facts_that_are_there() {
        for thread in early().into_iter().chain(late()) {
            for asked in &thread.questions {
                assert!(asked.gold.iter().all(|&fact| fact < thread.facts.len()), "{asked:?}");
                assert_eq!(asked.gold.is_empty(), asked.category == "near-miss", "{asked:?}");
            }
        }
    }
}
