//! `doctor --drill --json`

use mindfile::drill::{Drill, May, Trial, Verdict};
use serde::Serialize;

/// What a drill found.
#[derive(Debug, Serialize)]
pub struct Drilled {
    ok: bool,
    notes: usize,
    sample: bool,
    crossed: usize,
    silent: usize,
    trials: Vec<One>,
}

#[derive(Debug, Serialize)]
struct One {
    canary: &'static str,
    way: &'static str,
    control: bool,
    came: bool,
    verdict: &'static str,
}

impl Drilled {
    pub fn new(drill: &Drill) -> Self {
        Self {
            ok: drill.is_well(),
            notes: drill.notes,
            sample: drill.sample,
            crossed: drill.count(Verdict::Crossed),
            silent: drill.count(Verdict::Silent),
            trials: drill.trials.iter().map(One::new).collect(),
        }
    }
}

impl One {
    fn new(trial: &Trial) -> Self {
        Self {
            canary: trial.canary.as_str(),
            way: trial.way.as_str(),
            control: trial.may == May::Pass,
            came: trial.came,
            verdict: trial.verdict().as_str(),
        }
    }
}
