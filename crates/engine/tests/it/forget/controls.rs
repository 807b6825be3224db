//! A person's controls: look at everything, change one thing, take one thing out, and leave the rest as it is.

use mindfile::forget::{self as forgetting, Erasure, What, Why};
use mindfile::origin::{Door, Origin};
use mindfile::recall::{self, Touch};
use mindfile::{reflect, retain};

use super::{forget, owner};
use crate::world::World;

const NOTE: &str = "\u{feff}# Day\r\n\r\n- W @pier: The north pier is closed on Mondays ^n1\r\n- W @pier: The south pier is open ^s1\r\n\tcode\r\nlast line without end";

#[test]
fn a_fact_that_goes_takes_its_line_and_no_other_byte() {
    let world = World::new(&[("memory/2050-07-13.md", NOTE)]);
    let memory = owner(&world);
    let would = memory.forget(&Erasure { what: What::Fact("n1".to_owned()), dry_run: true }).unwrap();
    assert_eq!(std::fs::read_to_string(world.note("memory/2050-07-13.md")).unwrap(), NOTE);
    let done = forget(&memory, What::Fact("n1".to_owned()));
    assert_eq!((done.lines.clone(), done.facts), (would.lines, 1));
    let places: Vec<(u32, Why)> = done.lines.iter().map(|line| (line.line, line.why)).collect();
    assert_eq!(places, [(3, Why::Asked)]);
    let expected = NOTE.replace("- W @pier: The north pier is closed on Mondays ^n1\r\n", "");
    assert_eq!(std::fs::read_to_string(world.note("memory/2050-07-13.md")).unwrap(), expected);
    assert!(memory.inspect("n1", None).is_err() && memory.inspect("s1", None).is_ok());
}

#[test]
fn other_encodings_and_line_ends_stay() {
    let utf16: Vec<u8> = "\u{feff}A line.\r\nThe secret of the pier is blue.\r\nEnd."
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let world = World::new(&[]);
    world.save("memory/wide.md", &utf16);
    world.save("memory/broken.md", b"A line.\r\xff\xfe\rThe secret of the pier is blue.\rEnd.");
    forget(&owner(&world), What::Query("secret of the pier".to_owned()));
    let expected: Vec<u8> = "\u{feff}A line.\r\nEnd.".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(std::fs::read(world.note("memory/wide.md")).unwrap(), expected);
    assert_eq!(std::fs::read(world.note("memory/broken.md")).unwrap(), b"A line.\r\xff\xfe\rEnd.");
}

/// One fact of Ana is in the core, and two are worth a page of their own.
#[test]
fn a_heading_that_reflection_wrote_goes_with_its_last_fact() {
    let facts = "- W(s=0.95) @Ana: Ana keeps the amber key ^a1\n- W(s=0.9) @Ana: Ana keeps the amber ring ^a2\n- W(s=0.9) @Bo: Bo leads the audit ^b1\n";
    let world =
        World::new(&[("memory/2050-07-13.md", facts), ("MEMORY.md", "# Mine\n\n### @Ana\n\nNothing.\n")]);
    let memory = owner(&world);
    memory.reflect(reflect::CoreRequest::default()).unwrap();
    let core = || std::fs::read_to_string(world.note("MEMORY.md")).unwrap();
    assert!(
        core().matches("### @Ana").count() == 2 && world.note("bank/entities/ana.md").exists(),
        "{}",
        core()
    );
    forget(&memory, What::Query("the amber key".to_owned()));
    assert!(
        core().matches("### @Ana").count() == 2 && world.note("bank/entities/ana.md").exists(),
        "{}",
        core()
    );
    let done = forget(&memory, What::Query("keeps the amber".to_owned()));
    assert!(core().starts_with("# Mine\n\n### @Ana\n\nNothing.\n"), "a person's own stays: {}", core());
    assert_eq!((core().matches("### @Ana").count(), core().matches("### @Bo").count()), (1, 1), "{}", core());
    assert_eq!(done.notes, ["bank/entities/ana.md"]);
    assert!(!world.note("bank/entities/ana.md").exists());
}

#[test]
fn a_short_value_goes_without_what_only_looks_like_it() {
    let lines =
        "- O(key=editor.theme): dark ^a1\n- O(key=shell.theme): dark ^b1\n- W: It is a dark night ^c1\n";
    let world = World::new(&[("memory/a.md", lines)]);
    let memory = owner(&world);
    let done = forget(&memory, What::Fact("a1".to_owned()));
    assert_eq!(done.lines.len(), 1, "{done:?}");
    let value = |key: &str| retain::Request { key: Some(key.to_owned()), ..retain::Request::new("dark") };
    assert!(memory.retain(&value("editor.theme")).is_err());
    assert!(memory.retain(&value("other.theme")).is_ok());
    assert_eq!(forgetting::allow(&memory, "editor.theme dark").unwrap(), 1);
    assert!(memory.retain(&value("editor.theme")).is_ok());
}

#[test]
fn what_rests_on_a_fact_and_what_quotes_it_goes_with_it() {
    let world = World::new(&[(
        "memory/other.md",
        "Ana said: the amber key lies under the seventh stone, so look there.\n",
    )]);
    let memory = owner(&world);
    let request = retain::Request {
        salience: Some(0.95),
        ..retain::Request::new("The amber key lies under the seventh stone")
    };
    let id = memory.retain(&request).unwrap().fact.id;
    memory.reflect(reflect::CoreRequest::default()).unwrap();
    let found = memory.inspect(&id, None).unwrap();
    assert!(found.injected.iter().any(|place| place.starts_with("MEMORY.md#L")), "{:?}", found.injected);
    let done = forget(&memory, What::Fact(id));
    let why = |path: &str| done.lines.iter().find(|line| line.path == path).map(|line| line.why);
    assert_eq!(why("MEMORY.md"), Some(Why::Cites));
    assert_eq!(why("memory/other.md"), Some(Why::Quotes));
    assert!(memory.undo_reflection().is_err());
}

#[test]
fn everything_known_of_a_fact_is_shown() {
    let world = World::new(&[]);
    let agent = world.memory().through(Door::Mcp);
    let id =
        agent.retain(&retain::Request::new("The amber key lies under the seventh stone")).unwrap().fact.id;
    agent.recall(&recall::Request::new("amber key"), Touch::Yes).unwrap();
    let found = owner(&world).inspect(&id, None).unwrap();
    assert_eq!(found.fact.origin, Origin::Agent);
    assert_eq!(found.binding.map(|binding| binding.door), Some(Door::Mcp));
    assert_eq!(found.fact.access.count, 1);
    assert_eq!(found.injected, [format!("{}#L{} (today's note)", found.fact.path, found.fact.line)]);
}

#[test]
fn an_edit_changes_the_words_raises_the_version_and_keeps_the_id() {
    let world = World::new(&[("memory/2050-07-13.md", NOTE)]);
    let memory = owner(&world);
    let edited = memory.edit("n1", "The north pier is closed on Sundays").unwrap();
    assert_eq!((edited.before.as_str(), edited.fact.version), ("The north pier is closed on Mondays", 2));
    let expected = NOTE.replace(
        "- W @pier: The north pier is closed on Mondays ^n1",
        "- W(v=2) @pier: The north pier is closed on Sundays ^n1",
    );
    assert_eq!(std::fs::read_to_string(world.note("memory/2050-07-13.md")).unwrap(), expected);
    assert!(memory.edit("n1", " ").is_err());
    let agent = world.memory().through(Door::Http);
    assert_eq!(agent.edit("s1", "The south pier is open at night").unwrap().fact.origin, Origin::Agent);
    assert!(world.memory().through(Door::Import).edit("s1", "Anything at all").is_err());
    assert!(
        world
            .memory()
            .through(Door::Import)
            .forget(&Erasure { what: What::Fact("s1".to_owned()), dry_run: true })
            .is_err()
    );
}
