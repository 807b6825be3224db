//! The parts of a score: as JSON, and as a table.

use mindfile::search::{Part, Score, Stage};
use schemars::JsonSchema;
use serde::Serialize;

use crate::text::quantity;
use crate::text::style::FAINT;
use crate::text::table::{self, Side};

/// Four decimals are what a score is good for.
pub(crate) fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}

/// One part of a score. A term has `normal` and `weight`, a factor has `factor`; the contributions add up to the score.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Piece {
    stage: &'static str,
    raw: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    factor: Option<f64>,
    contribution: f64,
}

pub(crate) fn pieces(score: &Score) -> Vec<Piece> {
    let gives = score.contributions();
    score.parts.iter().zip(gives).map(|(part, gives)| Piece::new(part, gives)).collect()
}

impl Piece {
    fn new(part: &Part, gives: f32) -> Self {
        let (stage, raw, normal, weight, factor) = match part {
            Part::Term { stage, raw, normal, weight } => (stage, raw, Some(*normal), Some(*weight), None),
            Part::Factor { stage, raw, factor } => (stage, raw, None, None, Some(*factor)),
        };
        Self {
            stage: stage.as_str(),
            raw: rounded(*raw),
            normal: normal.map(rounded),
            weight: weight.map(rounded),
            factor: factor.map(rounded),
            contribution: rounded(gives),
        }
    }
}

/// The parts and their total, which is the score.
pub(crate) fn table(score: &Score) -> String {
    let head = ["stage", "raw", "normal", "weight", "gives"].map(str::to_owned);
    let mut rows = vec![head];
    rows.extend(score.parts.iter().zip(score.contributions()).map(|(part, gives)| row(part, gives)));
    let nothing = String::new;
    rows.push(["total".to_owned(), nothing(), nothing(), nothing(), format!("{:.4}", score.value())]);
    let sides = [Side::Left, Side::Right, Side::Right, Side::Right, Side::Right];
    table::lines(sides, &rows).iter().map(|line| format!("       {FAINT}{line}{FAINT:#}\n")).collect()
}

fn row(part: &Part, gives: f32) -> [String; 5] {
    let gives = format!("{gives:+.4}");
    match part {
        Part::Term { stage, raw, normal, weight } => [
            stage.as_str().to_owned(),
            raw_of(*stage, *raw),
            format!("{normal:.4}"),
            format!("{weight:.4}"),
            gives,
        ],
        Part::Factor { stage, raw, factor } => {
            [stage.as_str().to_owned(), raw_of(*stage, *raw), String::new(), format!("× {factor:.4}"), gives]
        }
    }
}

fn raw_of(stage: Stage, raw: f32) -> String {
    if stage == Stage::Decay { quantity::count(raw as usize, "day") } else { format!("{raw:.4}") }
}
