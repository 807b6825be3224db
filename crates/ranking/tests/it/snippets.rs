//! What is shown: short, without repeats, and where the match is.

use std::collections::BTreeSet;

use expect_test::expect;
use mindfile_ranking::search::{Hit, Mode, Request, Sure};

use crate::all;
use crate::world::World;

fn chars(hit: &Hit) -> usize {
    hit.snippet.chars().count()
}

/// Lines that have nothing to do with any question.
fn filler(lines: std::ops::Range<usize>) -> String {
    lines.map(|n| format!("Line {n} speaks of nothing but sand, gravel and the wind.\n")).collect()
}

#[test]
fn a_short_note_is_shown_whole() {
    let world = World::new(&[("memory/a.md", "# Ferry\n\nThe ferry leaves at nine.\n")]);
    let response = world.search(&Request::new("ferry"), None).unwrap();
    let hit = &response.answer.hits[0];
    assert_eq!(hit.snippet, "# Ferry\n\nThe ferry leaves at nine.");
    let marked: Vec<&str> =
        hit.marks(&response.answer.sought).into_iter().map(|mark| &hit.snippet[mark]).collect();
    assert_eq!(marked, ["Ferry", "ferry"]);
}

/// What is marked is what was found, in whatever form.
#[test]
fn words_in_other_forms_are_shown_and_marked() {
    let before: String =
        (0..20).map(|n| format!("{n}. satırda rüzgârdan ve çakıldan başka söz yok.\n")).collect();
    let world = World::new(&[("memory/a.md", &format!("{before}Kovanlar kışın bahçede kaldı.\n"))]);
    let keyword = Request { mode: Some(Mode::Keyword), ..Request::new("Kovanların yeri nasıldı?") };
    let response = world.search(&keyword, None).unwrap();
    let hit = &response.answer.hits[0];
    let marked = hit.marks(&response.answer.sought).into_iter().map(|mark| &hit.snippet[mark]);
    assert_eq!(marked.collect::<Vec<_>>(), ["Kovanlar"]);
}

#[test]
fn citations_name_path_and_lines() {
    let world = World::new(&[
        ("memory/a.md", "\n\nThe ferry leaves at nine.\n"),
        ("memory/b.md", "# Ferry\n\nBlue.\n"),
    ]);
    let hits = world.ask(&all("ferry")).answer.hits;
    let mut cited: Vec<String> = hits.iter().map(Hit::citation).collect();
    cited.sort();
    assert_eq!(cited, ["memory/a.md#L3", "memory/b.md#L1-L3"]);
}

#[test]
fn no_snippet_is_too_long_and_neither_are_all_of_them() {
    let long = filler(0..20);
    let names: Vec<String> = (0..20).map(|n| format!("memory/{n:02}.md")).collect();
    let notes: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), long.as_str())).collect();
    let world = World::new(&notes);
    for count in [1, 6, 7, 20] {
        let hits = world.ask(&Request { max_results: Some(count), ..all("sand and gravel") }).answer.hits;
        assert_eq!(hits.len(), count);
        let lengths: Vec<usize> = hits.iter().map(chars).collect();
        assert!(lengths.iter().all(|&length| 0 < length && length <= 700), "{lengths:?}");
        assert!(lengths.iter().sum::<usize>() <= 4000, "{lengths:?}");
        assert!(lengths[0] > 500, "the best hit gets its room: {lengths:?}");
    }
}

#[test]
fn the_limits_are_settings_and_count_characters() {
    let mut world = World::new(&[("memory/a.md", &"漁港の鐘は正午に鳴る。".repeat(60))]);
    (world.settings.query.max_snippet_chars, world.settings.query.max_injected_chars) = (50, 60);
    let hits = world.ask(&all("正午")).answer.hits;
    assert!(hits.iter().all(|hit| chars(hit) <= 50));
    assert!(hits.iter().map(chars).sum::<usize>() <= 60);
    assert!(hits[0].snippet.contains("正午"));
}

#[test]
fn the_answer_at_the_end_of_a_long_chunk_is_shown() {
    let text = format!("{}The spare key hangs behind the blue door.\n", filler(0..22));
    let world = World::new(&[("memory/a.md", &text)]);
    let hit = &world.answer("where does the spare key hang").hits[0];
    assert!(hit.end_line - hit.start_line > 15, "one chunk holds most of it: {}", hit.citation());
    assert!(hit.snippet.contains("The spare key hangs behind the blue door."), "{}", hit.snippet);
}

#[test]
fn two_places_of_one_chunk_share_a_snippet() {
    let text = format!(
        "The spare key has a red ribbon.\n{}The spare key hangs behind the blue door.\n",
        filler(0..19)
    );
    let world = World::new(&[("memory/a.md", &text)]);
    let snippet = &world.answer("spare key").hits[0].snippet;
    assert!(snippet.contains("red ribbon") && snippet.contains("blue door"), "{snippet}");
    assert!(snippet.contains('…'), "{snippet}");
}

#[test]
fn a_long_line_is_shown_by_its_sentences() {
    let sand = "Nothing here speaks of anything but sand, gravel and the wind from the west. ";
    let text = format!("{}The spare key hangs behind the blue door. {}", sand.repeat(8), sand.repeat(8));
    let world = World::new(&[("memory/a.md", &text)]);
    let hit = &world.answer("where does the spare key hang").hits[0];
    assert!(hit.snippet.contains("The spare key hangs behind the blue door."), "{}", hit.snippet);
    assert!(chars(hit) <= 700);
}

#[test]
fn no_line_is_shown_twice_but_for_one_that_answers() {
    let lines: String = (0..60).map(|n| format!("Entry {n}: the ferry left at {n} past nine.\n")).collect();
    let mut world = World::new(&[("memory/log.md", &lines)]);
    (world.settings.chunking.tokens, world.settings.chunking.overlap) = (100, 40);
    let hits = world.ask(&all("ferry left past nine")).answer.hits;
    assert!(hits.len() > 5, "{}", hits.len());
    let overlapping =
        hits.iter().any(|a| hits.iter().any(|b| a.start_line < b.start_line && b.start_line <= a.end_line));
    assert!(overlapping, "the chunks repeat lines");
    let mut shown = BTreeSet::new();
    for hit in &hits {
        for line in hit.snippet.lines().filter(|line| line.starts_with("Entry")) {
            assert!(shown.insert(line) || line == hit.answer.text, "twice: {line}");
        }
    }
}

#[test]
fn what_is_cut_is_cut_between_characters() {
    let mut world = World::new(&[("memory/a.md", &format!("ferry {}\n", "🚢é漁".repeat(400)))]);
    world.settings.query.max_snippet_chars = 41;
    let hits = world.answer("ferry").hits;
    assert!(hits.iter().all(|hit| (1..=41).contains(&chars(hit))));
}

#[test]
fn a_snippet_begins_where_the_lines_of_its_citation_do() {
    let world =
        World::new(&[("memory/a.md", "# Tides\n\nHigh at noon.\n\n# Ferry\n\nThe ferry leaves at nine.\n")]);
    let hit = &world.answer("ferry").hits[0];
    let text = world.lines(&hit.path, hit.start_line, hit.end_line);
    expect![[r##"
        # Tides

        High at noon.

        # Ferry

        The ferry leaves at nine.
    "##]]
    .assert_eq(&text);
    assert_eq!(hit.snippet, text.trim_end());
}

/// What answers best is one line, the snippet is built round it, and a second hit of the same lines names another.
#[test]
fn a_hit_names_the_line_that_answers_best() {
    let text =
        format!("# Boats\n\n{}The spare key hangs behind the oven.\n{}", filler(0..40), filler(40..60));
    let world = World::new(&[("memory/a.md", &text), ("memory/short.md", "One.\n\nThe key is new.\n")]);
    let hits = world.ask(&all("where does the spare key hang")).answer.hits;
    let said = |hit: &Hit| (hit.path.clone(), hit.answer.line, hit.answer.text.clone());
    assert_eq!(said(&hits[0]), ("memory/a.md".into(), 43, "The spare key hangs behind the oven.".into()));
    for hit in &hits {
        assert!(hit.snippet.contains(&hit.answer.text), "{hit:?}");
        assert_eq!(world.lines(&hit.path, hit.answer.line, hit.answer.line).trim_end(), hit.answer.text);
    }
    let lines: BTreeSet<(&str, u32)> = hits.iter().map(|hit| (hit.path.as_str(), hit.answer.line)).collect();
    assert_eq!(lines.len(), hits.len(), "{lines:?}");
}

/// Who asks is given what is weak as well, and told so; with a message goes only what is more.
#[test]
fn what_is_weak_is_given_to_who_asks() {
    let world = World::new(&[
        ("memory/lake.md", "# Day\n\nThe heron nests by the lake.\n"),
        ("memory/code.md", "# T\n\nPR-4711 fixed in parse_config_v2()\n"),
    ]);
    let sure = |query: &str, unasked| {
        let hits = world.ask(&Request { unasked, ..Request::new(query) }).answer.hits;
        hits.iter().map(|hit| hit.sure).collect::<Vec<_>>()
    };
    assert_eq!(sure("where does the heron nest", false), [Sure::Answers, Sure::Weak]);
    assert_eq!(sure("where does the heron nest", true), [Sure::Answers]);
    assert_eq!(sure("who owes me money", false), [Sure::Weak, Sure::Weak]);
    assert_eq!(sure("who owes me money", true), []);
}
