//! Growth and use as bars that a terminal shows.

use mindfile::stats::{Counts, Stats, Week};

use super::quantity::{count, number};
use super::style::FAINT;

/// What is counted, and how it is called.
type Column = (&'static str, fn(&Counts) -> usize);

const COLUMNS: [Column; 4] = [
    ("notes", |counts| counts.notes),
    ("chunks", |counts| counts.chunks),
    ("facts", |counts| counts.facts),
    ("recalls", |counts| counts.recalls),
];
/// Columns that a bar may have.
const WIDEST: usize = 18;
const NARROWEST: usize = 4;

pub(crate) fn text(stats: &Stats, width: Option<usize>) -> String {
    let total = &stats.total;
    let mut text = format!(
        "{}, {}, {}; {} of {} recalled\n",
        count(total.notes, "note"),
        count(total.chunks, "chunk"),
        count(total.facts, "fact"),
        number(usize::try_from(stats.recalls).unwrap_or(usize::MAX)),
        count(stats.recalled_facts, "fact"),
    );
    if !stats.weeks.is_empty() {
        text.push_str(&plot(&stats.weeks, width.unwrap_or(100)));
    }
    text.push_str(&lag(stats));
    text
}

/// One row a week, one bar a column, each column to its own scale.
fn plot(weeks: &[Week], width: usize) -> String {
    let label = 12;
    let bar = (width.saturating_sub(label) / COLUMNS.len()).saturating_sub(8).clamp(NARROWEST, WIDEST);
    let most = COLUMNS.map(|(_, of)| weeks.iter().map(|week| of(&week.new)).max().unwrap_or(0));
    let mut text = format!("\n{:label$}", "week of");
    for (name, _) in COLUMNS {
        text.push_str(&format!("{name:<fill$}", fill = bar + 8));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    for week in weeks {
        let mut row = format!("{FAINT}{}{FAINT:#}  ", week.monday);
        for ((_, of), most) in COLUMNS.iter().zip(most) {
            let value = of(&week.new);
            let shown = if value == 0 { String::new() } else { format!(" {}", number(value)) };
            let drawn = blocks(value, most, bar);
            let used = drawn.chars().count() + shown.chars().count();
            row.push_str(&format!("{drawn}{shown}{}", " ".repeat((bar + 8).saturating_sub(used))));
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text.push('\n');
    text
}

/// A bar in eighths of a column; what is more than nothing is seen.
fn blocks(value: usize, most: usize, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if value == 0 || most == 0 {
        return String::new();
    }
    let eighths = (value * width * 8).div_ceil(most).max(1);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn lag(stats: &Stats) -> String {
    let lag = &stats.lag;
    let mut text = if lag.notes == 0 && lag.chunks == 0 {
        "The index is up to date.\n".to_owned()
    } else {
        format!(
            "The index is behind by {} and {}.\n",
            count(lag.notes, "note"),
            count(usize::try_from(lag.chunks).unwrap_or(usize::MAX), "vector")
        )
    };
    if let (Some(median), Some(slow)) = (lag.hook_median, lag.hook_slow) {
        let calls = count(lag.hooks, "call");
        text.push_str(&format!(
            "Hooks: {calls}, half within {median} ms, 19 of 20 within {slow} ms, {} failed.\n",
            lag.failed
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn bars_are_drawn_to_an_eighth() {
        assert_eq!([0, 1, 4, 5, 8].map(|value| blocks(value, 8, 2)), ["", "▎", "█", "█▎", "██"]);
        assert_eq!(blocks(1, 10_000, 4), "▏");
        assert_eq!(blocks(1, 0, 4), "");
    }
}
