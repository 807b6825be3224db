//! Private notes: on the disk nobody reads them, in memory their owner does.

mod controls;
mod keys;
mod moves;

use std::fs;
use std::path::PathBuf;

use mindfile::fact::Sensitivity;
use mindfile::origin::Door;
use mindfile::private::KeyError;
use mindfile::recall::{self, Touch};
use mindfile::retain::Request;
use mindfile::{Error, Memory, fact, retain, search};

use crate::world::{Asked, Provider, World};

const TODAY: &str = "memory/private/2050-07-14.md";

fn owner(world: &World) -> Memory {
    world.memory().through(Door::Terminal)
}

fn high(text: &str) -> Request {
    Request { sensitivity: Some(Sensitivity::High), ..Request::new(text) }
}

/// Files below the directory that hold the text as it is, the key's own left out.
fn in_clear(world: &World, text: &str) -> Vec<PathBuf> {
    let holds =
        |bytes: &[u8]| bytes.windows(text.len()).any(|part| part.eq_ignore_ascii_case(text.as_bytes()));
    world.tree().into_iter().filter(|(_, bytes)| holds(bytes)).map(|(path, _)| path).collect()
}

fn found(memory: &Memory, query: &str) -> Vec<String> {
    let request = search::Request { unasked: true, ..search::Request::new(query) };
    let response = memory.search(&request, None).unwrap();
    response.answer.hits.into_iter().map(|hit| hit.citation()).collect()
}

#[test]
fn a_confidential_fact_is_found_by_its_owner_and_stands_nowhere_in_clear() {
    let world = World::new(&[("memory/garden.md", "# Garden\n\nTomatoes need water twice a day.\n")]);
    let memory = owner(&world);
    let kept = memory.retain(&high("The quartz vault opens with seven turns")).unwrap();
    assert_eq!(kept.fact.path, TODAY);
    assert!(kept.notices[0].starts_with("a key was made: "), "{:?}", kept.notices);
    assert!(world.note(&format!("{TODAY}.age")).exists() && !world.note(TODAY).exists());
    assert_eq!(found(&memory, "quartz vault"), [format!("{TODAY}#L1-L5")]);
    assert_eq!(found(&memory, "tomatoes water"), ["memory/garden.md#L1-L3"]);
    let recalled =
        memory.recall(&recall::Request::new("how does the quartz vault open"), Touch::Yes).unwrap();
    assert_eq!(recalled.answer.recalled[0].fact.id, kept.fact.id);
    let lines = String::from_utf8(memory.get(TODAY, 5, None).unwrap().bytes).unwrap();
    assert!(lines.contains("The quartz vault opens with seven turns ^"), "{lines}");
    assert_eq!(memory.inspect(&kept.fact.id, None).unwrap().fact.path, TODAY);
    for part in ["quartz", "seven turns"] {
        assert_eq!(in_clear(&world, part), Vec::<PathBuf>::new(), "{part}");
    }
}

#[test]
fn through_any_other_door_private_notes_do_not_exist() {
    let world = World::new(&[("memory/vault.md", "The vault of the bank is old.\n")]);
    let id = owner(&world).retain(&high("The quartz vault opens with seven turns")).unwrap().fact.id;
    let value =
        |text: &str| Request { key: Some("vault.code".to_owned()), confidence: Some(0.9), ..high(text) };
    owner(&world).retain(&value("nine four two")).unwrap();
    for door in Door::ALL.into_iter().filter(|door| !door.is_owner()) {
        let memory = world.memory().through(door);
        for guess in ["nine four two", "six six six"] {
            let told = memory.retain(&value(guess)).unwrap();
            let (fact, before) = (told.fact, told.before);
            let wanted = (retain::Outcome::Written, guess, 0, None);
            assert_eq!((told.outcome, fact.text.as_str(), fact.line, before), wanted, "{door:?}");
        }
        assert_eq!(found(&memory, "quartz vault"), ["memory/vault.md#L1"], "{door:?}");
        let recalled = memory.recall(&recall::Request::new("quartz vault"), Touch::No).unwrap();
        assert_eq!(recalled.answer.recalled, [], "{door:?}");
        assert!(matches!(memory.get(TODAY, 1, None), Err(Error::Key(KeyError::Sealed { .. }))), "{door:?}");
        assert!(
            matches!(memory.get(&format!("{TODAY}.age"), 1, None), Err(Error::Key(KeyError::Sealed { .. }))),
            "{door:?}"
        );
        assert!(
            matches!(memory.inspect(&id, None), Err(Error::Fact(fact::Error::NoFact { .. }))),
            "{door:?}"
        );
        assert_eq!(memory.entities().unwrap(), [], "{door:?}");
        let guess = memory.retain(&high("The quartz vault opens with seven turns")).unwrap();
        assert_eq!(guess.outcome, retain::Outcome::Written, "{door:?}: whether a guess is right is not told");
        let probe = memory.retain(&Request { id: Some(id.clone()), ..high("x y z") }).unwrap();
        assert_eq!((probe.fact.text.as_str(), probe.fact.entities.len()), ("(private)", 0), "{door:?}");
    }
}

#[test]
fn an_answer_for_a_model_has_nothing_private_even_in_the_owners_terminal() {
    let world = World::new(&[("memory/vault.md", "The vault of the bank is old.\n")]);
    let memory = owner(&world);
    memory.retain(&high("The quartz vault opens with seven turns")).unwrap();
    let request = search::Request { for_model: true, ..search::Request::new("quartz vault") };
    let hits = memory.search(&request, None).unwrap().answer.hits;
    assert_eq!(hits.iter().map(|hit| hit.path.as_str()).collect::<Vec<_>>(), ["memory/vault.md"]);
    let request = recall::Request { for_model: true, ..recall::Request::new("quartz vault") };
    assert_eq!(memory.recall(&request, Touch::No).unwrap().answer.recalled, []);
    memory.reflect(mindfile::reflect::CoreRequest::default()).unwrap();
    assert_eq!(in_clear(&world, "quartz"), Vec::<PathBuf>::new(), "nor does MEMORY.md");
}

#[test]
fn a_provider_is_never_shown_a_private_note() {
    let world = World::new(&[("memory/garden.md", "Tomatoes need water.\n")]);
    world.save("memory/private/diary.md", b"The quartz diary.\n\n- W @vault: quartz opens it ^q1\n");
    let asked = Asked::default();
    let memory = world.memory_of(Provider { asked: asked.clone(), ..Provider::default() });
    let memory = memory.through(Door::Terminal);
    memory.retain(&high("The quartz vault opens with seven turns")).unwrap();
    let hits = found(&memory, "quartz vault");
    let private = hits.iter().filter(|hit| hit.starts_with("memory/private/")).count();
    assert_eq!(private, 2, "found by words all the same: {hits:?}");
    memory.rebuild(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let shown = asked.take();
    assert!(shown.iter().any(|text| text.contains("Tomatoes")), "{shown:?}");
    assert!(shown.iter().all(|text| !text.contains("quartz") && !text.contains("diary")), "{shown:?}");
}

#[test]
fn a_private_value_of_a_key_does_not_stand_beside_one_in_clear() {
    let world =
        World::new(&[("memory/a.md", "- O(key=door.code,v=1,seen=2050-01-01) @door: none yet ^old\n")]);
    let memory = owner(&world);
    let request = Request { key: Some("door.code".into()), ..high("quartz seven") };
    let kept = memory.retain(&request).unwrap();
    assert_eq!((kept.fact.version, kept.fact.path.as_str()), (2, TODAY));
    let note = fs::read_to_string(world.note("memory/a.md")).unwrap();
    assert!(note.contains("until=2050-07-14") && !note.contains("quartz"), "{note}");
    assert_eq!(memory.inspect("door.code", None).unwrap().fact.text, "quartz seven");
}

#[test]
fn a_confidential_fact_does_not_go_to_a_note_that_is_not_private() {
    let world = World::new(&[("memory/a.md", "x\n")]);
    let request = Request { file: Some("memory/a.md".into()), ..high("quartz") };
    let error = owner(&world).retain(&request).unwrap_err();
    assert_eq!(
        error.to_string(),
        "file is memory/a.md; it must be below memory/private/ where the sensitivity is high"
    );
    assert_eq!(in_clear(&world, "quartz"), Vec::<PathBuf>::new());
}
