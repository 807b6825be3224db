//! How long a turn takes until it can be found, in conversations short and long: `cargo bench -p mindfile --bench
//! sessions`.
//!
//! `MINDFILE_BENCH_BYTES="10000,1000000,4000000"` says how long the transcripts are. Slowness is reported, never an error.

#[path = "../search/timing.rs"]
#[expect(dead_code, reason = "it is shared with the other benches")]
mod timing;

use std::error::Error;
use std::path::Path;

use mindfile::clock::System;
use mindfile::config::{self, Env, Flags, Overrides};
use mindfile::ingest::{self, Budget, NewTurns, Scope};
use mindfile::search::{Mode, Request};
use mindfile::session::{About, Message, Role};
use mindfile::{Memory, Source};

use timing::{Spending, Whose, percentile, time};

type Bench<T> = Result<T, Box<dyn Error>>;

const TURNS: usize = 200;
const SESSION: &str = "long";
const TALK: &str =
    "We went through the ferries, the fog over the harbour, the invoices that are late, and who calls whom.";

#[expect(clippy::print_stdout, reason = "the figures are the output")]
fn main() -> Bench<()> {
    // `cargo test --benches` runs this too, without the argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    const NAME: &str = "MINDFILE_BENCH_BYTES";
    #[expect(clippy::disallowed_methods, reason = "cargo bench passes no options on to a plain main")]
    let sizes = std::env::var(NAME).unwrap_or_else(|_| "10000,1000000,4000000".to_owned());
    println!(
        "| transcript | append p50 | p99 | CPU p50 | append and search p50 | p99 |\n|---:|---:|---:|---:|---:|---:|"
    );
    for size in sizes.split(',') {
        println!("{}", measure(size.trim().parse()?)?);
    }
    Ok(())
}

fn measure(bytes: usize) -> Bench<String> {
    let dir = tempfile::tempdir()?;
    std::fs::create_dir_all(dir.path().join("workspace/memory"))?;
    let memory = open(dir.path())?;
    fill(&memory, bytes)?;
    let (mut said, mut found) = (Vec::new(), Vec::new());
    for turn in 0..TURNS {
        let message =
            Message::new(Role::User, format!("{TALK} The locker of keeper{turn}x is number {turn}."));
        let (_, saying) = time(Whose::Thread, || memory.say(SESSION, &[message.entry()], &About::default()))?;
        let request = Request {
            source: Some(Source::Sessions),
            mode: Some(Mode::Keyword),
            ..Request::new(format!("keeper{turn}x"))
        };
        let (answered, searching) = time(Whose::Thread, || memory.search(&request, None))?;
        if answered.answer.hits.is_empty() {
            return Err(format!("turn {turn} was not found").into());
        }
        said.push(saying);
        found.push(saying.and(searching));
    }
    let wall = |all: &[Spending], percent| percentile(all.iter().map(|spent| spent.wall), percent);
    let cpu = percentile(said.iter().map(|spent| spent.cpu), 50);
    Ok(format!(
        "| {bytes} | {:.1} ms | {:.1} ms | {cpu:.1} ms | {:.1} ms | {:.1} ms |",
        wall(&said, 50),
        wall(&said, 99),
        wall(&found, 50),
        wall(&found, 99)
    ))
}

/// A conversation of so many bytes, said in one piece.
fn fill(memory: &Memory, bytes: usize) -> Bench<()> {
    let turns = bytes / 300;
    let turn = |n: usize| {
        let role = if n.is_multiple_of(2) { Role::User } else { Role::Assistant };
        Message::new(role, format!("{TALK} That was point {n} of our list."))
    };
    for from in (0..turns).step_by(500) {
        let entries: Vec<_> = (from..turns.min(from + 500)).map(|n| turn(n).entry()).collect();
        memory.sessions().append(SESSION, &entries, memory.clock().now())?;
    }
    ingest::run(memory, Scope::Session(&NewTurns::of(SESSION)), Budget::Unlimited)?;
    Ok(())
}

fn open(state: &Path) -> Bench<Memory> {
    let flags = Flags { state_dir: Some(state.to_owned()), ..Flags::default() };
    let overrides = Overrides { flags, env: Env::default(), home: None, cwd: state.to_owned() };
    Ok(Memory::new(config::load(&overrides)?.settings, Box::new(System)))
}
