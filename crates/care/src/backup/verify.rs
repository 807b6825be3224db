//! Verifies a backup: restores it into a scratch folder, compares every byte, indexes it, and checks that it answers
//! questions as the memory does.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use mindfile_note::hash::Digest;

use super::restore::{Places, unpack};
use crate::Error;
use mindfile::Corpus;
use mindfile::archive::{self, ManifestFile};
use mindfile::ask;
use mindfile::forget::SieveOutcome;
use mindfile::ingest;
use mindfile::search::{Mode, Request};
use mindfile_disk::Error as Disk;
use mindfile_settings::{BackendName, Maker};
use mindfile_workspace::NOTE_LIMIT;

/// Questions that are made from the notes.
const QUESTIONS: usize = 16;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proof {
    pub files: usize,
    pub bytes: u64,
    /// Notes that an index was made of.
    pub notes: usize,
    /// Questions that were answered alike; none are asked here if the memory was changed since.
    pub questions: usize,
    /// Files of the memory that are not as in the backup any more.
    pub changed_since: Vec<String>,
}

/// Proves a backup. What the memory holds now is only read.
pub fn verify(corpus: &Corpus, file: &Path) -> Result<Proof, Error> {
    let scratch = tempfile::tempdir().map_err(Disk::at(Path::new("a temporary folder")))?;
    let places = Places::below(scratch.path());
    let listed = archive::each::<Error>(file, &mut |_| Ok(()))?;
    unpack(file, &places, false, &|_, _| SieveOutcome::Same)?;
    compare(file, &listed, &places)?;
    let changed_since = changed_since(corpus, &listed);
    let copy = copy_at(corpus, &places);
    std::fs::create_dir_all(&places.workspace).map_err(Disk::at(&places.workspace))?;
    mindfile::sync(&copy, &mut |_| ControlFlow::Continue(()))?;
    let questions = questions(&copy)?;
    if changed_since.is_empty() {
        for question in &questions {
            compare_answers(corpus, &copy, question)?;
        }
    }
    Ok(Proof {
        files: listed.len(),
        bytes: listed.iter().map(|one| one.size).sum(),
        notes: usize::try_from(ingest::note_count(&copy)?).unwrap_or(usize::MAX),
        questions: questions.len(),
        changed_since,
    })
}

fn changed_since(corpus: &Corpus, listed: &[ManifestFile]) -> Vec<String> {
    let here =
        Places { workspace: corpus.settings().workspace.clone(), state: corpus.settings().state_dir.clone() };
    // The settings are in it without their secrets.
    let notes = listed.iter().filter(|one| one.path.starts_with("workspace/"));
    let same = |one: &ManifestFile| {
        std::fs::read(here.of(&one.path)).is_ok_and(|bytes| Digest::of(&bytes).to_string() == one.sha256)
    };
    let mut changed: Vec<String> =
        notes.clone().filter(|one| !same(one)).map(|one| one.path.clone()).collect();
    let known: std::collections::HashSet<&str> = notes.map(|one| one.path.as_str()).collect();
    let scan = corpus.workspace().and_then(|workspace| Ok(workspace.scan()?));
    for found in scan.map(|scan| scan.files).unwrap_or_default() {
        let name = format!("workspace/{}", found.path);
        if !found.path.as_str().starts_with(['.', '/']) && !known.contains(name.as_str()) {
            changed.push(name);
        }
    }
    changed
}

/// The same memory over the restored files. A provider is not asked to embed everything again.
fn copy_at(corpus: &Corpus, places: &Places) -> Corpus {
    let mut settings = corpus.settings().clone();
    settings.workspace.clone_from(&places.workspace);
    settings.state_dir.clone_from(&places.state);
    settings.index_path = places.state.join("memory").join("verify.sqlite");
    settings.backend = BackendName::Builtin;
    settings.extra_paths.clear();
    settings.embedding.fallback = None;
    if !matches!(settings.embedding.primary, Maker::Embedded) {
        settings.embedding.primary = Maker::None;
    }
    Corpus::with_pace(settings, Arc::clone(&corpus.clock), Arc::clone(&corpus.pace))
}

fn compare_answers(corpus: &Corpus, copy: &Corpus, question: &str) -> Result<(), Error> {
    let mode = copy.space().embedder.is_none().then_some(Mode::Keyword);
    let source = Some(mindfile_index::Source::Memory);
    // Private notes are compared as files: the copy has no key to them.
    let asked = Request { mode, source, for_model: true, ..Request::new(question.to_owned()) };
    let answer = |memory: &Corpus| -> Result<Vec<(String, u32, u32, i64)>, Error> {
        let hits = ask::search(memory, &asked, None)?.answer.hits;
        let one = |hit: mindfile::search::Hit| {
            (hit.path, hit.start_line, hit.end_line, (f64::from(hit.score) * 1e4).round() as i64)
        };
        Ok(hits.into_iter().map(one).collect())
    };
    if answer(corpus)? == answer(copy)? {
        return Ok(());
    }
    Err(Error::Answers { question: question.to_owned() })
}

/// The first words of notes that lie evenly over all of them.
fn questions(copy: &Corpus) -> Result<Vec<String>, Error> {
    let workspace = copy.workspace()?;
    let files = workspace.scan()?.files;
    let step = files.len().div_ceil(QUESTIONS).max(1);
    let mut questions = Vec::new();
    for found in files.iter().step_by(step) {
        let read = workspace.read(&found.path, NOTE_LIMIT)?;
        let text = String::from_utf8_lossy(&read.bytes).into_owned();
        let line = text.lines().rev().find(|line| line.split_whitespace().count() > 2);
        let words = |line: &str| line.split_whitespace().take(8).collect::<Vec<_>>().join(" ");
        questions.extend(line.map(words).filter(|words| words.chars().any(char::is_alphabetic)));
    }
    Ok(questions)
}

/// Reads back what was written.
fn compare(file: &Path, listed: &[ManifestFile], places: &Places) -> Result<(), Error> {
    for one in listed {
        let path = places.of(&one.path);
        let bytes = std::fs::read(&path).map_err(Disk::at(&path))?;
        if Digest::of(&bytes).to_string() != one.sha256 {
            let what = format!("{} was restored with other bytes", one.path);
            return Err(archive::Error::Damaged { path: file.to_owned(), what }.into());
        }
    }
    Ok(())
}
