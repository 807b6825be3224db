//! What a search found, as text.

use jiff::civil::Date;
use mindfile::search::{Hit, QueryTerm};

use crate::text::style::{FAINT, PLACE, SCORE};
use crate::text::{clean, quantity, wrap};

const INDENT: &str = "       ";

/// One hit: `0.812  memory/2026-07-14.md#L5-L9  (2 months ago)`, then the snippet. Its place is left out where it is not told.
pub fn hit(
    hit: &Hit,
    place: Option<&str>,
    sought: &[QueryTerm],
    (today, width): (Date, Option<usize>),
) -> String {
    let mut text = header(hit, place, today);
    let width = width.map(|width| width.saturating_sub(INDENT.len()));
    for line in wrap::lines(&hit.snippet, &hit.marks(sought), width) {
        if !line.is_empty() {
            text.push_str(INDENT);
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn header(hit: &Hit, place: Option<&str>, today: Date) -> String {
    let place = place.map(|place| format!("  {PLACE}{}{PLACE:#}", clean::text(place))).unwrap_or_default();
    let age = day_of(&hit.path).map(|day| format!("  {FAINT}({}){FAINT:#}", quantity::age(day, today)));
    let told = told(hit).map(|told| format!("  {FAINT}({}){FAINT:#}", clean::text(&told)));
    let about = age.or(told).unwrap_or_default();
    let past = hit.past.as_ref().map(|past| format!("  {FAINT}({past}){FAINT:#}")).unwrap_or_default();
    format!("{SCORE}{:.3}{SCORE:#}{place}{about}{past}\n", hit.score)
}

/// Who said it in a conversation, and when: `user, 2026-07-14`.
fn told(hit: &Hit) -> Option<String> {
    let first = hit.spoken.first()?;
    let mut who: Vec<&str> = Vec::new();
    for one in &hit.spoken {
        let name = one.speaker.as_deref().unwrap_or_else(|| one.role.as_str());
        if !who.contains(&name) {
            who.push(name);
        }
    }
    let day = first.at.map(|at| format!(", {}", at.strftime("%Y-%m-%d"))).unwrap_or_default();
    Some(format!("{}{day}", who.join(" and ")))
}

/// The day that the name of a daily note says.
fn day_of(path: &str) -> Option<Date> {
    let name = path.rsplit('/').next()?.strip_suffix(".md")?;
    let (day, rest) = name.split_at_checked(10)?;
    (rest.is_empty() || rest.starts_with('-')).then(|| day.parse().ok()).flatten()
}
