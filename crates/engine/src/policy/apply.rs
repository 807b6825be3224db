//! A rule holds for what was stored before it: finds it in notes, conversations and what was made of them, and takes it out.
//!
//! What is masked stays in the person's own files, by what the class means; the index is made again, so that it holds masks.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use mindfile_disk::durable;
use mindfile_index::PurgeOutcome;
use mindfile_note::text;
use mindfile_trust::audit::{Act, What};
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::NotePath;
use mindfile_workspace::transcripts::TranscriptStore;

use super::{Class, PlacedFinding};
use crate::audit::Record;
use crate::copies;
use crate::corpus::Corpus;
use crate::draft::Notes;
use crate::error::Error;
use crate::ingest;

/// A value that is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// As it is cited: relative to the workspace, or to the state directory.
    pub path: String,
    pub line: u32,
    pub rule: String,
    pub class: Class,
    pub preview: String,
}

/// What is stored against the rules, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applied {
    pub found: Vec<Stored>,
    /// Files that were rewritten; none in a dry run.
    pub changed: Vec<String>,
    /// What could not be changed, and why.
    pub left: Vec<String>,
}

/// Applies the rules in force to everything that is stored. A dry run only says what it finds.
pub fn apply(corpus: &Corpus, dry_run: bool) -> Result<Applied, Error> {
    let notes = Notes::open(corpus)?;
    let mut applied = Applied::default();
    apply_to_notes(&notes, dry_run, &mut applied)?;
    apply_to_conversations(corpus, dry_run, &mut applied)?;
    apply_to_files(corpus, dry_run, &mut applied)?;
    if !dry_run {
        apply_to_index(corpus, &mut applied)?;
        let id = applied.changed.len().to_string();
        corpus.audit(&Record { act: Act::Apply, what: What::Policy, id: Some(&id), text: None });
    }
    drop(notes);
    Ok(applied)
}

fn apply_to_notes(notes: &Notes<'_>, dry_run: bool, applied: &mut Applied) -> Result<(), Error> {
    let (corpus, workspace) = (notes.corpus(), notes.workspace());
    let private = workspace.private_notes()?.into_iter().map(|note| note.path);
    let private = private.filter(|_| corpus.door.is_owner());
    for path in workspace.scan()?.files.into_iter().map(|found| found.path).chain(private) {
        let read = match workspace.read(&path, NOTE_LIMIT) {
            Ok(read) => read,
            Err(error) => {
                applied.left.push(error.to_string());
                continue;
            }
        };
        let explained = corpus.policy.explain(&text::decode(&read.bytes));
        if applied.take(path.as_str(), &explained) && !dry_run {
            strip_note(notes, &path, applied);
        }
    }
    Ok(())
}

/// Line by line the same bytes, but for what goes.
fn strip_note(notes: &Notes<'_>, path: &NotePath, applied: &mut Applied) {
    let strip = |text: &str| match notes.corpus().policy.strip(text) {
        Cow::Owned(stripped) => Some(stripped),
        Cow::Borrowed(_) => None,
    };
    match notes.rewrite(path, &strip) {
        Ok(_) => applied.changed.push(path.as_str().to_owned()),
        Err(error) => applied.left.push(error.to_string()),
    }
}

fn apply_to_conversations(corpus: &Corpus, dry_run: bool, applied: &mut Applied) -> Result<(), Error> {
    let sessions = corpus.sessions();
    for found in sessions.list()? {
        let path = crate::session::path_of(&found.session);
        let bytes = sessions.bytes(&found.session)?;
        let explained = corpus.policy.explain(&String::from_utf8_lossy(&bytes));
        if !applied.take(&path, &explained) {
            continue;
        }
        match found.kept {
            TranscriptStore::Database => {
                applied.left.push(format!("{path} is in OpenClaw's database, which is only read"))
            }
            TranscriptStore::File if dry_run => {}
            TranscriptStore::File => match sessions.strip(&found.session) {
                Ok(()) => applied.changed.push(path),
                Err(error) => applied.left.push(error.to_string()),
            },
        }
    }
    Ok(())
}

/// What was made of notes and conversations and is text: candidates, what `reflect --undo` keeps, torn lines.
fn apply_to_files(corpus: &Corpus, dry_run: bool, applied: &mut Applied) -> Result<(), Error> {
    for path in kept_texts(corpus)? {
        let io = |source| Error::Io { path: path.clone(), source };
        let bytes = std::fs::read(&path).map_err(io)?;
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let shown = path.strip_prefix(&corpus.settings.state_dir).unwrap_or(&path).display().to_string();
        if !applied.take(&shown, &corpus.policy.explain(text)) || dry_run {
            continue;
        }
        durable::replace(&path, corpus.policy.strip(text).as_bytes()).map_err(io)?;
        applied.changed.push(shown);
    }
    Ok(())
}

fn kept_texts(corpus: &Corpus) -> Result<Vec<PathBuf>, Error> {
    let reflect = corpus.settings.state_dir.join("memory").join(format!("{}.reflect", corpus.settings.agent));
    let is_undo = |path: &Path| path.extension().is_some_and(|end| end == "before" || end == "after");
    let is_torn = |path: &Path| path.extension().is_some_and(|end| end == "torn");
    let mut all = files(&reflect, &is_undo)?;
    all.extend(files(corpus.sessions().folder(), &is_torn)?);
    all.extend(Some(corpus.candidates_path()).filter(|path| path.is_file()));
    Ok(all)
}

/// Made again from covered text; nothing of the old one stays in the file, its free pages or its log.
fn apply_to_index(corpus: &Corpus, applied: &mut Applied) -> Result<(), Error> {
    ingest::rebuild(corpus, &mut |_| ControlFlow::Continue(()))?;
    let index = corpus.index()?;
    match index.purge()? {
        PurgeOutcome::Done => {}
        PurgeOutcome::Held(why) => applied.left.push(why),
    }
    applied.left.extend(copies::purge(corpus)?);
    Ok(())
}

impl Applied {
    /// Notes what is found in a text; whether something of it must go.
    fn take(&mut self, path: &str, explained: &[PlacedFinding]) -> bool {
        let found = explained.iter().filter(|one| one.finding.class > Class::Allowed);
        self.found.extend(found.map(|one| Stored {
            path: path.to_owned(),
            line: one.line,
            rule: one.finding.rule.clone(),
            class: one.finding.class,
            preview: one.preview.clone(),
        }));
        explained.iter().any(|one| one.finding.class == Class::NeverStore)
    }

    /// How many values each rule found, and of which class.
    pub fn counts(&self) -> BTreeMap<(&str, Class), usize> {
        let mut counts = BTreeMap::new();
        for one in &self.found {
            *counts.entry((one.rule.as_str(), one.class)).or_default() += 1;
        }
        counts
    }
}

/// The files of a folder that fit; none if there is no folder.
fn files(folder: &Path, fits: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Error> {
    let io = |source| Error::Io { path: folder.to_owned(), source };
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(io)?,
    };
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(io)?;
    paths.retain(|path| path.is_file() && fits(path));
    paths.sort();
    Ok(paths)
}
