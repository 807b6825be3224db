//! What sort of answer a question wants: a time, a person, a place, a number, or more than a fact can say. A fact without
//! the sort is less likely to be it. English questions only; others want anything.

use std::collections::HashSet;
use std::sync::LazyLock;

use mindfile_note::words;

use super::facts::ShelvedFact;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerSort {
    Anything,
    Time,
    Person,
    Place,
    Number,
}

/// Words of questions that ask what could, should or would be: no single fact says that.
const SPECULATIVE: &str = "can could will would should might may must shall if unless whether risk risks risky danger \
    dangerous threat threaten threatens problem problems trouble affect affects affected impact consequence \
    consequences depend depends rely relies prevent prevents stop stops delay delays block blocks hold holding suffer \
    suffers trust safe improve improvement improvements better";
const ASKS_FOR_A_FACT: [&str; 10] =
    ["what", "which", "who", "whom", "whose", "when", "where", "why", "how", "until"];

/// Whether a text asks for more than a fact: it is about what could be, or it is no question for a fact at all but a
/// topic.
pub(super) fn is_open(query: &str) -> bool {
    let words: Vec<&str> = split(query).collect();
    // "May" with a capital is a month, unless it begins the question.
    let month = |at: usize, word: &str| at > 0 && word == "May";
    let speculates =
        |word: &str| SPECULATIVE.split_whitespace().any(|other| other.eq_ignore_ascii_case(word));
    let speculative = words.iter().enumerate().any(|(at, word)| speculates(word) && !month(at, word));
    let for_a_fact = |word: &&str| ASKS_FOR_A_FACT.iter().any(|other| other.eq_ignore_ascii_case(word));
    speculative || !words.iter().any(for_a_fact)
}

/// Whether a text is put as a question, in whatever language. In Greek the mark is a semicolon; Japanese needs none.
pub(super) fn is_question(text: &str) -> bool {
    let said =
        text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | '。' | '"' | '»' | '”'));
    said.ends_with(['?', '？', '؟', ';', '\u{37e}', 'か'])
}

impl AnswerSort {
    pub(super) fn by(query: &str) -> Self {
        let lower = query.to_lowercase();
        let words: Vec<&str> = split(&lower).collect();
        let has = |word: &str| words.contains(&word);
        let pair = |a: &str, of: &[&str]| words.windows(2).any(|pair| pair[0] == a && of.contains(&pair[1]));
        if has("who") || has("whom") || has("whose") {
            Self::Person
        } else if has("when") || pair("what", &["date", "day", "time"]) {
            Self::Time
        } else if has("where") {
            Self::Place
        } else if pair("how", &["many", "much", "long", "often", "large", "big", "old", "high", "far"]) {
            Self::Number
        } else {
            Self::Anything
        }
    }

    /// Whether a fact has what is wanted; a name that the question has itself is none.
    pub(super) fn is_in(self, fact: &ShelvedFact, asked: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Time => has(fact, &TIMES) || has_digit(fact),
            Self::Number => has(fact, &NUMBERS) || has(fact, &TIMES) || has_digit(fact),
            Self::Person => names(fact, asked),
            Self::Place => names(fact, asked) || has_place(&fact.fact.text),
        }
    }

    /// Whether it is something that a fact has or has not beyond doubt.
    pub(super) fn is_measurable(self) -> bool {
        match self {
            Self::Time | Self::Place | Self::Number => true,
            Self::Anything | Self::Person => false,
        }
    }
}

static TIMES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    words::terms(
        "january february march april may june july august september october november december monday tuesday wednesday \
         thursday friday saturday sunday today tomorrow yesterday tonight morning noon afternoon evening night week month \
         year day hour until since before after daily weekly monthly yearly q1 q2 q3 q4",
    )
    .into_iter()
    .collect()
});

static NUMBERS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    words::terms(
        "one two three four five six seven eight nine ten eleven twelve sixteen twenty thirty hundred thousand million half \
         third quarter once twice every",
    )
    .into_iter()
    .collect()
});

const PLACE_WORDS: [&str; 8] = ["in", "at", "to", "on", "from", "near", "behind", "under"];

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn has(fact: &ShelvedFact, words: &HashSet<String>) -> bool {
    fact.terms.iter().any(|term| words.contains(term))
}

fn has_digit(fact: &ShelvedFact) -> bool {
    fact.fact.text.chars().any(|c| c.is_ascii_digit())
}

/// Whether it tags a name, which is written with a capital, that the question does not have.
fn names(fact: &ShelvedFact, asked: &str) -> bool {
    let capital = |tag: &&String| tag.chars().next().is_some_and(char::is_uppercase);
    fact.fact.spelled.iter().filter(capital).any(|tag| !asked.contains(tag.as_str()))
}

fn has_place(text: &str) -> bool {
    split(text).any(|word| PLACE_WORDS.iter().any(|place| place.eq_ignore_ascii_case(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sort_of_answer_follows_from_the_question() {
        for (query, expected) in [
            ("Who leads the team?", AnswerSort::Person),
            ("When does it end", AnswerSort::Time),
            ("Where is the key kept?", AnswerSort::Place),
            ("How many seats are there?", AnswerSort::Number),
            ("Why is it slow?", AnswerSort::Anything),
            ("Wer leitet das Team?", AnswerSort::Anything),
        ] {
            assert_eq!(AnswerSort::by(query), expected, "{query}");
        }
    }

    #[test]
    fn what_could_be_and_mere_topics_are_open() {
        for open in ["Could the outage happen again?", "app performance", "May I deploy now?", "Is it safe?"]
        {
            assert!(is_open(open), "{open}");
        }
        for closed in ["What happened in May?", "Who leads the team?", "Which port is it on"] {
            assert!(!is_open(closed), "{closed}");
        }
    }
}
