//! From a line that is handed over to a line that is found.

use std::thread::sleep;
use std::time::Duration;

use mindfile::Memory;
use mindfile::clock::{self, System};
use mindfile::ingest::{self, Budget, Scope};
use mindfile::search::{Mode, Request};
use mindfile::workspace::{NotePath, Writer};

use crate::notes::Generator;
use crate::timing::{Spending, Whose, percentile, time};
use crate::{Bench, Notes, World, notes, progress};

const APPENDS: usize = 100;
/// Longer than the time for which a changed file is not trusted to stay as it is.
const CALM: Duration = Duration::from_millis(2500);
const LIMIT: f64 = 10.0;

#[derive(Default)]
pub(crate) struct Table(String);

impl Table {
    pub(crate) fn text(&self) -> String {
        format!(
            "## Write to searchable, milliseconds\n\n\
             One fact line is added to today's note and looked for by a word that only it has; medians of {APPENDS} wall times,\n\
             p95 in brackets. \"Look\" indexes the one note that was written: from then on the line is in the index. \"First search\"\n\
             comes right after that, and compares all files because one of them is so new that it could change unnoticed. \"By\n\
             itself\" is a search after the line was added without a look. \"Calm\" is a search when nothing was changed for a\n\
             while.\n\n\
             | notes | chunks | append | look | searchable after | p50 at most | first search | append, search by itself | its CPU | calm search |\n\
             |---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n{}",
            self.0
        )
    }
}

struct Place<'a> {
    memory: &'a Memory,
    workspace: Writer,
    today: NotePath,
}

pub(crate) fn measure(generator: &Generator, count: usize, table: &mut Table) -> Bench<()> {
    progress(&format!("{count} notes: write"));
    let world = World::new()?;
    let mut chunks = 0;
    let (count, bytes) = notes::write(generator, &world.workspace(), |written, text| {
        chunks += crate::chunks(text);
        written == count
    })?;
    sleep(CALM);
    let memory = Memory::new(world.settings, Box::new(System));
    crate::sync(&memory)?;
    let workspace = memory.workspace()?.writer(tempfile::tempfile()?);
    let today = workspace.is_memory_path(&format!("memory/{}.md", clock::today(&System)))?;
    let place = Place { memory: &memory, workspace, today };
    table.0.push_str(&row(&Notes { count, bytes, chunks }, &place)?);
    Ok(())
}

fn row(notes: &Notes, place: &Place<'_>) -> Bench<String> {
    let mut parts: [Vec<Spending>; 3] = Default::default();
    for number in 0..APPENDS {
        let word = format!("apart{number}");
        parts[0].push(append(place, &word)?);
        parts[1].push(
            time(Whose::Process, || {
                ingest::run(place.memory, Scope::Notes(std::slice::from_ref(&place.today)), Budget::Unlimited)
            })?
            .1,
        );
        parts[2].push(find(place, &word)?);
    }
    let searchable = (0..APPENDS).map(|at| parts[..2].iter().map(|part| part[at].wall).sum()).collect();
    let mut alone = Vec::new();
    for number in 0..APPENDS {
        let word = format!("alone{number}");
        alone.push(append(place, &word)?.and(find(place, &word)?));
    }
    let [append, look, search] = parts.map(|part| shown(part.iter().map(|spent| spent.wall).collect()));
    let cpu = shown(alone.iter().map(|spent| spent.cpu).collect());
    let alone = shown(alone.iter().map(|spent| spent.wall).collect());
    let (searchable, calm) = (shown(searchable), shown(calm(place)?));
    Ok(format!(
        "| {} | {} | {append} | {look} | {searchable} | {LIMIT} | {search} | {alone} | {cpu} | {calm} |\n",
        notes.count, notes.chunks
    ))
}

fn append(place: &Place<'_>, word: &str) -> Bench<Spending> {
    let line = format!(
        "- B(s=0.6) @mara @postgres-migration: The restore drill {word} took two hours and the dump was complete ^{word}\n"
    );
    Ok(time(Whose::Process, || place.workspace.append(&place.today, line.as_bytes()))?.1)
}

fn find(place: &Place<'_>, word: &str) -> Bench<Spending> {
    let request = Request { mode: Some(Mode::Keyword), ..Request::new(word) };
    let (response, spent) = time(Whose::Process, || place.memory.search(&request, None))?;
    let first = response.answer.hits.first().filter(|hit| hit.snippet.contains(word));
    first.ok_or_else(|| format!("{word} was written and is not found"))?;
    Ok(spent)
}

fn calm(place: &Place<'_>) -> Bench<Vec<Duration>> {
    sleep(CALM);
    crate::sync(place.memory)?;
    (0..APPENDS).map(|number| Ok(find(place, &format!("alone{number}"))?.wall)).collect()
}

fn shown(times: Vec<Duration>) -> String {
    let at = |percent| percentile(times.iter().copied(), percent);
    format!("{:.1} ({:.1})", at(50), at(95))
}
