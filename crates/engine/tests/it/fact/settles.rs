//! Facts that do not agree: marked where that is certain, shown where it is doubtful, settled by who knows.

use std::fs;

use mindfile::Memory;
use mindfile::fact::{self, Difference, Settlement, State};
use mindfile::origin::Door;
use mindfile::recall::{self, Touch};
use mindfile::retain::{Request, Retained};

use super::about;
use crate::world::World;

/// The memory of its owner, at the terminal.
fn owner(world: &World) -> Memory {
    world.memory().through(Door::Terminal)
}

fn ids(facts: &[fact::FactRecord]) -> Vec<&str> {
    facts.iter().map(|fact| fact.id.as_str()).collect()
}

fn named(world: &World, id: &str, text: &str, entity: &str) -> Retained {
    let request = Request { id: Some(id.to_owned()), ..about(text, &[entity]) };
    owner(world).retain(&request).unwrap()
}

fn recalled(world: &World, query: &str) -> recall::Recollection {
    owner(world).recall(&recall::Request::new(query), Touch::No).unwrap().answer
}

fn state(world: &World, id: &str) -> State {
    owner(world).inspect(id, None).unwrap().state
}

#[test]
fn another_value_of_the_same_thing_takes_the_place_of_the_older_one() {
    let world = World::new(&[]);
    named(&world, "old", "The rate limit is 100 requests per minute", "api");
    let retained = named(&world, "new", "The rate limit is 200 requests per minute", "api");
    assert_eq!((ids(&retained.rivals.past), ids(&retained.rivals.doubtful)), (vec!["old"], vec![]));
    let old = owner(&world).inspect("old", None).unwrap();
    assert_eq!((old.state, old.fact.by.as_deref()), (State::Superseded, Some("new")));
    assert!(old.line.contains("until=2050-07-14,by=new"), "{}", old.line);
    let answer = recalled(&world, "what is the rate limit?");
    let told: Vec<&str> = answer.recalled.iter().map(|one| one.fact.id.as_str()).collect();
    assert_eq!((told, answer.disagreements), (vec!["new"], vec![]));
    let inspected = owner(&world).inspect("new", None).unwrap();
    let values: Vec<(&str, State)> = inspected.values.iter().map(|(one, state)| (&*one.id, *state)).collect();
    assert_eq!(values, [("new", State::Current), ("old", State::Superseded)]);
}

#[test]
fn another_subject_and_an_event_are_left_alone() {
    let world = World::new(&[]);
    named(&world, "one", "The rate limit is 100 requests per minute", "api");
    let other = named(&world, "two", "The rate limit is 200 requests per minute", "search");
    assert_eq!(other.rivals, mindfile::retain::Rivals::default());
    let event = |id: &str, text: &str| {
        let kind = Some(fact::Kind::Experience);
        let request = Request { id: Some(id.to_owned()), kind, ..about(text, &["peter"]) };
        owner(&world).retain(&request).unwrap().rivals
    };
    event("b1", "The flight is at 8:00");
    assert_eq!(event("b2", "The flight is at 9:00").past, []);
}

#[test]
fn an_agents_word_does_not_take_the_place_of_the_owners() {
    let world = World::new(&[]);
    named(&world, "old", "The rate limit is 100 requests per minute", "api");
    let request =
        Request { id: Some("new".into()), ..about("The rate limit is 200 requests per minute", &["api"]) };
    let agent = world.memory().through(Door::Mcp);
    let retained = agent.retain(&request).unwrap();
    assert_eq!((ids(&retained.rivals.past), ids(&retained.rivals.doubtful)), (vec![], vec!["old"]));
    let refused = fact::settle(&agent, "new", "old", Settlement::Replaces).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "old is the owner's word, and the door \"mcp\" cannot put another in its place"
    );
    fact::settle(&owner(&world), "new", "old", Settlement::Replaces).unwrap();
    assert_eq!(state(&world, "old"), State::Superseded);
}

#[test]
fn what_is_doubtful_is_shown_beside_and_settled_once_or_the_other_way_round() {
    let world = World::new(&[]);
    named(&world, "acme", "Sarah works at Acme", "sarah");
    let retained = named(&world, "globex", "Sarah works at Globex", "sarah");
    assert_eq!((ids(&retained.rivals.past), ids(&retained.rivals.doubtful)), (vec![], vec!["acme"]));
    let open = |world: &World| {
        let memory = owner(world);
        let found = fact::disagreements(&memory, memory.viewer()).unwrap();
        found
            .iter()
            .map(|one| (one.newer.id.clone(), one.older.id.clone(), one.difference))
            .collect::<Vec<_>>()
    };
    let pair = ("globex".to_owned(), "acme".to_owned(), Difference::Doubtful);
    assert_eq!(open(&world), [pair]);
    assert_eq!(recalled(&world, "where does Sarah work?").disagreements.len(), 1);
    let memory = owner(&world);
    fact::settle(&memory, "globex", "acme", Settlement::Replaces).unwrap();
    assert_eq!(
        (open(&world), state(&world, "acme"), state(&world, "globex")),
        (vec![], State::Superseded, State::Current)
    );
    fact::settle(&memory, "acme", "globex", Settlement::Replaces).unwrap();
    assert_eq!((state(&world, "acme"), state(&world, "globex")), (State::Current, State::Superseded));
    let both = fact::settle(&memory, "globex", "acme", Settlement::Both).unwrap();
    assert_eq!(
        (&both.fact.beside, &both.other.beside),
        (&vec!["acme".to_owned()], &vec!["globex".to_owned()])
    );
    assert_eq!(
        (open(&world), state(&world, "acme"), state(&world, "globex")),
        (vec![], State::Current, State::Current)
    );
}

#[test]
fn many_values_of_one_part_are_a_list_and_no_disagreement() {
    let world = World::new(&[]);
    for (id, place) in [("a", "Rome"), ("b", "Paris"), ("c", "Oslo")] {
        named(&world, id, &format!("Peter went to {place}"), "peter");
    }
    let memory = owner(&world);
    assert_eq!(fact::disagreements(&memory, memory.viewer()).unwrap(), []);
}

#[test]
fn a_value_of_a_key_and_a_fact_itself_are_refused() {
    let world = World::new(&[]);
    let keyed = Request { key: Some("theme".into()), id: Some("k".into()), ..Request::new("dark") };
    owner(&world).retain(&keyed).unwrap();
    named(&world, "a", "Sarah works at Acme", "sarah");
    let memory = owner(&world);
    let why = |one, other| fact::settle(&memory, one, other, Settlement::Replaces).unwrap_err().to_string();
    assert_eq!(why("a", "k"), "^k is the value of theme, and a key has one value at a time");
    assert_eq!(why("a", "a"), "^a cannot be settled with itself");
}

#[test]
fn no_other_byte_of_a_note_changes() {
    let note = "\u{feff}# Day\r\n- W @api: The limit is 100 requests ^old\r\n\tlast";
    let world = World::new(&[("memory/2050-01-02.md", note)]);
    named(&world, "new", "The limit is 150 requests", "api");
    assert_eq!(
        fs::read_to_string(world.note("memory/2050-01-02.md")).unwrap(),
        "\u{feff}# Day\r\n- W(until=2050-07-14,by=new) @api: The limit is 100 requests ^old\r\n\tlast"
    );
}
