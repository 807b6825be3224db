//! A search in a process that has the index open: different questions, then the same ones again.

use std::time::Duration;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::search::{Mode, Request};

use crate::notes::Generator;
use crate::timing::{Spending, Whose, percentile, time};
use crate::{Bench, Notes, World, machine, notes, progress};

const MODES: [Mode; 3] = [Mode::Hybrid, Mode::Keyword, Mode::Vector];
const WARM_UP: usize = 20;
const QUERIES: usize = 400;
/// Chunks, and the median that a hybrid search may take at that many, in milliseconds.
const LIMITS: [(usize, f64); 2] = [(10_000, 1.0), (100_000, 5.0)];

#[derive(Default)]
pub(crate) struct Tables {
    index: String,
    search: String,
}

impl Tables {
    pub(crate) fn text(&self) -> String {
        format!(
            "## Index\n\n| chunks | notes | text MB | wall s | CPU s | index MB |\n|---:|---:|---:|---:|---:|---:|\n{}\n\
             ## Warm search, milliseconds\n\n\
             {QUERIES} different questions of 3 to 8 words after {WARM_UP} others, then the same {QUERIES} again. CPU is that\n\
             of the searching thread; the question's vector is included. RSS is the process with what it keeps warm.\n\n\
             | chunks | mode | questions | wall p50 | p95 | p99 | CPU p50 | p95 | p99 | RSS MB | p50 at most |\n\
             |---:|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n{}",
            self.index, self.search
        )
    }
}

pub(crate) fn measure(generator: &Generator, chunks: usize, tables: &mut Tables) -> Bench<()> {
    progress(&format!("{chunks} chunks: notes"));
    let world = World::new()?;
    let mut found = 0;
    let (count, bytes) = notes::write(generator, &world.workspace(), |_, text| {
        found += crate::chunks(text);
        found >= chunks
    })?;
    progress(&format!("{chunks} chunks: index"));
    let written = Notes { count, bytes, chunks: found };
    tables.index.push_str(&index(&world, &written)?);
    for mode in MODES {
        progress(&format!("{chunks} chunks: {}", mode.as_str()));
        tables.search.push_str(&search(generator, &world, &written, mode)?);
    }
    Ok(())
}

fn index(world: &World, notes: &Notes) -> Bench<String> {
    let memory = Memory::new(world.settings.clone(), Box::new(System));
    let (_, spent) = time(Whose::Process, || crate::sync(&memory))?;
    drop(memory);
    let size = std::fs::metadata(&world.settings.index_path)?.len();
    Ok(format!(
        "| {} | {} | {:.1} | {:.2} | {:.2} | {:.1} |\n",
        notes.chunks,
        notes.count,
        notes.bytes as f64 / 1e6,
        spent.wall.as_secs_f64(),
        spent.cpu.as_secs_f64(),
        size as f64 / 1e6
    ))
}

fn search(generator: &Generator, world: &World, notes: &Notes, mode: Mode) -> Bench<String> {
    let mut settings = world.settings.clone();
    settings.sync.on_search = false;
    // A measurement waits for an answer.
    settings.query.deadline = Duration::from_secs(60);
    let memory = Memory::new(settings, Box::new(System));
    ask(&memory, &generator.queries(notes.count, WARM_UP, 2), mode)?;
    let queries = generator.queries(notes.count, QUERIES, 1);
    let mut rows = String::new();
    for (round, label) in ["new", "again"].into_iter().enumerate() {
        let spent = ask(&memory, &queries, mode)?;
        let limit =
            LIMITS.iter().find(|(chunks, _)| mode == Mode::Hybrid && round == 0 && near(*chunks, notes));
        rows.push_str(&row(notes, mode, label, &spent, limit.map(|(_, limit)| *limit)));
    }
    Ok(rows)
}

fn near(chunks: usize, notes: &Notes) -> bool {
    notes.chunks.abs_diff(chunks) * 100 < chunks
}

fn ask(memory: &Memory, queries: &[String], mode: Mode) -> Bench<Vec<Spending>> {
    let mut all = Vec::with_capacity(queries.len());
    for query in queries {
        let request = Request { mode: Some(mode), ..Request::new(query) };
        let (_, spent) = time(Whose::Thread, || memory.search(&request, None))?;
        all.push(spent);
    }
    Ok(all)
}

fn row(notes: &Notes, mode: Mode, round: &str, spent: &[Spending], limit: Option<f64>) -> String {
    let wall = |percent| percentile(spent.iter().map(|spent| spent.wall), percent);
    let cpu = |percent| percentile(spent.iter().map(|spent| spent.cpu), percent);
    format!(
        "| {} | {} | {round} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.0} | {} |\n",
        notes.chunks,
        mode.as_str(),
        wall(50),
        wall(95),
        wall(99),
        cpu(50),
        cpu(95),
        cpu(99),
        machine::resident(),
        limit.map_or_else(String::new, |limit| limit.to_string())
    )
}
