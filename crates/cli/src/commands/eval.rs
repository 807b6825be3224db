//! `mindfile eval`

use std::process::ExitCode;

use mindfile::search::Mode;
use mindfile_care::eval::{self, COLUMNS, Dataset, MeansTable, QuestionScores, Report};

use super::Run;
use crate::arguments::{Eval, EvalCommand};
use crate::environment;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::progress::Bar;
use crate::output::quantity::{count, number, time};
use crate::output::style::HEAD;
use crate::output::table::{self, Side};
use crate::output::{self, clean};

const MODES: [Mode; 3] = [Mode::Hybrid, Mode::Keyword, Mode::Vector];

pub(super) fn run(asked: &Eval, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let EvalCommand::Truth(asked) = &asked.command;
    let settings = environment::load(run.globals, run.screen)?.settings;
    interrupt::listen()?;
    let dataset = eval::load(&asked.path, &settings.workspace)?;
    let modes = asked.mode.map_or_else(|| MODES.to_vec(), |mode| vec![mode.into()]);
    let mut bar = Bar::new(run.screen);
    let mut on_question = |done: usize, of: usize| {
        bar.show(done as u64, of as u64, |_| format!("{}/{} questions", number(done), number(of)));
        interrupt::go_on()
    };
    let measured = eval::run(&dataset, &settings, &modes, &mut on_question);
    bar.clear();
    let measured = measured?;
    if run.screen.json {
        output::json(&Report::new(&dataset, &measured, asked.questions))?;
    } else {
        output::text(&text(&dataset, &measured, asked.questions))?;
        run.screen.say(&format!("{} in {}", count(questions(&dataset), "question"), time(bar.elapsed())));
    }
    Ok(ExitCode::SUCCESS)
}

fn questions(dataset: &Dataset) -> usize {
    dataset.haystacks.iter().map(|haystack| haystack.questions.len()).sum()
}

fn text(dataset: &Dataset, measured: &[(Mode, Vec<QuestionScores>)], each: bool) -> String {
    let mut text = String::new();
    for (mode, outcomes) in measured {
        text.push_str(&format!("{HEAD}{}, {}{HEAD:#}\n", dataset.name, mode.as_str()));
        text.push_str(&means(&MeansTable::of(outcomes)));
        if each {
            text.push_str(&ranks(outcomes));
        }
        text.push('\n');
    }
    text
}

fn means(table: &MeansTable) -> String {
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    rows.extend(table.rows.iter().chain([&table.all]).map(|row| row.cells(number(row.questions))));
    let mut sides = [Side::Right; COLUMNS.len()];
    sides[0] = Side::Left;
    table::lines(sides, &rows).iter().map(|line| format!("  {}\n", clean::text(line))).collect()
}

fn ranks(outcomes: &[QuestionScores]) -> String {
    let rank = |outcome: &QuestionScores| match (outcome.measured.rank, outcome.measured.answerable) {
        (Some(rank), _) => rank.to_string(),
        (None, true) => "-".to_owned(),
        (None, false) if outcome.measured.silent > 0.0 => "rightly silent".to_owned(),
        (None, false) => "not silent".to_owned(),
    };
    let rows: Vec<[String; 3]> =
        outcomes.iter().map(|o| [o.id.clone(), o.category.clone(), rank(o)]).collect();
    table::lines([Side::Left; 3], &rows).iter().map(|line| format!("  {}\n", clean::text(line))).collect()
}
