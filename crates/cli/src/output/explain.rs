//! How a search came to its answer: the plan, the parts of each score, and where a missing line stood.

use mindfile::search::{Answer, Hit, Part, Plan, QueryTerm, Score, Stage, Standing, Strength, WhyNot};

use super::clean;
use super::quantity::{self, number};
use super::spelling::Terminal;
use super::style::{FAINT, HEAD};
use super::table::{self, Side};

/// How many forms of a word are shown.
const FORMS: usize = 4;

/// The plan in lines: what was asked, how it was weighed, what each signal found.
pub(crate) fn plan(plan: &Plan, answer: &Answer) -> String {
    let weights = &plan.weights;
    let weighed = format!(
        "words {:.2}, meaning {:.2}, interaction {:.2}",
        weights.words, weights.meaning, weights.interaction
    );
    let found = format!(
        "{} by words, {} by meaning, {} below the minimum {:.2}",
        number(answer.by_words),
        number(answer.by_meaning),
        number(answer.below_minimum),
        plan.min_score
    );
    let mut rows = vec![("mode", plan.mode.as_str().to_owned()), ("words", words(answer))];
    rows.extend(quoted("phrases", &plan.words.phrases));
    rows.extend(quoted("without", &plan.words.excluded));
    rows.extend([("weights", weighed), ("found", found)]);
    rows.extend(answer.strength.map(|strength| ("strength", judged(&strength, plan))));
    let rows: Vec<[String; 2]> = rows.into_iter().map(|(name, value)| [format!("{name}:"), value]).collect();
    let mut text = format!("{HEAD}Plan{HEAD:#}\n");
    for line in table::lines([Side::Left, Side::Left], &rows) {
        text.push_str(&format!("  {}\n", clean::text(&line)));
    }
    text
}

/// How well the notes answer at all, and what says so.
fn judged(strength: &Strength, plan: &Plan) -> String {
    let reasons: Vec<String> =
        strength.reasons(plan).iter().map(|(name, value)| format!("{name} {value:.2}")).collect();
    format!("{:.2} from {}", strength.value, reasons.join(", "))
}

/// Each word with the number of chunks that have it, and other forms that count.
fn words(answer: &Answer) -> String {
    if answer.terms.is_empty() {
        return "none".to_owned();
    }
    let terms = answer.terms.iter().zip(&answer.sought);
    let words = terms.map(|(stat, sought)| format!("{} ({}{})", stat.term, stat.chunks, also(sought)));
    words.collect::<Vec<_>>().join(", ")
}

fn also(sought: &QueryTerm) -> String {
    let first: Vec<&str> = sought.forms.iter().take(FORMS).map(|form| form.term.as_str()).collect();
    let more = if sought.forms.len() > FORMS { " …" } else { "" };
    if first.is_empty() { String::new() } else { format!("; also {}{more}", first.join(" ")) }
}

fn quoted(name: &'static str, phrases: &[String]) -> Option<(&'static str, String)> {
    let all: Vec<String> = phrases.iter().map(|phrase| format!("{phrase:?}")).collect();
    (!all.is_empty()).then(|| (name, all.join(", ")))
}

/// The parts of a hit's score; their total is the score.
pub(crate) fn parts(hit: &Hit) -> String {
    score(&hit.parts)
}

pub(crate) fn score(score: &Score) -> String {
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

/// Where a line stood at every stage, and what would have brought it up.
pub(crate) fn why_not(why: &WhyNot) -> String {
    let place = format!("{}#L{}", why.place.path, why.place.line);
    let mut text = format!("{HEAD}Why not {}?{HEAD:#}\n", clean::text(&place));
    if let Some(standing) = &why.standing {
        for line in table::lines([Side::Left, Side::Left], &standing_rows(standing, why)) {
            text.push_str(&format!("  {}\n", clean::text(&line)));
        }
        text.extend(standing.score.as_ref().map(score));
    }
    text.push_str(&format!("  {}\n", clean::text(&why.advice.spelled(&Terminal))));
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
