//! Where a line that is not among the results stood: as JSON, and in lines.

use mindfile::fault::Spelling;
use mindfile::search::{Standing, WhyNot};
use schemars::JsonSchema;
use serde::Serialize;

use crate::explain::{self, Piece, pieces, rounded};
use crate::spelling::Program;
use crate::text::clean;
use crate::text::quantity::number;
use crate::text::style::HEAD;
use crate::text::table::{self, Side};

/// Where a line stood. A rank is counted from 1; null where the line was not on the list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Why {
    path: String,
    line: u32,
    standing: Option<Stood>,
    candidates: usize,
    max_results: usize,
    advice: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Stood {
    start_line: u32,
    end_line: u32,
    words: Option<usize>,
    meaning: Option<usize>,
    fused: Option<usize>,
    last: Option<usize>,
    score: Option<f64>,
    parts: Option<Vec<Piece>>,
    missing: Vec<String>,
}

impl Why {
    pub(super) fn new(why: &WhyNot) -> Self {
        Self {
            path: why.place.path.clone(),
            line: why.place.line,
            standing: why.standing.as_ref().map(Stood::new),
            candidates: why.candidates,
            max_results: why.limit,
            advice: why.advice.spelled(&Program),
        }
    }
}

impl Stood {
    fn new(standing: &Standing) -> Self {
        Self {
            start_line: standing.start_line,
            end_line: standing.end_line,
            words: standing.words,
            meaning: standing.meaning,
            fused: standing.fused,
            last: standing.last,
            score: standing.score.as_ref().map(|score| rounded(score.value())),
            parts: standing.score.as_ref().map(pieces),
            missing: standing.missing.clone(),
        }
    }
}

/// Where a line stood at every stage, and what would have brought it up.
pub(super) fn lines(why: &WhyNot, spelling: &dyn Spelling) -> String {
    let place = format!("{}#L{}", why.place.path, why.place.line);
    let mut text = format!("{HEAD}Why not {}?{HEAD:#}\n", clean::text(&place));
    if let Some(standing) = &why.standing {
        for line in table::lines([Side::Left, Side::Left], &standing_rows(standing, why)) {
            text.push_str(&format!("  {}\n", clean::text(&line)));
        }
        text.extend(standing.score.as_ref().map(explain::table));
    }
    text.push_str(&format!("  {}\n", clean::text(&why.advice.spelled(spelling))));
    text
}

fn standing_rows(standing: &Standing, why: &WhyNot) -> Vec<[String; 2]> {
    let rank = |rank: Option<usize>| {
        rank.map_or_else(|| "not on the list".to_owned(), |rank| format!("rank {rank}"))
    };
    let missing = if standing.missing.is_empty() { "none".to_owned() } else { standing.missing.join(", ") };
    let rows = [
        ("chunk", format!("lines {} to {}", standing.start_line, standing.end_line)),
        ("by words", rank(standing.words)),
        ("by meaning", rank(standing.meaning)),
        ("fused", format!("{} of {} candidates", rank(standing.fused), number(why.candidates))),
        ("at last", format!("{}; {} are shown", rank(standing.last), number(why.limit))),
        ("words it lacks", missing),
    ];
    rows.into_iter().map(|(name, value)| [format!("{name}:"), value]).collect()
}
