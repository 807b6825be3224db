//! Exports conversations as Markdown for QMD: the words of the user and the assistant, one line each, covered by the
//! policy and without what was forgotten. Each line maps back to a line of the transcript.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use mindfile_note::hash::Digest;

use crate::trouble::Trouble;
use mindfile::Corpus;
use mindfile::Error;
use mindfile::clock::day_of;
use mindfile::session::Utterance;
use mindfile::session::flatten::{self, SearchedExtras};
use mindfile::session::{Role, SessionFile, Transcript};
use mindfile_disk::{absent, durable};

/// Begins the first line of every file that is written here; no other file is ever deleted.
const MARK: &str = "<!-- written by mindfile: ";
/// The mark, the title and an empty line.
const BEFORE: u32 = 3;
const DAY_NS: i64 = 86_400_000_000_000;

/// Writes out what changed, and takes away what is too old or gone.
pub(crate) fn export_sessions(corpus: &Corpus) -> Result<(), Trouble> {
    let wanted = &corpus.settings().qmd.sessions;
    let folder = &wanted.folder;
    durable::make_folders(folder).map_err(Trouble::io(folder))?;
    let found = corpus.sessions().list().map_err(|error| failed(folder, &error))?;
    let oldest = wanted.retention_days.map(|days| now_ns(corpus) - i64::from(days) * DAY_NS);
    let found = found.into_iter().filter(|found| oldest.is_none_or(|oldest| found.stat.mtime_ns >= oldest));
    let mut stays = BTreeSet::new();
    for found in found {
        let path = folder.join(format!("{}.md", found.session));
        write_out(corpus, &found, &path).map_err(|error| failed(&path, &error))?;
        stays.insert(path);
    }
    for path in exported(folder)?.into_iter().filter(|path| !stays.contains(path)) {
        std::fs::remove_file(&path).map_err(Trouble::io(&path))?;
    }
    Ok(())
}

fn write_out(corpus: &Corpus, found: &SessionFile, path: &Path) -> Result<(), Error> {
    let state = format!("{} {:?} {}", found.session, found.stat, corpus.policy().digest()?);
    let mark = format!("{MARK}{} {} -->", found.session, &Digest::of(state.as_bytes()).to_string()[..16]);
    if first_line(path).is_some_and(|line| line == mark) {
        return Ok(());
    }
    let transcript = corpus.sessions().read(&found.session)?;
    let title = transcript.last_at().map(|at| format!(" of {}", day_of(at))).unwrap_or_default();
    let mut text = format!("{mark}\n# Conversation{title}\n\n");
    for spoken in exported_lines(corpus, &transcript)? {
        text.push_str(&spoken.labelled());
        text.push('\n');
    }
    durable::replace(path, text.as_bytes()).map_err(|source| Error::Io { path: path.to_owned(), source })
}

/// What an exported conversation says, line by line.
pub(crate) fn exported_lines(corpus: &Corpus, transcript: &Transcript) -> Result<Vec<Utterance>, Error> {
    let forgotten = corpus.forgotten()?;
    let mut lines = flatten::lines(transcript, SearchedExtras::default());
    lines.retain(|spoken| matches!(spoken.role, Role::User | Role::Assistant));
    for spoken in &mut lines {
        spoken.text = forgotten.cover(&spoken.text).into_owned();
    }
    Ok(lines)
}

fn now_ns(corpus: &Corpus) -> i64 {
    i64::try_from(corpus.clock().now().as_nanosecond()).unwrap_or(i64::MAX)
}

/// The messages that stand in these lines of an export.
pub(crate) fn lines_between(all: &[Utterance], start: u32, end: u32) -> &[Utterance] {
    let at = |line: u32| usize::try_from(line.saturating_sub(BEFORE)).unwrap_or(usize::MAX);
    let from = at(start).saturating_sub(1);
    let to = at(end).min(all.len());
    all.get(from.min(to)..to).unwrap_or(&[])
}

/// The line of an export at which a part of its messages begins.
pub(crate) fn line_of(all: &[Utterance], part: &[Utterance]) -> u32 {
    let first = part.first().map_or(0, |first| first.line);
    let before = all.iter().take_while(|spoken| spoken.line < first).count();
    BEFORE + u32::try_from(before).unwrap_or(u32::MAX - BEFORE - 1) + 1
}

/// The files that were written here.
pub(crate) fn exported(folder: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let entries = absent::entries(folder).map_err(Trouble::io(folder))?;
    let ours = |path: &PathBuf| first_line(path).is_some_and(|line| line.starts_with(MARK));
    let mut all: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).filter(ours).collect();
    all.sort();
    Ok(all)
}

/// None of what is no plain file.
fn first_line(path: &Path) -> Option<String> {
    if !std::fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut line = String::new();
    let file = std::fs::File::open(path).ok()?;
    BufReader::new(io::Read::take(file, 512)).read_line(&mut line).ok()?;
    Some(line.trim_end_matches('\n').to_owned())
}

fn failed(path: &Path, error: &dyn std::error::Error) -> Trouble {
    Trouble::io(path)(io::Error::other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_an_export_are_those_of_the_conversation() {
        let spoken =
            |line| Utterance { line, role: Role::User, speaker: None, at: None, text: String::new() };
        let all = [spoken(2), spoken(5), spoken(9)];
        let lines = |start, end| lines_between(&all, start, end).iter().map(|s| s.line).collect::<Vec<_>>();
        assert_eq!(lines(4, 4), [2]);
        assert_eq!(lines(5, 9), [5, 9]);
        assert_eq!(lines(1, 5), [2, 5]);
        assert_eq!((lines(1, 3), lines(8, 9)), (vec![], vec![]));
    }
}
