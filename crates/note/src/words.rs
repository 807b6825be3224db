//! Search terms: one analysis for indexing and for questions, so that all backends agree.
//!
//! A text is scanned into *compounds* (`Sarah's`, `src/main.rs`, `a828e60`) and *runs* of a script that is
//! written without spaces. A compound gives its words, folded and stemmed by script, and itself as typed when
//! it is more than one word; a run gives overlapping pairs of characters. A term never holds white space, a
//! control character or `"`, and is at most [`MAX_BYTES`] long.

mod akin;
mod compound;
mod fold;
mod grams;
mod letters;
mod plain;
mod query;
mod recency;
mod scan;
mod script;
mod stem;
mod stop;
mod term_matcher;
mod tongue;
mod writing_system;

pub use akin::{beginnings, is_same_name, likeness};
pub use compound::apart;
pub use letters::Letters;
pub use plain::{PlainWord, plain, plainly};
pub use query::{Query, Unit, phrase, query, unit};
pub use recency::{Period, period};
pub use script::is_vietnamese;
use stop::is_grammar;
pub use stop::{is_foreign_stop, is_stop};
pub use term_matcher::TermMatcher;
pub use tongue::is_other_tongue;
pub use writing_system::WritingSystem;

use std::cell::RefCell;

use compound::Compounds;
use scan::{Token, scan};

/// The version of this analysis. An index made with another version has other terms and must be rebuilt.
pub const VERSION: u32 = 2;

/// The longest a term can be; a longer one is cut on a character.
pub const MAX_BYTES: usize = 64;

/// The terms of a text, in order, with repeats.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for_each(text, |term| terms.push(term.to_owned()));
    terms
}

/// The terms of a text as a question asks for them, in order, with repeats.
pub fn asked(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    with_analyzer(|analyzer| {
        analyzer.analyze(text, Purpose::Query, |term: &str| terms.push(term.to_owned()));
    });
    terms
}

/// Calls `each` with every term of a text, in order, on this thread's own [`Analyzer`].
pub fn for_each(text: &str, each: impl FnMut(&str)) {
    with_analyzer(|analyzer| analyzer.for_each(text, each));
}

/// This thread's own analyzer, or a new one for nested calls.
fn with_analyzer<T>(act: impl FnOnce(&mut Analyzer) -> T) -> T {
    thread_local! {
        static ANALYZER: RefCell<Analyzer> = RefCell::new(Analyzer::new());
    }
    ANALYZER.with(|analyzer| match analyzer.try_borrow_mut() {
        Ok(mut analyzer) => act(&mut analyzer),
        Err(_borrowed) => act(&mut Analyzer::new()),
    })
}

/// The analysis with its buffers and cached stems, for one thread and many texts.
pub struct Analyzer {
    compounds: Compounds,
    run: String,
}

impl Analyzer {
    pub fn new() -> Self {
        Self { compounds: Compounds::new(), run: String::new() }
    }

    /// Calls `each` with every term of a text, in order.
    pub fn for_each(&mut self, text: &str, each: impl FnMut(&str)) {
        self.analyze(text, Purpose::Index, each);
    }

    fn analyze(&mut self, text: &str, purpose: Purpose, mut each: impl Terms) {
        for token in scan(text) {
            match token {
                Token::Compound(raw) => self.compounds.terms(raw, purpose, &mut each),
                Token::Run(raw, class) => {
                    fold::run(raw, &mut self.run);
                    grams::grams(&self.run, class, purpose, &mut each);
                }
                Token::Symbol(raw) => each.take(raw),
            }
        }
    }
}

impl Default for Analyzer {
    fn default() -> Self {
        Self::new()
    }
}

/// Receives the terms of a text.
trait Terms {
    fn take(&mut self, term: &str);

    /// Whether the stem of a folded word can matter. Stemming takes most of the time.
    fn may_want(&self, word: &str) -> bool;
}

impl<F: FnMut(&str)> Terms for F {
    fn take(&mut self, term: &str) {
        self(term);
    }

    fn may_want(&self, _word: &str) -> bool {
        true
    }
}

/// What the terms are for. A text's terms for a question are always among its terms for the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Index,
    Query,
}

/// A term cut to [`MAX_BYTES`].
fn capped(term: &str) -> &str {
    &term[..term.floor_char_boundary(MAX_BYTES)]
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&terms(text).join(" "));
    }

    #[test]
    fn words_are_folded_and_stemmed() {
        check("Running dogs RAN quickly; cats' tails.", expect!["run dog ran quick cat tail"]);
        check(
            "Café naïve Zürich Straße Œuvre Łódź İstanbul ısı Ångström",
            expect!["cafe naiv zurich strass oeuvr lodz istanbul isi angstrom"],
        );
        check("ｆｕｌｌ　ｗｉｄｔｈ ﬁne cafe\u{301} ₂ ㎏", expect!["full width fine cafe 2"]);
    }

    #[test]
    fn a_vietnamese_word_has_its_marks_and_none() {
        check("Nhiều người", expect!["nhiều nhieu người nguoi"]);
        check("cafe\u{301} a\u{323}", expect!["cafe ạ a"]);
        check("ngu\u{AD}ời", expect!["nguời nguoi"]);
        assert_eq!(query("bao nhiêu người?").terms, ["bao", "nhieu", "người"]);
        assert_eq!(query("nguoi").terms, ["nguoi"]);
    }

    #[test]
    fn every_script_has_its_stemmer_or_none() {
        check("Книги книгами ещё мой Йод їжа", expect!["книг книг ещ мо йод їжа"]);
        check("Οι άνθρωποι ΣΕΙΣΜΟΣ σεισμός", expect!["οι ανθρωπ σεισμ σεισμ"]);
        check("الكِتابُ كتـــاب مدرسة إلى", expect!["كتاب كتاب مدرس ال"]);
        check("שָׁלוֹם עולם", expect!["שלום עולם"]);
        check("मैंने किताबें पढ़ीं", expect!["मैंने किताबें पढ़ीं"]);
        check("புத்தகங்கள்", expect!["புத்தகம்"]);
        check("می\u{200C}خواهم", expect!["ميخو"]);
    }

    #[test]
    fn apostrophes_do_not_hide_a_word() {
        check(
            "Sarah's Sarah’s don't we'll I'm O'Brien l'homme İstanbul'da 'quoted' rock'n'roll",
            expect!["sarah sarah dont we i o brien l homm istanbul da quot rock n roll"],
        );
    }

    #[test]
    fn a_compound_is_itself_and_its_parts() {
        check(
            "a828e60 E2BIG v2.3.0 10:30 2023-05-08",
            expect!["a828e60 e2big v2.3.0 v2 3 0 10:30 10 30 2023-05-08 2023 05 08"],
        );
        check(
            "slow-endpoint src/main.rs snake_case alice@acme.com.",
            expect![
                "slow-endpoint slow endpoint src/main.rs src main rs snake_case snake case alice@acme.com alic acm com"
            ],
        );
        check(
            "memorySearch.query.hybrid",
            expect!["memorysearch.query.hybrid memorysearch memori search queri hybrid"],
        );
        check(
            "HTTPServer GitHub iPhone15 gpt4 30min C3PO x",
            expect![
                "httpserver http server github git hub iphone15 iphon phone 15 gpt4 gpt 4 30min 30 min c3po x"
            ],
        );
        check(
            "https://example.com/a--b ...end. -flag #tag @user",
            expect!["https example.com/a exampl com a b end flag tag user"],
        );
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        check("我用Rust写代码2023年", expect!["我 我用 用 rust 写 写代 代 代码 码 2023 年"]);
        check("東京タワーに行く", expect!["東 東京 京 京タ タワ ワー ーに に行 行 行く"]);
        check("물을 마시다", expect!["물 물을 을 마 마시 시 시다 다"]);
        check("น้ำแข็งเย็น", expect!["น้ํา น้ําแข็ แข็ แข็ง งเย็ เย็ เย็น"]);
        check("ភាសាខ្មែរ", expect!["ភា ភាសា សា សាខ្មែ ខ្មែ ខ្មែរ"]);
        check("မြန်မာစာ", expect!["မြ မြန် န် န်မာ မာ မာစာ စာ"]);
    }

    #[test]
    fn pictographs_are_terms() {
        check("done 🎉👍🏽!", expect!["done 🎉 👍"]);
    }

    #[test]
    fn a_long_term_is_cut() {
        let found = terms(&"é".repeat(10_000));
        assert_eq!(found, ["e".repeat(64)]);
        let blob = "aB3dE/fGh1JkLm+Nop".repeat(1_000);
        assert!(terms(&blob).len() < blob.len() / 4);
    }

    #[test]
    fn a_callback_may_ask_for_terms_itself() {
        let mut inner = 0;
        for_each("a b", |term| inner += terms(term).len());
        assert_eq!(inner, 2);
    }
}
