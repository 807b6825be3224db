//! A summary without a model: sentences that rules choose, and what was named. It says of itself what it is.

use mindfile_model::count;

use super::candidate;
use super::essentials;
use super::flatten;
use super::window::{Summary, Turn};
use super::{Role, path_of};

/// Tokens of a digest, about; at most a quarter of what it stands for.
const BUDGET: u64 = 2_000;
/// Characters of a request that are shown.
const REQUEST: usize = 160;

/// The extract of a span.
pub(super) fn digest(session: &str, before: Option<&Summary>, span: &[Turn]) -> String {
    let lines = match (span.first(), span.last()) {
        (Some(first), Some(last)) => format!("#L{}-L{}", first.line, last.line),
        (None, _) | (_, None) => String::new(),
    };
    let mut digest = format!(
        "Extract of {} messages, made by rules and without a model: not a summary. In full: {}{lines}\n",
        span.len(),
        path_of(session)
    );
    let spoken: u64 = span.iter().map(|turn| turn.tokens).sum();
    let mut room = usize::try_from(BUDGET.min(spoken / 4)).unwrap_or(0);
    section(&mut digest, &mut room, "Said to matter", span.iter().rev().flat_map(candidates));
    section(&mut digest, &mut room, "Asked for", span.iter().rev().filter_map(request));
    let texts: Vec<String> = span.iter().map(|turn| turn.message.text()).collect();
    let mut named = essentials::find(texts.iter().map(String::as_str));
    named.reverse();
    section(&mut digest, &mut room, "Named", named.into_iter());
    if let Some(before) = before {
        section(&mut digest, &mut room, "Before that", before.text.lines().skip(1).map(str::to_owned));
    }
    digest
}

/// Items as long as there is room, in the order given.
fn section(digest: &mut String, room: &mut usize, title: &str, items: impl Iterator<Item = String>) {
    let mut taken = Vec::new();
    for item in items.filter(|item| !item.trim().is_empty()) {
        let tokens = count::tokens(&item) + 2;
        if tokens > *room {
            break;
        }
        *room -= tokens;
        taken.push(item);
    }
    if !taken.is_empty() {
        let (mark, between) = if title == "Named" { ("", ", ") } else { ("- ", "\n- ") };
        digest.push_str(&format!("\n{title}:\n{mark}{}\n", taken.join(between)));
    }
}

fn candidates(turn: &Turn) -> Vec<String> {
    let found = candidate::find(turn.line, &turn.message);
    found.into_iter().map(|found| format!("{} (L{})", found.text, found.line)).collect()
}

fn request(turn: &Turn) -> Option<String> {
    if turn.message.role != Role::User {
        return None;
    }
    let text = flatten::spoken(&turn.message.text()).split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = text.chars().take(REQUEST).collect();
    (!cut.is_empty()).then(|| format!("{cut} (L{})", turn.line))
}
