//! What a search found, as text.

use jiff::civil::Date;
use mindfile::search::{Hit, QueryTerm, Sure};

use crate::text::style::{FAINT, HEAD, PLACE, SCORE};
use crate::text::{clean, quantity, wrap};

const INDENT: &str = "       ";
/// Before the line that answers best.
const ANSWER: &str = "     › ";

/// One hit: `0.812  answers  memory/2026-07-14.md#L5-L9  (2 months ago)`, then the snippet, with a mark at the line that
/// answers best; of a weak hit that line alone. Its place is left out where it is not told.
pub fn hit(
    hit: &Hit,
    place: Option<&str>,
    sought: &[QueryTerm],
    (today, width): (Date, Option<usize>),
) -> String {
    let mut text = header(hit, place, today);
    let width = width.map(|width| width.saturating_sub(INDENT.len()));
    if hit.sure == Sure::Weak {
        push(&mut text, INDENT, wrap::lines(&hit.answer.text, &[], width));
        return text;
    }
    let marks = hit.marks(sought);
    let answer = hit.answer_at();
    let mut start = 0;
    for line in hit.snippet.split('\n') {
        let end = start + line.len();
        let inside = marks.iter().filter(|mark| mark.start < end && start < mark.end);
        let inside: Vec<_> =
            inside.map(|mark| mark.start.max(start) - start..mark.end.min(end) - start).collect();
        let answers = answer.is_some_and(|at| (start..=end).contains(&at));
        let first = if answers { format!("{HEAD}{ANSWER}{HEAD:#}") } else { INDENT.to_owned() };
        push(&mut text, &first, wrap::lines(line, &inside, width));
        start = end + 1;
    }
    text
}

/// The folded lines of one line.
fn push(text: &mut String, first: &str, folded: Vec<String>) {
    for (at, line) in folded.into_iter().enumerate() {
        if !line.is_empty() {
            text.push_str(if at == 0 { first } else { INDENT });
        }
        text.push_str(&line);
        text.push('\n');
    }
}

fn header(hit: &Hit, place: Option<&str>, today: Date) -> String {
    let place = place.map(|place| format!("  {PLACE}{}{PLACE:#}", clean::text(place))).unwrap_or_default();
    let age = day_of(&hit.path).map(|day| format!("  {FAINT}({}){FAINT:#}", quantity::age(day, today)));
    let told = told(hit).map(|told| format!("  {FAINT}({}){FAINT:#}", clean::text(&told)));
    let about = age.or(told).unwrap_or_default();
    let past = hit.past.as_ref().map(|past| format!("  {FAINT}({past}){FAINT:#}")).unwrap_or_default();
    let style = if hit.sure == Sure::Weak { FAINT } else { SCORE };
    format!("{style}{:.3}  {}{style:#}{place}{about}{past}\n", hit.score, hit.sure.as_str())
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
