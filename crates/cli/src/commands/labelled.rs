//! `mindfile eval policy`

use std::process::ExitCode;

use mindfile::eval::policy::{Count, Outcome, run as judge, set};

use super::Run;
use crate::arguments::{Eval, Seeds};
use crate::failure::Failure;
use crate::output::json::Labelled;
use crate::output::quantity::number;
use crate::output::style::HEAD;
use crate::output::table::{self, Side};
use crate::output::{self, clean};

/// Values of each format and texts of each kind, for one seed.
const OF_FORMAT: usize = 20;
const OF_KIND: usize = 100;
const SEED: Seeds = Seeds { first: 1, last: 1 };

pub(super) fn run(asked: &Eval, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let seeds = asked.seeds.unwrap_or(SEED);
    let mut whole = set(seeds.first, OF_FORMAT, OF_KIND);
    for seed in seeds.first + 1..=seeds.last {
        let more = set(seed, OF_FORMAT, OF_KIND);
        whole.positives.extend(more.positives);
        whole.negatives.extend(more.negatives);
    }
    let outcome = judge(memory.policy(), &whole);
    if run.screen.json {
        output::json(&Labelled::new(&outcome))?;
    } else {
        output::text(&text(&outcome, asked.questions))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text(outcome: &Outcome, each: bool) -> String {
    let mut text = format!("{HEAD}values that were found{HEAD:#}\n");
    text.push_str(&rows(outcome.positives.iter().map(|(name, count)| (*name, *count)), outcome.found()));
    text.push_str(&format!("\n{HEAD}texts that were left alone{HEAD:#}\n"));
    text.push_str(&rows(outcome.negatives.iter().map(|(name, count)| (*name, *count)), outcome.left_alone()));
    if each {
        let missed = outcome.missed.iter().map(|one| format!("missed, {}: {}\n", one.rule, one.text));
        text.extend(missed.map(|line| clean::text(&line).into_owned()));
        let mistaken = outcome.mistaken.iter();
        let mistaken = mistaken.map(|(one, rule)| format!("taken for {rule}, {}: {}\n", one.kind, one.text));
        text.extend(mistaken.map(|line| clean::text(&line).into_owned()));
    }
    text
}

fn rows<'a>(counts: impl Iterator<Item = (&'a str, Count)>, all: Count) -> String {
    let cells = |(name, count): (&str, Count)| {
        let share = 100.0 * count.right as f64 / count.all.max(1) as f64;
        [name.to_owned(), number(count.all), number(count.right), format!("{share:.1} %")]
    };
    let rows: Vec<[String; 4]> = counts.chain([("all", all)]).map(cells).collect();
    let sides = [Side::Left, Side::Right, Side::Right, Side::Right];
    table::lines(sides, &rows).iter().map(|line| format!("  {line}\n")).collect()
}
