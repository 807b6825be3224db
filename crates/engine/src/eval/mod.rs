//! Retrieval quality without a judge: write a data set as notes, ask its questions, and see at which rank the evidence
//! comes back.

pub mod associative;
mod beir;
mod dataset;
mod locomo;
mod longmemeval;
mod measure;
pub mod policy;
mod random;
mod truth;

use std::ops::ControlFlow;
use std::path::Path;

use jiff::Timestamp;

pub use dataset::{Corpus, Dataset, Gold, Question};
pub use measure::{Measured, Row, Table};

use crate::clock::Fixed;
use crate::config::{BackendName, Settings};
use crate::error::Error;
use crate::memory::Memory;
use crate::search::{Mode, Request};

/// The public formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Locomo,
    Longmemeval,
    Beir,
    /// Our own: a workspace and a file of questions with the lines that answer them.
    Truth,
}

/// Reads a data set. `workspace` is where the notes of a truth set are.
pub fn load(format: Format, path: &Path, workspace: Option<&Path>) -> Result<Dataset, Error> {
    match format {
        Format::Locomo => locomo::load(path),
        Format::Longmemeval => longmemeval::load(path),
        Format::Beir => beir::load(path),
        Format::Truth => truth::load(path, workspace),
    }
}

/// How many results each question asks for.
pub const DEPTH: usize = 10;

/// What came back for one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub id: String,
    pub category: String,
    pub measured: Measured,
}

/// Asks every question of the data set in each mode. `settings` are taken as they are, but for the places.
pub fn run(
    dataset: &Dataset,
    settings: &Settings,
    modes: &[Mode],
    on_question: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Vec<(Mode, Vec<Outcome>)>, Error> {
    let total = dataset.corpora.iter().map(|corpus| corpus.questions.len()).sum();
    let mut outcomes: Vec<(Mode, Vec<Outcome>)> = modes.iter().map(|mode| (*mode, Vec::new())).collect();
    let mut done = 0;
    for corpus in &dataset.corpora {
        let folder =
            tempfile::tempdir().map_err(|source| Error::Io { path: std::env::temp_dir(), source })?;
        let memory = prepare(corpus, settings, folder.path())?;
        for question in &corpus.questions {
            for (mode, outcomes) in &mut outcomes {
                outcomes.push(ask(&memory, question, *mode)?);
            }
            done += 1;
            if on_question(done, total).is_break() {
                return Err(Error::Interrupted);
            }
        }
    }
    Ok(outcomes)
}

fn prepare(corpus: &Corpus, settings: &Settings, folder: &Path) -> Result<Memory, Error> {
    let workspace = folder.join("workspace");
    corpus.write(&workspace)?;
    let mut settings = settings.clone();
    settings.workspace = workspace;
    settings.index_path = folder.join("index.sqlite");
    settings.backend = BackendName::Builtin;
    settings.extra_paths = Vec::new();
    settings.sync.on_search = false;
    let memory = Memory::new(settings, Box::new(Fixed(corpus.now.unwrap_or(Timestamp::UNIX_EPOCH))));
    memory.sync(&mut |_| ControlFlow::Continue(()))?;
    Ok(memory)
}

fn ask(memory: &Memory, question: &Question, mode: Mode) -> Result<Outcome, Error> {
    let request = Request { max_results: Some(DEPTH), mode: Some(mode), ..Request::new(&question.text) };
    let response = memory.search(&request, None)?;
    Ok(Outcome {
        id: question.id.clone(),
        category: question.category.clone(),
        measured: measure::measure(&response.answer.hits, &question.gold),
    })
}
