//! The same notes with more and more of them private: what their owner's search costs in a process that has opened them,
//! and what opening them costs the first search of a process.

use std::time::Duration;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::origin::Door;
use mindfile::search::Request;

use crate::notes::Generator;
use crate::timing::{Spending, Whose, percentile, time};
use crate::{Bench, World, machine, notes, progress};

/// In percent of all notes.
const SHARES: [usize; 4] = [0, 1, 5, 25];
const WARM_UP: usize = 20;
const QUERIES: usize = 200;
const FIRST: usize = 9;
/// How much longer than plain a search may take.
const LIMIT: f64 = 1.5;

#[derive(Default)]
pub(crate) struct Table {
    rows: String,
}

impl Table {
    pub(crate) fn text(&self) -> String {
        format!(
            "## Search with private notes, milliseconds of CPU\n\n\
             The same notes each time; {QUERIES} different questions after {WARM_UP} others, and the first search of a process,\n\
             median of {FIRST}. Beside each the times of plain; a search may take {LIMIT} times as long.\n\n\
             | notes | private | warm p50 | p95 | to plain | first p50 | to plain | RSS MB |\n\
             |---:|---:|---:|---:|---:|---:|---:|---:|\n{}",
            self.rows
        )
    }
}

pub(crate) fn measure(generator: &Generator, count: usize, table: &mut Table) -> Bench<()> {
    progress(&format!("{count} notes: index"));
    let world = World::new()?;
    notes::write(generator, &world.workspace(), |written, _| written >= count)?;
    crate::sync(&owner(&world))?;
    let mut plain = None;
    let mut begun = 0;
    for share in SHARES {
        let end = count * share / 100;
        progress(&format!("{count} notes: {end} of them private"));
        let paths: Vec<String> = (begun..end).map(|number| generator.note(number).0).collect();
        owner(&world).encrypt_notes(&paths)?;
        settle(&world)?;
        begun = end;
        let (warm, first) = (warm(generator, &world, count)?, first(generator, &world, count)?);
        let p50 = |spent: &[Spending], percent| percentile(spent.iter().map(|spent| spent.cpu), percent);
        let (base_warm, base_first) = *plain.get_or_insert((p50(&warm, 50), p50(&first, 50)));
        table.rows.push_str(&format!(
            "| {count} | {end} | {:.2} | {:.2} | {:.2} | {:.1} | {:.2} | {:.0} |\n",
            p50(&warm, 50),
            p50(&warm, 95),
            p50(&warm, 50) / base_warm,
            p50(&first, 50),
            p50(&first, 50) / base_first,
            machine::resident(),
        ));
    }
    Ok(())
}

/// A file system's clock is coarse: what was just written is looked at again until that can be told from a later write.
fn settle(world: &World) -> Bench<()> {
    std::thread::sleep(Duration::from_millis(2500));
    crate::sync(&owner(world))?;
    Ok(())
}

fn owner(world: &World) -> Memory {
    Memory::new(world.settings.clone(), Box::new(System)).through(Door::Terminal)
}

fn warm(generator: &Generator, world: &World, count: usize) -> Bench<Vec<Spending>> {
    let memory = owner(world);
    ask(&memory, &generator.queries(count, WARM_UP, 2))?;
    ask(&memory, &generator.queries(count, QUERIES, 1))
}

fn first(generator: &Generator, world: &World, count: usize) -> Bench<Vec<Spending>> {
    let queries = generator.queries(count, FIRST, 3);
    let mut all = Vec::with_capacity(FIRST);
    for query in &queries {
        let (_, spent) = time(Whose::Process, || owner(world).search(&Request::new(query), None))?;
        all.push(spent);
    }
    Ok(all)
}

fn ask(memory: &Memory, queries: &[String]) -> Bench<Vec<Spending>> {
    let mut all = Vec::with_capacity(queries.len());
    for query in queries {
        let (_, spent) = time(Whose::Thread, || memory.search(&Request::new(query), None))?;
        all.push(spent);
    }
    Ok(all)
}
