//! Terms are safe for any index, and a question finds what the text was indexed under.

use std::collections::HashSet;

use mindfile_note::words::{self, MAX_BYTES};
use proptest::prelude::*;

use crate::config;

/// Words and near-words of many scripts, glued in any way.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("Running"),
        Just("memorySearch"),
        Just("don't"),
        Just("’s"),
        Just("E2BIG"),
        Just("2023-05-08"),
        Just("."),
        Just("_"),
        Just("-"),
        Just("\""),
        Just(" "),
        Just("\n"),
        Just("\u{0}"),
        Just("ＡＢ"),
        Just("ﬁ"),
        Just("ﷺ"),
        Just("e\u{301}"),
        Just("\u{301}"),
        Just("İ"),
        Just("ß"),
        Just("книгами"),
        Just("ё"),
        Just("άνθρωποι"),
        Just("الكِتاب"),
        Just("ـ"),
        Just("शब्द"),
        Just("\u{94d}"),
        Just("\u{200d}"),
        Just("中文"),
        Just("カﾞ"),
        Just("々"),
        Just("각"),
        Just("\u{1100}\u{1161}"),
        Just("เย็น"),
        Just("ខ្មែ"),
        Just("မြ"),
        Just("😀"),
        Just("👩\u{200d}🚀"),
        Just("\u{1F3FD}"),
        Just("𠀀"),
        Just("½"),
        Just("x²"),
        Just("புத்தகங்கள்"),
    ];
    let glued = proptest::collection::vec(part, 0..24).prop_map(|parts| parts.concat());
    let scripts = concat!(
        "[\u{400}-\u{45f}]{1,12}|[\u{370}-\u{3ff}]{1,12}|[\u{620}-\u{65f}]{1,12}|",
        "[\u{b80}-\u{bff}]{1,12}|[\u{900}-\u{97f}]{1,9}",
    );
    prop_oneof![glued, any::<String>(), scripts, "[a-zA-Z'’]{0,30}", "[a-z.@#:/_-]{0,30}"]
}

fn is_safe(term: &str) -> bool {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '"';
    !term.is_empty() && term.len() <= MAX_BYTES && term.chars().all(plain)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn terms_are_safe(text in text()) {
        for term in words::terms(&text) {
            prop_assert!(is_safe(&term), "{term:?}");
        }
    }

    #[test]
    fn an_analyzer_does_not_remember_what_it_should_not(first in text(), second in text()) {
        let mut used = words::Analyzer::new();
        used.for_each(&first, |_| {});
        let mut terms = Vec::new();
        used.for_each(&second, |term| terms.push(term.to_owned()));
        prop_assert_eq!(terms, words::terms(&second));
    }

    #[test]
    fn case_does_not_matter(text in "[a-z0-9 .'-]{0,40}") {
        prop_assert_eq!(words::terms(&text), words::terms(&text.to_uppercase()));
    }

    #[test]
    fn a_space_between_texts_changes_no_term(first in text(), second in text()) {
        let apart = [words::terms(&first), words::terms(&second)].concat();
        prop_assert_eq!(words::terms(&format!("{first} {second}")), apart);
    }

    #[test]
    fn a_question_asks_for_what_was_indexed(text in text()) {
        let asked = text.replace(['"', '“', '”', '„', '‟', '-'], " ");
        let indexed: HashSet<String> = words::terms(&asked).into_iter().collect();
        let query = words::query(&asked);
        prop_assert!(query.terms.iter().all(|term| indexed.contains(term)), "{:?} {indexed:?}", query.terms);
        let all_control = asked.chars().any(char::is_control);
        prop_assert!(all_control || query.terms.is_empty() == indexed.is_empty());
    }

    #[test]
    fn any_text_is_a_question(text in text(), more in any::<String>()) {
        let query = words::query(&format!("{text} -{more} \"{text}\""));
        let distinct: HashSet<&String> = query.terms.iter().collect();
        prop_assert_eq!(distinct.len(), query.terms.len());
        prop_assert!(query.terms.iter().chain(&query.excluded).all(|term| is_safe(term)));
        let stops = query.terms.iter().filter(|term| words::is_stop(term)).count();
        prop_assert!(stops == 0 || stops == query.terms.len());
        for phrase in query.phrases.iter().chain(&query.excluded_phrases) {
            prop_assert_eq!(words::phrase(phrase), phrase.as_str());
        }
    }
}
