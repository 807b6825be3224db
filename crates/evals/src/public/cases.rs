//! Cases: workspaces with their questions in one JSON file, as `evals/fit/sets.py` makes them.

use std::path::Path;

use mindfile_care::eval::{Dataset, Evidence, Haystack, LabelledQuestion};
use serde::Deserialize;

use super::{text, wrong};
use crate::error::Error;

#[derive(Deserialize)]
struct Cases {
    name: String,
    haystacks: Vec<Notes>,
}

#[derive(Deserialize)]
struct Notes {
    notes: Vec<(String, String)>,
    questions: Vec<Asked>,
}

#[derive(Deserialize)]
struct Asked {
    text: String,
    category: String,
    gold: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    path: String,
    line: Option<u32>,
}

pub(super) fn load(path: &Path) -> Result<Dataset, Error> {
    let cases: Cases = serde_json::from_str(&text(path)?).map_err(|error| wrong(path, error))?;
    Ok(Dataset { name: cases.name, haystacks: cases.haystacks.into_iter().map(haystack).collect() })
}

fn haystack(notes: Notes) -> Haystack {
    let Notes { notes, questions } = notes;
    let said = |path: &str, line: u32| {
        let (_, note) = notes.iter().find(|(name, _)| name == path)?;
        note.split('\n').nth(line as usize - 1).map(str::to_owned)
    };
    let gold = |place: Place| {
        let text = place.line.and_then(|line| said(&place.path, line));
        Evidence { path: place.path, line: place.line, text }
    };
    let one = |(number, asked): (usize, Asked)| LabelledQuestion {
        id: number.to_string(),
        text: asked.text,
        category: asked.category,
        gold: asked.gold.into_iter().map(gold).collect(),
    };
    let questions = questions.into_iter().enumerate().map(one).collect();
    Haystack { notes, questions, now: None }
}
