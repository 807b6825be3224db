//! What was edited, trusted and forgotten, as text.

use mindfile::fact::Edited;
use mindfile::forget::{Forgotten, Line, Message, Why};
use mindfile::origin::Trusted;

use super::clean;
use super::quantity::count;
use super::style::{FAINT, PLACE};

pub(crate) fn edited(edited: &Edited) -> String {
    let fact = &edited.fact;
    let text = format!("✓ Edited: {} (v{})\n  was: {}\n", fact.shown(), fact.version, edited.before);
    let place = format!("  {}#L{} ^{}\n", fact.path, fact.line, fact.id);
    clean::text(&(text + &place)).into_owned()
}

pub(crate) fn trusted(trusted: &Trusted) -> String {
    let (fact, before) = (&trusted.fact, trusted.before.as_str());
    clean::text(&format!("✓ {before} → {}: {}\n", fact.origin.as_str(), fact.text)).into_owned()
}

/// Every line that goes, where it stands and why, then what else goes.
pub(crate) fn forgotten(forgotten: &Forgotten, dry_run: bool) -> String {
    if forgotten.is_empty() {
        return "Nothing of it is known.\n".to_owned();
    }
    let mut text = String::new();
    for note in &forgotten.notes {
        text.push_str(&format!("{PLACE}{}{PLACE:#}  the whole note\n", clean::text(note)));
    }
    forgotten.lines.iter().for_each(|gone| text.push_str(&line(gone)));
    forgotten.messages.iter().for_each(|gone| text.push_str(&message(gone)));
    for file in &forgotten.files {
        text.push_str(&format!("{PLACE}{}{PLACE:#}\n", clean::text(file)));
    }
    let all = [
        count(forgotten.facts, "fact"),
        count(forgotten.notes.len(), "note"),
        count(forgotten.lines.len(), "line"),
        count(forgotten.messages.len(), "message"),
    ];
    let (done, all) = (if dry_run { "Would forget" } else { "✓ Forgotten" }, all.join(", "));
    text.push_str(&format!("{done}: {all}\n"));
    for why in &forgotten.pending {
        text.push_str(&format!("pending: {}; the next sync goes on\n", clean::text(why)));
    }
    text
}

fn line(gone: &Line) -> String {
    let place = format!("{}#L{}", gone.path, gone.line);
    format!("{PLACE}{}{PLACE:#}  {}{}\n", clean::text(&place), clean::text(gone.text.trim()), why(gone.why))
}

fn message(gone: &Message) -> String {
    let place = format!("sessions/{}.jsonl#L{}", gone.session, gone.line);
    format!("{PLACE}{}{PLACE:#}  {}{}\n", clean::text(&place), clean::text(&gone.text), why(gone.why))
}

fn why(why: Why) -> String {
    match why {
        Why::Asked => String::new(),
        Why::Cites => format!("  {FAINT}(rests on it){FAINT:#}"),
        Why::Quotes => format!("  {FAINT}(says the same){FAINT:#}"),
    }
}
