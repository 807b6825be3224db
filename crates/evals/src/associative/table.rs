use super::{Answer, SetScores, Side, by_category};
use crate::seeds::Seeds;
use crate::table;

const COLUMNS: [&str; 7] = ["side", "questions", "precision", "recall", "F1", "empty", "near-miss empty"];

/// A row a side, then recall's categories, and each question if wanted.
pub fn text(seeds: Seeds, sides: &[(Side, Vec<Answer>)], each: bool) -> String {
    let all = sides.iter().map(|(side, answers)| cells(side.as_str(), &SetScores::of(answers)));
    let mut text = format!("associative, seeds {} to {}\n{}", seeds.first, seeds.last, rows(all));
    for (side, answers) in sides.iter().filter(|(side, _)| *side == Side::Recall) {
        let categories = by_category(answers);
        let answerable = categories.iter().filter(|(_, scores)| scores.questions > 0);
        let table = rows(answerable.map(|(category, scores)| cells(category, scores)));
        text.push_str(&format!("\n{}, by category\n{table}", side.as_str()));
        if each {
            text.extend(answers.iter().map(line));
        }
    }
    text
}

fn rows(rows: impl Iterator<Item = [String; COLUMNS.len()]>) -> String {
    let mut all = vec![COLUMNS.map(str::to_owned)];
    all.extend(rows);
    table::text(&all)
}

fn cells(name: &str, scores: &SetScores) -> [String; COLUMNS.len()] {
    let means = [scores.precision, scores.recall, scores.f1, scores.empty, scores.near_miss_empty];
    let [a, b, c, d, e] = means.map(|mean| format!("{:.1}", 100.0 * mean));
    [name.to_owned(), table::number(scores.questions), a, b, c, d, e]
}

/// `101  hop2  F1 0.80  Who could help?`
fn line(answer: &Answer) -> String {
    let question = &answer.question;
    let verdict = match (question.gold.is_empty(), answer.returned.is_empty()) {
        (true, true) => "rightly empty".to_owned(),
        (true, false) => "not empty".to_owned(),
        (false, _) => format!("F1 {:.2}", answer.f1()),
    };
    format!("  {}  {}  {verdict}  {}\n", answer.seed, question.category, question.text)
}
