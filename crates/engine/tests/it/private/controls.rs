//! The person's controls over private notes: they work as over any note, and what they write stays encrypted.

use std::path::PathBuf;

use mindfile::forget::{Erasure, What};
use mindfile::origin::{Door, Origin};
use mindfile::policy::Class;
use mindfile::private::{self, OldKeys, Protect};
use mindfile::recall::{self, Touch};
use mindfile::retain;
use mindfile::{Denial, Error, fact};
use mindfile_hosts::export::{self, Shape};
use mindfile_hosts::import::{self, Mode, Source as Program};

use super::{TODAY, found, high, in_clear, owner};
use crate::policy::token;
use crate::world::{World, put};

const SECRET: &str = "The quartz vault opens with seven turns";

fn text(world: &World, path: &str) -> String {
    String::from_utf8(owner(world).get(path, 1, None).unwrap().bytes).unwrap()
}

fn nothing_in_clear(world: &World) {
    for part in ["quartz", "seven turns", "amber"] {
        assert_eq!(in_clear(world, part), Vec::<PathBuf>::new(), "{part}");
    }
}

#[test]
fn a_private_fact_is_said_in_other_words_and_stays_encrypted() {
    let world = World::new(&[("memory/a.md", "Another note.\n")]);
    let id = owner(&world).retain(&high(SECRET)).unwrap().fact.id;
    let edited = owner(&world).edit(&id, "The amber vault opens with nine turns").unwrap();
    assert_eq!((edited.fact.path.as_str(), edited.fact.version), (TODAY, 2));
    assert_eq!(edited.before, SECRET);
    assert!(text(&world, TODAY).contains("The amber vault opens with nine turns ^"));
    assert_eq!(found(&owner(&world), "amber vault").len(), 1);
    nothing_in_clear(&world);
    assert!(matches!(
        world.memory().edit(&id, "anything else"),
        Err(Error::Fact(fact::Error::NoFact { .. }))
    ));
}

#[test]
fn a_private_fact_is_forgotten_in_every_way() {
    let entity = |name: &str| retain::Request { entities: vec![name.to_owned()], ..high(SECRET) };
    for what in [
        None,
        Some(What::Query("quartz vault".to_owned())),
        Some(What::Entity("vault".to_owned())),
        Some(What::Days { since: "2050-07-14".parse().ok(), until: None }),
    ] {
        let world = World::new(&[("memory/a.md", "Another note.\n")]);
        let memory = owner(&world);
        let id = memory.retain(&entity("vault")).unwrap().fact.id;
        let what = what.unwrap_or(What::Fact(id.clone()));
        let would = memory.forget(&Erasure { what: what.clone(), dry_run: true }).unwrap();
        assert_eq!(memory.inspect(&id, None).unwrap().fact.id, id, "{what:?}: a dry run changes nothing");
        let done = memory.forget(&Erasure { what: what.clone(), dry_run: false }).unwrap();
        assert_eq!((&done.lines, &done.notes), (&would.lines, &would.notes), "{what:?}");
        assert!(done.pending.is_empty() && done.facts == 1, "{what:?}: {done:?}");
        assert!(
            matches!(memory.inspect(&id, None), Err(Error::Fact(fact::Error::NoFact { .. }))),
            "{what:?}"
        );
        assert_eq!(found(&memory, "quartz vault"), Vec::<String>::new(), "{what:?}");
        assert!(
            matches!(memory.retain(&high(SECRET)), Err(Error::Denied(Denial::Forgotten { .. }))),
            "{what:?}"
        );
        nothing_in_clear(&world);
    }
}

#[test]
fn another_door_forgets_what_it_sees_and_is_told_of_nothing_else() {
    let world = World::new(&[("memory/a.md", "- W: The quartz vault opens with seven turns ^a1\n")]);
    owner(&world).retain(&retain::Request { force: true, ..high(SECRET) }).unwrap();
    owner(&world).retain(&high("A quartz vault is not a vault of amber")).unwrap();
    let agent = world.memory().through(Door::Mcp);
    let what = What::Query("quartz vault".to_owned());
    let done = agent.forget(&Erasure { what, dry_run: false }).unwrap();
    let paths: Vec<&str> = done.lines.iter().map(|line| line.path.as_str()).collect();
    assert_eq!((paths, done.facts), (vec!["memory/a.md"], 1), "{done:?}");
    let private = text(&world, TODAY);
    assert!(!private.contains("seven turns"), "what says the same goes with it: {private}");
    assert!(private.contains("not a vault of amber"), "an agent cannot ask for it: {private}");
    nothing_in_clear(&world);
}

#[test]
fn forgetting_waits_for_notes_that_are_locked() {
    let world = World::new(&[("memory/a.md", "- W: The quartz vault opens with seven turns ^a1\n")]);
    owner(&world).retain(&retain::Request { force: true, ..high(SECRET) }).unwrap();
    let phrase = || mindfile::age::Passphrase::new("correct horse").unwrap();
    owner(&world).rekey(Protect::With(phrase()), OldKeys::Keep).unwrap();
    let what = What::Fact("a1".to_owned());
    let done = owner(&world).forget(&Erasure { what, dry_run: false }).unwrap();
    assert_eq!(done.pending, ["1 private note is locked with a passphrase"]);
    assert!(done.notices.iter().any(|notice| notice.contains("cannot be opened")), "{:?}", done.notices);
    let memory = owner(&world);
    memory.unlock(phrase());
    memory.sync(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!(memory.forgetting(), Vec::<String>::new());
    let private = String::from_utf8(memory.get(TODAY, 1, None).unwrap().bytes).unwrap();
    assert!(!private.contains("seven turns"), "{private}");
}

#[test]
fn what_nobody_trusts_is_private_and_untrusted_until_its_owner_says_otherwise() {
    let world = World::new(&[("memory/a.md", "Another note.\n")]);
    let kept = world.memory().through(Door::Tool).retain(&high(SECRET)).unwrap();
    assert_eq!(kept.fact.path, "memory/private/untrusted/2050-07-14.md");
    let memory = owner(&world);
    let recalled =
        || memory.recall(&recall::Request::new("quartz vault"), Touch::No).unwrap().answer.recalled;
    assert_eq!(recalled(), []);
    assert_eq!(memory.inspect(&kept.fact.id, None).unwrap().fact.origin, Origin::Untrusted);
    memory.trust(&kept.fact.id, Origin::Owner).unwrap();
    assert_eq!(recalled().len(), 1);
    nothing_in_clear(&world);
}

#[test]
fn a_rule_that_comes_later_holds_for_private_notes() {
    let value = token();
    let note = format!("# Keys\n\nThe token is {value} today.\n");
    let world = World::new(&[("memory/a.md", "Another note.\n"), ("memory/private/keys.md", &note)]);
    let memory = owner(&world);
    memory.encrypt_notes(&private::clear_private_notes(&memory).unwrap()).unwrap();
    let applied = memory.apply_policy(false).unwrap();
    let places: Vec<_> = applied.found.iter().map(|one| (one.path.as_str(), one.line, one.class)).collect();
    assert_eq!(places, [("memory/private/keys.md", 3, Class::NeverStore)]);
    assert_eq!(applied.changed, ["memory/private/keys.md"]);
    assert_eq!(text(&world, "memory/private/keys.md"), note.replace(&value, "[removed: github-token]"));
    assert!(world.note("memory/private/keys.md.age").exists());
    assert!(!world.note("memory/private/keys.md").exists());
}

#[test]
fn an_entity_gets_its_name_in_private_facts_too() {
    let world = World::new(&[("memory/a.md", "- W @vault: It is old ^a1\n")]);
    let memory = owner(&world);
    memory.retain(&retain::Request { entities: vec!["vault".to_owned()], ..high(SECRET) }).unwrap();
    let renamed = memory.rename_entity("vault", "safe").unwrap();
    assert_eq!(renamed.notes, ["memory/a.md", TODAY]);
    assert!(text(&world, TODAY).contains("@safe"));
    nothing_in_clear(&world);
}

#[test]
fn an_export_leaves_private_notes_out_and_says_so() {
    let world = World::new(&[("memory/a.md", "Another note.\n")]);
    owner(&world).retain(&high(SECRET)).unwrap();
    let mut out = Vec::new();
    let done = export::write(&owner(&world), Shape::Jsonl, &mut out).unwrap();
    assert_eq!(
        (done.notes, done.notices),
        (1, vec!["1 private note is left out: decrypt them first".to_owned()])
    );
    assert!(!String::from_utf8(out).unwrap().contains("quartz"));
}

#[test]
fn what_is_imported_as_private_is_encrypted() {
    let world = World::new(&[("memory/a.md", "Another note.\n")]);
    let other = World::new(&[]);
    let fact = r#"{"type":"fact","id":"q1","line":"- W(sens=high) @vault: The quartz vault opens ^q1"}"#;
    let lines = format!("{}\n{fact}\n", r#"{"type":"export","version":1,"agent":"main"}"#);
    put(&other.at("export.jsonl"), lines.as_bytes());
    let report =
        import::run(&owner(&world), Program::named("jsonl").unwrap(), &other.at("export.jsonl"), Mode::Write)
            .unwrap();
    assert_eq!(report.facts.new, 1, "{report:?}");
    assert!(report.notices[0].starts_with("a key was made: "), "{report:?}");
    assert!(text(&world, "memory/private/import/jsonl.md").contains("The quartz vault opens ^q1"));
    nothing_in_clear(&world);
}
