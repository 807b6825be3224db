//! Parsing a question as typed.

use std::collections::HashSet;

use super::scan::{Token, is_apostrophe, scan};
use super::script::{self, Class, Script};
use super::{Analyzer, Purpose, is_grammar, is_stop, tongue, with_analyzer};

/// A parsed question. Nothing in it is syntax for any backend.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The terms to look for, in order, without repeats, and without stop words if anything else remains.
    pub terms: Vec<String>,
    /// Quoted phrases, as [`phrase`] writes them: compared with the text itself.
    pub phrases: Vec<String>,
    /// Terms of `-word`: texts that have one are excluded.
    pub excluded: Vec<String>,
    /// Phrases of `-"several words"`, and of a `-word` without a single term, as [`phrase`] writes them: texts
    /// that hold one are excluded.
    pub excluded_phrases: Vec<String>,
}

/// Parses a question. Any text is one.
pub fn query(text: &str) -> Query {
    with_analyzer(|analyzer| read(text, analyzer))
}

fn read(text: &str, analyzer: &mut Analyzer) -> Query {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { straight(c) }).collect();
    let asked = parts(&text);
    let mut query = Query { terms: terms(analyzer, &asked, Wish::Wanted), ..Query::default() };
    let reversed = query.terms.is_empty();
    if reversed {
        query.terms = terms(analyzer, &asked, Wish::Unwanted);
    }
    for part in asked {
        match (part.wish, part.quoted) {
            (Wish::Wanted, true) => query.phrases.push(phrase(part.text)),
            (Wish::Wanted, false) => {}
            (Wish::Unwanted, _) if reversed => {}
            (Wish::Unwanted, true) => query.excluded_phrases.push(phrase(part.text)),
            (Wish::Unwanted, false) => query.exclude(analyzer, part.text),
        }
    }
    query.phrases.retain(|phrase| !phrase.is_empty());
    query.excluded_phrases.retain(|phrase| !phrase.is_empty());
    query
}

/// A text as quoted phrases are compared: lower case, white space collapsed to one space.
pub fn phrase(text: &str) -> String {
    let mut phrase = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !phrase.is_empty() {
            phrase.push(' ');
        }
        word.chars().for_each(|c| phrase.extend(straight(c).to_lowercase()));
    }
    phrase
}

/// The most words and the most pairs of characters of a question: about the same amount of text.
const MOST_WORDS: usize = 32;
const MOST_GRAMS: usize = 64;

impl Query {
    fn exclude(&mut self, analyzer: &mut Analyzer, word: &str) {
        let mut terms = Vec::new();
        analyzer.analyze(word, Purpose::Query, |term: &str| terms.push(term.to_owned()));
        let mut tokens = scan(word);
        let whole = matches!(tokens.next(), Some(Token::Compound(_)))
            && tokens.next().is_none()
            && !word.contains(is_apostrophe);
        if terms.len() == 1 || whole {
            self.excluded.extend(terms.into_iter().next());
        } else {
            self.excluded_phrases.push(phrase(word));
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct QueryPart<'a> {
    text: &'a str,
    quoted: bool,
    wish: Wish,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Wanted,
    Unwanted,
}

/// The words and the quotations of a question. A quotation mark without a partner is no quotation.
fn parts(text: &str) -> Vec<QueryPart<'_>> {
    let between: Vec<&str> = text.split('"').collect();
    let mut parts = Vec::new();
    let mut wish = Wish::Wanted;
    for (at, &text) in between.iter().enumerate() {
        if at % 2 == 1 && at + 1 < between.len() {
            parts.push(QueryPart { text, quoted: true, wish });
        } else {
            let negated = text.strip_suffix('-').filter(|t| t.is_empty() || t.ends_with(char::is_whitespace));
            wish = if negated.is_some() { Wish::Unwanted } else { Wish::Wanted };
            parts.extend(text.split_whitespace().map(word));
        }
    }
    parts
}

fn word(text: &str) -> QueryPart<'_> {
    let unwanted = text.strip_prefix('-').filter(|rest| rest.starts_with(char::is_alphanumeric));
    let wish = if unwanted.is_some() { Wish::Unwanted } else { Wish::Wanted };
    QueryPart { text: unwanted.unwrap_or(text), quoted: false, wish }
}

fn terms(analyzer: &mut Analyzer, asked: &[QueryPart<'_>], wish: Wish) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut terms = Vec::new();
    for part in asked.iter().filter(|part| part.wish == wish) {
        analyzer.analyze(part.text, Purpose::Query, |term: &str| {
            if seen.insert(term.to_owned()) {
                terms.push(term.to_owned());
            }
        });
    }
    let spoken = tongue::stops(asked.iter().map(|part| part.text), analyzer);
    let is_about_nothing = |term: &String| is_stop(term) || is_grammar(term) || spoken.contains(term);
    if !terms.iter().all(is_about_nothing) {
        terms.retain(|term| !is_about_nothing(term));
    }
    fewer(terms)
}

/// Up to so many terms, preferring those that look significant, in their order.
fn fewer(terms: Vec<String>) -> Vec<String> {
    let (grams, words) =
        (terms.iter().filter(|t| is_gram(t)).count(), terms.iter().filter(|t| !is_gram(t)).count());
    if words <= MOST_WORDS && grams <= MOST_GRAMS {
        return terms;
    }
    let telling = terms.iter().filter(|t| !is_gram(t) && is_telling(t)).count();
    let mut grams = MOST_GRAMS;
    let mut other = MOST_WORDS.saturating_sub(telling);
    let mut telling = MOST_WORDS;
    let mut take = |term: &String| {
        let left = match (is_gram(term), is_telling(term)) {
            (true, _) => &mut grams,
            (false, true) => &mut telling,
            (false, false) => &mut other,
        };
        let taken = *left > 0;
        *left = left.saturating_sub(1);
        taken
    };
    terms.into_iter().filter(|term| take(term)).collect()
}

/// What a term is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Word,
    /// A pair of characters of Chinese, Japanese or Korean. Every other pair is where two words meet, or a word and its
    /// particle.
    Cjk,
    /// A pair of characters of another script without spaces, mostly of one word.
    Syllables,
}

pub fn unit(term: &str) -> Unit {
    match term.chars().next().map(script::of) {
        Some(Script::Unspaced(Class::Cjk | Class::Hangul)) => Unit::Cjk,
        Some(Script::Unspaced(_)) => Unit::Syllables,
        Some(_) | None => Unit::Word,
    }
}

fn is_gram(term: &str) -> bool {
    unit(term) != Unit::Word
}

fn is_telling(term: &str) -> bool {
    term.chars().nth(2).is_some() || term.chars().any(char::is_numeric)
}

/// Typographic quotation marks as the plain one.
fn straight(c: char) -> char {
    if matches!(c, '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{201F}') { '"' } else { c }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let Query { terms, phrases, excluded, excluded_phrases } = query(text);
        expected.assert_eq(&format!("{terms:?} {phrases:?} -{excluded:?} -{excluded_phrases:?}"));
    }

    #[test]
    fn stop_words_are_dropped_unless_nothing_else_remains() {
        check(
            "What did Sarah say about the rate limits?",
            expect![[r#"["sarah", "rate", "limit"] [] -[] -[]"#]],
        );
        check("to be or not to be", expect![[r#"["to", "be", "or", "not"] [] -[] -[]"#]]);
        check("Кто написал эту книгу?", expect![[r#"["написа", "книг"] [] -[] -[]"#]]);
        check("谁发明了电话？", expect![[r#"["发明", "电话"] [] -[] -[]"#]]);
        check("Wer hat das Telefon erfunden?", expect![[r#"["telefon", "erfunden"] [] -[] -[]"#]]);
        check("", expect!["[] [] -[] -[]"]);
        check("?!", expect!["[] [] -[] -[]"]);
    }

    #[test]
    fn quotations_are_phrases_and_words() {
        check(
            "find \"Rate  Limit\" “of API” now",
            expect![[r#"["find", "rate", "limit", "api"] ["rate limit", "of api"] -[] -[]"#]],
        );
        check("5\" pipe", expect![[r#"["5", "pipe"] [] -[] -[]"#]]);
        check("\"\" \" \" x", expect![[r#"["x"] [] -[] -[]"#]]);
    }

    #[test]
    fn a_minus_excludes() {
        check(
            "coffee -tea -slow-endpoint -\"iced tea\" well-known - x --flag",
            expect![[
                r#"["coffe", "well-known", "well", "known", "x", "flag"] [] -["tea", "slow-endpoint"] -["iced tea"]"#
            ]],
        );
        check("猫 -测试用例 -狗 -O'Brien", expect![[r#"["猫"] [] -["狗"] -["测试用例", "o'brien"]"#]]);
        check("-tea -coffee", expect![[r#"["tea", "coffe"] [] -[] -[]"#]]);
    }

    #[test]
    fn control_characters_are_space() {
        check("a\u{0}b\u{1b}[31m\nfish", expect![[r#"["b", "31m", "fish"] [] -[] -[]"#]]);
    }

    #[test]
    fn a_long_question_keeps_its_telling_words() {
        let asked: String = (0..10_000).map(|n| format!("zz xx word{n} ")).collect();
        let found = query(&asked).terms;
        assert_eq!(found.len(), MOST_WORDS);
        assert_eq!(found[0], "word0");
        assert_eq!(query(&"一二三四五六七八九十".repeat(3)).terms.len(), 10);
    }
}
