//! One current value a key, and what was before it.

use expect_test::expect;
use jiff::Timestamp;
use mindfile::fact::State;
use mindfile::retain::{Outcome, Request, Retained};
use mindfile::{Error, Memory, retain};

use super::{read, retain, without_ids};
use crate::world::World;

fn value(text: &str) -> Request {
    Request { key: Some("editor.theme".to_owned()), salience: Some(0.5), ..Request::new(text) }
}

fn sure(text: &str) -> Request {
    Request { confidence: Some(0.9), ..value(text) }
}

fn on(world: &World, day: &str) -> Memory {
    world.memory_at(format!("{day}T10:00:00Z").parse::<Timestamp>().unwrap())
}

fn keep(memory: &Memory, request: &Request) -> Retained {
    retain(memory, request).unwrap()
}

fn history(world: &World, day: &str) -> Vec<(String, u32, State)> {
    let found = on(world, day).inspect("editor.theme", None).unwrap();
    found.values.into_iter().map(|(value, state)| (value.text, value.version, state)).collect()
}

#[test]
fn a_new_value_supersedes_the_old_one_in_its_place() {
    let world = World::new(&[]);
    assert_eq!(keep(&on(&world, "2050-01-01"), &value("dark")).fact.version, 1);
    let second = keep(&on(&world, "2050-02-01"), &value("light"));
    assert_eq!((second.fact.version, second.before.unwrap().text.as_str()), (2, "dark"));
    assert_eq!(second.fact.path, "memory/2050-01-01.md");
    let text = read(&world, "memory/2050-01-01.md");
    let id = second.fact.id;
    expect![[r#"
        # 2050-01-01

        ## Retain

        - O(key=editor.theme,s=0.5,seen=2050-01-01,conf=2050-01-01,v=1,until=2050-02-01,by=ID): dark
        - O(key=editor.theme,s=0.5,seen=2050-02-01,conf=2050-02-01,v=2): light
    "#]]
    .assert_eq(&without_ids(&text).replace(&id, "ID"));
    let then =
        |day: &str| on(&world, "2050-03-01").inspect("editor.theme", Some(day.parse().unwrap())).unwrap();
    assert_eq!(then("2050-01-20").fact.text, "dark");
    assert_eq!((then("2050-02-01").fact.text.as_str(), then("2050-02-01").state), ("light", State::Current));
}

#[test]
fn a_version_that_is_not_there_any_more_is_refused() {
    let world = World::new(&[]);
    let memory = on(&world, "2050-01-01");
    let only_if =
        |version, text: &str| retain(&memory, &Request { if_version: Some(version), ..value(text) });
    let wrong = only_if(1, "dark").unwrap_err().to_string();
    assert_eq!(wrong, "\"editor.theme\" is at version 0, not 1");
    only_if(0, "dark").unwrap();
    only_if(1, "light").unwrap();
    let late = only_if(1, "blue").unwrap_err();
    assert!(
        matches!(late, Error::Retain(retain::Error::OtherVersion { expected: 1, found: 2, .. })),
        "{late}"
    );
}

#[test]
fn writers_with_the_same_version_do_not_both_win() {
    let world = World::new(&[]);
    keep(&on(&world, "2050-01-01"), &value("dark"));
    let tries: Vec<bool> = std::thread::scope(|scope| {
        let attempt = |n: usize| {
            let world = &world;
            scope.spawn(move || {
                let request = Request { if_version: Some(1), ..value(&format!("theme {n}")) };
                retain(&on(world, "2050-01-02"), &request).is_ok()
            })
        };
        let all: Vec<_> = (0..4).map(attempt).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(tries.iter().filter(|won| **won).count(), 1);
}

#[test]
fn a_confirmed_value_waits_for_a_second_day() {
    let world = World::new(&[]);
    keep(&on(&world, "2050-01-01"), &sure("dark"));
    let first = keep(&on(&world, "2050-02-01"), &value("light"));
    assert_eq!((first.outcome, first.before.unwrap().text.as_str()), (Outcome::Proposed, "dark"));
    assert_eq!(keep(&on(&world, "2050-02-01"), &value("Light!")).outcome, Outcome::Proposed);
    let waiting = [("light", 2, State::Proposed), ("dark", 1, State::Current)];
    assert_eq!(history(&world, "2050-02-01"), waiting.map(|(t, v, s)| (t.to_owned(), v, s)));
    let second = keep(&on(&world, "2050-02-03"), &value("light"));
    assert_eq!((second.outcome, second.fact.id), (Outcome::Written, first.fact.id));
    let settled = [("light", 2, State::Current), ("dark", 1, State::Superseded)];
    assert_eq!(history(&world, "2050-02-03"), settled.map(|(t, v, s)| (t.to_owned(), v, s)));
}

#[test]
fn a_confirmation_replaces_at_once_and_the_same_value_only_renews() {
    let world = World::new(&[]);
    keep(&on(&world, "2050-01-01"), &sure("dark"));
    let same = keep(&on(&world, "2050-01-05"), &value("Dark"));
    assert_eq!((same.outcome, same.fact.version), (Outcome::Confirmed, 1));
    assert_eq!(same.fact.confirmed.unwrap().to_string(), "2050-01-05");
    let confirmed = Request { confirm: true, ..value("light") };
    assert_eq!(keep(&on(&world, "2050-01-06"), &confirmed).outcome, Outcome::Written);
    assert_eq!(history(&world, "2050-01-06").len(), 2);
}

#[test]
fn an_expired_value_gives_way_and_is_out_of_force() {
    let world = World::new(&[]);
    keep(&on(&world, "2050-01-01"), &Request { ttl: Some("30d".to_owned()), ..sure("dark") });
    assert_eq!(history(&world, "2050-01-31"), [("dark".to_owned(), 1, State::Current)]);
    assert_eq!(history(&world, "2050-02-01"), [("dark".to_owned(), 1, State::Expired)]);
    assert_eq!(keep(&on(&world, "2050-02-02"), &value("light")).outcome, Outcome::Written);
}

#[test]
fn of_two_lines_by_hand_the_higher_version_counts() {
    let world = World::new(&[(
        "memory/a.md",
        "- O(key=editor.theme,v=2,seen=2050-01-02) @u: light ^b\n- O(key=editor.theme,v=1,seen=2050-01-01) @u: dark ^a\n",
    )]);
    let expected = [("light", 2, State::Current), ("dark", 1, State::Superseded)];
    assert_eq!(history(&world, "2050-02-01"), expected.map(|(t, v, s)| (t.to_owned(), v, s)));
}
