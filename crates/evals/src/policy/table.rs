use super::{Tally, Verdicts};
use crate::table;

/// Two tables, and each mistake if wanted.
pub fn text(verdicts: &Verdicts, each: bool) -> String {
    let found = rows(verdicts.positives.iter().map(|(name, tally)| (*name, *tally)), verdicts.found());
    let left = rows(verdicts.negatives.iter().map(|(name, tally)| (*name, *tally)), verdicts.left_alone());
    let mut text = format!("values that were found\n{found}\ntexts that were left alone\n{left}");
    if each {
        let missed = verdicts.missed.iter();
        text.extend(missed.map(|one| format!("missed, {}: {}\n", one.rule, one.text.escape_debug())));
        let mistaken = verdicts.mistaken.iter();
        text.extend(
            mistaken
                .map(|(one, rule)| format!("taken for {rule}, {}: {}\n", one.kind, one.text.escape_debug())),
        );
    }
    text
}

fn rows<'a>(tallies: impl Iterator<Item = (&'a str, Tally)>, all: Tally) -> String {
    let cells = |(name, tally): (&str, Tally)| {
        let share = 100.0 * tally.right as f64 / tally.all.max(1) as f64;
        [name.to_owned(), table::number(tally.all), table::number(tally.right), format!("{share:.1} %")]
    };
    let rows: Vec<[String; 4]> = tallies.chain([("all", all)]).map(cells).collect();
    table::text(&rows)
}
