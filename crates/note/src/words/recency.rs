//! Questions about time alone: "any recent updates", "what happened this week", "was gibt es Neues", "最近有什么新消息".
//!
//! Such a question is made of words that say how it is asked, of time, and for what is new, in one language, and of nothing
//! else. One word besides, known to the notes or not, makes it a question about that word. The tables have a row for a
//! sort of word and a column for a language; no row knows a question.

#[cfg(test)]
mod tests;
mod tongues;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::scan::{Token, is_apostrophe, scan};
use super::{fold, is_foreign_stop, is_stop};
use tongues::{TONGUES, TimeWords};

/// The days that a question about time alone is about, counted back from today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first day; none where the question does not say how far back it looks.
    pub first: Option<u16>,
    /// The last day: 0 is today.
    pub last: u16,
}

/// What a question asks that is about time alone; none where it is about anything else.
pub fn period(question: &str) -> Option<Period> {
    // What is tagged or quoted is asked for by name.
    if question.contains(['@', '"', '“', '„', '«']) {
        return None;
    }
    LEXICONS.iter().find_map(|lexicon| lexicon.period(question))
}

/// What a word does in such a question. A word may do several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Asks for what is new or has changed.
    News,
    /// Makes a unit the one at hand: "this".
    This,
    /// Makes a unit the one before: "last".
    Last,
    /// Everything from there until today: "since".
    Since,
    /// Names days by itself: "yesterday", "先週".
    Named {
        first: u16,
        last: u16,
    },
    /// A day, a week, a month, a year, in days.
    Unit(u16),
    Number(u16),
    /// Says how it is asked.
    Rest,
    /// Asks for a person, a place, a time, a reason or a manner, which no list of what happened is.
    Otherwise,
}

static LEXICONS: LazyLock<Vec<Lexicon>> = LazyLock::new(|| TONGUES.iter().map(Lexicon::of).collect());

struct Lexicon {
    is_english: bool,
    roles: HashMap<String, Vec<Role>>,
    /// The longest word of a script without spaces, in characters.
    longest: usize,
}

impl Lexicon {
    fn of(tongue: &TimeWords) -> Self {
        let is_english = tongue.is_english;
        let mut lexicon = Self { is_english, roles: HashMap::new(), longest: 0 };
        for (words, role) in [
            (tongue.news, Role::News),
            (tongue.this, Role::This),
            (tongue.last, Role::Last),
            (tongue.since, Role::Since),
            (tongue.rest, Role::Rest),
            (tongue.only, Role::Rest),
            (tongue.otherwise, Role::Otherwise),
        ] {
            lexicon.add(words, role);
        }
        for (words, days) in tongue.units.into_iter().zip([1, 7, 31, 366]) {
            lexicon.add(words, Role::Unit(days));
        }
        for (first, last, words) in tongue.named {
            lexicon.add(words, Role::Named { first: *first, last: *last });
        }
        lexicon
    }

    fn add(&mut self, words: &str, role: Role) {
        for word in words.split_whitespace() {
            let mut folded = String::new();
            for token in scan(word) {
                match token {
                    Token::Compound(raw) => fold::word(raw, &mut folded),
                    Token::Run(raw, _) => {
                        fold::run(raw, &mut folded);
                        self.longest = self.longest.max(folded.chars().count());
                    }
                    Token::Symbol(_) => {}
                }
            }
            self.roles.entry(folded).or_default().push(role);
        }
    }

    fn period(&self, question: &str) -> Option<Period> {
        let mut sentence = Sentence::default();
        for token in scan(question) {
            match token {
                Token::Compound(raw) => {
                    let joined = raw.split(is_apostrophe).collect::<String>().to_lowercase();
                    for part in raw.split(|c: char| c == '-' || is_apostrophe(c)) {
                        let clipped = joined.len() < raw.len() && (is_clipped(part) || self.is_stop(&joined));
                        sentence.0.push(self.word(part, clipped)?);
                    }
                }
                Token::Run(raw, _) => {
                    let mut folded = String::new();
                    fold::run(raw, &mut folded);
                    sentence.0.extend(self.cut(&folded.chars().collect::<Vec<char>>())?);
                }
                Token::Symbol(_) => return None,
            }
        }
        sentence.period()
    }

    /// English and other languages do not ask with one another's words.
    fn is_stop(&self, word: &str) -> bool {
        if self.is_english { is_stop(word) && !is_foreign_stop(word) } else { is_foreign_stop(word) }
    }

    /// What a word does; none where it says something of its own.
    fn word(&self, word: &str, clipped: bool) -> Option<Vec<Role>> {
        let mut folded = String::new();
        fold::word(word, &mut folded);
        let number = || word.parse().ok().map(|number| vec![Role::Number(number)]);
        let is_stop = || self.is_stop(&word.to_lowercase()) || self.is_stop(&folded);
        let rest = || (clipped || is_stop()).then(|| vec![Role::Rest]);
        self.roles.get(&folded).cloned().or_else(number).or_else(rest)
    }

    /// A run of a script without spaces as words of the tables, the longest first; none where it has anything else.
    fn cut(&self, run: &[char]) -> Option<Vec<Vec<Role>>> {
        let word = |from: usize, length: usize| run[from..from + length].iter().collect::<String>();
        // From where on the rest can be cut, and how long the first word is then.
        let mut cuts = vec![None; run.len() + 1];
        cuts[run.len()] = Some(0);
        for from in (0..run.len()).rev() {
            let lengths = (1..=self.longest.min(run.len() - from)).rev();
            cuts[from] = lengths
                .filter(|length| cuts[from + length].is_some())
                .find(|length| self.roles.contains_key(&word(from, *length)));
        }
        let (mut words, mut at) = (Vec::new(), 0);
        while at < run.len() {
            let length = cuts[at]?;
            words.push(self.roles.get(&word(at, length))?.clone());
            at += length;
        }
        Some(words)
    }
}

/// What an apostrophe leaves of a word: `l'`, `'s`, `'ve`.
fn is_clipped(part: &str) -> bool {
    part.chars().nth(1).is_none() || matches!(part, "ve" | "re" | "ll")
}

/// What each word of a question does.
#[derive(Default)]
struct Sentence(Vec<Vec<Role>>);

impl Sentence {
    fn period(&self) -> Option<Period> {
        let has = |role: Role| self.0.iter().flatten().any(|had| *had == role);
        if has(Role::Otherwise) {
            return None;
        }
        let until = |last: u16| if has(Role::Since) { 0 } else { last };
        let named = self.0.iter().flatten().filter_map(|role| {
            let Role::Named { first, last } = role else { return None };
            Some(Period { first: Some(*first), last: until(*last) })
        });
        let furthest = named.max_by_key(|period| period.first);
        let units = (0..self.0.len()).filter_map(|at| self.unit(at).map(|unit| (unit, self.span(at, unit))));
        let units: Vec<(u16, Option<u16>)> = units.collect();
        // "New year": a unit that nothing points at is itself what is asked about. Days are no period where none is counted.
        if units.iter().any(|(unit, span)| *unit > 1 && span.is_none()) {
            return None;
        }
        match (furthest, units.iter().filter_map(|(_, span)| *span).max()) {
            (Some(period), _) => Some(period),
            (None, Some(days)) => Some(Period { first: Some(days), last: 0 }),
            (None, None) => (has(Role::News) || self.are_days()).then_some(Period { first: None, last: 0 }),
        }
    }

    /// Whether days are meant that nobody counts: "these days", "the last few days".
    fn are_days(&self) -> bool {
        let is_day = |at: usize| self.unit(at) == Some(1);
        (0..self.0.len())
            .any(|at| is_day(at) && (self.is_beside(at, Role::This) || self.is_beside(at, Role::Last)))
    }

    /// Whether a word of that role stands before another, or one word farther, or right after it: "this week", "past few
    /// weeks", "semaine dernière".
    fn is_beside(&self, at: usize, role: Role) -> bool {
        let before = self.0[at.saturating_sub(2)..at].iter().flatten();
        before.chain(self.0.get(at + 1).into_iter().flatten()).any(|had| *had == role)
    }

    fn unit(&self, at: usize) -> Option<u16> {
        let unit = |role: &Role| if let Role::Unit(days) = role { Some(*days) } else { None };
        self.0[at].iter().find_map(unit)
    }

    /// How many days back a unit looks that is told which one it is.
    fn span(&self, at: usize, unit: u16) -> Option<u16> {
        let number = |role: &Role| if let Role::Number(number) = role { Some(*number) } else { None };
        match self.0[at.saturating_sub(2)..at].iter().flatten().find_map(number) {
            Some(number) => Some(unit.saturating_mul(number)),
            None if unit == 1 => None,
            None if self.is_beside(at, Role::This) => Some(unit),
            // The last one whole: it may have begun as long ago as two.
            None if self.is_beside(at, Role::Last) => Some(unit.saturating_mul(2)),
            None => None,
        }
    }
}
