//! How fast a warm library recalls: `cargo bench -p mindfile --bench recall`.
//!
//! Prints Markdown. `MINDFILE_BENCH_FACTS="10000,100000"` says how many facts; there is an entity for every ten.
//! Slowness is reported, never an error.

mod facts;
#[path = "../search/machine.rs"]
mod machine;
#[path = "../search/timing.rs"]
mod timing;

use std::error::Error;
use std::ops::ControlFlow;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config::{self, Env, Flags, Overrides, Settings};
use mindfile::recall::{Request, Touch};
use tempfile::TempDir;

use timing::{Spending, Whose, percentile, time};

type Bench<T> = Result<T, Box<dyn Error>>;

const WARM_UP: usize = 50;
const QUERIES: usize = 400;

#[expect(clippy::print_stdout, reason = "the figures are the output")]
fn main() -> Bench<()> {
    // `cargo test --benches` runs this too, without the argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let heading = machine::heading();
    let mut rows = String::new();
    for count in sizes()? {
        rows.push_str(&measure(count)?);
    }
    println!(
        "{heading}- load average after {}\n\n\
         {QUERIES} questions after {WARM_UP} others; milliseconds. \"Noted\" writes what was returned to the access journal.\n\
         The share of connections is what depth 2 takes beyond depth 0: traversal, and comparing what it found.\n\n\
         | facts | entities | index s | depth | noted | returned | wall p50 | p95 | CPU p50 | p95 | connections | RSS MB |\n\
         |---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|\n{rows}",
        machine::load()
    );
    Ok(())
}

fn sizes() -> Bench<Vec<usize>> {
    const NAME: &str = "MINDFILE_BENCH_FACTS";
    #[expect(clippy::disallowed_methods, reason = "cargo bench passes no options on to a plain main")]
    let text = std::env::var(NAME).unwrap_or_else(|_| "10000,100000".to_owned());
    let sizes: Result<Vec<usize>, _> = text.split(',').map(|size| size.trim().parse()).collect();
    sizes.map_err(|error| format!("{NAME}={text}: {error}").into())
}

fn measure(count: usize) -> Bench<String> {
    let dir = tempfile::tempdir()?;
    let entities = (count / 10).max(10);
    facts::write(&dir.path().join("workspace"), count, entities)?;
    let memory = Memory::new(settings(&dir)?, Box::new(System));
    let (_, indexed) = time(Whose::Process, || memory.sync(&mut |_| ControlFlow::Continue(())))?;
    let queries = facts::queries(WARM_UP + QUERIES, entities);
    ask(&memory, &queries[..WARM_UP], 2, Touch::No)?;
    let asked = &queries[WARM_UP..];
    let direct = ask(&memory, asked, 0, Touch::No)?;
    let connected = ask(&memory, asked, 2, Touch::No)?;
    let noted = ask(&memory, asked, 2, Touch::Yes)?;
    let share = 1.0 - total(&direct.spent) / total(&connected.spent);
    let head = format!("| {count} | {entities} | {:.1} |", indexed.wall.as_secs_f64());
    Ok([
        format!("{head} 0 | no {}  |", direct.cells()),
        format!("{head} 2 | no {} {:.0} % |", connected.cells(), 100.0 * share),
        format!("{head} 2 | yes {}  |", noted.cells()),
    ]
    .map(|row| format!("{row} {:.0} |\n", machine::resident()))
    .concat())
}

fn settings(dir: &TempDir) -> Bench<Settings> {
    let flags = Flags { state_dir: Some(dir.path().to_owned()), ..Flags::default() };
    let overrides = Overrides { flags, env: Env::default(), home: None, cwd: dir.path().to_owned() };
    let mut settings = config::load(&overrides)?.settings;
    settings.sync.on_search = false;
    Ok(settings)
}

struct Asked {
    spent: Vec<Spending>,
    returned: usize,
}

impl Asked {
    fn cells(&self) -> String {
        let wall = |percent| percentile(self.spent.iter().map(|spent| spent.wall), percent);
        let cpu = |percent| percentile(self.spent.iter().map(|spent| spent.cpu), percent);
        let returned = self.returned as f64 / self.spent.len() as f64;
        format!("| {returned:.1} | {:.2} | {:.2} | {:.2} | {:.2} |", wall(50), wall(95), cpu(50), cpu(95))
    }
}

fn total(spent: &[Spending]) -> f64 {
    spent.iter().copied().reduce(Spending::and).map_or(0.0, |all| all.cpu.as_secs_f64())
}

fn ask(memory: &Memory, queries: &[String], depth: u32, touch: Touch) -> Bench<Asked> {
    let mut asked = Asked { spent: Vec::with_capacity(queries.len()), returned: 0 };
    for query in queries {
        let request = Request { depth: Some(depth), ..Request::new(query) };
        let (remembered, spent) = time(Whose::Thread, || memory.recall(&request, touch))?;
        asked.returned += remembered.answer.recalled.len();
        asked.spent.push(spent);
    }
    Ok(asked)
}
