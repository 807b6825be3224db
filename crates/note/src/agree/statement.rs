//! A statement as it is compared: its words, and what each does in the sentence.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::grammar::{self, Function, KNOWN};
use super::parts;
use crate::words;

/// A longer text says more than one thing, and is not compared.
pub(super) const MOST: usize = 48;

/// What a word is by its looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Word,
    /// Begins with a capital, or has one inside.
    Name,
    Number,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    /// As it is compared.
    said: String,
    /// In lower case.
    spelled: String,
    form: Form,
}

impl Word {
    fn plain(said: &str) -> Self {
        Self { said: said.to_owned(), spelled: said.to_owned(), form: Form::Word }
    }
}

/// A text that can be compared with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    words: Vec<Word>,
    /// How many of its words each language knows.
    known: [usize; KNOWN],
}

/// A word as it stands in a sentence.
#[derive(Debug)]
pub(super) struct Element<'a> {
    word: &'a Word,
    pub(super) role: Function,
    pub(super) form: Form,
    pub(super) follows_the: bool,
    /// Says in which place something is.
    pub(super) is_in: bool,
}

/// A statement in a language, without what does not matter.
pub(super) struct Reading<'a> {
    pub(super) tokens: Vec<Element<'a>>,
    pub(super) is_negated: bool,
    pub(super) adds: bool,
    /// Its last word may be a verb.
    pub(super) is_verb_last: bool,
}

impl Statement {
    pub fn of(text: &str) -> Self {
        let words = words_of(text);
        let mut known = [0; KNOWN];
        for word in &words {
            for (count, role) in known.iter_mut().zip(grammar::roles(&word.spelled)) {
                *count += usize::from(role != Function::Plain);
            }
        }
        Self { words, known }
    }

    /// The language that two statements are most likely in.
    pub(super) fn language(one: &Self, other: &Self) -> usize {
        let known = |language: &usize| one.known[*language] + other.known[*language];
        (0..KNOWN).max_by_key(|language| (known(language), KNOWN - language)).unwrap_or(0)
    }

    /// Whether it says that something is not so.
    pub fn is_negated(&self) -> bool {
        self.read(Self::language(self, self)).is_negated
    }

    pub(super) fn read(&self, language: usize) -> Reading<'_> {
        let roles = self.words.iter().map(|word| match word.spelled.as_str() {
            ":" => Function::Is,
            spelled => grammar::roles(spelled)[language],
        });
        let is_verb_last = grammar::is_verb_last(language);
        let mut sentence = Reading { tokens: Vec::new(), is_negated: false, adds: false, is_verb_last };
        let mut follows_the = false;
        let roles: Vec<Function> = roles.collect();
        sentence.is_negated = roles.contains(&Function::Not);
        sentence.adds = roles.contains(&Function::Also);
        for (word, role) in self.words.iter().zip(roles) {
            // "plus" and "more" belong to a negation only where there is one.
            let is_left_out = role.is_left_out() && (role != Function::NotTail || sentence.is_negated);
            if !is_left_out {
                let is_in = grammar::is_place(language, &word.spelled);
                sentence.tokens.push(Element { word, role, form: word.form, follows_the, is_in });
            }
            follows_the = role == Function::Definite;
        }
        sentence
    }

    /// What a statement says but for one part, for each part that there is: two that disagree share one of these.
    pub fn frames(&self) -> Vec<u64> {
        let sentence = self.read(Self::language(self, self));
        let tokens = &sentence.tokens;
        if tokens.len() > MOST {
            return Vec::new();
        }
        let bare = tokens.iter().filter(|token| token.role != Function::Indefinite).map(Element::stem);
        let mut frames = vec![hash(&bare.collect::<Vec<_>>())];
        let before = runs(tokens.iter());
        let after = runs(tokens.iter().rev());
        frames.extend(
            parts(tokens.len()).map(|part| hash(&(before[part.start], after[tokens.len() - part.end]))),
        );
        frames
    }
}

/// The hash of the first words, for each number of them.
fn runs<'a>(tokens: impl Iterator<Item = &'a Element<'a>>) -> Vec<u64> {
    let mut runs = vec![0];
    for token in tokens {
        let last = runs[runs.len() - 1];
        runs.push(hash(&(last, token.said())));
    }
    runs
}

fn hash(said: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    said.hash(&mut hasher);
    hasher.finish()
}

impl Element<'_> {
    /// Articles of one sort are one word.
    fn said(&self) -> &str {
        if self.role == Function::Indefinite { "a" } else { &self.word.said }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        self.said() == other.said()
    }

    pub(super) fn stem(&self) -> String {
        words::terms(&self.word.said).pop().unwrap_or_else(|| self.word.said.clone())
    }

    /// Whether it says what the sentence is about, and does not only hold it together.
    pub(super) fn is_content(&self) -> bool {
        self.role == Function::Plain && !self.is_in && !words::is_stop(&self.word.said)
    }

    /// What stands around the digits of a number: `100gb` and `16gb` are of one sort, `10:00` and `10` are not.
    pub(super) fn unit(&self) -> Option<String> {
        let outside = |c: &char| !c.is_numeric() && !matches!(c, '.' | ',');
        (self.form == Form::Number).then(|| self.word.said.chars().filter(outside).collect())
    }
}

/// The words of a text. A number is one word with what parts its digits; a colon after a word is one by itself.
fn words_of(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut end = 0;
    for plain in words::plain(text) {
        let gap = &text[end..plain.range.start];
        let raw = &text[plain.range.clone()];
        let is_digit = raw.starts_with(char::is_numeric);
        end = plain.range.end;
        match words.last_mut() {
            Some(last) if is_digit && last.form == Form::Number && is_inside_number(gap) => {
                last.said.push_str(gap);
                last.said.push_str(&plain.word);
                continue;
            }
            // "doesn't" is "does not".
            Some(last) if plain.word == "t" && matches!(gap, "'" | "’") && last.said.ends_with('n') => {
                let stem = last.said.trim_end_matches('n');
                if words::is_stop(stem) || stem == "do" {
                    last.spelled = stem.to_owned();
                    last.said = stem.to_owned();
                }
                words.push(Word::plain("not"));
                continue;
            }
            Some(_) if gap.trim_end().ends_with([':', '=']) => {
                words.push(Word::plain(":"));
            }
            Some(_) | None => {}
        }
        words.push(Word { form: form(raw), said: plain.word, spelled: raw.to_lowercase() });
    }
    words
}

fn is_inside_number(gap: &str) -> bool {
    matches!(gap, "." | "," | ":" | "-" | "/" | "'" | "’")
}

fn form(raw: &str) -> Form {
    let digits = raw.strip_prefix(['v', 'V']).unwrap_or(raw);
    if digits.starts_with(char::is_numeric) {
        Form::Number
    } else if raw.contains(char::is_uppercase) {
        Form::Name
    } else {
        Form::Word
    }
}
