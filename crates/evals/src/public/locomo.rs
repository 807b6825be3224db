//! LoCoMo: long conversations in sessions, each session a daily note, each turn a line.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use mindfile_care::eval::{Dataset, Evidence, Haystack, LabelledQuestion};
use serde::Deserialize;
use serde_json::Value;

use super::{text, wrong};
use crate::error::Error;

#[derive(Deserialize)]
struct Sample {
    conversation: BTreeMap<String, Value>,
    qa: Vec<Qa>,
}

#[derive(Deserialize)]
struct Qa {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
    category: u8,
}

#[derive(Deserialize)]
struct Turn {
    speaker: String,
    dia_id: String,
    text: String,
    blip_caption: Option<String>,
}

/// Questions of this category ask for what was never said, with the same people and words.
const ADVERSARIAL: u8 = 5;

pub(super) fn load(path: &Path) -> Result<Dataset, Error> {
    let samples: Vec<Sample> = serde_json::from_str(&text(path)?).map_err(|error| wrong(path, error))?;
    let haystacks = samples.iter().map(|sample| haystack(sample, path)).collect::<Result<_, _>>()?;
    Ok(Dataset { name: "LoCoMo".to_owned(), haystacks })
}

fn haystack(sample: &Sample, path: &Path) -> Result<Haystack, Error> {
    let mut haystack = Haystack::default();
    let mut places = HashMap::new();
    let mut used: HashMap<Date, usize> = HashMap::new();
    for number in 1.. {
        let turns = format!("session_{number}");
        let stamp = format!("session_{number}_date_time");
        let stamp = sample.conversation.get(&stamp).and_then(Value::as_str);
        let Some(turns) = sample.conversation.get(&turns) else {
            if stamp.is_none() {
                break;
            }
            continue;
        };
        let turns: Vec<Turn> = serde_json::from_value(turns.clone())
            .map_err(|error| wrong(path, format!("session_{number}: {error}")))?;
        let time = stamp.and_then(|stamp| DateTime::strptime("%I:%M %p on %d %B, %Y", stamp).ok());
        let time = time.unwrap_or_else(|| jiff::civil::date(2023, 1, 1).at(0, 0, 0, 0));
        let again = used.entry(time.date()).or_default();
        let name =
            if *again == 0 { format!("{}", time.date()) } else { format!("{}-s{number}", time.date()) };
        *again += 1;
        let note = note(&format!("memory/{name}.md"), time, &turns, &mut places);
        haystack.now = time.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp()).max(haystack.now);
        haystack.notes.push(note);
    }
    haystack.questions = questions(sample, &places);
    Ok(haystack)
}

fn note(
    path: &str,
    time: DateTime,
    turns: &[Turn],
    places: &mut HashMap<String, Evidence>,
) -> (String, String) {
    let mut lines = vec![
        format!("# {}", time.date()),
        String::new(),
        format!("## {} - Conversation", time.strftime("%H:%M")),
        String::new(),
    ];
    for turn in turns {
        let mut said = turn.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(caption) = &turn.blip_caption {
            said = format!("{said} [image: {caption}]");
        }
        lines.push(format!("{}: {said}", turn.speaker));
        let line = Some(lines.len() as u32);
        places.insert(turn.dia_id.clone(), Evidence { path: path.to_owned(), line, text: Some(said) });
    }
    (path.to_owned(), lines.join("\n") + "\n")
}

fn questions(sample: &Sample, places: &HashMap<String, Evidence>) -> Vec<LabelledQuestion> {
    let asked = sample.qa.iter().enumerate().filter(|(_, qa)| qa.category != ADVERSARIAL);
    asked
        .map(|(number, qa)| {
            let ids = qa.evidence.iter().flat_map(|evidence| evidence.split([' ', ';', ',', '(', ')']));
            let gold: Vec<Evidence> = ids.filter_map(|id| places.get(id).cloned()).collect();
            LabelledQuestion {
                id: number.to_string(),
                text: qa.question.clone(),
                category: qa.category.to_string(),
                gold,
            }
        })
        .filter(|question| !question.gold.is_empty())
        .collect()
}
