//! How long `retain` takes beside the sync of its line, with many facts in the memory: `cargo bench -p mindfile --bench
//! retain`.
//!
//! `MINDFILE_BENCH_FACTS="1000,100000"` says how many. Slowness is reported, never an error.

use std::error::Error;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config::{self, Env, Flags, Overrides};
use mindfile::retain::Request;
use rustix::time::{ClockId, clock_gettime};

type Bench<T> = Result<T, Box<dyn Error>>;

const RETAINED: usize = 200;
const ENTITIES: usize = 10_000;
const A_NOTE: usize = 200;
const WORDS: [&str; 24] = [
    "deploy", "invoice", "latency", "schema", "backup", "review", "release", "ticket", "budget", "meeting",
    "queue", "cache", "worker", "session", "garden", "kitchen", "ferry", "museum", "violin", "harbour",
    "winter", "recipe", "contract", "survey",
];

#[expect(clippy::print_stdout, reason = "the figures are the output")]
fn main() -> Bench<()> {
    // `cargo test --benches` runs this too, without the argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    #[expect(clippy::disallowed_methods, reason = "cargo bench passes no options on to a plain main")]
    let sizes = std::env::var("MINDFILE_BENCH_FACTS").unwrap_or_else(|_| "1000,100000".to_owned());
    println!(
        "| facts | retain p50 | append and sync p50 | beside it p50 | CPU of retain p50 |\n|---|---|---|---|---|"
    );
    for size in sizes.split(',') {
        println!("{}", measure(size.trim().parse()?)?);
    }
    Ok(())
}

fn measure(facts: usize) -> Bench<String> {
    let dir = tempfile::tempdir()?;
    let notes = dir.path().join("workspace/memory");
    std::fs::create_dir_all(&notes)?;
    fill(&notes, facts)?;
    let memory = open(dir.path())?;
    memory.sync(&mut |_| ControlFlow::Continue(()))?;
    let workspace = memory.workspace()?.writer(tempfile::tempfile()?);
    let aside = workspace.is_memory_path("memory/aside.md")?;
    let (mut whole, mut synced, mut worked) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..RETAINED {
        let entities = vec![format!("entity-{n}")];
        let request = Request { entities, ..Request::new(&sentence(facts + n)) };
        let before = cpu();
        whole.push(timed(|| memory.retain(&request).map(drop))?);
        worked.push(cpu().saturating_sub(before));
        let line = format!("- W(s=0.5) @entity-{n}: {} ^x{n}\n", sentence(facts + n));
        synced.push(timed(|| workspace.append(&aside, line.as_bytes()).map(drop))?);
    }
    let (whole, synced, worked) = (median(whole), median(synced), median(worked));
    Ok(format!("| {facts} | {whole:.2} ms | {synced:.2} ms | {:.2} ms | {worked:.2} ms |", whole - synced))
}

fn fill(notes: &Path, facts: usize) -> Bench<()> {
    for (note, from) in (0..facts).step_by(A_NOTE).enumerate() {
        let mut text = String::from("# Facts\n\n");
        for n in from..facts.min(from + A_NOTE) {
            let (a, b) = (n % ENTITIES, (n * 7 + 3) % ENTITIES);
            text.push_str(&format!("- W(s=0.5) @entity-{a} @entity-{b}: {} ^f{n}\n", sentence(n)));
        }
        std::fs::File::create(notes.join(format!("note-{note}.md")))?.write_all(text.as_bytes())?;
    }
    Ok(())
}

fn sentence(n: usize) -> String {
    let word = |at: usize| WORDS[(n / at + n) % WORDS.len()];
    format!("The {} of {} number {n} changed the {} for the {}", word(1), word(3), word(7), word(11))
}

fn open(state: &Path) -> Bench<Memory> {
    let flags = Flags { state_dir: Some(state.to_owned()), ..Flags::default() };
    let overrides = Overrides { flags, env: Env::default(), home: None, cwd: state.to_owned() };
    Ok(Memory::new(config::load(&overrides)?.settings, Box::new(System)))
}

fn timed<E>(work: impl FnOnce() -> Result<(), E>) -> Result<Duration, E> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed())
}

fn cpu() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}
