//! Limits, dates, sources, modes, and the settings of the ranking.

use std::fs;

use expect_test::expect;
use jiff::civil::date;
use mindfile::Error;
use mindfile::Source;
use mindfile::config::Fusion;
use mindfile::search::{Mode, Part, Request, Stage};
use mindfile::session::{About, Message, Role};

use super::{all, by, paths};
use crate::world::{NOTES, World};

const DATED: &[(&str, &str)] = &[
    ("memory/2050-05-01.md", "The ferry was late.\n"),
    ("memory/2050-06-15.md", "The ferry was early.\n"),
    ("memory/2050-07-14.md", "The ferry was full.\n"),
    ("memory/ferry.md", "# Ferry\n\nIt leaves at nine.\n"),
];

/// The note was last changed on that day.
fn changed_on(world: &World, path: &str, day: jiff::civil::Date) {
    let time = day.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp();
    fs::File::options().write(true).open(world.note(path)).unwrap().set_modified(time.into()).unwrap();
}

#[test]
fn limits_out_of_range_are_errors_that_name_the_value() {
    let world = World::new(NOTES);
    let mut told = Vec::new();
    for count in [0, 1001] {
        told.push(world.refuses(&Request { max_results: Some(count), ..Request::new("heron") }));
    }
    for score in [-0.1, 1.5, f32::NAN] {
        told.push(world.refuses(&Request { min_score: Some(score), ..Request::new("heron") }));
    }
    assert!(told.iter().all(|error| matches!(error, Error::OutOfRange { .. })));
    expect![[r#"
        max_results is 0; it must be between 1 and 1000
        max_results is 1001; it must be between 1 and 1000
        min_score is -0.1; it must be between 0 and 1
        min_score is 1.5; it must be between 0 and 1
        min_score is NaN; it must be between 0 and 1"#]]
    .assert_eq(&told.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    assert!(!world.index().exists(), "nothing was begun");
}

#[test]
fn the_least_and_the_most_are_allowed() {
    let world = World::new(NOTES);
    let few = Request { max_results: Some(1), min_score: Some(0.0), ..Request::new("heron") };
    assert_eq!(world.ask(&few).answer.hits.len(), 1);
    assert_eq!(world.ask(&Request { max_results: Some(1000), ..few }).answer.hits.len(), 3);
    let perfect = Request { min_score: Some(1.0), ..Request::new("heron") };
    assert_eq!(world.ask(&perfect).answer.hits, []);
}

#[test]
fn no_more_results_than_configured() {
    let mut world = World::new(DATED);
    world.settings.query.max_results = 2;
    assert_eq!(world.answer("ferry").hits.len(), 2);
}

#[test]
fn what_is_below_the_minimum_is_counted() {
    let mut world = World::new(NOTES);
    world.settings.query.min_score = 1.0;
    let answer = world.answer("heron");
    assert!(answer.below_minimum > 0);
    assert_eq!(answer.hits.len() + answer.below_minimum, 3);
}

#[test]
fn both_ends_of_a_time_are_included() {
    let world = World::new(DATED);
    changed_on(&world, "memory/ferry.md", date(2050, 6, 1));
    let found = |since, until| {
        let answer = world.ask(&Request { since, until, ..all("ferry") }).answer;
        let mut names: Vec<String> =
            answer.hits.iter().map(|hit| hit.path.replace("memory/", "").replace(".md", "")).collect();
        names.sort();
        names.join(" ")
    };
    let (may, june, july) = (Some(date(2050, 5, 1)), Some(date(2050, 6, 15)), Some(date(2050, 7, 14)));
    assert_eq!(found(None, None), "2050-05-01 2050-06-15 2050-07-14 ferry");
    assert_eq!(found(june, None), "2050-06-15 2050-07-14");
    assert_eq!(found(None, june), "2050-05-01 2050-06-15 ferry");
    assert_eq!(found(may, may), "2050-05-01");
    assert_eq!(found(Some(date(2050, 6, 1)), Some(date(2050, 6, 1))), "ferry");
    assert_eq!(found(july, may), "");
    changed_on(&world, "memory/ferry.md", date(2050, 7, 1));
    assert_eq!(found(june, None), "2050-06-15 2050-07-14 ferry", "it counts by the day it changed last");
}

#[test]
fn a_time_holds_for_every_mode() {
    let world = World::new(DATED);
    for mode in [Mode::Hybrid, Mode::Keyword, Mode::Vector] {
        let since = Some(date(2050, 7, 1));
        let answer = world.ask(&Request { since, mode: Some(mode), ..all("ferry was late") }).answer;
        assert_eq!(paths(&answer.hits), ["memory/2050-07-14.md"], "{mode:?}");
    }
}

#[test]
fn a_source_is_asked_alone_or_with_the_others() {
    let world = World::new(DATED);
    world.sync();
    let turn = Message::new(Role::User, "The ferry was cancelled.").entry();
    world.memory().say("a1", &[turn], &About::default()).unwrap();
    let found = |source| {
        let answer = world.ask(&Request { source, ..all("ferry") }).answer;
        let mut sources: Vec<&str> = answer.hits.iter().map(|hit| hit.source.as_str()).collect();
        sources.sort_unstable();
        sources.join(" ")
    };
    assert_eq!(found(Some(Source::Memory)), "memory memory memory memory");
    assert_eq!(found(Some(Source::Sessions)), "sessions");
    assert_eq!(found(None), "memory memory memory memory");
    assert!(world.sync().is_unchanged(), "a sync of the notes leaves transcripts alone");
    assert_eq!(found(Some(Source::Sessions)), "sessions");
}

#[test]
fn each_mode_asks_its_own_signals() {
    let world = World::new(NOTES);
    let asked = |mode| {
        let response = world.ask(&Request { mode: Some(mode), ..all("heron") });
        (response.mode, response.answer.by_words, response.answer.by_meaning)
    };
    assert_eq!(asked(Mode::Keyword), (Mode::Keyword, 1, 0));
    assert_eq!(asked(Mode::Vector), (Mode::Vector, 0, 3));
    assert_eq!(asked(Mode::Hybrid), (Mode::Hybrid, 1, 3));
}

#[test]
fn meaning_finds_what_no_word_does() {
    let world = World::new(NOTES);
    let lettuce = by(Mode::Keyword, "growing lettuce and cucumbers");
    assert_eq!(world.ask(&lettuce).answer.hits, []);
    let meant = Request { mode: Some(Mode::Vector), ..lettuce };
    assert_eq!(world.ask(&meant).answer.hits[0].path, "memory/garden.md");
}

#[test]
fn without_hybrid_meaning_decides_unless_another_mode_is_asked_for() {
    let mut world = World::new(NOTES);
    world.settings.hybrid.enabled = false;
    assert_eq!(world.ask(&Request::new("heron")).mode, Mode::Vector);
    assert_eq!(world.ask(&by(Mode::Keyword, "heron")).mode, Mode::Keyword);
}

#[test]
fn both_fusions_put_the_right_note_first() {
    for fusion in [Fusion::Weighted, Fusion::Rrf] {
        let mut world = World::new(NOTES);
        world.settings.hybrid.fusion = fusion;
        let response = world.ask(&all("What is the production database called?"));
        assert_eq!((response.plan.fusion, paths(&response.answer.hits)[0]), (fusion, "MEMORY.md"));
    }
}

#[test]
fn reciprocal_ranks_are_by_rank_and_equals_share_one() {
    let mut world = World::new(&[
        ("memory/a.md", "The ferry and the ferry again.\n"),
        ("memory/b.md", "# One\n\nA ferry.\n"),
        ("memory/c.md", "# One\n\nA ferry.\n"),
        ("memory/d.md", "Nothing that floats, and a great many other words beside it, and one ferry.\n"),
    ]);
    world.settings.hybrid.fusion = Fusion::Rrf;
    let answer = world.ask(&Request { mode: Some(Mode::Keyword), ..all("ferry") }).answer;
    let normals: Vec<f32> = answer.hits.iter().map(|hit| normal(&hit.parts.parts[0])).collect();
    assert_eq!(normals, [1.0, 61.0 / 62.0, 61.0 / 62.0, 61.0 / 64.0]);
}

fn normal(part: &Part) -> f32 {
    match part {
        Part::Term { normal, .. } => *normal,
        Part::Factor { .. } => panic!("{part:?}"),
    }
}

#[test]
fn near_duplicates_give_way_when_that_is_switched_on() {
    let mut world = World::new(&[
        ("memory/a.md", "The ferry to the island leaves at nine.\n"),
        ("memory/b.md", "The ferry to the island leaves at nine!\n"),
        ("memory/c.md", "Tickets for the ferry are sold by Ruth at the kiosk.\n"),
    ]);
    let request = Request { max_results: Some(2), ..all("when does the ferry to the island leave") };
    assert_eq!(paths(&world.ask(&request).answer.hits), ["memory/a.md", "memory/b.md"]);
    (world.settings.hybrid.mmr.enabled, world.settings.hybrid.mmr.lambda) = (true, 0.5);
    assert_eq!(paths(&world.ask(&request).answer.hits), ["memory/a.md", "memory/c.md"]);
    world.settings.hybrid.mmr.lambda = 1.0;
    assert_eq!(paths(&world.ask(&request).answer.hits), ["memory/a.md", "memory/b.md"]);
}

#[test]
fn of_near_equals_the_newer_comes_first() {
    let mut world = World::new(&[
        ("memory/2040-07-14.md", "The ferry leaves at nine.\n"),
        ("memory/2050-07-14.md", "The ferry leaves at nine.\n"),
    ]);
    let request = by(Mode::Keyword, "ferry leaves");
    assert_eq!(paths(&world.ask(&request).answer.hits), ["memory/2050-07-14.md", "memory/2040-07-14.md"]);
    world.settings.hybrid.decay.enabled = false;
    let hits = world.ask(&request).answer.hits;
    assert_eq!(paths(&hits), ["memory/2040-07-14.md", "memory/2050-07-14.md"]);
    assert!(hits.iter().all(|hit| hit.parts.raw(Stage::Decay).is_none()));
}

#[test]
fn age_never_buries_a_better_answer() {
    let world = World::new(&[
        ("memory/1990-01-01.md", "The ferry to the island leaves at nine.\n"),
        ("memory/2050-07-14.md", "The island is quiet.\n"),
        ("memory/evergreen.md", "The ferry is blue.\n"),
    ]);
    let hits = world.ask(&all("when does the ferry to the island leave")).answer.hits;
    assert_eq!(hits[0].path, "memory/1990-01-01.md");
    let factors: Vec<(&str, Option<f32>)> =
        hits.iter().map(|hit| (hit.path.as_str(), factor(&hit.parts.parts, Stage::Decay))).collect();
    assert!(factors.contains(&("memory/evergreen.md", None)), "{factors:?}");
    assert!(factors.contains(&("memory/2050-07-14.md", Some(1.0))), "{factors:?}");
    let oldest = factors[0].1.unwrap();
    assert!((0.95..0.951).contains(&oldest), "{oldest}");
}

#[test]
fn a_note_of_tomorrow_is_not_better_than_one_of_today() {
    let world = World::new(&[("memory/2050-12-31.md", "The ferry leaves at nine.\n")]);
    assert_eq!(factor(&world.answer("ferry leaves").hits[0].parts.parts, Stage::Decay), Some(1.0));
}

fn factor(parts: &[Part], wanted: Stage) -> Option<f32> {
    parts.iter().find_map(|part| match part {
        Part::Factor { stage, factor, .. } if *stage == wanted => Some(*factor),
        Part::Factor { .. } | Part::Term { .. } => None,
    })
}
