//! `mindfile doctor --drill`

use std::process::ExitCode;

use mindfile::Memory;
use mindfile::drill::{Canary, Drill, May, Trial, Verdict};

use super::Run;
use crate::failure::Failure;
use crate::output;
use crate::output::json::Drilled;
use crate::output::quantity::count;
use crate::output::style::{ERROR, SCORE};
use crate::sample;

pub(super) fn run(memory: &Memory, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let drill = memory.drill(sample::NOTES)?;
    if run.screen.json {
        output::json(&Drilled::new(&drill))?;
    } else {
        output::text(&shown(&drill))?;
        run.screen.say(&verdict(&drill));
    }
    Ok(if drill.is_well() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A line for each canary: where it came through as it must, and where it stayed out; then whatever went wrong.
fn shown(drill: &Drill) -> String {
    let mut text = String::new();
    for canary in Canary::ALL {
        for (may, word) in [(May::Pass, "comes through"), (May::Stay, "stays out of")] {
            let ways = named(drill, |trial| trial.canary == canary && trial.may == may && is_well(trial));
            if !ways.is_empty() {
                text.push_str(&format!("{SCORE}good{SCORE:#}     {:<10} {word}: {ways}\n", canary.as_str()));
            }
        }
    }
    for (verdict, word) in [(Verdict::Crossed, "crossed into"), (Verdict::Silent, "was not heard in")] {
        for canary in Canary::ALL {
            let ways = named(drill, |trial| trial.canary == canary && trial.verdict() == verdict);
            if !ways.is_empty() {
                text.push_str(&format!("{ERROR}problem{ERROR:#}  {:<10} {word}: {ways}\n", canary.as_str()));
            }
        }
    }
    text
}

fn is_well(trial: &Trial) -> bool {
    trial.verdict().is_well()
}

fn named(drill: &Drill, wanted: impl Fn(&Trial) -> bool) -> String {
    let ways = drill.trials.iter().filter(|trial| wanted(trial)).map(|trial| trial.way.as_str());
    ways.collect::<Vec<_>>().join(", ")
}

fn verdict(drill: &Drill) -> String {
    let of = if drill.sample { " of the sample" } else { "" };
    let notes = count(drill.notes, "note");
    let lines = drill.count(Verdict::Crossed) + drill.count(Verdict::Stayed);
    let controls = drill.count(Verdict::Silent) + drill.count(Verdict::Passed);
    format!(
        "a copy of {notes}{of}: {} of {lines} lines crossed, {} of {controls} controls silent",
        drill.count(Verdict::Crossed),
        drill.count(Verdict::Silent)
    )
}
