use mindfile::Error;
use mindfile::recall::{Recalled, Request, Touch};

use crate::world::World;

const NOTE: &str = "# Day\n\n\
    - W(s=0.6) @checkout @orders-db: Checkout is slow because orders-db lost an index ^slow\n\
    - W(s=0.55) @orders-db @Sarah: Sarah designed the schema of orders-db ^schema\n\
    - B(s=0.95) @Sarah @project: Sarah is leaving the company next month ^leaves\n\
    - W(s=0.3) @api: Rate limiting is 100 requests per minute ^rate\n";

fn world() -> World {
    World::new(&[("memory/2026-07-14.md", NOTE)])
}

fn ids(world: &World, request: &Request) -> Vec<String> {
    let shown = |one: &Recalled| match one.hop {
        0 => one.fact.id.clone(),
        hop => format!("{} {hop} {}", one.fact.id, one.via.join(">")),
    };
    world.memory().recall(request, Touch::No).unwrap().answer.recalled.iter().map(shown).collect()
}

#[test]
fn connections_come_out_of_the_index_with_their_path() {
    let asked = Request { depth: Some(2), ..Request::new("Who could make checkout fast again?") };
    assert_eq!(ids(&world(), &asked), ["slow", "schema 1 orders-db", "leaves 2 orders-db>sarah"]);
}

#[test]
fn what_nobody_said_comes_back_empty() {
    assert_eq!(ids(&world(), &Request::new("Which dentist did Marcus choose?")), [""; 0]);
}

#[test]
fn what_is_recalled_counts_as_used_unless_it_is_only_looked_at() {
    let world = world();
    let memory = world.memory();
    let asked = Request::new("rate limiting");
    memory.recall(&asked, Touch::No).unwrap();
    assert!(memory.uses().unwrap().is_empty());
    memory.recall(&asked, Touch::Yes).unwrap();
    let again = memory.recall(&asked, Touch::Yes).unwrap();
    assert_eq!(memory.uses().unwrap().get("rate").map(|access| access.count), Some(2));
    assert_eq!(again.answer.recalled[0].fact.access.count, 1);
}

#[test]
fn salience_that_is_edited_by_hand_changes_the_order() {
    let line = |id: &str, salience: f32| {
        format!("- W(s={salience}) @db: The backup of db runs at night ({id}) ^{id}\n")
    };
    let both = |a: f32, b: f32| format!("{}{}", line("one", a), line("two", b));
    let world = World::new(&[("memory/2026-07-14.md", &both(0.9, 0.8))]);
    let asked = Request { depth: Some(0), ..Request::new("When does the backup of db run?") };
    assert_eq!(ids(&world, &asked), ["one", "two"]);
    world.save("memory/2026-07-14.md", both(0.8, 0.9).as_bytes());
    assert_eq!(ids(&world, &asked), ["two", "one"]);
}

#[test]
fn a_fact_that_was_written_just_now_is_recalled() {
    let world = world();
    let memory = world.memory();
    let asked = Request { depth: Some(0), ..Request::new("Where is the spare key?") };
    assert!(memory.recall(&asked, Touch::No).unwrap().answer.recalled.is_empty());
    world.save("memory/2026-07-15.md", b"- W @key: The spare key is under the mat ^mat\n");
    let found = memory.recall(&asked, Touch::No).unwrap().answer.recalled;
    assert_eq!(found.iter().map(|one| one.fact.id.as_str()).collect::<Vec<_>>(), ["mat"]);
}

#[test]
fn an_entity_that_no_fact_names_is_refused() {
    let asked = Request { entities: vec!["Sara".to_owned()], ..Request::new("leaving") };
    let error = world().memory().recall(&asked, Touch::No).unwrap_err();
    assert!(matches!(error, Error::NoEntity { .. }), "{error}");
    assert_eq!(error.to_string(), "ENOENTITY: no fact names @Sara");
}
