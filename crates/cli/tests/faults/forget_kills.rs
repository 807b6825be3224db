//! `forget`, killed at each durable call and at any moment. After the next run what was to be forgotten is there as it was,
//! or gone to the last byte; what was acknowledged is gone; every other byte stands.

use std::path::{Path, PathBuf};

use mindfile::origin::Door;
use mindfile::session::{About, Message, Role};
use mindfile::{Memory, recall, reflect, retain};

use crate::cases::{self, Tally};
use crate::child::{self, Outcome};
use crate::random::Random;
use crate::shim::{self, Kind};
use crate::tree::{self, Tree};
use crate::world::World;

/// Stands in all that goes, and in nothing else.
const TOKEN: &str = "lampkeeper0042x";
const BRIEFLY: usize = 36;
const CONFIG: &str =
    r#"{"memorySearch": {"sources": ["memory", "sessions"], "experimental": {"sessionMemory": true}}}"#;

/// A command that forgets, all of it in one way.
struct Way {
    name: &'static str,
    arguments: &'static [&'static str],
    plant: fn(&World),
}

const WAYS: [Way; 6] = [
    Way { name: "query", arguments: &["forget", "--query", TOKEN], plant: by_query },
    Way { name: "fact", arguments: &["delete", "pier.key"], plant: by_key },
    Way { name: "session", arguments: &["forget", "--session", "s1"], plant: by_session },
    Way {
        name: "days",
        arguments: &["forget", "--since", "2019-03-04", "--until", "2019-03-04"],
        plant: by_day,
    },
    Way { name: "entity", arguments: &["forget", "--entity", TOKEN], plant: by_entity },
    Way { name: "origin", arguments: &["forget", "--origin", "untrusted"], plant: by_origin },
];

fn said() -> String {
    format!("The amber key of {TOKEN} lies under the seventh stone of the north pier")
}

fn by_query(world: &World) {
    let note =
        format!("# The pier of {TOKEN}\r\n\r\nA line.\r\n{}\r\n- W @pier: {} ^q1\r\nlast", said(), said());
    tree::write(&world.workspace().join("memory/pier.md"), note);
    tree::write(&world.workspace().join("memory/other.md"), format!("We met. {}.\nIt rained.\n", said()));
    owner(world).say("s1", &turns("I like tea."), &About::default()).unwrap();
}

fn by_key(world: &World) {
    let memory = owner(world);
    for text in [said(), format!("{} and more", said())] {
        let request = retain::Request { key: Some("pier.key".to_owned()), ..retain::Request::new(&text) };
        memory.retain(&request).unwrap();
    }
}

fn by_session(world: &World) {
    let memory = owner(world);
    memory.say("s1", &turns("Yes."), &About::default()).unwrap();
    memory.flush("s1", None).unwrap();
}

fn by_day(world: &World) {
    let note =
        format!("# A day with {TOKEN}\n\n<!-- {TOKEN} -->\n\nWe met. {}\n- W @pier: {}\n", said(), said());
    tree::write(&world.workspace().join("memory/2019-03-04.md"), note);
    tree::write(&world.workspace().join("memory/2019-03-05.md"), "# Another day\n\nIt rained.\n");
}

fn by_entity(world: &World) {
    let memory = owner(world);
    for text in ["It is blue", "It was green"] {
        let entities = vec![TOKEN.to_owned()];
        memory
            .retain(&retain::Request {
                entities,
                force: true,
                ..retain::Request::new(&format!("{text}. {}", said()))
            })
            .unwrap();
    }
    tree::write(
        &world.workspace().join(format!("bank/entities/{TOKEN}.md")),
        format!("# {TOKEN}\n\n{}\n", said()),
    );
}

fn by_origin(world: &World) {
    let memory = world.memory("state").through(Door::Import);
    memory.retain(&retain::Request::new(&said())).unwrap();
    memory.say("s1", &turns("No."), &About::default()).unwrap();
}

fn turns(short: &str) -> [serde_json::Value; 3] {
    [
        Message::new(Role::User, format!("Please remember: {}. {short}", said())).entry(),
        Message::new(Role::Assistant, format!("{TOKEN} ok")).entry(),
        Message::new(Role::User, "What else?").entry(),
    ]
}

fn owner(world: &World) -> Memory {
    world.memory("state").through(Door::Terminal)
}

/// What a trial begins with, and what it must end with where it is finished.
struct Stage {
    before: Tree,
    after: Files,
}

/// What a person has: notes, and what was said.
type Files = Vec<(PathBuf, Vec<u8>)>;

fn stage(world: &World, way: &Way) -> Stage {
    crate::world::remove(&world.workspace());
    crate::world::remove(&world.path("state"));
    tree::write(&world.path("state/mindfile.json"), CONFIG);
    tree::write(&world.workspace().join("MEMORY.md"), "# Mine\r\n\r\nMy own words stay.\r\n");
    (way.plant)(world);
    world.sync("state");
    let memory = owner(world);
    memory.reflect(reflect::CoreRequest { max_tokens: Some(5_000), dry_run: false }).unwrap();
    memory.recall(&recall::Request::new("amber key"), recall::Touch::Yes).unwrap();
    drop(memory);
    world.sync("state");
    let before = tree::of(&world.path(""));
    assert_ne!(holding(&before), Vec::<PathBuf>::new(), "{}", way.name);
    let outcome = child::run(&mut forgetting(world, way));
    assert!(outcome.is_ok(), "{}: {outcome:?}", way.name);
    let after = tree::of(&world.path(""));
    assert_eq!(holding(&after), Vec::<PathBuf>::new(), "{}: without a kill", way.name);
    Stage { before, after: files(&after) }
}

fn forgetting(world: &World, way: &Way) -> std::process::Command {
    let mut arguments = way.arguments.to_vec();
    arguments.push("--yes");
    world.program("state", &arguments)
}

/// The files that hold the token, by their bytes or by their names.
fn holding(tree: &Tree) -> Vec<PathBuf> {
    let has = |bytes: &[u8]| bytes.windows(TOKEN.len()).any(|part| part == TOKEN.as_bytes());
    let held = |(path, bytes): &(&PathBuf, &Option<Vec<u8>>)| {
        bytes.as_deref().is_some_and(has) || path.to_string_lossy().contains(TOKEN)
    };
    tree.iter().filter(held).map(|(path, _)| path.clone()).collect()
}

fn files(tree: &Tree) -> Files {
    let kept = |path: &Path| path.starts_with("workspace") || path.to_string_lossy().ends_with(".jsonl");
    let own = |path: &Path| kept(path) && !path.starts_with("state/memory");
    let all = tree.iter().filter(|(path, _)| own(path));
    all.filter_map(|(path, bytes)| Some((path.clone(), bytes.clone()?))).collect()
}

#[test]
fn forget_sigkills() {
    let Some(library) = shim::library() else { return };
    let world = World::new();
    let mut tally = Tally::new("forget_sigkills");
    let each = (cases::count(BRIEFLY) / WAYS.len()).max(2);
    let mut random = Random::new(cases::seeds(1)[0]);
    for way in &WAYS {
        let stage = stage(&world, way);
        let log = world.path("calls.log");
        let counted = armed(&world, library, way, &stage, 0, Kind::Kill);
        assert!(counted.is_ok(), "{counted:?}");
        let calls = shim::take_log(&log).len();
        println!("forget_sigkills: {} makes {calls} durable calls", way.name);
        // Two of three at a durable call, one of three at any moment.
        for n in 0..each {
            let (kind, at) = ([Kind::Kill, Kind::KillAfter][n % 2], 1 + n * calls / each);
            let outcome = if n % 3 == 2 {
                tree::put(&stage.before, &world.path(""));
                child::run_killed(
                    &mut forgetting(&world, way),
                    counted.took.mul_f64(random.below(1000) as f64 / 900.0),
                )
            } else {
                armed(&world, library, way, &stage, at, kind)
            };
            let case = format!("{}, trial {n}, {} at call {at} of {calls}", way.name, kind.as_str());
            ends_well(&world, &stage, &outcome, &case, &mut tally);
        }
    }
    tally.say();
}

fn armed(world: &World, library: &Path, way: &Way, stage: &Stage, at: usize, kind: Kind) -> Outcome {
    tree::put(&stage.before, &world.path(""));
    let mut command = forgetting(world, way);
    shim::arm(&mut command, library, &world.path(""), &world.path("calls.log"), at, kind);
    child::run(&mut command)
}

fn ends_well(world: &World, stage: &Stage, outcome: &Outcome, case: &str, tally: &mut Tally) {
    assert!(outcome.is_civil() && (outcome.was_killed() || outcome.is_ok()), "{case}: {outcome:?}");
    tally.add(if outcome.was_killed() { "killed" } else { "over before" }, 1);
    // The log of calls names files.
    drop(std::fs::remove_file(world.path("calls.log")));
    let next = child::run(&mut world.program("state", &["index", "--json"]));
    assert!(next.is_ok(), "{case}: the next run: {next:?}");
    let now = tree::of(&world.path(""));
    let (held, own) = (holding(&now), files(&now));
    if held.is_empty() {
        assert_eq!(names(&own, &stage.after), "", "{case}: other bytes than without a kill");
        tally.add("forgotten", 1);
    } else {
        assert!(!outcome.is_ok(), "{case}: acknowledged, and in {held:?}");
        assert_eq!(names(&own, &files(&stage.before)), "", "{case}: neither there nor gone: {held:?}");
        tally.add("as before", 1);
    }
    let pending = world.path("state/memory/main.forgetting");
    assert!(!pending.exists(), "{case}: {}", std::fs::read_to_string(&pending).unwrap());
    tally.case();
}

/// The names of files that differ.
fn names(one: &Files, other: &Files) -> String {
    let all = one
        .iter()
        .filter(|file| !other.contains(file))
        .chain(other.iter().filter(|file| !one.contains(file)));
    all.map(|(path, bytes)| format!("{}: {:?}\n", path.display(), String::from_utf8_lossy(bytes))).collect()
}
