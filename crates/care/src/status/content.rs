//! Compares each note's content with the index. Times and sizes can lie; this cannot.

use std::collections::HashMap;

use mindfile_index::StoredNote;
use mindfile_note::hash::Digest;
use mindfile_note::text;

use super::drift::{self, Drift};
use mindfile::derive::facts;
use mindfile::origin::Lines;
use mindfile::reconcile::Problem;
use mindfile::wording;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{Bytes, NoteFile, NotePath, Scan, Workspace};

#[derive(Debug, Default)]
pub(crate) struct Content {
    pub(crate) read: usize,
    /// The index has another content, and a sync will notice.
    pub(crate) changed: Vec<String>,
    /// The index has another content under the same times: only a rebuild mends it.
    pub(crate) hidden: Vec<String>,
    pub(crate) unreadable: Vec<Problem>,
    /// Not valid in their encoding.
    pub(crate) garbled: Vec<String>,
    /// Longer than what is indexed of a note.
    pub(crate) cut: Vec<String>,
    /// Fact lines that are not taken as they stand there.
    pub(crate) left_out: Vec<Problem>,
}

impl Content {
    pub(crate) fn compare(workspace: &Workspace, scan: &Scan, known: &[StoredNote]) -> Self {
        let known: HashMap<&str, &StoredNote> = known.iter().map(|note| (note.path.as_str(), note)).collect();
        let mut content = Self::default();
        for found in &scan.files {
            let path = found.path.as_str();
            match workspace.read(&found.path, NOTE_LIMIT) {
                Ok(read) => content.add(found, &read, known.get(path).copied()),
                Err(error) => {
                    let what = wording::with_cause(&error);
                    content.unreadable.push(Problem { path: path.to_owned(), what });
                }
            }
        }
        content
    }

    fn add(&mut self, found: &NoteFile, read: &Bytes, known: Option<&StoredNote>) {
        let path = found.path.as_str().to_owned();
        self.read += 1;
        let text = text::decode(&read.bytes);
        let left_out = facts::left_out(&text, &facts::facts(&text, None, &Lines::default()));
        self.left_out.extend(left_out.into_iter().map(|what| Problem { path: path.clone(), what }));
        if read.truncated {
            self.cut.push(path.clone());
        } else if is_garbled(&read.bytes) {
            self.garbled.push(path.clone());
        }
        let Some(note) = known.filter(|note| note.hash != Digest::of(&read.bytes)) else { return };
        let noticed = note.racy || !drift::is_same(&note.stat, &read.stat);
        if noticed { self.changed.push(path) } else { self.hidden.push(path) }
    }
}

/// Valid text is lent, not made anew; UTF-16 is always made anew.
fn is_garbled(bytes: &[u8]) -> bool {
    match text::decode(bytes) {
        std::borrow::Cow::Borrowed(_) => false,
        std::borrow::Cow::Owned(text) => text.contains(char::REPLACEMENT_CHARACTER),
    }
}

/// What a sync would complain about. Only notes that it would read are opened, and nothing of them is read.
pub(super) fn problems(workspace: &Workspace, scan: &Scan, drift: &Drift) -> Vec<Problem> {
    let long = scan.files.iter().filter(|found| found.stat.size > NOTE_LIMIT).map(too_long);
    let mut problems: Vec<Problem> = long.collect();
    for path in drift.new.iter().chain(&drift.changed) {
        let opened = workspace.is_memory_path(path).and_then(|path: NotePath| workspace.read(&path, 0));
        if let Err(error) = opened {
            problems.push(Problem { path: path.clone(), what: wording::with_cause(&error) });
        }
    }
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    problems
}

fn too_long(found: &NoteFile) -> Problem {
    let what = format!("{} bytes long, only the first {NOTE_LIMIT} are indexed", found.stat.size);
    Problem { path: found.path.as_str().to_owned(), what }
}
