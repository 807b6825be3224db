//! Puts a question in QMD's syntax. Pure.

use mindfile_note::words;
use serde_json::{Value, json};

use mindfile::search::Mode;
use mindfile_settings::QmdMode;

/// The most searches that QMD takes in one question.
const MOST: usize = 10;

/// How a question is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Notes that have every word.
    Whole,
    /// Notes that have any of the words, those with the most and rarest first. No model is needed.
    Lines,
    Meaning,
    /// Words and meaning, expanded and compared by models.
    Both {
        rerank: bool,
    },
}

/// How many of QMD's three models a mode needs: one makes vectors, one words the question anew, one compares.
pub(crate) fn models_needed(mode: QmdMode, rerank: bool) -> usize {
    match mode {
        QmdMode::Search => 0,
        QmdMode::Vsearch => 2,
        QmdMode::Query => 2 + usize::from(rerank),
    }
}

impl Way {
    pub(crate) fn mode(self) -> Mode {
        match self {
            Self::Whole | Self::Lines => Mode::Keyword,
            Self::Meaning => Mode::Vector,
            Self::Both { .. } => Mode::Hybrid,
        }
    }

    /// The command line, without the name of the program.
    pub(crate) fn arguments(self, text: &str, collections: &[&str], limit: usize) -> Vec<String> {
        let (command, text, rerank) = match self {
            Self::Whole => ("search", plain(text), true),
            Self::Lines => ("query", lines(text).join("\n"), false),
            Self::Meaning => ("vsearch", plain(text), true),
            Self::Both { rerank } => ("query", plain(text), rerank),
        };
        let mut all = vec![command.to_owned(), text, "--json".to_owned(), "-n".to_owned(), limit.to_string()];
        if !rerank {
            all.push("--no-rerank".to_owned());
        }
        all.extend(collections.iter().flat_map(|name| ["-c".to_owned(), (*name).to_owned()]));
        all
    }

    /// The same for QMD's server.
    pub(crate) fn body(self, text: &str, collections: &[&str], limit: usize) -> Value {
        let one = |kind: &str, text: &str| json!({ "type": kind, "query": text });
        let (searches, rerank) = match self {
            Self::Whole => (vec![one("lex", text)], false),
            Self::Lines => (asked(text).iter().map(|line| one("lex", line)).collect(), false),
            Self::Meaning => (vec![one("vec", text)], false),
            Self::Both { rerank } => (vec![one("lex", text), one("vec", text)], rerank),
        };
        json!({ "searches": searches, "collections": collections, "limit": limit, "rerank": rerank })
    }
}

/// Whether asking for any of the words that say something is another question than asking for all words.
pub(crate) fn is_other_by_word(text: &str) -> bool {
    match content_words(text).len() {
        0 => false,
        1 => text.split_whitespace().count() > 1,
        _ => true,
    }
}

/// A question that begins with a hyphen would be taken for an option.
fn plain(text: &str) -> String {
    if text.starts_with('-') { format!(" {text}") } else { text.to_owned() }
}

fn lines(text: &str) -> Vec<String> {
    asked(text).iter().map(|line| format!("lex: {line}")).collect()
}

/// The whole question, then its words one by one.
fn asked(text: &str) -> Vec<String> {
    let mut all = vec![text.to_owned()];
    let words = content_words(text);
    all.extend(words.into_iter().filter(|word| word != text).take(MOST - 1));
    all
}

/// The words that say what a question is about, without those that it does not want.
fn content_words(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for part in text.split_whitespace().filter(|part| !part.starts_with('-')) {
        for word in part.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase) {
            let says = word.chars().count() > 1 || !word.is_ascii();
            if says && !words::is_stop(&word) && !all.contains(&word) {
                all.push(word);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&str; 2] = ["memory-root-main", "docs"];

    #[test]
    fn without_models_a_question_is_asked_as_a_whole_and_word_by_word() {
        let arguments = Way::Lines.arguments("where is the router's password", &ALL, 6);
        let lines = "lex: where is the router's password\nlex: router\nlex: password";
        let expected =
            ["query", lines, "--json", "-n", "6", "--no-rerank", "-c", "memory-root-main", "-c", "docs"];
        assert_eq!(arguments, expected);
        let body = Way::Lines.body("Falcon", &["docs"], 3);
        let expected = json!({ "searches": [{ "type": "lex", "query": "Falcon" }, { "type": "lex", "query": "falcon" }],
            "collections": ["docs"], "limit": 3, "rerank": false });
        assert_eq!(body, expected);
    }

    #[test]
    fn a_question_cannot_be_taken_for_an_option_and_is_not_longer_than_qmd_allows() {
        assert_eq!(Way::Whole.arguments("--all notes", &[], 1)[1], " --all notes");
        let long = (0..40).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
        assert_eq!(asked(&long).len(), MOST);
        assert_eq!(content_words("-secret plan B für 東京"), ["plan", "für", "東京"]);
    }

    #[test]
    fn with_models_they_decide() {
        let arguments = Way::Both { rerank: false }.arguments("x y", &[], 2);
        assert_eq!(arguments, ["query", "x y", "--json", "-n", "2", "--no-rerank"]);
        assert_eq!(Way::Meaning.arguments("x y", &[], 2)[0], "vsearch");
        assert_eq!(
            [QmdMode::Search, QmdMode::Vsearch, QmdMode::Query].map(|m| models_needed(m, true)),
            [0, 2, 3]
        );
    }
}
