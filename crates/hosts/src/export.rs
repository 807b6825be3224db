//! Exports all notes and facts: as JSON lines for programs, or as one Markdown document for people. Notes are read one
//! at a time.

use std::io::{self, Write};
use std::path::Path;

use mindfile_note::chunk;
use mindfile_note::fact;
use mindfile_note::text;
use serde_json::{Value, json};

use crate::Error;
use mindfile::Corpus;
use mindfile::fact::load::{self, LineRef};
use mindfile::fact::{Access, FactRecord};
use mindfile::wording;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::NotePath;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Jsonl,
    Markdown,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    pub notes: usize,
    pub facts: usize,
    /// What is not in it as it stands in the notes.
    pub notices: Vec<String>,
}

/// A note with its facts, each with its line as it is written.
struct NoteFacts {
    path: NotePath,
    text: String,
    facts: Vec<(FactRecord, String)>,
}

/// Writes all notes and facts of a memory.
pub fn write(corpus: &Corpus, shape: Shape, out: &mut dyn Write) -> Result<Outcome, Error> {
    let mut done = Outcome::default();
    let failed = mindfile_disk::Error::at(Path::new("the export"));
    match shape {
        Shape::Jsonl => {
            let head = json!({"type": "export", "version": 1, "agent": corpus.settings().agent.as_str()});
            writeln!(out, "{head}").map_err(&failed)?;
            each_note(corpus, &mut done, &mut |note| Ok(lines(note, out).map_err(&failed)?))?;
        }
        Shape::Markdown => {
            writeln!(out, "# Memory\n\n## Facts\n").map_err(&failed)?;
            let mut counted = Outcome::default();
            each_note(corpus, &mut counted, &mut |note| Ok(listed(note, out).map_err(&failed)?))?;
            writeln!(out, "\n## Notes").map_err(&failed)?;
            each_note(corpus, &mut done, &mut |note| Ok(quoted(note, out).map_err(&failed)?))?;
        }
    }
    done.notices.extend(left_out(corpus)?);
    Ok(done)
}

/// Private notes leave the disk's encryption by `decrypt` alone.
fn left_out(corpus: &Corpus) -> Result<Option<String>, Error> {
    let private = corpus.workspace()?.private_notes()?.len() as u64;
    Ok((private > 0)
        .then(|| format!("{} left out: decrypt them first", wording::are(private, "private note"))))
}

fn each_note(
    corpus: &Corpus,
    done: &mut Outcome,
    take: &mut dyn FnMut(&NoteFacts) -> Result<(), Error>,
) -> Result<(), Error> {
    let workspace = corpus.workspace()?;
    for found in workspace.scan()?.files {
        let read = workspace.read(&found.path, NOTE_LIMIT)?;
        let text = text::decode(&read.bytes).into_owned();
        if read.truncated {
            done.notices.push(format!("{} is longer than 16 MiB; the rest is left out", found.path));
        }
        if text.as_bytes() != read.bytes {
            done.notices.push(format!("{} is not plain UTF-8; what is written is its text", found.path));
        }
        let note = NoteFacts { facts: facts(&found.path, &text), path: found.path, text };
        done.notes += 1;
        done.facts += note.facts.len();
        take(&note)?;
    }
    Ok(())
}

fn facts(path: &NotePath, text: &str) -> Vec<(FactRecord, String)> {
    let record = |placed: &chunk::PlacedFact<'_>| {
        let place = LineRef { path: path.as_str(), line: placed.line };
        let names = placed.fact.entities().map(str::to_lowercase).collect();
        let fact = load::of_line(&placed.fact, place, names, Access::default());
        (fact, fact::write(&placed.fact).trim_start().to_owned())
    };
    chunk::facts(text).iter().map(record).collect()
}

fn lines(note: &NoteFacts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json!({"type": "note", "path": note.path.as_str(), "text": note.text}))?;
    note.facts.iter().try_for_each(|(fact, line)| writeln!(out, "{}", row(fact, line)))
}

fn row(fact: &FactRecord, line: &str) -> Value {
    json!({
        "type": "fact",
        "id": fact.id,
        "kind": fact.kind.letter().to_string(),
        "text": fact.text,
        "entities": fact.spelled,
        "salience": (f64::from(fact.salience) * 1e4).round() / 1e4,
        "confidence": fact.confidence.map(|value| (f64::from(value) * 1e4).round() / 1e4),
        "key": fact.key,
        "source": fact.source,
        "path": fact.path,
        "lineNumber": fact.line,
        "line": line,
    })
}

fn listed(note: &NoteFacts, out: &mut dyn Write) -> io::Result<()> {
    note.facts
        .iter()
        .try_for_each(|(fact, line)| writeln!(out, "{line} <!-- {}#L{} -->", fact.path, fact.line))
}

/// A note in a fence that nothing in it closes.
fn quoted(note: &NoteFacts, out: &mut dyn Write) -> io::Result<()> {
    let longest =
        note.text.lines().map(|line| line.trim_start().chars().take_while(|c| *c == '~').count()).max();
    let fence = "~".repeat(longest.unwrap_or(0).max(3) + 1);
    let end = if note.text.ends_with('\n') || note.text.is_empty() { "" } else { "\n" };
    write!(out, "\n### {}\n\n{fence}markdown\n{}{end}{fence}\n", note.path, note.text)
}
