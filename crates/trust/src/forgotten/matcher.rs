//! Finds forgotten texts by their keyed digests alone: also inside a longer text, in other case, with other punctuation,
//! or with look-alike letters.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use jiff::Timestamp;
use mindfile_disk::secret_key::{Key, Mark};
use mindfile_note::words::{PlainWord, plain};
use serde::{Deserialize, Serialize};

/// Words in a row that are compared; a shorter text is compared whole.
const WINDOW: usize = 8;
/// Windows that are kept of a long text, evenly spread.
const MOST_WINDOWS: usize = 256;
/// A word of so many letters and digits together is no word of a language, and found wherever it stands.
const TELLING: usize = 8;
/// Stands where something was forgotten.
pub const COVER: &str = "[forgotten]";

/// A text that was forgotten, as it is remembered. A type with serde is a format: see FORMAT.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    #[serde(rename = "at")]
    pub at_ms: i64,
    /// Words in a row under each mark.
    pub words: usize,
    /// How many words lie between the beginnings of two windows.
    pub step: usize,
    /// So little that it is refused only where nothing else is said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
    pub marks: Vec<Mark>,
}

impl Item {
    /// How a text is remembered; none if it has no words. What has fewer than `least` words is refused only by itself.
    pub fn of(key: &Key, text: &str, least: usize, at_ms: i64) -> Option<Self> {
        let said: Vec<String> = plain(text).into_iter().map(|plain| plain.word).collect();
        let whole = said.len() < least && !said.iter().any(|word| is_telling(word));
        let words = if whole { said.len() } else { said.len().min(WINDOW) };
        let last = said.len().checked_sub(words).filter(|_| words > 0)?;
        let step = last.div_ceil(MOST_WINDOWS).max(1);
        let starts: BTreeSet<usize> = (0..=last).step_by(step).chain([last]).collect();
        let purpose = purpose(whole);
        let marks = starts.iter().map(|&at| key.mark(purpose, &said[at..at + words].join(" ")));
        Some(Self { at_ms, words, whole, step, marks: marks.collect() })
    }
}

fn purpose(whole: bool) -> &'static str {
    if whole { "forgotten whole" } else { "forgotten" }
}

fn is_telling(word: &str) -> bool {
    let digits = word.chars().any(char::is_numeric);
    word.chars().count() >= TELLING && digits && word.chars().any(char::is_alphabetic)
}

/// Items, ready to be looked for.
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    key: Option<Key>,
    items: Vec<Item>,
    /// Items by their windows, and those that are only refused whole.
    windows: HashMap<Mark, Vec<usize>>,
    wholes: HashMap<Mark, usize>,
    lengths: BTreeSet<usize>,
}

impl Matcher {
    pub fn new(key: Key, items: Vec<Item>) -> Self {
        let mut matcher = Self { key: Some(key), ..Self::default() };
        items.into_iter().for_each(|item| matcher.add(item));
        matcher
    }

    pub fn add(&mut self, item: Item) {
        let at = self.items.len();
        if item.whole {
            self.wholes.extend(item.marks.iter().map(|mark| (*mark, at)));
        } else {
            item.marks.iter().for_each(|mark| self.windows.entry(*mark).or_default().push(at));
            self.lengths.insert(item.words);
        }
        self.items.push(item);
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Those of items that were forgotten at a moment or later.
    pub fn since(&self, at_ms: i64) -> Self {
        let items = self.items.iter().filter(|item| item.at_ms >= at_ms).cloned().collect();
        self.key.clone().map_or_else(Self::default, |key| Self::new(key, items))
    }

    /// The marks of every item that the text says something of.
    pub fn marks_in(&self, text: &str) -> BTreeSet<Mark> {
        self.find(text).into_iter().flat_map(|(item, _)| self.items[item].marks.clone()).collect()
    }

    /// When what the text says was forgotten; none if it was not.
    pub fn asked(&self, text: &str) -> Option<Timestamp> {
        let (at, _) = self.find(text).into_iter().next()?;
        Some(Timestamp::from_millisecond(self.items[at].at_ms).unwrap_or_default())
    }

    /// The text with a mark in the place of what was forgotten.
    pub fn cover<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut ranges: Vec<Range<usize>> = self.find(text).into_iter().map(|(_, range)| range).collect();
        if ranges.is_empty() {
            return Cow::Borrowed(text);
        }
        ranges.sort_by_key(|range| (range.start, range.end));
        let mut covered = String::new();
        let mut from = 0;
        for range in ranges.into_iter().filter(|range| !range.is_empty()) {
            if range.start >= from {
                covered.push_str(&text[from..range.start]);
                covered.push_str(COVER);
            }
            from = from.max(range.end);
        }
        covered.push_str(&text[from..]);
        Cow::Owned(covered)
    }

    /// Where the text says something of an item, and which.
    fn find(&self, text: &str) -> Vec<(usize, Range<usize>)> {
        let Some(key) = self.key.as_ref().filter(|_| !self.items.is_empty()) else { return Vec::new() };
        let words = plain(text);
        let mut found: Vec<(usize, Range<usize>)> = Vec::new();
        if let Some(&item) = self.wholes.get(&key.mark(purpose(true), &joined(&words))) {
            found.push((item, 0..text.len()));
        }
        for (item, places) in self.windows_in(key, &words) {
            let Item { words: length, step, marks, .. } = &self.items[item];
            let known: BTreeSet<Mark> = places.iter().map(|(_, mark)| *mark).collect();
            // Half of it is enough to know what it was.
            if known.len() * 2 >= marks.len() {
                let starts: Vec<usize> = places.into_iter().map(|(at, _)| at).collect();
                found.extend(runs(&starts, *length, *step).into_iter().map(|run| {
                    let first = &words[run.start];
                    let last = &words[run.end - 1];
                    (item, first.range.start..last.range.end)
                }));
            }
        }
        found
    }

    /// Which items have a window in the text, and where these begin.
    fn windows_in(&self, key: &Key, words: &[PlainWord]) -> BTreeMap<usize, Vec<(usize, Mark)>> {
        let mut found: BTreeMap<usize, Vec<(usize, Mark)>> = BTreeMap::new();
        for &length in self.lengths.iter().filter(|length| **length <= words.len()) {
            for (at, window) in words.windows(length).enumerate() {
                let mark = key.mark(purpose(false), &joined(window));
                for &item in self.windows.get(&mark).into_iter().flatten() {
                    found.entry(item).or_default().push((at, mark));
                }
            }
        }
        found
    }
}

fn joined(words: &[PlainWord]) -> String {
    words.iter().map(|plain| plain.word.as_str()).collect::<Vec<_>>().join(" ")
}

/// Runs of words: windows that follow each other no farther than they were taken.
fn runs(starts: &[usize], length: usize, step: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &start in starts {
        match runs.last_mut().filter(|run| start <= run.end.max(run.end - length + 2 * step)) {
            Some(run) => run.end = start + length,
            None => runs.push(start..start + length),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matcher(texts: &[&str]) -> Matcher {
        let key = Key::from_bytes([9; 32]);
        let items = texts.iter().filter_map(|text| Item::of(&key, text, 3, 0)).collect();
        Matcher::new(key, items)
    }

    #[test]
    fn a_sentence_is_found_in_a_longer_text_however_it_is_spelled() {
        let matcher = matcher(&["Sarah leaves the company on the third of May, she told me at lunch."]);
        for text in [
            "Sarah leaves the company on the third of May, she told me at lunch.",
            "By the way: SARAH LEAVES the company — on the third of May; she told me at lunch!",
            "Sаrah leaves the compаny on the third of May, she told me at lunch",
        ] {
            assert!(matcher.asked(text).is_some(), "{text}");
        }
        assert_eq!(
            matcher.cover("Well. Sarah leaves the company on the third of May, she told me at lunch. Bye."),
            "Well. [forgotten]. Bye."
        );
        for text in ["Sarah leaves the company.", "She told me at lunch.", ""] {
            assert_eq!(matcher.asked(text), None, "{text}");
        }
    }

    #[test]
    fn a_word_or_two_are_refused_only_by_themselves() {
        let matcher = matcher(&["dark", "editor.theme dark"]);
        assert!(matcher.asked("Dark!").is_some());
        assert!(matcher.asked("the editor.theme dark is fine").is_some());
        assert_eq!(matcher.asked("a dark room"), None);
        assert!(super::tests::matcher(&["QX7-CANARY01"]).asked("the code is qx7 canary01 now").is_some());
    }

    #[test]
    fn a_long_text_is_covered_from_its_beginning_to_its_end() {
        let long: String = (0..5_000).map(|n| format!("word{n} ")).collect();
        let matcher = matcher(&[&long]);
        assert!(matcher.items()[0].marks.len() <= MOST_WINDOWS + 2);
        assert_eq!(matcher.cover(&format!("a {long}b")), "a [forgotten] b");
    }

    #[test]
    fn characters_of_a_script_without_spaces_are_found_inside_a_line() {
        assert_eq!(
            matcher(&["我的密码是蓝色的大象"]).cover("他说我的密码是蓝色的大象。"),
            "他说[forgotten]。"
        );
    }
}
