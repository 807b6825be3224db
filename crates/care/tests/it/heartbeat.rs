//! The heartbeat: what it lists, what it changes, and what it leaves alone.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;

use expect_test::expect;
use mindfile::chat::{ChatModel, Reply, Request as ChatRequest, Turn, Usage};
use mindfile::fact::FactRecord;
use mindfile_care::heartbeat::{self, Request, Verdict};
use mindfile_model::Error as ModelError;

use crate::world::{World, put};

const NOTES: &[(&str, &str)] = &[
    (
        "memory/2050-01-02.md",
        "\u{feff}# Day\r\n\r\n- O(key=editor.theme, c=0.8,v=3) @user:  dark ^theme\r\n\
         - W(s=0.9) @db: The production database is heron ^heron\r\n\
         - W(due=2050-07-01) @tax: File the return ^tax\r\n- O @user: Likes tea <!-- importance: 3 -->\r\nlast",
    ),
    (
        "memory/2050-07-01.md",
        "- W @api: The rate limit is 100 requests per minute ^r1\n- W @api: Rate limit is 100 requests per minute ^r2\n\
         - O @peter: Peter likes the new office chairs ^p1\n- W(ttl=2050-07-02) @bus: The bus is late ^bus\n",
    ),
    ("memory/2050-07-02.md", "- O @peter: Peter does not like the new office chairs ^p2\n"),
];

fn ids(facts: &[FactRecord]) -> Vec<&str> {
    facts.iter().map(|fact| fact.id.as_str()).collect()
}

fn workspace(world: &World) -> Vec<(String, Vec<u8>)> {
    let root = world.at("workspace");
    let notes = world.tree().into_iter().filter(|(path, _)| path.starts_with(&root));
    notes.map(|(path, bytes)| (path.display().to_string(), bytes)).collect()
}

#[test]
fn a_pass_lists_what_to_look_at_and_lets_preferences_fade_in_their_lines() {
    let world = World::new(NOTES);
    let beat = heartbeat::run(&world.memory(), Request::default(), None).unwrap();
    expect!["9 facts: 1 reminder overdue, 2 preferences faded, 1 memory to confirm, 1 fact expired, 1 cluster to fold, 1 contradiction marked"]
        .assert_eq(&beat.line());
    assert_eq!((ids(&beat.overdue), ids(&beat.unconfirmed)), (vec!["tax"], vec!["heron"]));
    assert_eq!(ids(&beat.clusters[0]), ["r1", "r2"]);
    let pair = &beat.settled[0];
    assert_eq!((pair.newer.id.as_str(), pair.older.id.as_str(), pair.verdict), ("p2", "p1", None));
    let chairs = fs::read_to_string(world.note("memory/2050-07-01.md")).unwrap();
    assert!(
        chairs.contains("- O(until=2050-07-02,by=p2) @peter: Peter likes the new office chairs ^p1\n"),
        "{chairs}"
    );
    let text = fs::read_to_string(world.note("memory/2050-01-02.md")).unwrap();
    assert_eq!(
        text,
        "\u{feff}# Day\r\n\r\n- O(key=editor.theme,c=0.53,v=3,faded=0.8) @user:  dark ^theme\r\n\
         - W(s=0.9) @db: The production database is heron ^heron\r\n\
         - W(due=2050-07-01) @tax: File the return ^tax\r\n- O(c=0.4,faded=0.6) @user: Likes tea <!-- importance: 3 -->\r\nlast"
    );
    let log = fs::read_to_string(world.at("memory/main.heartbeat.log")).unwrap();
    assert_eq!(log, format!("2050-07-14T12:00:00Z {}\n", beat.line()));
    for (_, note) in NOTES {
        let said = note.lines().filter_map(|line| line.split_once(": ")).map(|(_, text)| text);
        said.for_each(|text| assert!(!log.contains(text), "{text}"));
    }
}

#[test]
fn a_second_pass_has_nothing_left_to_change_and_a_dry_run_changes_nothing() {
    let world = World::new(NOTES);
    let before = workspace(&world);
    let dry = Request { dry_run: true, ..Request::default() };
    assert_eq!(heartbeat::run(&world.memory(), dry, None).unwrap().faded.len(), 2);
    assert_eq!((workspace(&world), world.at("memory/main.heartbeat.log").exists()), (before, false));
    heartbeat::run(&world.memory(), Request::default(), None).unwrap();
    let once = workspace(&world);
    assert_eq!(heartbeat::run(&world.memory(), Request::default(), None).unwrap().faded, []);
    assert_eq!(workspace(&world), once);
}

#[test]
fn a_confirmed_value_has_its_confidence_back() {
    let world = World::new(&NOTES[..1]);
    heartbeat::run(&world.memory(), Request::default(), None).unwrap();
    let again = mindfile::retain::Request {
        key: Some("editor.theme".into()),
        ..mindfile::retain::Request::new("dark")
    };
    world.memory().retain(&again).unwrap();
    let text = fs::read_to_string(world.note("memory/2050-01-02.md")).unwrap();
    assert!(
        text.contains("- O(key=editor.theme,c=0.8,v=3,conf=2050-07-14) @user:  dark ^theme\r\n"),
        "{text}"
    );
}

#[test]
fn what_was_left_behind_is_cleared_and_what_may_be_needed_stays() {
    let world = World::new(NOTES);
    world.sync();
    let memory = world.memory();
    memory.touch(&["tax".to_owned(), "gone".to_owned()]).unwrap();
    let kept = fs::read(world.at("memory/main.access.jsonl")).unwrap();
    let swept = |world: &World| heartbeat::run(&world.memory(), Request::default(), None).unwrap().swept;
    assert_eq!(swept(&world).uses, 0, "a fact that vanished today may come back");
    assert_eq!(fs::read(world.at("memory/main.access.jsonl")).unwrap(), kept);
    let old = br#"{"at":1000,"ids":["tax","gone"]}"#;
    put(&world.at("memory/main.access.jsonl"), &[&old[..], b"\n"].concat());
    for left in ["memory/.mindfile-part-1-0", ".mindfile-part-2-0", "memory/old.sqlite.lock"] {
        put(&world.at(left), b"left");
    }
    put(&world.note("memory/.mindfile-part-3-0"), b"left");
    put(&world.at("memory/main.sqlite.lock"), b"");
    world.interrupt_rebuild();
    let swept = swept(&world);
    let names: BTreeSet<&str> = swept.files.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(
        names,
        [".mindfile-part-1-0", ".mindfile-part-2-0", "main.sqlite.rebuild", "old.sqlite.lock"].into()
    );
    // The sync before it has settled what lay in the workspace.
    assert_eq!((swept.leftovers, swept.uses), (0, 1));
    assert!(swept.files.iter().all(|path| !path.exists()));
    assert!(
        world.at("memory/main.sqlite.lock").exists() && !world.note("memory/.mindfile-part-3-0").exists()
    );
    assert_eq!(world.memory().uses().unwrap().keys().collect::<Vec<_>>(), ["tax"]);
}

/// Answers FIRST and remembers what it was asked.
#[derive(Default)]
struct Judge {
    asked: Mutex<Vec<String>>,
    down: bool,
}

impl ChatModel for Judge {
    fn name(&self) -> &str {
        "judge"
    }

    fn window(&self) -> u64 {
        8_000
    }

    fn answer(&self, request: &ChatRequest<'_>, _: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        if self.down {
            return Err(ModelError::Deadline);
        }
        let Turn::User(text) = &request.turns[0] else { panic!("{:?}", request.turns) };
        self.asked.lock().unwrap().push(text.clone());
        let usage = Some(Usage { input: 150, output: 1, ..Usage::default() });
        Ok(Reply { text: "FIRST".into(), usage, ..Reply::default() })
    }
}

/// Facts of which nobody but who knows them can say whether they exclude each other.
const DOUBTFUL: &[(&str, &str)] = &[
    ("memory/2050-07-01.md", "- W @sarah: Sarah works at Acme ^s1\n- O(sens=low) @tea: Green ^t\n"),
    ("memory/2050-07-02.md", "- W @sarah: Sarah works at Globex ^s2\n"),
];

#[test]
fn a_model_is_asked_about_what_is_doubtful_alone_and_what_it_decides_is_done() {
    let world = World::new(DOUBTFUL);
    let judge = Judge::default();
    let beat = heartbeat::run(&world.memory(), Request::default(), Some(&judge)).unwrap();
    assert_eq!((beat.anomalies.len(), beat.settled[0].verdict), (0, Some(Verdict::Newer)));
    assert_eq!((beat.asked.questions, beat.asked.tokens, beat.asked.left), (1, 151, 0));
    assert!(beat.line().ends_with("1 question to a model (151 of 2000 tokens)"), "{}", beat.line());
    expect![[r#"
        First: {"said":"2050-07-02","text":"Sarah works at Globex"}
        Second: {"said":"2050-07-01","text":"Sarah works at Acme"}"#]]
    .assert_eq(&judge.asked.lock().unwrap().join("\n"));
    let again = heartbeat::run(&world.memory(), Request::default(), Some(&judge)).unwrap();
    assert_eq!((again.anomalies.len(), again.settled.len(), again.asked.questions), (0, 0, 0));
    let note = fs::read_to_string(world.note("memory/2050-07-01.md")).unwrap();
    assert!(note.starts_with("- W(until=2050-07-02,by=s2) @sarah: Sarah works at Acme ^s1\n"), "{note}");
}

#[test]
fn a_model_is_not_asked_beyond_the_budget_nor_what_is_confidential_nor_in_a_dry_run() {
    let world = World::new(DOUBTFUL);
    let judge = Judge::default();
    let small = Request { budget: 60, ..Request::default() };
    let beat = heartbeat::run(&world.memory(), small, Some(&judge)).unwrap();
    assert_eq!((beat.asked.questions, beat.asked.tokens, beat.asked.left), (0, 0, 1));
    let dry = Request { dry_run: true, ..Request::default() };
    heartbeat::run(&world.memory(), dry, Some(&judge)).unwrap();
    world.save("memory/2050-07-02.md", b"- W(sens=high) @sarah: Sarah works at Globex ^s2\n");
    let beat = heartbeat::run(&world.memory(), Request::default(), Some(&judge)).unwrap();
    assert_eq!((beat.anomalies.len(), beat.asked.questions), (1, 0));
    assert_eq!(judge.asked.lock().unwrap().len(), 0);
}

#[test]
fn a_model_that_is_down_ends_the_asking_and_not_the_pass() {
    let world = World::new(DOUBTFUL);
    let judge = Judge { down: true, ..Judge::default() };
    let beat = heartbeat::run(&world.memory(), Request::default(), Some(&judge)).unwrap();
    assert_eq!((beat.notices.len(), beat.anomalies.len()), (1, 1));
    assert!(beat.notices[0].starts_with("the model could not be asked: "), "{:?}", beat.notices);
}
