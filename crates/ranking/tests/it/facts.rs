//! Facts out of the index: which value of a key is in force, and what a fact is on a day.

use jiff::civil::{Date, date};
use mindfile_index::{FactQuery, Filter, Index};
use mindfile_ranking::fact::{Access, FactRecord, State, Uses, load};

use crate::world::World;

fn values(notes: &[(&str, &str)], key: &str) -> Vec<FactRecord> {
    let world = World::new(notes);
    let snapshot = world.index().snapshot().unwrap();
    load::values(&*snapshot, key, &Uses::new()).unwrap()
}

/// Each value of the key `theme` as `id state`, on a day.
fn states(notes: &[(&str, &str)], on: Date) -> Vec<String> {
    let shown = |fact: &FactRecord| format!("{} {}", fact.id, fact.state(on).as_str());
    values(notes, "theme").iter().map(shown).collect()
}

const MAY: Date = date(2050, 5, 20);

#[test]
fn the_highest_version_of_a_key_is_in_force_then_the_latest_then_the_last_in_the_files() {
    let version = "- O(key=theme,v=3) @user: dark ^a\n- O(key=theme,v=2,seen=2050-05-09) @user: light ^b\n";
    assert_eq!(states(&[("memory/2050-05-01.md", version)], MAY), ["a current", "b superseded"]);
    let later = "- O(key=theme,seen=2050-05-03) @user: dark ^a\n- O(key=theme) @user: light ^b\n";
    assert_eq!(states(&[("memory/2050-05-01.md", later)], MAY), ["a current", "b superseded"]);
    let same = "- O(key=theme) @user: dark ^a\n- O(key=theme) @user: light ^b\n";
    assert_eq!(states(&[("memory/2050-05-01.md", same)], MAY), ["a superseded", "b current"]);
    let day = |id: &str| format!("- O(key=theme) @user: {id} ^{id}\n");
    let two = [("memory/2050-05-01.md", day("a")), ("memory/2050-05-02.md", day("b"))];
    let two: Vec<(&str, &str)> = two.iter().map(|(path, text)| (*path, text.as_str())).collect();
    assert_eq!(states(&two, MAY), ["a superseded", "b current"]);
}

#[test]
fn a_value_that_is_settled_tells_by_which_and_since_when() {
    let text = "- O(key=theme) @user: dark ^a\n- O(key=theme,seen=2050-05-07) @user: light ^b\n";
    let all = values(&[("memory/2050-05-01.md", text)], "theme");
    assert_eq!((all[0].by.as_deref(), all[0].until), (Some("b"), Some(date(2050, 5, 7))));
    assert_eq!((all[1].by.as_deref(), all[1].until), (None, None));
    assert_eq!(all[0].state(date(2050, 5, 6)), State::Current);
    assert_eq!(all[0].state(date(2050, 5, 7)), State::Superseded);
}

#[test]
fn a_value_that_says_what_came_after_it_is_not_asked() {
    let by = "- O(key=theme,v=9,by=b) @user: dark ^a\n- O(key=theme) @user: light ^b\n";
    assert_eq!(states(&[("memory/2050-05-01.md", by)], MAY), ["a superseded", "b current"]);
    let until = "- O(key=theme,v=9,until=2050-05-02) @user: dark ^a\n- O(key=theme) @user: light ^b\n";
    assert_eq!(states(&[("memory/2050-05-01.md", until)], MAY), ["a superseded", "b current"]);
}

#[test]
fn a_proposal_waits_and_what_nobody_trusts_proposes() {
    let proposed = "- O(key=theme) @user: dark ^a\n- O(key=theme,v=2,proposed=true) @user: light ^b\n";
    assert_eq!(states(&[("memory/2050-05-01.md", proposed)], MAY), ["a current", "b proposed"]);
    let own = "- O(key=theme) @user: dark ^a\n";
    let page = "- O(key=theme,v=2) @user: light ^b\n- W @user: has a cat ^c\n";
    let notes = [("memory/2050-05-01.md", own), ("memory/outside.md", page)];
    let mut of_both = states(&notes, MAY);
    of_both.sort();
    assert_eq!(of_both, ["a current", "b proposed"]);
    let world = World::new(&notes);
    let snapshot = world.index().snapshot().unwrap();
    let ids = snapshot.find_facts(FactQuery::Ids(&["c"]), &Filter::default(), 9).unwrap().concat();
    let plain = load::records(&*snapshot, &ids, &Uses::new()).unwrap();
    assert!(!plain[0].proposed, "only a key has a value to propose");
}

#[test]
fn records_are_settled_against_values_that_were_not_asked_for() {
    let text = "- O(key=theme) @user: dark ^a\n- O(key=theme,v=2) @user: light ^b\n- W @user: tall ^c\n";
    let world = World::new(&[("memory/2050-05-01.md", text)]);
    let snapshot = world.index().snapshot().unwrap();
    let docs = snapshot.find_facts(FactQuery::Ids(&["c", "a"]), &Filter::default(), 9).unwrap().concat();
    let access = Access { count: 4, last_ms: Some(1) };
    let uses = Uses::from([("a".to_owned(), access)]);
    let records = load::records(&*snapshot, &docs, &uses).unwrap();
    let ids: Vec<&str> = records.iter().map(|fact| fact.id.as_str()).collect();
    assert_eq!(ids, ["c", "a"]);
    assert_eq!((records[0].by.as_deref(), records[1].by.as_deref()), (None, Some("b")));
    assert_eq!((records[0].access, records[1].access), (Access::default(), access));
}

#[test]
fn the_line_of_a_fact_is_the_one_at_its_place() {
    let text = "- W @user: tall ^c\n\n- W @user: taller ^c\n";
    let world = World::new(&[("memory/2050-05-01.md", text)]);
    let snapshot = world.index().snapshot().unwrap();
    let docs = snapshot.find_facts(FactQuery::Ids(&["c"]), &Filter::default(), 9).unwrap().concat();
    let records = load::records(&*snapshot, &docs, &Uses::new()).unwrap();
    let lines: Vec<String> = records.iter().map(|fact| load::line(&*snapshot, fact).unwrap()).collect();
    assert_eq!(lines, ["- W @user: tall ^c", "- W @user: taller ^c"]);
    let gone = FactRecord { line: 7, ..records[0].clone() };
    assert_eq!(load::line(&*snapshot, &gone).unwrap(), "");
}

#[test]
fn a_fact_is_what_it_is_on_a_day() {
    let of = |line: &str, path: &str| {
        let read = mindfile_note::fact::read(line).unwrap();
        load::of_line(&read, load::LineRef { path, line: 3 }, Vec::new(), Access::default())
    };
    let day = "memory/2050-05-10.md";
    let on = |fact: &FactRecord, d: i8| fact.state(date(2050, 5, d)).as_str();
    let plain = of("- W @x: y", day);
    assert_eq!([9, 10].map(|d| on(&plain, d)), ["later", "current"]);
    assert_eq!([9, 10].map(|d| plain.held_on(date(2050, 5, d))), [false, true]);
    assert_eq!([9, 10].map(|d| plain.holds(date(2050, 5, d))), [true, true]);
    let short = of("- W(ttl=2d) @x: y", day);
    assert_eq!([12, 13].map(|d| on(&short, d)), ["current", "expired"]);
    let renewed = of("- W(ttl=2d,seen=2050-05-01,conf=2050-05-12) @x: y", day);
    assert_eq!([2, 14, 15].map(|d| on(&renewed, d)), ["current", "current", "expired"]);
    let seen = of("- W(ttl=2d,seen=2050-05-01) @x: y", day);
    assert_eq!([3, 4].map(|d| on(&seen, d)), ["current", "expired"]);
    let ended = of("- W(until=2050-05-12) @x: y", day);
    assert_eq!([11, 12].map(|d| on(&ended, d)), ["current", "superseded"]);
    assert_eq!(on(&of("- W(by=z) @x: y", day), 11), "superseded");
    assert_eq!(of("- W @x: y", "memory/people/x.md").since(), None);
    assert!(!ended.holds(date(2050, 5, 12)));
}

#[test]
fn a_fact_is_shown_as_it_was_retained() {
    let read = mindfile_note::fact::read("- B(s=0.95,c=0.3) @Sarah @project: Sarah is leaving ^x").unwrap();
    let fact = load::of_line(&read, load::LineRef { path: "a.md", line: 1 }, Vec::new(), Access::default());
    assert_eq!(fact.shown(), "B(s=0.95) @Sarah @project: Sarah is leaving");
    assert_eq!((fact.confidence, fact.salience), (Some(0.3), 0.95));
}
