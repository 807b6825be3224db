//! `mindfile eval associative`

use std::process::ExitCode;

use mindfile::eval::associative::{self, Measured, Outcome, Side, by_category};

use super::Run;
use crate::arguments::{Eval, Seeds};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::json::Associative;
use crate::output::progress::Bar;
use crate::output::quantity::number;
use crate::output::style::HEAD;
use crate::output::table::{self, Side as Edge};
use crate::output::{self, clean};

/// Not those that the weights were chosen on.
const UNTUNED: Seeds = Seeds { first: 101, last: 120 };

pub(super) fn run(asked: &Eval, run: &Run<'_>) -> Result<ExitCode, Failure> {
    interrupt::listen()?;
    let seeds = asked.seeds.unwrap_or(UNTUNED);
    let mut bar = Bar::new(run.screen);
    let (mut done, of) = (0, seeds.last - seeds.first + 1);
    let measured = associative::run(seeds.first..=seeds.last, &mut |_| {
        done += 1;
        bar.show(done, of, |_| format!("{done}/{of} worlds"));
        interrupt::go_on()
    });
    bar.clear();
    let measured = measured?;
    if run.screen.json {
        output::json(&Associative::new([seeds.first, seeds.last], &measured, asked.questions))?;
    } else {
        output::text(&text(seeds, &measured, asked.questions))?;
    }
    Ok(ExitCode::SUCCESS)
}

const COLUMNS: [&str; 7] = ["side", "questions", "precision", "recall", "F1", "empty", "near-miss empty"];

fn text(seeds: Seeds, measured: &[(Side, Vec<Outcome>)], each: bool) -> String {
    let mut text = format!("{HEAD}associative, seeds {} to {}{HEAD:#}\n", seeds.first, seeds.last);
    let all = measured.iter().map(|(side, outcomes)| cells(side.as_str(), &Measured::of(outcomes)));
    text.push_str(&rows(all));
    for (side, outcomes) in measured.iter().filter(|(side, _)| *side == Side::Recall) {
        text.push_str(&format!("\n{HEAD}{}, by category{HEAD:#}\n", side.as_str()));
        let categories = by_category(outcomes);
        let answerable = categories.iter().filter(|(_, measured)| measured.questions > 0);
        text.push_str(&rows(answerable.map(|(category, measured)| cells(category, measured))));
        if each {
            text.extend(outcomes.iter().map(one));
        }
    }
    text
}

fn rows(rows: impl Iterator<Item = [String; COLUMNS.len()]>) -> String {
    let mut all = vec![COLUMNS.map(str::to_owned)];
    all.extend(rows);
    let mut sides = [Edge::Right; COLUMNS.len()];
    sides[0] = Edge::Left;
    table::lines(sides, &all).iter().map(|line| format!("  {line}\n")).collect()
}

fn cells(name: &str, measured: &Measured) -> [String; COLUMNS.len()] {
    let means = [measured.precision, measured.recall, measured.f1, measured.empty, measured.near_miss];
    let [a, b, c, d, e] = means.map(|mean| format!("{:.1}", 100.0 * mean));
    [name.to_owned(), number(measured.questions), a, b, c, d, e]
}

/// `101  hop2  F1 0.80  Who could help?`
fn one(outcome: &Outcome) -> String {
    let question = &outcome.question;
    let came = match (question.gold.is_empty(), outcome.returned.is_empty()) {
        (true, true) => "rightly empty".to_owned(),
        (true, false) => "not empty".to_owned(),
        (false, _) => format!("F1 {:.2}", outcome.f1()),
    };
    let line = format!("  {}  {}  {came}  {}", outcome.seed, question.category, question.text);
    format!("{}\n", clean::text(&line))
}
