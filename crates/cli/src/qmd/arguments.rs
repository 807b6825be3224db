//! Words and flags as QMD reads them: flags stand anywhere, and one that is not known is no error.

use std::collections::BTreeMap;

const WITH_VALUE: [&str; 8] = ["n", "c", "collection", "name", "mask", "glob", "min-score", "index"];

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Help,
    Version,
    /// Hosts start the program with no words at all to see whether it is there.
    Nothing,
    Collection,
    Update,
    Embed,
    Status,
    Search(Depth),
    Unknown,
}

/// Which of QMD's three searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Words,
    Meaning,
    Both,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Call {
    words: Vec<String>,
    /// Every value of a flag, in order; a flag without one has an empty text.
    flags: BTreeMap<String, Vec<String>>,
}

impl Call {
    pub(super) fn read(mut all: impl Iterator<Item = String>) -> Self {
        let mut call = Self::default();
        while let Some(word) = all.next() {
            if word == "--" {
                call.words.extend(all);
                break;
            }
            match flag(&word) {
                None => call.words.push(word),
                Some((name, Some(value))) => call.flag(name, value.to_owned()),
                Some((name, None)) if WITH_VALUE.contains(&name) => {
                    let value = all.next().unwrap_or_default();
                    call.flag(name, value);
                }
                Some((name, None)) => call.flag(name, String::new()),
            }
        }
        call
    }

    fn flag(&mut self, name: &str, value: String) {
        self.flags.entry(name.to_owned()).or_default().push(value);
    }

    pub(super) fn verb(&self) -> Verb {
        if self.has("version") {
            return Verb::Version;
        }
        if self.has("help") || self.has("h") {
            return Verb::Help;
        }
        match self.word(0) {
            "" => Verb::Nothing,
            "help" => Verb::Help,
            "collection" => Verb::Collection,
            "update" => Verb::Update,
            "embed" => Verb::Embed,
            "status" => Verb::Status,
            "search" => Verb::Search(Depth::Words),
            "vsearch" | "vector-search" => Verb::Search(Depth::Meaning),
            "query" | "deep-search" => Verb::Search(Depth::Both),
            _ => Verb::Unknown,
        }
    }

    /// The word at this place; empty where there is none.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// The words from this place on, as one text.
    pub(super) fn rest(&self, from: usize) -> String {
        self.words.get(from..).unwrap_or_default().join(" ")
    }

    pub(super) fn has(&self, flag: &str) -> bool {
        self.flags.contains_key(flag)
    }

    /// The last value of a flag.
    pub(super) fn value(&self, flag: &str) -> Option<&str> {
        self.values(flag).last().filter(|value| !value.is_empty())
    }

    pub(super) fn values(&self, flag: &str) -> impl Iterator<Item = &str> {
        self.flags.get(flag).into_iter().flatten().map(String::as_str)
    }
}

/// The name of a flag, and its value if it brings one. A question that begins with a dash has spaces.
fn flag(word: &str) -> Option<(&str, Option<&str>)> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    let is_flag = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(char::is_whitespace);
    match name.split_once('=') {
        Some((name, value)) if name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') => {
            Some((name, Some(value)))
        }
        Some(_) | None => is_flag.then_some((name, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &[&str]) -> Call {
        Call::read(line.iter().map(|word| (*word).to_owned()))
    }

    #[test]
    fn flags_stand_anywhere_and_unknown_ones_are_ignored() {
        let call = read(&["--no-rerank", "search", "-c", "a", "two words", "--json", "-c", "b", "-n", "4"]);
        assert_eq!(call.verb(), Verb::Search(Depth::Words));
        assert_eq!(call.rest(1), "two words");
        assert_eq!(call.values("c").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((call.value("n"), call.has("json")), (Some("4"), true));
    }

    #[test]
    fn a_question_that_begins_with_a_dash_is_a_question() {
        assert_eq!(read(&["search", "- what about rent", "--json"]).rest(1), "- what about rent");
        assert_eq!(read(&["search", "-5", "--", "--json"]).rest(1), "-5 --json");
        assert_eq!(read(&["search", "a", "--min-score=0.2"]).value("min-score"), Some("0.2"));
    }

    #[test]
    fn no_words_are_no_command() {
        assert_eq!(read(&[]).verb(), Verb::Nothing);
        assert_eq!(read(&["--version"]).verb(), Verb::Version);
        assert_eq!(read(&["bogus"]).verb(), Verb::Unknown);
    }
}
