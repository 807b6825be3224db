//! Finds strings without order beside words that announce a secret, in any of the ways in which a label can stand to a value:
//! after a sign or a few words, before them, below them, in a column. What a value looks like is judged elsewhere.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::alphabet::{entropy, is_placeholder};
use super::labels::{Bond, LABELS, is_other};
use super::value::{is_code_of_list, is_mostly_words, is_number, is_secret};
use super::{Detector, Sink, phrase, table_column};
use crate::policy::mask;

const BEARER: &str = "bearer ";
const BASIC: &str = "authorization: basic ";

/// How far from its words a value may begin.
const FARTHEST: usize = 72;
pub(super) const LONGEST_VALUE: usize = 256;
/// Words between the two, and of these on a line where only one of the two stands.
const MOST_WORDS: usize = 3;
const MOST_WORDS_OF_LINE: usize = 1;
const MOST_LINES: usize = 3;
/// Values in a list below one label.
const MOST_VALUES: usize = 64;

struct WordTable {
    words: AhoCorasick,
    /// Of each word; none for the heads of an authorization.
    bonds: Vec<Option<Bond>>,
    password: Detector,
    authorization: Detector,
    phrase: Detector,
}

static TABLE: LazyLock<Option<WordTable>> = LazyLock::new(|| {
    let labels = || LABELS.iter().flat_map(|(bond, words)| words.iter().map(|word| (Some(*bond), *word)));
    let all = || labels().chain([(None, BEARER), (None, BASIC)]);
    Some(WordTable {
        words: AhoCorasick::builder().ascii_case_insensitive(true).build(all().map(|(_, word)| word)).ok()?,
        bonds: all().map(|(bond, _)| bond).collect(),
        password: Detector::named("password")?,
        authorization: Detector::named("authorization")?,
        phrase: Detector::named("seed-phrase")?,
    })
});

#[cfg(test)]
pub(super) fn words() -> Vec<String> {
    let words = LABELS.iter().flat_map(|(_, words)| words.iter().copied());
    words.chain([BEARER, BASIC]).map(str::to_owned).collect()
}

/// Values beside words that announce them.
#[cfg(test)]
pub(super) fn samples() -> Vec<String> {
    let value = ["h7Kx", "92pQ", "zT4m"].concat();
    let of = |bond, word| match bond {
        Bond::Named => format!("{word} admin:{value}"),
        Bond::Phrase => format!("{word}: {}", ["abandon"; 12].join(" ")),
        Bond::Loose | Bond::Signed | Bond::Codes => format!("{word}: {value}"),
    };
    LABELS.iter().flat_map(|(bond, words)| words.iter().map(move |word| of(*bond, word))).collect()
}

pub(super) fn find(sink: &mut Sink<'_>, digits: bool) {
    // The table is not even made for a text without values.
    if !digits && !phrase::may_be_in(sink.text) {
        return;
    }
    let Some(table) = &*TABLE else { return };
    let text = sink.text;
    let masks = OnceCell::new();
    for hit in table.words.find_overlapping_iter(text) {
        let Some(bond) = table.bonds[hit.pattern().as_usize()] else {
            if let Some(span) = header_value(text, hit.end()) {
                sink.put(table.authorization, span);
            }
            continue;
        };
        // The name of a rule announces nothing.
        if mask::holds(masks.get_or_init(|| mask::spans(text)), &hit.range()) {
            continue;
        }
        if bond == Bond::Phrase {
            if let Some(span) = phrase::after(text, hit.end()) {
                sink.put(table.phrase, span);
            }
        } else if digits && is_label(text, hit.range(), bond) {
            for span in values(text, hit.range(), bond) {
                sink.put(table.password, span);
            }
        }
    }
}

fn values(text: &str, label: Range<usize>, bond: Bond) -> Vec<Range<usize>> {
    let mut found = after(text, label.end, bond);
    if bond == Bond::Loose && found.is_empty() {
        found.extend(before(text, label.start));
    }
    if bond != Bond::Named {
        let below = table_column::below(text, &label);
        found.extend(below.into_iter().filter(|span| is_secret(&text[span.clone()])));
    }
    found
}

/// What follows `Bearer `: at least 16 characters, with digits among them.
fn header_value(text: &str, at: usize) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
    let rest = cut(&text[at..], LONGEST_VALUE);
    let value = rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())].trim_end_matches('.');
    let span = at..at + value.len();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let found = value.len() >= 16 && digits >= 2 && entropy(value.as_bytes()) >= 3.0;
    (found && !is_placeholder(value)).then_some(span)
}

/// A word that goes on is another one: `tokenizer`. A word with many meanings begins where a word begins.
fn is_label(text: &str, span: Range<usize>, bond: Bond) -> bool {
    let word = &text[span.clone()];
    let rest = &text[span.end..];
    let tail = rest.len() - rest.trim_start_matches(|c: char| c.is_lowercase()).len();
    let ends = match word.is_ascii() {
        _ if word.ends_with(|c: char| c.is_ascii_uppercase()) => {
            !rest.starts_with(|c: char| c.is_ascii_uppercase()) || rest.starts_with('S')
        }
        true => tail == 0 || ["s", "es", "n"].contains(&&rest[..tail]),
        false => tail <= 6,
    };
    let last = text[..span.start].chars().next_back();
    let begins = match bond {
        Bond::Loose | Bond::Codes | Bond::Phrase => true,
        Bond::Signed => last.is_none_or(|c| {
            !c.is_alphanumeric() || c.is_lowercase() && word.starts_with(|c: char| c.is_uppercase())
        }),
        Bond::Named => last.is_none_or(char::is_whitespace),
    };
    ends && begins
}

/// What has been passed on the way from a label to a value.
#[derive(Default)]
struct Way {
    words: usize,
    words_of_line: usize,
    lines: usize,
    /// Since the last word.
    sign: bool,
}

impl Way {
    /// Takes in what stands between two strings; false where the way ends.
    fn pass(&mut self, between: &str) -> bool {
        let lines = between.matches('\n').count();
        if lines > 0 {
            if self.words_of_line > MOST_WORDS_OF_LINE {
                return false;
            }
            self.lines += lines;
            self.words_of_line = 0;
        }
        self.sign |= between.contains([':', '=', '>', '|', '：', '→', '–', '—', '-', '/', '('])
            || between.contains("\",")
            || between.contains("',");
        self.lines <= MOST_LINES
    }

    fn take(&mut self, word: &str) -> bool {
        self.words += 1;
        self.words_of_line += 1;
        self.sign = word.ends_with([':', '=', '：']);
        !word.ends_with(['.', '!', '?'])
            && self.words <= MOST_WORDS
            && (self.lines == 0 || self.words_of_line <= MOST_WORDS_OF_LINE)
    }

    /// The way to the value behind a name and its sign.
    fn in_pair(&self) -> Self {
        Self { words: self.words + 1, sign: true, ..Self::default() }
    }

    fn leads_to(&self, value: &str, bond: Bond) -> bool {
        let near = self.words == 0 && (self.sign || self.lines > 0);
        match bond {
            Bond::Loose => {
                is_secret(value) && (self.sign || !is_mostly_words(value)) || near && is_number(value)
            }
            Bond::Signed => self.words == 0 && self.sign && is_secret(value),
            Bond::Named => self.words == 1 && self.sign && is_secret(value),
            Bond::Codes => is_secret(value) || near && is_code_of_list(value),
            Bond::Phrase => false,
        }
    }
}

/// Values after a label, one below the other where there are many.
fn after(text: &str, at: usize, bond: Bond) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut way = Way::default();
    let mut from = at;
    while found.len() < MOST_VALUES && (from - at <= FARTHEST || !found.is_empty()) {
        let Some(span) = next_string(text, from) else { break };
        let (is_on, value) = (way.pass(&text[from..span.start]), tidy(text, span.clone()));
        if !is_on {
            break;
        }
        from = span.end;
        let string = &text[span];
        if !string.contains(char::is_alphanumeric) {
            way.sign = true;
            continue;
        }
        let value = match inner(text, &value) {
            Some((name, inner)) => {
                let leads = !is_other(name) && way.in_pair().leads_to(&text[inner.clone()], bond);
                leads.then_some(inner)
            }
            None => way.leads_to(&text[value.clone()], bond).then_some(value),
        };
        if let Some(value) = value {
            found.push(value);
            way = Way { sign: true, ..Way::default() };
        } else if !found.is_empty() || is_other(string) || !way.take(string) {
            break;
        }
    }
    found
}

/// The name and the value in `name=value` or `name:value`.
fn inner<'t>(text: &'t str, span: &Range<usize>) -> Option<(&'t str, Range<usize>)> {
    let (name, _) = text[span.clone()].split_once(['=', ':'])?;
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '-')
        && name.chars().all(|c| c.is_alphabetic() || "_-.@".contains(c));
    let value = tidy(text, span.start + name.len() + 1..span.end);
    let is_padding = text[value.clone()].trim_matches('=').is_empty();
    (is_name && !is_padding).then_some((name, value))
}

/// A value before a label on its line: `… is the password`.
fn before(text: &str, at: usize) -> Option<Range<usize>> {
    let from = text.floor_char_boundary(at.saturating_sub(FARTHEST + LONGEST_VALUE));
    let line = text[from..at].rfind('\n').map_or(from, |far| from + far + 1);
    let mut to = at;
    // The rest of a name that the label is a part of.
    to -= text[line..to].len()
        - text[line..to].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    for _ in 0..=MOST_WORDS {
        let left = text[line..to].trim_end_matches(|c| is_edge(c) && c != ',' && c != ';');
        let end = line + left.len();
        if left.is_empty() || at - end > FARTHEST || left.ends_with([',', ';', '.', ':', '=', '!', '?']) {
            return None;
        }
        let start = line
            + left.rfind(is_edge).map_or(0, |far| far + left[far..].chars().next().map_or(1, char::len_utf8));
        let string = &text[start..end];
        let plain = !string.trim_end_matches('=').contains(['=', ':']);
        if plain && is_secret(string) && !is_mostly_words(string) {
            let ahead = text[line..start].trim_end_matches(is_edge);
            let last = ahead
                .rfind(|c: char| !c.is_alphanumeric())
                .map_or(ahead, |far| ahead[far..].trim_start_matches(|c: char| !c.is_alphanumeric()));
            return (!is_other(last)).then_some(start..end);
        }
        if is_other(string) {
            return None;
        }
        to = start;
    }
    None
}

/// The next string that white space, quotes and brackets part from others, without the signs before it.
fn next_string(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = cut(&text[at..], FARTHEST + LONGEST_VALUE);
    let mut start = rest.find(|c| !is_edge(c))?;
    loop {
        let string = &rest[start..];
        let is_op = ["?=", ".=", "+=", "->", "\\n"].into_iter().find(|op| string.starts_with(op));
        let skip = is_op.map_or_else(
            || string.len() - string.trim_start_matches([':', '=', '*', '_', '\\']).len(),
            str::len,
        );
        let next = start + skip + rest[start + skip..].find(|c| !is_edge(c))?;
        if next == start {
            break;
        }
        start = next;
    }
    let end = rest[start..].find(is_edge).map_or(rest.len(), |far| start + far);
    Some(at + start..at + end)
}

/// What no value has in it.
fn is_edge(c: char) -> bool {
    c.is_whitespace() || "\"'`<>,;|(){}[]，。、；：（）「」『』“”„‘’«»→–—".contains(c)
}

/// Without the punctuation of a sentence.
fn tidy(text: &str, span: Range<usize>) -> Range<usize> {
    let string = text[span.clone()].split("\\n").next().unwrap_or_default();
    span.start..span.start + string.trim_end_matches(['.', ':', '*', '\\', '…']).len()
}

fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most.min(text.len()))]
}

#[cfg(test)]
mod tests {
    use super::super::find;

    fn found(text: &str) -> Vec<&str> {
        find(text, &|_| true).into_iter().map(|hit| &text[hit.span]).collect()
    }

    #[test]
    fn a_value_is_found_however_its_label_stands_to_it() {
        let value = ["h7Kx", "92pQ", "zT4m"].concat();
        for form in [
            "use X as the router password",
            "X is my password",
            "curl -u admin:X https://a.example",
            "login --token X",
            "export ROUTER_KEY=X",
            "SECRET_KEY=X",
            "router login: admin / X",
            "Das Passwort für Ana lautet X",
            "password\nX",
            "token:\n\n- X",
            "A_TOKEN :::= \"X\"",
            "A_TOKEN ?= \"X\"",
            "set(\"A_TOKEN\", \"X\")",
            "<aToken>\n  X\n</aToken>",
            "the secret:\n\n```\nX\n```",
            "<input type=\"password\" name=\"a\" value=\"X\">",
            "| name | token |\n|---|---|\n| one | - |\n| two | X |",
            "docker run -e DB_PASSWORD=X postgres",
        ] {
            let text = form.replace('X', &value);
            assert!(found(&text).contains(&value.as_str()), "{text}: {:?}", found(&text));
        }
    }

    #[test]
    fn words_and_names_of_other_things_are_no_secrets() {
        for text in [
            "the token moved in commit 9f86d081884c7d659a2f",
            "token_id: 3f2a9c81-4be2-4d7a-9c1e-0a5b7c9d1e2f",
            "the password of 7z is for path/to/archive.7z",
            "a secret in a Base64-encoded file",
            "key: &Ed25519KeyPair",
            "max_tokens: 4096, token_count=15234",
            "The API key is stored in 1Password",
            "k8s-unused-secret-detector",
            "| keyword | nDCG |\n|---|---|\n| recall, depth 0 | 83.2 |",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn the_words_of_a_wallet_and_codes_of_a_list_are_found() {
        let words =
            ["legal winner thank year wave", "sausage worth useful legal winner thank yellow"].join(" ");
        assert_eq!(found(&format!("Seed phrase: {words}")), [words.as_str()]);
        assert_eq!(
            found("The recovery phrase is the one thing that nobody may ever know, so hide it"),
            Vec::<&str>::new()
        );
        let codes = found("Recovery codes:\n\n- 1a2b-3c4d\n- 48213377\n- 9f8e-7d6c\n");
        assert_eq!(codes, ["1a2b-3c4d", "48213377", "9f8e-7d6c"]);
    }
}
