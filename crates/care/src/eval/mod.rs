//! Measures retrieval without a judge: writes a data set as notes, asks its questions, and finds the rank of the
//! evidence. The product reads a person's own questions about their own notes.

mod dataset;
mod measure;
mod report;
mod truth;

use std::ops::ControlFlow;
use std::path::Path;

use jiff::Timestamp;

pub use dataset::{Dataset, Evidence, Haystack, LabelledQuestion};
pub use measure::{COLUMNS, CategoryMeans, MeansTable, Scores};
pub use report::{ModeReport, QuestionRank, Report};
pub use truth::load;

use crate::Error;
use mindfile::Memory;
use mindfile::clock::Fixed;
use mindfile::search::{Mode, Request};
use mindfile_settings::{BackendName, Settings};

/// How many results each question asks for.
pub const DEPTH: usize = 10;

/// What came back for one question.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionScores {
    pub id: String,
    pub category: String,
    pub measured: Scores,
}

/// Asks every question of the data set in each mode. `settings` are taken as they are, but for the places.
pub fn run(
    dataset: &Dataset,
    settings: &Settings,
    modes: &[Mode],
    on_question: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Vec<(Mode, Vec<QuestionScores>)>, Error> {
    let total = dataset.haystacks.iter().map(|haystack| haystack.questions.len()).sum();
    let mut outcomes: Vec<(Mode, Vec<QuestionScores>)> =
        modes.iter().map(|mode| (*mode, Vec::new())).collect();
    let mut done = 0;
    for haystack in &dataset.haystacks {
        let folder = tempfile::tempdir().map_err(mindfile_disk::Error::at(&std::env::temp_dir()))?;
        let memory = prepare(haystack, settings, folder.path())?;
        for question in &haystack.questions {
            for (mode, outcomes) in &mut outcomes {
                outcomes.push(ask(&memory, question, *mode)?);
            }
            done += 1;
            if on_question(done, total).is_break() {
                return Err(mindfile::Error::Interrupted.into());
            }
        }
    }
    Ok(outcomes)
}

/// The notes of a haystack in `folder`, indexed.
pub fn prepare(haystack: &Haystack, settings: &Settings, folder: &Path) -> Result<Memory, Error> {
    let workspace = folder.join("workspace");
    haystack.write(&workspace)?;
    let mut settings = settings.clone();
    settings.workspace = workspace;
    settings.index_path = folder.join("index.sqlite");
    settings.backend = BackendName::Builtin;
    settings.extra_paths = Vec::new();
    settings.sync.on_search = false;
    let memory = Memory::new(settings, Box::new(Fixed(haystack.now.unwrap_or(Timestamp::UNIX_EPOCH))));
    memory.sync(&mut |_| ControlFlow::Continue(()))?;
    Ok(memory)
}

fn ask(memory: &Memory, question: &LabelledQuestion, mode: Mode) -> Result<QuestionScores, Error> {
    let request = Request { max_results: Some(DEPTH), mode: Some(mode), ..Request::new(&question.text) };
    let response = memory.search(&request, None)?;
    Ok(QuestionScores {
        id: question.id.clone(),
        category: question.category.clone(),
        measured: measure::measure(&response.answer.hits, &question.gold),
    })
}
