//! The words by which a forgotten line is recognised elsewhere: what it says, without the syntax around it.

use mindfile_note::text::sentences;
use mindfile_note::words::{PlainWord, plain};
use mindfile_note::{CitedLine, chunk, fact};

/// What a line says: a fact's text, a candidate's sentence, a consolidated line without its sources. Nothing for a heading.
pub fn heart(line: &str) -> Option<String> {
    if let Some(fact) = fact::read(line) {
        return Some(with_key(&fact));
    }
    let line = line.trim();
    if line.starts_with('#') || line.starts_with("<!--") {
        return None;
    }
    if let Some(read) = CitedLine::read(line.trim_start_matches("> ")) {
        let text = read.text.split(" (confidence ").next().unwrap_or(&read.text);
        return Some(text.to_owned());
    }
    Some(candidate(line).unwrap_or(line).to_owned())
}

/// A value that is nothing by itself is known by its key.
pub fn with_key(fact: &fact::Line<'_>) -> String {
    match fact.key() {
        Some(key) => format!("{key} {}", fact.text()),
        None => fact.text().to_owned(),
    }
}

/// The sentence in `- candidate (remember, user): SENTENCE [sessions/s.jsonl#L3]`.
fn candidate(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("- candidate (")?.split_once("): ")?;
    Some(rest.rsplit_once(" [sessions/").map_or(rest, |(sentence, _)| sentence))
}

/// The sentences of a text that have these words in this order.
pub fn with_words(text: &str, wanted: &[PlainWord]) -> Vec<String> {
    let all = sentences(text).into_iter().map(|range| &text[range]);
    all.filter(|sentence| has(sentence, wanted)).map(|sentence| sentence.trim().to_owned()).collect()
}

pub fn has(text: &str, wanted: &[PlainWord]) -> bool {
    let words = plain(text);
    let same = |window: &[PlainWord]| window.iter().zip(wanted).all(|(a, b)| a.word == b.word);
    !wanted.is_empty() && words.windows(wanted.len()).any(same)
}

/// Facts of a text by their lines, with the id that each goes by.
pub fn fact_ids(text: &str) -> Vec<(u32, String)> {
    chunk::facts(text).iter().map(|placed| (placed.line, placed.fact.id_or_derived().into_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_says_is_found_in_each_sort_of_line() {
        for (line, says) in [
            ("- B(s=0.9) @Sarah: Sarah is leaving ^k3", Some("Sarah is leaving")),
            ("- O(key=editor.theme) @user: dark", Some("editor.theme dark")),
            ("- Sarah is leaving (^k3, ^x9)", Some("Sarah is leaving")),
            ("> - Prefers tea (confidence 0.76) (^k3)", Some("Prefers tea")),
            ("- candidate (remember, user): Buy milk. [sessions/s1.jsonl#L3]", Some("Buy milk.")),
            ("plain words", Some("plain words")),
            ("## Heading of a day", None),
        ] {
            assert_eq!(heart(line).as_deref(), says, "{line}");
        }
    }

    #[test]
    fn sentences_are_found_by_words_in_order() {
        let text = "I like tea. The blue door is open! Bye.";
        assert_eq!(with_words(text, &plain("Blue DOOR")), ["The blue door is open!"]);
        assert!(with_words(text, &plain("door blue")).is_empty() && !has(text, &[]));
    }
}
