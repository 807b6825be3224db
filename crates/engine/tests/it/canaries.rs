//! A canary of every kind goes in by the way that makes it what it is. Everything that answers is asked for it, and every
//! place where it comes out is compared with a list: one that came out elsewhere would be a leak, and one that came out
//! nowhere would prove nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;

use expect_test::expect;
use mindfile::fact::Sensitivity;
use mindfile::forget::What;
use mindfile::origin::{Door, Origin};
use mindfile::policy::{Class, Pattern, Rule, RuleTarget};
use mindfile::recall::{self, Touch};
use mindfile::session::{About, ChatType, Message, PromptMode, Role, Start};
use mindfile::{Memory, Source, reflect, retain, search};

use crate::forget::{forget, owner};
use crate::world::{NOTES, World};

const CANARIES: [&str; 6] = ["owner", "agent", "untrusted", "private", "masked", "forgotten"];

fn word(canary: &str) -> String {
    format!("zqxvk{canary}")
}

/// The word comes first, where no snippet cuts it off.
fn sentence(canary: &str) -> String {
    format!("{} is what we decided to call the {canary} lighthouse", word(canary))
}

/// Each matters as much as a fact can: what stays out does so for no other reason.
fn request(canary: &str) -> retain::Request {
    let entities = vec!["lighthouse".to_owned()];
    retain::Request { salience: Some(1.0), force: true, entities, ..retain::Request::new(&sentence(canary)) }
}

/// Where each canary came out.
#[derive(Default)]
struct Heard(BTreeMap<&'static str, BTreeSet<&'static str>>);

impl Heard {
    fn listen(&mut self, place: &'static str, text: &str) {
        let text = text.to_lowercase();
        for canary in CANARIES {
            if text.contains(&word(canary)) {
                self.0.entry(canary).or_default().insert(place);
            }
        }
    }
}

fn plant(world: &World) {
    let line = format!("- W(s=1.0) @lighthouse: {}\n", sentence("masked"));
    world.save("memory/masked.md", line.as_bytes());
    owner(world).sync(&mut |_| ControlFlow::Continue(())).unwrap();
    for (door, canary) in [(Door::Terminal, "owner"), (Door::Mcp, "agent"), (Door::Tool, "untrusted")] {
        world.memory().through(door).retain(&request(canary)).unwrap();
    }
    let sensitivity = Some(Sensitivity::High);
    owner(world).retain(&retain::Request { sensitivity, ..request("private") }).unwrap();
    let id = owner(world).retain(&request("forgotten")).unwrap().fact.id;
    assert_eq!(
        found(&owner(world), &search::Request::new(sentence("forgotten")))
            .matches(&word("forgotten"))
            .count(),
        1
    );
    forget(&owner(world), What::Fact(id));
    owner(world).retain(&request("forgotten")).unwrap_err();
}

/// Each is said by whoever may say it; what was forgotten is said again, and the agent echoes a tool.
fn converse(world: &World) {
    let turns = [
        (Role::User, "owner"),
        (Role::User, "masked"),
        (Role::User, "forgotten"),
        (Role::Assistant, "agent"),
        (Role::Tool, "untrusted"),
        (Role::Assistant, "untrusted"),
    ];
    let entries: Vec<_> =
        turns.iter().map(|(role, canary)| Message::new(*role, sentence(canary)).entry()).collect();
    owner(world).say("s1", &entries, &About::default()).unwrap();
    owner(world).flush("s1", None).unwrap();
    owner(world).reflect(reflect::CoreRequest { max_tokens: Some(100_000), dry_run: false }).unwrap();
}

fn found(memory: &Memory, request: &search::Request) -> String {
    let request = search::Request { source: Some(Source::Memory), ..request.clone() };
    let hits = memory.search(&request, None).unwrap().answer.hits;
    hits.iter().map(|hit| format!("{}\n{}\n", hit.snippet, hit.citation())).collect()
}

fn recalled(memory: &Memory, request: &recall::Request) -> String {
    let recalled = memory.recall(request, Touch::No).unwrap().answer.recalled;
    recalled.iter().map(|one| format!("{}\n", one.fact.shown())).collect()
}

/// RuleTarget its name and by its sentence, for as many as anybody asks for and for more than there are: none stays out because
/// others stand before it.
fn ask(world: &World, canary: &str, heard: &mut Heard) {
    let (owner, agent) = (owner(world), world.memory().through(Door::Mcp));
    for (query, count) in [word(canary), sentence(canary)].iter().flat_map(|query| [(query, 6), (query, 50)])
    {
        let plain = search::Request { max_results: Some(count), ..search::Request::new(query) };
        let model = search::Request { for_model: true, ..plain.clone() };
        let untrusted = search::Request { untrusted: true, ..plain.clone() };
        heard.listen("search", &found(&owner, &plain));
        heard.listen("search by an agent", &found(&agent, &plain));
        heard.listen("search for a model", &found(&owner, &model));
        heard.listen("search with untrusted", &found(&agent, &untrusted));
        if canary == "masked" {
            assert!(found(&owner, &plain).contains("[masked: lighthouse "), "{query}");
        }
        let plain = recall::Request { k: Some(count), ..recall::Request::new(query) };
        let untrusted = recall::Request { untrusted: true, ..plain.clone() };
        heard.listen("recall", &recalled(&owner, &plain));
        heard.listen("recall by an agent", &recalled(&agent, &plain));
        heard.listen("recall with untrusted", &recalled(&agent, &untrusted));
    }
}

/// What is given unasked, and what was written.
fn look(world: &World, heard: &mut Heard) {
    let start =
        Start { chat: Some(ChatType::Direct), prompt: PromptMode::Full, tools: true, window: 200_000 };
    heard.listen("context", &owner(world).context("s2", &start).unwrap().system());
    heard.listen("MEMORY.md", &fs::read_to_string(world.note("MEMORY.md")).unwrap());
    let day = fs::read_to_string(world.note("memory/2050-07-14.md")).unwrap();
    let flushed = day.split_once("## Session s1\n").unwrap().1;
    heard.listen("flush", flushed);
    for bytes in world.tree().values() {
        heard.listen("disk", &String::from_utf8_lossy(bytes));
    }
}

#[test]
fn every_canary_comes_out_where_it_may_and_nowhere_else() {
    let mut world = World::new(NOTES);
    let pattern = Pattern::new(&word("masked")).unwrap();
    let rule = Rule { name: "lighthouse".to_owned(), class: Class::Masked, by: RuleTarget::Pattern(pattern) };
    world.settings.policy.own.push(rule);
    plant(&world);
    converse(&world);
    let mut heard = Heard::default();
    for canary in CANARIES {
        ask(&world, canary, &mut heard);
    }
    look(&world, &mut heard);
    let lines: String = CANARIES
        .into_iter()
        .map(|canary| {
            let places = heard.0.get(canary).cloned().unwrap_or_default();
            format!("{canary}: {}\n", Vec::from_iter(places).join(", "))
        })
        .collect();
    expect![[r#"
        owner: MEMORY.md, context, disk, flush, recall, recall by an agent, recall with untrusted, search, search by an agent, search for a model, search with untrusted
        agent: MEMORY.md, context, disk, flush, recall, recall by an agent, recall with untrusted, search, search by an agent, search for a model, search with untrusted
        untrusted: disk, recall with untrusted, search with untrusted
        private: recall, search
        masked: disk
        forgotten: 
    "#]].assert_eq(&lines);
}

#[test]
fn untrusted_text_is_raised_by_the_owner_alone_and_never_to_system() {
    let world = World::new(NOTES);
    let id = world.memory().through(Door::Tool).retain(&request("raised")).unwrap().fact.id;
    let origin = || owner(&world).inspect(&id, None).unwrap().fact.origin;
    owner(&world).trust(&id, Origin::System).unwrap_err();
    world.memory().through(Door::Mcp).trust(&id, Origin::Owner).unwrap_err();
    assert_eq!(origin(), Origin::Untrusted);
    owner(&world).trust(&id, Origin::Owner).unwrap();
    assert_eq!(origin(), Origin::Owner);
}
