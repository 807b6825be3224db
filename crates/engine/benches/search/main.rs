//! How fast a warm library answers, and how soon a written line is found: `cargo bench -p mindfile --bench search`.
//!
//! Prints Markdown. `MINDFILE_BENCH_CHUNKS="10000,100000"` and `MINDFILE_BENCH_NOTES="1000,10000"` say how much,
//! `MINDFILE_BENCH_PRIVATE="1000"` of how many notes some are private; an empty value leaves a part out. Slowness is reported, never an error.

mod machine;
mod notes;
mod private;
mod timing;
mod warm;
mod write;

use std::error::Error;
use std::fs::File;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use mindfile::Memory;
use mindfile::config::{self, Env, Flags, Overrides, Settings};
use mindfile::reconcile::Report;
use mindfile_note::chunk::{self, Chunking};
use tempfile::TempDir;

pub(crate) type Bench<T> = Result<T, Box<dyn Error>>;

#[expect(clippy::print_stdout, reason = "the figures are the output")]
fn main() -> Bench<()> {
    // `cargo test --benches` runs this too, without the argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let (chunks, notes) =
        (sizes("MINDFILE_BENCH_CHUNKS", "10000,100000")?, sizes("MINDFILE_BENCH_NOTES", "1000,10000")?);
    let private_notes = sizes("MINDFILE_BENCH_PRIVATE", "1000")?;
    let heading = machine::heading();
    let generator = notes::Generator::new()?;
    let (mut warm, mut write) = (warm::Tables::default(), write::Table::default());
    for chunks in chunks {
        warm::measure(&generator, chunks, &mut warm)?;
    }
    for notes in notes {
        write::measure(&generator, notes, &mut write)?;
    }
    let mut private = private::Table::default();
    for notes in private_notes {
        private::measure(&generator, notes, &mut private)?;
    }
    let tables = [warm.text(), write.text(), private.text()].join("\n");
    println!("{heading}- load average after {}\n\n{tables}", machine::load());
    Ok(())
}

fn sizes(name: &str, default: &str) -> Bench<Vec<usize>> {
    #[expect(clippy::disallowed_methods, reason = "cargo bench passes no options on to a plain main")]
    let text = std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let sizes = text.split(',').map(str::trim).filter(|size| !size.is_empty());
    let sizes: Result<Vec<usize>, _> = sizes.map(str::parse).collect();
    sizes.map_err(|error| format!("{name}={text}: {error}").into())
}

#[expect(clippy::print_stderr, reason = "a run takes minutes")]
pub(crate) fn progress(text: &str) {
    eprintln!("{text}");
}

/// How much was written.
pub(crate) struct Notes {
    pub(crate) count: usize,
    pub(crate) bytes: usize,
    pub(crate) chunks: usize,
}

/// A state directory that is gone when the measurement is over.
pub(crate) struct World {
    pub(crate) settings: Settings,
    dir: TempDir,
}

impl World {
    pub(crate) fn new() -> Bench<Self> {
        let dir = tempfile::tempdir()?;
        let flags = Flags { state_dir: Some(dir.path().to_owned()), ..Flags::default() };
        let overrides = Overrides { flags, env: Env::default(), home: None, cwd: dir.path().to_owned() };
        let settings = config::load(&overrides)?.settings;
        Ok(Self { settings, dir })
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.dir.path().join("workspace")
    }
}

pub(crate) fn sync(memory: &Memory) -> Result<Report, mindfile::Error> {
    memory.sync(&mut |_| ControlFlow::Continue(()))
}

pub(crate) fn chunks(text: &str) -> usize {
    chunk::read(text, &Chunking::default()).chunks.len()
}

pub(crate) fn put(path: &Path, text: &str) -> std::io::Result<()> {
    File::create(path)?.write_all(text.as_bytes())
}
