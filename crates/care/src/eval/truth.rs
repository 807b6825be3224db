//! Loads one's own questions: `questions.jsonl` beside or apart from a workspace, with gold such as `path#L12`.

use std::path::Path;

use jiff::Timestamp;
use serde::Deserialize;

use super::{Dataset, Evidence, Haystack, LabelledQuestion};
use crate::Error;
use mindfile::search::Place;
use mindfile_workspace::Workspace;

#[derive(Deserialize)]
struct Line {
    id: String,
    question: String,
    category: String,
    gold: Vec<String>,
}

/// Nobody has longer notes in a truth set.
const NOTE_LIMIT: u64 = 1 << 20;

/// Reads a file of questions about the notes in `workspace`.
pub fn load(path: &Path, workspace: &Path) -> Result<Dataset, Error> {
    let workspace = Workspace::open(workspace, &[])?;
    let mut haystack = Haystack { now: newest(&workspace)?, ..Haystack::default() };
    for found in workspace.scan()?.files {
        let bytes = workspace.read(&found.path, NOTE_LIMIT)?.bytes;
        haystack.notes.push((found.path.as_str().to_owned(), String::from_utf8_lossy(&bytes).into_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(mindfile_disk::Error::at(path))?;
    for (number, line) in text.lines().enumerate() {
        let at = |error: &dyn std::fmt::Display| Error::Dataset {
            path: path.to_owned(),
            what: format!("line {}: {error}", number + 1),
        };
        let line: Line = serde_json::from_str(line).map_err(|error| at(&error))?;
        haystack.questions.push(question(line, &haystack.notes).map_err(|error| at(&error))?);
    }
    Ok(Dataset { name: "truth".to_owned(), haystacks: vec![haystack] })
}

/// The day of the latest dated note: "today" for the questions.
fn newest(workspace: &Workspace) -> Result<Option<Timestamp>, Error> {
    let files = workspace.scan()?.files;
    let last = files.iter().filter_map(|found| mindfile_note::date::of_path(found.path.as_str())).max();
    Ok(last.and_then(|day| day.to_zoned(jiff::tz::TimeZone::UTC).ok()).map(|zoned| zoned.timestamp()))
}

fn question(line: Line, notes: &[(String, String)]) -> Result<LabelledQuestion, Error> {
    let gold = line.gold.iter().map(|gold| gold_of(gold, notes)).collect::<Result<_, _>>()?;
    Ok(LabelledQuestion { id: line.id, text: line.question, category: line.category, gold })
}

fn gold_of(gold: &str, notes: &[(String, String)]) -> Result<Evidence, Error> {
    let place: Place = gold.parse()?;
    let note = notes.iter().find(|(path, _)| *path == place.path);
    let text = note.and_then(|(_, text)| text.lines().nth(place.line as usize - 1));
    let text = text.ok_or_else(|| mindfile_ranking::Error::NotAPlace { text: gold.to_owned() })?;
    Ok(Evidence { path: place.path, line: Some(place.line), text: Some(text.to_owned()) })
}
