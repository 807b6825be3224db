//! What does not hold is found, marked, and below what does.

use jiff::civil::date;
use mindfile_ranking::search::{Hit, Mode, Request, Stage};

use crate::world::World;

/// The room changed in May 2050; the guest password ran out.
const OLD: &str = "# Rooms\n\n- W(key=team.room,until=2050-05-12,by=b) @team: The standup room is Aspen ^a\n";
const NEW: &str = "# Rooms\n\n- W(key=team.room,v=2) @team: The standup room is Birch ^b\n";
const GUEST: &str = "# Network\n\n- W(ttl=3d) @wifi: The guest network is called Heron ^g\n";

fn world() -> World {
    World::new(&[
        ("memory/2050-05-01.md", OLD),
        ("memory/2050-05-12.md", NEW),
        ("memory/2050-04-01.md", GUEST),
        ("memory/garden.md", "# Garden\n\nTomatoes need water twice a day.\n"),
    ])
}

/// Each hit as its note, and what is said of what answers best in it.
fn shown(hits: &[Hit]) -> Vec<String> {
    hits.iter().map(|hit| format!("{} {}", hit.path, hit.past.as_deref().unwrap_or("holds"))).collect()
}

fn check(request: &Request, expected: &[&str]) {
    let request = &Request { unasked: true, ..request.clone() };
    assert_eq!(shown(&world().ask(request).answer.hits), expected, "{request:?}");
}

#[test]
fn a_value_in_force_comes_before_the_one_it_superseded() {
    for mode in [Mode::Hybrid, Mode::Keyword] {
        let ask = |query: &str| Request { mode: Some(mode), ..Request::new(query) };
        let both = ["memory/2050-05-12.md holds", "memory/2050-05-01.md superseded 2050-05-12"];
        check(&ask("standup room"), &both);
        check(&ask("which room is the standup in"), &both);
    }
    let whole = world().ask(&Request::new("standup room")).answer.hits;
    assert_eq!(whole[0].snippet, "# Rooms\n\n- W(key=team.room,v=2) @team: The standup room is Birch ^b");
    assert_eq!(
        whole[1].snippet,
        "# Rooms\n\n(superseded 2050-05-12) - W(key=team.room,until=2050-05-12,by=b) @team: The standup room is Aspen ^a"
    );
}

#[test]
fn what_ran_out_is_found_and_says_so() {
    let asked = |past| world().ask(&Request { past, ..Request::new("guest network") }).answer.hits;
    let (weak, strong) = (asked(false), asked(true));
    assert_eq!(shown(&weak)[0], "memory/2050-04-01.md expired 2050-04-05");
    assert_eq!(strong[0].snippet, weak[0].snippet, "it is marked in any case");
    assert_eq!(strong[0].past, weak[0].past);
    assert!(weak[0].score < 0.8 * strong[0].score, "{} {}", weak[0].score, strong[0].score);
}

#[test]
fn on_another_day_what_held_then_comes_first() {
    let on = |day| Request { as_of: Some(date(2050, 5, day)), ..Request::new("standup room") };
    check(&on(5), &["memory/2050-05-01.md holds", "memory/2050-05-12.md known from 2050-05-12"]);
    check(&on(15), &["memory/2050-05-12.md holds", "memory/2050-05-01.md superseded 2050-05-12"]);
}

#[test]
fn lines_that_hold_answer_for_a_note_that_has_both() {
    let both = "# Rooms\n\n- W(key=team.room,until=2050-05-12,by=b) @team: The standup room is Aspen ^a\n\
        - W(key=team.room,v=2) @team: The standup room is Birch ^b\n";
    let world = World::new(&[("memory/rooms.md", both), ("memory/garden.md", "Tomatoes need water.\n")]);
    let hit = &world.answer("standup room").hits[0];
    assert_eq!((hit.past.as_deref(), hit.parts.raw(Stage::Past)), (None, Some(1.0)));
    let old = &world.answer("Aspen").hits[0];
    assert_eq!(old.past.as_deref(), Some("superseded 2050-05-12"));
}

/// Two lines for one key are what a hand leaves; none says that the other one is in force.
#[test]
fn a_value_that_a_hand_wrote_anew_supersedes_the_older() {
    let notes = [
        ("memory/2050-05-01.md", "- W(key=team.room) @team: The standup room is Aspen ^a\n"),
        ("memory/2050-05-12.md", "- W(key=team.room) @team: The standup room is Birch ^b\n"),
        ("memory/garden.md", "Tomatoes need water twice a day.\n"),
    ];
    let hits = World::new(&notes).answer("standup room").hits;
    assert_eq!(shown(&hits), ["memory/2050-05-12.md holds", "memory/2050-05-01.md superseded 2050-05-12"]);
}

#[test]
fn a_long_note_shows_what_holds_first() {
    let filler: String = (0..12)
        .map(|n| format!("Line {n} speaks of nothing but sand, gravel and the wind that blows.\n"))
        .collect();
    let text = format!(
        "{filler}\n- W(until=2050-05-12) @team: The standup room is Aspen ^a\n\n{filler}\n- W @team: The standup room is Birch ^b\n"
    );
    let mut world = World::new(&[("memory/rooms.md", &text)]);
    world.settings.query.max_snippet_chars = 60;
    let hit = &world.answer("standup room").hits[0];
    assert_eq!(hit.snippet, "- W @team: The standup room is Birch ^b");
}

#[test]
fn lines_of_code_and_of_conversations_are_no_facts() {
    let code = "# Rooms\n\n```\n- W(until=2050-05-12) @team: The standup room is Aspen ^a\n```\n";
    let world = World::new(&[("memory/rooms.md", code)]);
    let hit = &world.answer("standup room").hits[0];
    assert_eq!((hit.past.as_deref(), hit.snippet.as_str()), (None, code.trim_end()));
}
