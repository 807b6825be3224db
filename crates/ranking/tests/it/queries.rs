//! What may be typed, and what it finds.

use expect_test::expect;
use mindfile_ranking::search::{Mode, Request};

use crate::world::World;
use crate::{all, by, paths};

const ENGLISH: &[(&str, &str)] = &[
    ("memory/commits.md", "# Commits\n\nThe fix went in with a828e60, after a828e61 was reverted.\n"),
    ("memory/errors.md", "# Errors\n\nE2BIG means that the arguments are too long.\n"),
    ("memory/keys.md", "# Keys\n\nmemorySearch.query.hybrid turns both lists on.\n"),
    ("memory/limits.md", "# Limits\n\nThe rate limit is 100 requests a minute.\n"),
    ("memory/pace.md", "# Pace\n\nLimit the rate at which staging is asked.\n"),
    ("memory/menu.md", "# Menu\n\nThe Café opens at nine; Friday is 🍕 night.\n"),
    (
        "memory/other.md",
        "# Other\n\nThe commit after that one, a828e7f, has other errors; see memorySearch.enabled.\n",
    ),
];

/// The query's first hit is this note.
fn check(world: &World, query: &str, path: &str) {
    for mode in [Mode::Hybrid, Mode::Keyword] {
        let answer = world.ask(&by(mode, query)).answer;
        assert_eq!(answer.hits.first().map(|hit| hit.path.as_str()), Some(path), "{query} by {mode:?}");
    }
}

#[test]
fn names_with_digits_dots_and_capitals_are_found_as_typed() {
    let world = World::new(ENGLISH);
    for (query, path) in [
        ("a828e60", "commits"),
        ("a828e7f", "other"),
        ("E2BIG", "errors"),
        ("e2big", "errors"),
        ("memorySearch.query.hybrid", "keys"),
        ("what is memorySearch.enabled", "other"),
        ("hybrid", "keys"),
    ] {
        check(&world, query, &format!("memory/{path}.md"));
    }
}

#[test]
fn an_unknown_name_of_the_same_shape_finds_nothing() {
    let world = World::new(ENGLISH);
    for query in ["b939f71", "E3BIG", "zebraStripes.width"] {
        let found = world.ask(&by(Mode::Keyword, query)).answer.hits;
        assert_eq!(paths(&found), Vec::<&str>::new(), "{query}");
    }
}

#[test]
fn case_accents_and_endings_do_not_matter() {
    let world = World::new(ENGLISH);
    for query in ["cafe", "CAFÉ", "Cafés"] {
        check(&world, query, "memory/menu.md");
    }
    check(&world, "argument", "memory/errors.md");
}

#[test]
fn a_quoted_phrase_is_found_as_typed_and_nothing_else() {
    let world = World::new(ENGLISH);
    for query in ["\"rate limit\"", "“Rate  LIMIT”", "minute \"rate limit\""] {
        let answer = world.ask(&all(query)).answer;
        assert_eq!(
            (paths(&answer.hits), answer.phrases_relaxed),
            (vec!["memory/limits.md"], false),
            "{query}"
        );
    }
    assert_eq!(paths(&world.ask(&all("\"limit the rate\"")).answer.hits), ["memory/pace.md"]);
}

#[test]
fn a_phrase_may_stand_in_the_title() {
    let world = World::new(&[
        ("memory/a.md", "# Harbour master\n\nCalls at nine.\n"),
        ("memory/b.md", "Master of the harbour.\n"),
    ]);
    assert_eq!(paths(&world.ask(&all("\"harbour master\"")).answer.hits), ["memory/a.md"]);
}

#[test]
fn a_phrase_that_nobody_wrote_is_asked_word_by_word_and_that_is_said() {
    let world = World::new(ENGLISH);
    let answer = world.ask(&by(Mode::Keyword, "\"rate of requests\"")).answer;
    assert_eq!((answer.hits[0].path.as_str(), answer.phrases_relaxed), ("memory/limits.md", true));
}

#[test]
fn an_excluded_word_or_phrase_keeps_a_note_out() {
    let world = World::new(ENGLISH);
    let rate = |query: &str| paths(&world.ask(&by(Mode::Keyword, query)).answer.hits).join(" ");
    assert_eq!(rate("rate limit"), "memory/limits.md memory/pace.md");
    assert_eq!(rate("rate limit -staging"), "memory/limits.md");
    assert_eq!(rate("rate limit -\"rate limit\""), "memory/pace.md");
    assert_eq!(rate("rate limit -requests -staging"), "");
    assert!(!rate("rate -a828e60").contains("commits"));
    let hybrid = world.ask(&all("rate limit -staging")).answer;
    assert!(!paths(&hybrid.hits).contains(&"memory/pace.md"));
}

#[test]
fn scripts_without_spaces_are_found_by_a_part() {
    let world = World::new(&[
        ("memory/tokyo.md", "東京都の運動会は十月です。\n"),
        ("memory/kyoto.md", "京都の桜は四月に咲きます。\n"),
        ("memory/ice.md", "เราซื้อน้ำแข็งที่ท่าเรือทุกเช้า\n"),
        ("memory/sea.md", "ทะเลสงบในตอนเย็น\n"),
        ("memory/seoul.md", "서울에서 회의가 열립니다\n"),
    ]);
    check(&world, "運動会", "memory/tokyo.md");
    check(&world, "桜", "memory/kyoto.md");
    check(&world, "น้ำแข็ง", "memory/ice.md");
    check(&world, "ทะเล", "memory/sea.md");
    check(&world, "회의", "memory/seoul.md");
}

#[test]
fn russian_is_found_in_another_case() {
    let world = World::new(&[
        ("memory/books.md", "Сара вернула книгу в библиотеку.\n"),
        ("memory/boats.md", "Лодка стоит у причала.\n"),
    ]);
    for query in ["книга", "книги", "библиотека"] {
        check(&world, query, "memory/books.md");
    }
    check(&world, "лодки", "memory/boats.md");
}

#[test]
fn an_emoji_is_a_word() {
    check(&World::new(ENGLISH), "🍕", "memory/menu.md");
}

#[test]
fn control_characters_are_space() {
    let world = World::new(ENGLISH);
    for query in ["E2BIG\0", "\0\u{1b}E2BIG", "what\u{0}is\nE2BIG"] {
        check(&world, query, "memory/errors.md");
    }
}

#[test]
fn ten_thousand_words_are_a_query() {
    let world = World::new(ENGLISH);
    let words: String = (0..10_000).map(|n| format!("word{n} ")).collect();
    let asked = format!("E2BIG {words}");
    assert_eq!(paths(&world.ask(&by(Mode::Keyword, &asked)).answer.hits)[0], "memory/errors.md");
    assert_eq!(
        paths(&world.ask(&all(&asked)).answer.hits)[0],
        "memory/errors.md",
        "for who asks for every score"
    );
    let response = world.ask(&Request::new(format!("{words} E2BIG")));
    assert!(response.plan.text.len() <= 8192, "{}", response.plan.text.len());
    assert!(world.ask(&Request::new("é".repeat(10_000))).plan.text.chars().all(|c| c == 'é'));
}

#[test]
fn operators_and_quotes_alone_find_nothing_and_are_no_error() {
    let world = World::new(ENGLISH);
    for query in ["\"", "\"\"", "- -", "*", "\" \" -\"\"", "(", "NEAR(", "' OR 1=1 --", "^ : {", "\\", "%"] {
        for mode in [Mode::Hybrid, Mode::Keyword, Mode::Vector] {
            world.ask(&by(mode, query));
        }
        if !query.contains(char::is_alphanumeric) {
            assert_eq!(world.answer(query).hits, [], "{query}");
        }
    }
}

#[test]
fn only_excluded_words_are_asked_for() {
    check(&World::new(ENGLISH), "-E2BIG", "memory/errors.md");
}

#[test]
fn an_empty_query_is_an_error() {
    let world = World::new(ENGLISH);
    for query in ["", "  \n\t", "\0"] {
        expect!["the query is empty"].assert_eq(&world.refuses(&Request::new(query)).to_string());
    }
}
