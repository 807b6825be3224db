//! What the state directory keeps of notes and conversations beside them: candidates, the undo of a reflection, indexes
//! that were set aside, logs.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use mindfile_disk::durable::{self, PART};
use serde_json::Value;

use super::choose::Choice;
use super::{Forgotten, Matcher, WITHOUT_TEXT, covered_text, heart};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::store;

/// A longer file is no log of ours.
const LONGEST: u64 = 64 << 20;

pub(super) fn erase_state(corpus: &Corpus, choice: &Choice, done: &mut Forgotten) -> Result<(), Error> {
    erase_candidates(corpus, choice, done)?;
    erase_undo(corpus, choice, done)?;
    for path in texts_beside(corpus)? {
        if cover_file(&path, &choice.matcher)? {
            done.files.push(path.display().to_string());
        }
    }
    for part in parts(corpus)? {
        if says(&part, &choice.matcher)? {
            remove(&part)?;
            done.files.push(part.display().to_string());
        }
    }
    for path in
        [corpus.settings.index_path.clone(), corpus.settings.index_path.with_extension("fallback.sqlite")]
    {
        for aside in store::asides(&path)? {
            store::delete_database(&aside)?;
            done.files.push(aside.display().to_string());
        }
    }
    Ok(())
}

/// Candidates of what goes; they can be found again in the transcripts as long as those have them.
fn erase_candidates(corpus: &Corpus, choice: &Choice, done: &mut Forgotten) -> Result<(), Error> {
    let path = corpus.candidates_path();
    let Some(text) = read(&path)? else { return Ok(()) };
    let messages: BTreeSet<(&str, u64)> = choice
        .messages
        .iter()
        .map(|(message, _)| (message.session.as_str(), u64::from(message.line)))
        .collect();
    let stays = |line: &&str| {
        let value: Value = serde_json::from_str(line).unwrap_or(Value::Null);
        let place = (value["session"].as_str().unwrap_or_default(), value["line"].as_u64().unwrap_or(0));
        let said = value["text"].as_str().unwrap_or(line);
        !messages.contains(&place) && choice.matcher.asked(said).is_none()
    };
    let kept: String = text.split_inclusive('\n').filter(stays).collect();
    if kept.len() < text.len() {
        durable::replace(&path, kept.as_bytes()).map_err(|source| io_error(&path, source))?;
        done.files.push(path.display().to_string());
    }
    Ok(())
}

/// What stood there before the last reflection can be brought back only as a whole: if something of it goes, all does.
fn erase_undo(corpus: &Corpus, choice: &Choice, done: &mut Forgotten) -> Result<(), Error> {
    let folder = beside(corpus, "reflect");
    for path in files(&folder)? {
        let text = read(&path)?.unwrap_or_default();
        let same = |line: &super::Line| heart(&line.text).is_some() && text.contains(line.text.trim());
        if choice.lines.iter().any(same) || choice.matcher.asked(&text).is_some() {
            drop_undo(corpus)?;
            done.files.push(folder.display().to_string());
            break;
        }
    }
    Ok(())
}

pub(super) fn drop_undo(corpus: &Corpus) -> Result<(), Error> {
    let folder = beside(corpus, "reflect");
    match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(&folder, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Logs and whatever else is kept as text for this agent.
fn texts_beside(corpus: &Corpus) -> Result<Vec<PathBuf>, Error> {
    let prefix = format!("{}.", corpus.settings.agent);
    let mut all = files(&corpus.settings.state_dir.join("memory"))?;
    all.retain(|path| {
        let rest =
            path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix(&prefix));
        rest.is_some_and(|rest| {
            !rest.contains("sqlite") && !WITHOUT_TEXT.iter().any(|own| rest.starts_with(own))
        })
    });
    all.push(corpus.sessions().folder().join("sessions.json"));
    all.extend(["hooks.log", "hooks.log.1"].map(|name| corpus.settings.state_dir.join("memory").join(name)));
    Ok(all)
}

/// What interrupted writes left.
fn parts(corpus: &Corpus) -> Result<Vec<PathBuf>, Error> {
    let mut all = files(&corpus.settings.state_dir.join("memory"))?;
    all.extend(files(corpus.sessions().folder())?);
    all.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PART)));
    Ok(all)
}

pub(crate) fn beside(corpus: &Corpus, end: &str) -> PathBuf {
    corpus.settings.state_dir.join("memory").join(format!("{}.{end}", corpus.settings.agent))
}

/// Covers what goes in a file of lines or of JSON. Whether there was something.
fn cover_file(path: &Path, matcher: &Matcher) -> Result<bool, Error> {
    let Some(text) = read(path)? else { return Ok(false) };
    let new = covered_text(&text, matcher);
    if new == text {
        return Ok(false);
    }
    durable::replace(path, new.as_bytes()).map_err(|source| io_error(path, source))?;
    Ok(true)
}

/// Whether a file says something of it.
pub(super) fn says(path: &Path, matcher: &Matcher) -> Result<bool, Error> {
    Ok(read(path)?.is_some_and(|text| matcher.asked(&text).is_some()))
}

pub(super) fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(path, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A text file, if it is there and of a size that is ours.
fn read(path: &Path) -> Result<Option<String>, Error> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_file() && found.len() <= LONGEST => {}
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(io_error(path, source)),
    }
    let bytes = std::fs::read(path).map_err(|source| io_error(path, source))?;
    Ok(String::from_utf8(bytes).ok())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(|source| io_error(folder, source))?,
    };
    let mut all: Vec<PathBuf> = Vec::new();
    for entry in entries {
        all.push(entry.map_err(|source| io_error(folder, source))?.path());
    }
    all.sort();
    Ok(all)
}

fn io_error(path: &Path, source: io::Error) -> Error {
    Error::Io { path: path.to_owned(), source }
}
