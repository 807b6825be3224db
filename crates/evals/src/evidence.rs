//! What ranking knows of each hit, and whether the hit holds the answer: what coefficients are fitted on.

use std::collections::BTreeMap;

use mindfile::config::Settings;
use mindfile::search::{Hit, Mode, Part, Request};
use mindfile_care::eval::{self, Dataset, LabelledQuestion};
use serde::Serialize;

use crate::error::Error;

/// One question with its hits.
#[expect(clippy::module_name_repetitions, reason = "the evidence of one question")]
#[derive(Debug, Serialize)]
pub struct AskedEvidence {
    set: String,
    haystack: usize,
    category: String,
    question: String,
    answerable: bool,
    /// What says whether the notes answer at all.
    strength: BTreeMap<&'static str, f32>,
    hits: Vec<HitEvidence>,
}

#[derive(Debug, Serialize)]
struct HitEvidence {
    score: f32,
    /// How much of the evidence it has, and whether its best line is evidence.
    gold: Vec<usize>,
    answers: bool,
    /// Of each part what is raw, normal and its weight; of a factor, what is raw, the factor and 1.
    parts: BTreeMap<&'static str, [f32; 3]>,
}

/// Asks every question for so many hits and gives each to `each`.
pub fn run(
    dataset: &Dataset,
    settings: &Settings,
    (mode, depth): (Mode, usize),
    each: &mut dyn FnMut(&AskedEvidence) -> Result<(), Error>,
) -> Result<(), Error> {
    for (number, haystack) in dataset.haystacks.iter().enumerate() {
        let folder = tempfile::tempdir().map_err(Error::scratch)?;
        let memory = eval::prepare(haystack, settings, folder.path())?;
        for question in &haystack.questions {
            let request = Request {
                max_results: Some(depth),
                min_score: Some(0.0),
                mode: Some(mode),
                ..Request::new(&question.text)
            };
            let answer = memory.search(&request, None)?.answer;
            let strength = answer.strength.map(|strength| strength.evidence.named()).unwrap_or_default();
            each(&AskedEvidence {
                set: dataset.name.clone(),
                haystack: number,
                category: question.category.clone(),
                question: question.text.clone(),
                answerable: !question.gold.is_empty(),
                strength: strength.into_iter().collect(),
                hits: answer.hits.iter().map(|hit| HitEvidence::of(hit, question)).collect(),
            })?;
        }
    }
    Ok(())
}

impl HitEvidence {
    fn of(hit: &Hit, question: &LabelledQuestion) -> Self {
        let within = |line: u32| (hit.start_line..=hit.end_line).contains(&line);
        let of_note = question.gold.iter().enumerate().filter(|(_, gold)| gold.path == hit.path);
        let gold = of_note.clone().filter(|(_, gold)| gold.line.is_none_or(within)).map(|(at, _)| at);
        let is_best = |line: u32| line == hit.answer.line;
        let part = |part: &Part| match *part {
            Part::Term { stage, raw, normal, weight } => (stage.as_str(), [raw, normal, weight]),
            Part::Factor { stage, raw, factor } => (stage.as_str(), [raw, factor, 1.0]),
        };
        Self {
            score: hit.score,
            gold: gold.collect(),
            answers: of_note.clone().any(|(_, gold)| gold.line.is_none_or(is_best)),
            parts: hit.parts.parts.iter().map(part).collect(),
        }
    }
}
