//! How long a campaign runs: a few cases by default, `MINDFILE_CASES` of them when asked, one with `MINDFILE_SEED`,
//! some with `MINDFILE_SEED=4600..4900`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[expect(clippy::disallowed_methods, reason = "a test is told its length by the environment")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// How many cases to run.
pub(crate) fn count(default: usize) -> usize {
    variable("MINDFILE_CASES").map_or(default, |text| text.parse().expect("MINDFILE_CASES is a number"))
}

/// The seeds of the cases: the first `count` of them, or those that `MINDFILE_SEED` names.
pub(crate) fn seeds(default: usize) -> Vec<u64> {
    let number = |text: &str| text.parse::<u64>().expect("MINDFILE_SEED is a number or a range");
    match variable("MINDFILE_SEED") {
        Some(text) => match text.split_once("..") {
            Some((first, end)) => (number(first)..number(end)).collect(),
            None => vec![number(&text)],
        },
        None => (1..=count(default) as u64).collect(),
    }
}

/// Counts what happened, and says so now and then.
pub(crate) struct Tally {
    name: &'static str,
    begun: Instant,
    said: Instant,
    cases: usize,
    counts: BTreeMap<String, usize>,
}

impl Tally {
    pub(crate) fn new(name: &'static str) -> Self {
        let now = Instant::now();
        Self { name, begun: now, said: now, cases: 0, counts: BTreeMap::new() }
    }

    pub(crate) fn add(&mut self, what: &str, count: usize) {
        *self.counts.entry(what.to_owned()).or_default() += count;
    }

    pub(crate) fn count(&self, what: &str) -> usize {
        self.counts.get(what).copied().unwrap_or(0)
    }

    pub(crate) fn case(&mut self) {
        self.cases += 1;
        if self.said.elapsed() > Duration::from_secs(30) {
            self.say();
            self.said = Instant::now();
        }
    }

    pub(crate) fn say(&self) {
        let counts: Vec<String> = self.counts.iter().map(|(what, count)| format!("{what} {count}")).collect();
        let seconds = self.begun.elapsed().as_secs_f64();
        println!("{}: {} cases in {seconds:.0} s: {}", self.name, self.cases, counts.join(", "));
    }
}
