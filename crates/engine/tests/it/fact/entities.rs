//! Whom the facts are about, under all their names.

use mindfile::fact::Hub;
use mindfile::fault::Explain;
use mindfile::{Error, fact};

use super::read;
use crate::world::World;

const FACTS: &str = "- B(s=0.9) @Sarah @database: Sarah tuned the queries ^s1\n- W @database @slow-endpoint: The endpoint waits for it ^s2\n- W @bob: Bob has a boat ^s3\n- W @Robert: Robert sold it ^s4\n";

fn world() -> World {
    World::new(&[("memory/a.md", FACTS), ("MEMORY.md", "# Memory\n")])
}

fn names(world: &World) -> Vec<(String, u32)> {
    world.memory().entities().unwrap().into_iter().map(|entity| (entity.spelled, entity.facts)).collect()
}

#[test]
fn entities_are_listed_by_frequency_with_their_neighbours() {
    let world = world();
    let listed = names(&world);
    assert_eq!(listed[0], ("database".to_owned(), 2));
    assert_eq!(listed.len(), 5);
    let page = world.memory().entity("@DATABASE").unwrap();
    let met: Vec<_> = page.neighbours.iter().map(|met| (met.spelled.as_str(), met.together)).collect();
    assert_eq!(met, [("Sarah", 1), ("slow-endpoint", 1)]);
    assert_eq!(page.facts.iter().map(|fact| fact.id.as_str()).collect::<Vec<_>>(), ["s1", "s2"]);
    assert_eq!(page.entity.hub, Hub::No);
}

#[test]
fn an_unknown_entity_is_an_error_that_names_no_other() {
    let error = world().memory().entity("sara").unwrap_err();
    assert_eq!(error.to_string(), "ENOENTITY: no fact names @sara");
    assert!(!format!("{:?}", error.hint()).contains("sarah"), "{error}");
    assert_eq!(error.code(), Some("ENOENTITY"));
}

#[test]
fn two_entities_become_one_by_a_line_in_the_bank() {
    let world = world();
    assert_eq!(fact::merge_entities(&world.memory(), "Bob", "robert").unwrap(), "bank/entities/robert.md");
    assert_eq!(read(&world, "bank/entities/robert.md"), "# Robert\n\nalias: bob = Robert\n");
    let page = world.memory().entity("bob").unwrap();
    assert_eq!((page.entity.spelled.as_str(), page.facts.len()), ("Robert", 2));
    assert_eq!(
        (page.aliases, page.page),
        (vec!["bob".to_owned()], Some("bank/entities/robert.md".to_owned()))
    );
    fact::alias_entity(&world.memory(), "Robert", "Bobby Tables").unwrap();
    assert_eq!(world.memory().entity("bobby-tables").unwrap().entity.name, "robert");
    assert_eq!(read(&world, "memory/a.md"), FACTS);
    std::fs::remove_file(world.note("bank/entities/robert.md")).unwrap();
    assert_eq!(world.memory().entity("bob").unwrap().facts.len(), 1);
}

#[test]
fn a_renaming_rewrites_tags_and_nothing_else() {
    let world = world();
    let renamed = world.memory().rename_entity("database", "PostgreSQL").unwrap();
    assert_eq!(renamed.notes, ["memory/a.md"]);
    assert_eq!(read(&world, "memory/a.md"), FACTS.replace("@database", "@PostgreSQL"));
    assert_eq!(world.memory().entity("postgresql").unwrap().facts.len(), 2);
    let taken = world.memory().rename_entity("bob", "Robert").unwrap_err();
    assert!(matches!(taken, Error::Fact(fact::Error::EntityExists { .. })), "{taken}");
    let gone = world.memory().rename_entity("database", "x").unwrap_err();
    assert_eq!(gone.to_string(), "ENOENTITY: no fact names @database");
}

#[test]
fn diagnostics_stand_in_the_status() {
    let world = world();
    world.sync();
    let status = world.status();
    assert_eq!((status.counts.facts.facts, status.counts.facts.entities), (4, 5));
    let codes: Vec<_> = status.diagnostics.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(codes, ["ECOLDSTART"]);
}
