//! LongMemEval: each question has its own haystack of chat sessions, some of which hold the answer.

use std::path::Path;

use mindfile_care::eval::{Dataset, Evidence, Haystack, LabelledQuestion};
use serde::Deserialize;

use super::{text, wrong};
use crate::error::Error;

#[derive(Deserialize)]
struct Entry {
    question_id: String,
    question_type: String,
    question: String,
    #[serde(default)]
    answer_session_ids: Vec<String>,
    haystack_session_ids: Vec<String>,
    haystack_dates: Vec<String>,
    haystack_sessions: Vec<Vec<ChatTurn>>,
}

#[derive(Deserialize)]
struct ChatTurn {
    role: String,
    content: String,
}

pub(super) fn load(path: &Path) -> Result<Dataset, Error> {
    let entries: Vec<Entry> = serde_json::from_str(&text(path)?).map_err(|error| wrong(path, error))?;
    Ok(Dataset { name: "LongMemEval".to_owned(), haystacks: entries.iter().map(haystack).collect() })
}

fn haystack(entry: &Entry) -> Haystack {
    let sessions = entry.haystack_session_ids.iter().zip(&entry.haystack_dates).zip(&entry.haystack_sessions);
    let mut haystack = Haystack::default();
    let mut gold = Vec::new();
    for (number, ((id, date), turns)) in sessions.enumerate() {
        let path = format!("memory/{}-{number}.md", day(date));
        if entry.answer_session_ids.contains(id) {
            gold.push(Evidence { path: path.clone(), line: None, text: None });
        }
        haystack.notes.push((path, note(date, turns)));
    }
    // Questions whose id ends so have no answer in the haystack.
    let unanswerable = entry.question_id.ends_with("_abs");
    haystack.questions.push(LabelledQuestion {
        id: entry.question_id.clone(),
        text: entry.question.clone(),
        category: if unanswerable { "abstention".to_owned() } else { entry.question_type.clone() },
        gold: if unanswerable { Vec::new() } else { gold },
    });
    haystack
}

/// "2023/05/20 (Sat) 02:21" to "2023-05-20".
fn day(date: &str) -> String {
    date.split_whitespace().next().unwrap_or(date).replace('/', "-")
}

fn note(date: &str, turns: &[ChatTurn]) -> String {
    let mut lines = vec![format!("# {date}"), String::new()];
    lines.extend(turns.iter().map(|turn| format!("{}: {}\n", turn.role, turn.content)));
    lines.join("\n")
}
