//! What a group is told where a private conversation and MEMORY.md say more.

use mindfile::fact::{self, Wanted};
use mindfile::retain::{self, Outcome};
use mindfile::search::{Mode, Request};
use mindfile::session::{self, About, ChatType, Message, Role};
use mindfile::{Denial, Error, Memory, Source, Viewer, audit, notes, recall};

use crate::world::World;

const MEMORY: &str = "# Memory

- W @Lover @clinic: Lover waits at the clinic on Monday ^wait
- W(key=clinic.door) @clinic: The clinic door is green ^green1
- B @clinic @park: We walked from the clinic to the park ^walk
";

const SHARED: &str = "# 2026-07-04

- W @clinic @Bob: Bob paints the clinic ^paint
- W @Bob @park: Bob likes the park ^likes
";

fn world() -> World {
    World::new(&[("MEMORY.md", MEMORY), ("memory/2026-07-04.md", SHARED)])
}

fn talk(memory: &Memory, session: &str, chat: ChatType, text: &str) {
    let about = About { chat: Some(chat), window: None };
    let entry = Message::new(Role::User, text.to_owned()).entry();
    memory.say(session, &[entry], &about).unwrap();
}

fn group(memory: &Memory) -> Viewer {
    memory.viewer().in_chat(ChatType::Group)
}

fn counts(memory: &Memory, viewer: Viewer) -> Vec<(String, u32)> {
    let listed = fact::entities(memory, viewer).unwrap();
    listed.into_iter().map(|entity| (entity.spelled, entity.facts)).collect()
}

fn named(expected: &[(&str, u32)]) -> Vec<(String, u32)> {
    expected.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

#[test]
fn entities_are_those_of_the_notes_that_a_group_may_see() {
    let world = world();
    let memory = world.memory();
    let all = named(&[("clinic", 4), ("Bob", 2), ("park", 2), ("Lover", 1)]);
    assert_eq!(counts(&memory, memory.viewer()), all);
    assert_eq!(counts(&memory, group(&memory)), named(&[("Bob", 2), ("clinic", 1), ("park", 1)]));
    let page = fact::entity(&memory, group(&memory), "clinic").unwrap();
    let met: Vec<(String, u32)> =
        page.neighbours.into_iter().map(|met| (met.spelled, met.together)).collect();
    assert_eq!(met, named(&[("Bob", 1)]));
    assert_eq!(page.facts.len(), 1);
    let unknown = fact::entity(&memory, group(&memory), "lover").unwrap_err();
    assert!(matches!(&unknown, Error::Fact(fact::Error::NoEntity { near: None, .. })), "{unknown:?}");
    let graph = fact::entity_graph(&memory, group(&memory)).unwrap();
    assert_eq!((graph.total(), graph.find("lover")), (2, None));
}

#[test]
fn facts_that_a_group_may_not_see_are_not_there() {
    let world = world();
    let memory = world.memory();
    let wanted = Wanted { limit: 10, ..Wanted::default() };
    let listed = fact::list(&memory, group(&memory), &wanted).unwrap();
    let ids: Vec<&str> = listed.facts.iter().map(|(fact, _)| fact.id.as_str()).collect();
    assert_eq!((ids, listed.total), (vec!["likes", "paint"], 2));
    for name in ["wait", "clinic.door"] {
        assert!(fact::inspect(&memory, memory.viewer(), name, None).is_ok(), "{name}");
        let missing = fact::inspect(&memory, group(&memory), name, None).unwrap_err();
        assert!(matches!(missing, Error::Fact(fact::Error::NoFact { .. })), "{name}: {missing:?}");
    }
    let asked = recall::Request { chat: ChatType::Group, ..recall::Request::new("Who waits at the clinic?") };
    let recalled = memory.recall(&asked, recall::Touch::No).unwrap().answer;
    assert!(recalled.recalled.iter().all(|one| one.fact.path != "MEMORY.md"), "{recalled:?}");
}

#[test]
fn words_of_a_private_conversation_count_for_nothing_in_a_group() {
    let world = world();
    let memory = world.memory();
    talk(&memory, "alone", ChatType::Direct, "My diagnosis is hyperzoster.");
    talk(&memory, "club", ChatType::Group, "The picnic is on the island.");
    let ask = |query: &str, chat| {
        let mode = Some(Mode::Keyword);
        let source = Some(Source::Sessions);
        memory.search(&Request { mode, source, chat, ..Request::new(query) }, None).unwrap().answer
    };
    assert_eq!(ask("hyperzoster", ChatType::Direct).hits.len(), 1);
    let told = ask("hyperzoster", ChatType::Group);
    assert_eq!((told.hits.len(), told.terms[0].chunks, told.by_words), (0, 0, 0));
    assert_eq!(ask("hyperzosters", ChatType::Group).terms[0].formed, 0);
    assert_eq!(ask("picnic island", ChatType::Group).hits[0].path, "sessions/club.jsonl");
}

#[test]
fn a_group_is_told_of_no_private_conversation() {
    let world = world();
    let memory = world.memory();
    talk(&memory, "alone", ChatType::Direct, "My diagnosis is hyperzoster.");
    talk(&memory, "club", ChatType::Group, "The picnic is on the island.");
    let seen = session::conversations(&memory, group(&memory)).unwrap();
    let ids: Vec<&str> = seen.found.iter().map(|found| found.session.as_str()).collect();
    assert_eq!((ids, seen.records.len()), (vec!["club"], 1));
    assert_eq!(session::conversations(&memory, memory.viewer()).unwrap().found.len(), 2);
    assert!(session::conversation(&memory, group(&memory), "club").is_ok());
    for missing in [
        session::conversation(&memory, group(&memory), "alone").map(drop),
        session::candidates(&memory, group(&memory), "alone").map(drop),
        session::check(&memory, group(&memory), "alone"),
    ] {
        assert!(matches!(missing, Err(Error::Session(session::Error::NoSession { .. }))), "{missing:?}");
    }
    let logged = audit::entries(&memory, group(&memory), None, 100).unwrap();
    let ids: Vec<Option<&str>> = logged.iter().map(|entry| entry.id.as_deref()).collect();
    assert_eq!(ids, [Some("club")]);
    assert_eq!(audit::entries(&memory, memory.viewer(), None, 100).unwrap().len(), 2);
}

#[test]
fn a_group_reads_no_file_that_is_not_for_it() {
    let world = world();
    let memory = world.memory();
    let listed = notes::list(&memory, group(&memory)).unwrap();
    let paths: Vec<&str> = listed.iter().map(|note| note.path.as_str()).collect();
    assert_eq!(paths, ["memory/2026-07-04.md"]);
    let refused = notes::read(&memory, group(&memory), "MEMORY.md", 1, None).unwrap_err();
    assert!(matches!(refused, Error::Denied(Denial::Private { chat: ChatType::Group, .. })), "{refused:?}");
}

#[test]
fn what_a_group_keeps_is_not_compared_with_what_it_may_not_see() {
    let world = world();
    let memory = world.memory();
    let keep = |request: &retain::Request| retain::retain(&memory, group(&memory), request, None);
    let people = || vec!["Lover".to_owned(), "clinic".to_owned()];
    let guess =
        retain::Request { entities: people(), ..retain::Request::new("Lover waits at the clinic on Monday") };
    assert_eq!(keep(&guess).unwrap().outcome, Outcome::Written);
    assert!(matches!(keep(&guess), Err(Error::Retain(retain::Error::Duplicate { .. }))), "its own is known");
    let value = retain::Request {
        key: Some("clinic.door".to_owned()),
        ..retain::Request::new("The clinic door is green")
    };
    let kept = keep(&value).unwrap();
    assert_eq!((kept.outcome, kept.before), (Outcome::Written, None));
    let probe = keep(&retain::Request { id: Some("walk".to_owned()), ..retain::Request::new("x") }).unwrap();
    assert_eq!(
        (probe.outcome, probe.fact.text.as_str(), probe.fact.entities),
        (Outcome::Known, "(private)", vec![])
    );
}

#[test]
fn a_group_writes_into_no_conversation_that_it_may_not_read() {
    let world = world();
    let memory = world.memory();
    talk(&memory, "alone", ChatType::Direct, "I met Lover at the clinic");
    talk(&memory, "team", ChatType::Group, "Bob paints today");
    let check = |session: &str| session::check_append(&memory, group(&memory), session);
    assert!(matches!(check("alone"), Err(Error::Denied(Denial::Private { .. }))));
    assert!(check("team").is_ok() && check("new").is_ok());
    assert!(session::check_append(&memory, memory.viewer(), "alone").is_ok());
}
