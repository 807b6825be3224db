//! What a heartbeat found, as text: its line, and below it what a person should look at.

use mindfile::clock::Clock;
use mindfile::fact::FactRecord;
use mindfile_care::heartbeat::{Anomaly, Beat, FadedPreference};

use super::clean;
use super::quantity::number;

/// How many of each sort are shown; the rest is counted, and `--json` has all of them.
const SHOWN: usize = 5;

pub(crate) fn text(beat: &Beat, clock: &dyn Clock) -> String {
    let at = beat.at.to_zoned(clock.zone()).strftime("%Y-%m-%d %H:%M").to_string();
    let dry = if beat.dry_run { " (dry run)" } else { "" };
    let mut lines = vec![format!("{at}  {}{dry}", beat.line())];
    section(&mut lines, "Overdue", &beat.overdue, |fact| {
        let day = fact.due.map(|day| format!(" (due {day})")).unwrap_or_default();
        format!("{}{day}", told(fact))
    });
    section(&mut lines, "To confirm", &beat.unconfirmed, told);
    section(&mut lines, if beat.dry_run { "Would fade" } else { "Faded" }, &beat.faded, faded);
    section(&mut lines, "Nearly the same; fold into one?", &beat.clusters, |group| {
        group.iter().map(told).collect::<Vec<_>>().join("\n      ")
    });
    section(&mut lines, "Contradictions", &beat.anomalies, contradiction);
    lines.iter().map(|line| format!("{}\n", clean::text(line))).collect()
}

fn section<T>(lines: &mut Vec<String>, title: &str, items: &[T], told: impl Fn(&T) -> String) {
    if items.is_empty() {
        return;
    }
    lines.push(format!("  {title}:"));
    lines.extend(items.iter().take(SHOWN).map(|item| format!("    - {}", told(item))));
    if items.len() > SHOWN {
        lines.push(format!("    and {} more", number(items.len() - SHOWN)));
    }
}

fn told(fact: &FactRecord) -> String {
    format!("{} ^{} {}#L{}", fact.text, fact.id, fact.path, fact.line)
}

fn faded(one: &FadedPreference) -> String {
    let before = one.before.map_or_else(|| "unsaid".to_owned(), |before| format!("{before:.2}"));
    format!("{} · confidence {before} → {:.2}", told(&one.fact), one.now)
}

fn contradiction(one: &Anomaly) -> String {
    let verdict = one.verdict.map(|verdict| format!("\n      a model says: {}", verdict.as_str()));
    format!("{}\n      {}{}", told(&one.newer), told(&one.older), verdict.unwrap_or_default())
}
