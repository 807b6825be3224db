//! Asking everything that answers, by the calls that every front end makes, and listening for the canaries.

use std::path::{Path, PathBuf};

use super::plant::{MASK, Planted, SESSION};
use super::scratch::Scratch;
use super::{Canary, Way};
use crate::clock;
use crate::error::Error;
use crate::memory::Memory;
use crate::origin::Door;
use crate::recall::{self, Touch};
use crate::search;
use crate::session::{ChatType, PromptMode, Start};
use crate::tree;

/// As many as anybody asks for, and more than any canary needs: it is not to stay out because others stand before it.
const RESULTS: [usize; 2] = [6, 50];
const WINDOW: u64 = 200_000;

/// What was heard on each way.
pub(super) struct Heard {
    came: Vec<(Canary, Way)>,
}

impl Heard {
    pub(super) fn came(&self, canary: Canary, way: Way) -> bool {
        self.came.contains(&(canary, way))
    }
}

pub(super) fn listen(scratch: &Scratch, planted: &Planted) -> Result<Heard, Error> {
    let mut came = planted.seen.clone();
    let texts = written(scratch)?;
    for canary in Canary::ALL {
        let word = planted.word(canary);
        let says = |text: &str| text.to_lowercase().contains(&word);
        let answers = answers(scratch, planted, canary)?;
        let heard = texts.iter().chain(&answers).filter(|(_, text)| says(text));
        came.extend(heard.map(|(way, _)| (canary, *way)));
        let masks = |(way, text): &(Way, String)| *way == Way::Search && text.contains(&mask());
        if canary == Canary::Masked && answers.iter().any(masks) {
            came.push((canary, Way::Mask));
        }
    }
    for canary in on_disk(scratch.folder(), planted)? {
        came.push((canary, Way::Disk));
    }
    Ok(Heard { came })
}

/// What a mask of the drill's own rule begins with.
fn mask() -> String {
    format!("[masked: {MASK} ")
}

/// What is written or given whoever asks for what.
fn written(scratch: &Scratch) -> Result<Vec<(Way, String)>, Error> {
    let owner = scratch.memory(Door::Terminal);
    let start = Start { chat: Some(ChatType::Direct), prompt: PromptMode::Full, tools: true, window: WINDOW };
    let context = owner.context("drill-start", &start)?.system();
    let mut core = read(&scratch.workspace().join("MEMORY.md"))?;
    for page in files(&scratch.workspace().join("bank"))? {
        core.push_str(&read(&page)?);
    }
    let day = clock::today(&*owner.clock);
    let note = read(&scratch.workspace().join(format!("memory/{day}.md")))?;
    let heading = format!("## Session {SESSION}\n");
    let flushed = note.split_once(&heading).map(|(_, after)| after.to_owned()).unwrap_or_default();
    Ok(vec![(Way::Context, context), (Way::Reflect, core), (Way::Flush, flushed)])
}

/// What is answered to a question about a canary, by its name and in its own words.
fn answers(scratch: &Scratch, planted: &Planted, canary: Canary) -> Result<Vec<(Way, String)>, Error> {
    let (owner, agent) = (scratch.memory(Door::Terminal), scratch.memory(Door::Mcp));
    let mut all = Vec::new();
    let queries = [planted.word(canary), planted.sentence(canary)];
    for (query, results) in queries.iter().flat_map(|query| RESULTS.map(|results| (query, results))) {
        let plain = search::Request { max_results: Some(results), ..search::Request::new(query) };
        let model = search::Request { for_model: true, ..plain.clone() };
        let untrusted = search::Request { untrusted: true, ..plain.clone() };
        all.push((Way::Search, found(&owner, &plain)?));
        all.push((Way::AgentSearch, found(&agent, &plain)?));
        all.push((Way::ModelSearch, found(&owner, &model)?));
        all.push((Way::UntrustedSearch, found(&agent, &untrusted)?));
        let plain = recall::Request { k: Some(results), ..recall::Request::new(query) };
        let untrusted = recall::Request { untrusted: true, ..plain.clone() };
        all.push((Way::Recall, recalled(&owner, &plain)?));
        all.push((Way::AgentRecall, recalled(&agent, &plain)?));
        all.push((Way::UntrustedRecall, recalled(&agent, &untrusted)?));
    }
    Ok(all)
}

/// Conversations are left out: what a user said there is the user's to find.
fn found(memory: &Memory, request: &search::Request) -> Result<String, Error> {
    let request = search::Request { source: Some(mindfile_index::Source::Memory), ..request.clone() };
    let hits = memory.search(&request, None)?.answer.hits;
    Ok(hits.iter().map(|hit| format!("{}\n{}\n", hit.snippet, hit.citation())).collect())
}

fn recalled(memory: &Memory, request: &recall::Request) -> Result<String, Error> {
    let recalled = memory.recall(request, Touch::No)?.answer.recalled;
    Ok(recalled.iter().map(|one| format!("{}\n", one.fact.shown())).collect())
}

/// The canaries that some file of the copy holds as they are.
fn on_disk(folder: &Path, planted: &Planted) -> Result<Vec<Canary>, Error> {
    let mut found = Vec::new();
    for path in files(folder)? {
        let bytes = std::fs::read(&path).map_err(|source| Error::Io { path, source })?.to_ascii_lowercase();
        let holds = |canary: &Canary| {
            let word = planted.word(*canary);
            bytes.windows(word.len()).any(|part| part == word.as_bytes())
        };
        found.extend(Canary::ALL.into_iter().filter(holds));
    }
    Ok(found)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    if folder.exists() { tree::files(folder, &|_| true, &|_| true) } else { Ok(Vec::new()) }
}

/// A file's text; none if it is not there.
fn read(path: &Path) -> Result<String, Error> {
    match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => {
            let bytes = read.map_err(|source| Error::Io { path: path.to_owned(), source })?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
    }
}
