//! A conversation whose host is killed at any time, again and again: every turn that was answered is in the transcript,
//! in order and once, and every fact that was said in it is found afterwards.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use mindfile::session::read;
use serde_json::Value;

use crate::cases::{self, Tally};
use crate::chat_server::{ChatServer, Says};
use crate::child;
use crate::random::Random;
use crate::world::World;

const SESSION: &str = "killed";
/// A host that does not answer within this time is broken.
const PATIENCE: Duration = Duration::from_secs(120);

/// Answers a turn; says nothing to a flush; a summary is a sentence.
fn script(body: &Value) -> Says {
    let last = body["messages"].as_array().and_then(|all| all.last());
    let text = last.map(|message| message["content"].to_string()).unwrap_or_default();
    if text.contains("Pre-compaction memory flush") {
        return Says::Text("NO_REPLY".to_owned());
    }
    Says::Text("understood, and noted for later".to_owned())
}

#[test]
fn chat_sigkills() {
    let world = World::new();
    std::fs::create_dir_all(world.workspace().join("memory")).unwrap();
    let server = ChatServer::start(script);
    let mut tally = Tally::new("chat_sigkills");
    let mut random = Random::new(cases::seeds(1)[0]);
    let wanted = cases::count(20);
    let (mut next, mut answered) = (0_usize, Vec::new());
    while tally.count("killed") < wanted {
        let child = start(&world, &server);
        let turns = talk(child, Moment::any(&mut random), &mut next);
        tally.add("turns answered", turns.len());
        tally.add("killed", 1);
        answered.extend(turns);
        check(&world, &answered);
        tally.case();
    }
    tally.say();
    assert!(answered.len() >= wanted / 2, "{} turns were answered in {wanted} conversations", answered.len());
    let found = answered.iter().filter(|turn| is_found(&world, **turn)).count();
    assert_eq!(found, answered.len(), "facts that can be found");
}

fn start(world: &World, server: &ChatServer) -> Child {
    let url = server.url();
    let words = [
        "chat", "--json", "--quiet", "--session", SESSION, "--model", "m", "--base-url", &url,
        "--context-window", "6000",
    ];
    let mut command = world.program("state", &words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn fact(turn: usize) -> String {
    format!("The locker zq{turn}xk belongs to the captain, who paints it every spring in another colour.")
}

/// When a host is killed. A busy machine takes long to start it, so that most kills count from its first answer.
#[derive(Clone, Copy)]
enum Moment {
    AfterStart(Duration),
    /// So many times what the first answer took, in thousandths.
    AfterAnswer(u32),
}

impl Moment {
    fn any(random: &mut Random) -> Self {
        match random.below(4) {
            0 => Self::AfterStart(Duration::from_millis(random.below(900) as u64)),
            _ => Self::AfterAnswer(random.below(1_500) as u32),
        }
    }

    /// When that is, counted from the start; `first` is when the first answer came.
    fn end(self, first: Option<Duration>) -> Duration {
        match (self, first) {
            (Self::AfterStart(span), _) => span,
            (Self::AfterAnswer(_), None) => PATIENCE,
            (Self::AfterAnswer(part), Some(first)) => first + first * part / 1_000,
        }
    }
}

/// Says one thing after the other until the moment has come, then kills. Returns the turns that were answered.
fn talk(mut child: Child, moment: Moment, next: &mut usize) -> Vec<usize> {
    let (began, mut first) = (Instant::now(), None);
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let mut answered = Vec::new();
    while began.elapsed() < moment.end(first) {
        let turn = *next;
        *next += 1;
        if writeln!(input, "{}", fact(turn)).is_err() {
            break;
        }
        let left = moment.end(first).saturating_sub(began.elapsed());
        match receiver.recv_timeout(left) {
            Ok(line) => {
                assert!(line.contains("understood"), "{line}");
                answered.push(turn);
                first = first.or_else(|| Some(began.elapsed()));
            }
            Err(_) => break,
        }
    }
    assert!(began.elapsed() < PATIENCE, "no answer came");
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap();
    answered
}

/// Every answered turn stands in the transcript once, with its answer, and no line but the last is damaged.
fn check(world: &World, answered: &[usize]) {
    let path = world.path("state").join("agents/main/sessions").join(format!("{SESSION}.jsonl"));
    let Ok(bytes) = std::fs::read(&path) else {
        assert_eq!(answered, Vec::<usize>::new());
        return;
    };
    let transcript = read(SESSION, &bytes);
    assert!(transcript.damage.iter().all(|damage| damage.torn), "{:?}", transcript.damage);
    let said: Vec<String> = transcript.messages().map(|(_, message)| message.text()).collect();
    let mut at = 0;
    for turn in answered {
        let fact = fact(*turn);
        let found = said[at..].iter().position(|text| *text == fact);
        at += found.unwrap_or_else(|| panic!("turn {turn} is missing")) + 1;
        assert!(said.get(at).is_some_and(|text| text.starts_with("understood")), "turn {turn} has no answer");
        assert_eq!(said.iter().filter(|text| **text == fact).count(), 1, "turn {turn}");
    }
}

fn is_found(world: &World, turn: usize) -> bool {
    let name = format!("zq{turn}xk");
    let words = ["search", &name, "--source", "sessions", "--mode", "keyword", "--json"];
    let outcome = child::run(&mut world.program("state", &words));
    assert!(outcome.is_ok(), "{outcome:?}");
    let results = outcome.json()["results"].clone();
    results.as_array().unwrap().iter().any(|hit| hit["snippet"].as_str().unwrap().contains(&name))
}
