//! A fact line in a note: at its end under a heading, or in the place of another line.

use mindfile_note::chunk::{self, End, PlacedFact, Resume};
use mindfile_note::fact::{self, Line};
use mindfile_note::text::{self, extent};
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{self as workspace, Expect, NotePath, Writer};

use crate::error::Error;

/// How often a line is put in place anew when someone else writes the note at the same moment.
const ATTEMPTS: usize = 5;

/// What must stand between the end of a note and a list item, so that it is one and under its heading.
/// `text` is what follows a place in the note, or all of it.
pub(super) fn lead(text: &str, from: Option<&Resume>, wanted: &str) -> String {
    let End { heading, fence } = chunk::end(text, from);
    let close = fence.map_or_else(String::new, |fence| format!("{fence}\n"));
    if heading.is_some_and(|(_, words)| words == wanted) {
        let spaced = close.is_empty() && ends_in_item(text);
        return if spaced { close } else { format!("{close}\n") };
    }
    let gap = if text.trim().is_empty() { "" } else { "\n" };
    format!("{close}{gap}## {wanted}\n\n")
}

/// Whether a list item may follow without a blank line: after another one, or after a blank line.
fn ends_in_item(text: &str) -> bool {
    let last = text::lines(text).last().unwrap_or("");
    last.trim().is_empty() || fact::read(last).is_some()
}

/// One change of a line that stands in a note.
pub struct Edit<'a> {
    /// The fact's id, and the line's number when it was last seen.
    pub id: &'a str,
    pub line: u32,
    pub change: &'a dyn Fn(&mut Line<'_>),
    /// A further line after it.
    pub after: Option<&'a Line<'a>>,
}

/// A note's text with several lines changed; none if nothing changes. Lines that are not there any more are passed over.
pub(super) fn edit_all(text: &str, edits: &[Edit<'_>], cover: &Cover<'_>) -> Option<String> {
    let one = |text: String, edit| edited(&text, edit, cover).unwrap_or(text);
    let whole = edits.iter().fold(text.to_owned(), one);
    (whole != text).then_some(whole)
}

/// Puts what `change` makes of a note in its place, if nobody else changes it meanwhile; else it is read and changed
/// again. False if there is nothing to change.
pub(super) fn rewrite(
    workspace: &Writer,
    path: &NotePath,
    change: &dyn Fn(&str) -> Option<String>,
) -> Result<bool, Error> {
    let unusable = |what: &str| Error::Io {
        path: path.as_str().into(),
        source: std::io::Error::other(format!("{what}, and is not rewritten")),
    };
    for _ in 0..ATTEMPTS {
        let read = workspace.read(path, NOTE_LIMIT)?;
        if read.truncated {
            return Err(unusable("it is longer than 16 MiB"));
        }
        let old = std::str::from_utf8(&read.bytes)
            .map_err(|error| unusable(&format!("it is not UTF-8 ({error})")))?;
        let Some(new) = change(old) else { return Ok(false) };
        match workspace.replace(path, new.as_bytes(), Expect::Bytes(&read.bytes)) {
            Err(workspace::Error::Conflict { kept: None, .. }) => {}
            done => return Ok(done.map(|_| true)?),
        }
    }
    Err(workspace::Error::Conflict { path: path.clone(), kept: None }.into())
}

/// A text as it is indexed.
pub(super) type Cover<'a> = dyn Fn(&str) -> String + 'a;

pub(super) fn edited(text: &str, edit: &Edit<'_>, cover: &Cover<'_>) -> Option<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let facts = chunk::facts(body);
    // A fact without an id of its own is known by what it says, and what is masked says something else in the index.
    let line = nearest(&facts, edit).or_else(|| nearest(&chunk::facts(&cover(body)), edit))?;
    let placed = facts.iter().find(|placed| placed.line == line)?;
    let (start, end) = extent(text, placed.text);
    let mut line = placed.fact.clone();
    (edit.change)(&mut line);
    let mut new = fact::write(&line);
    if let Some(after) = edit.after {
        let indent = placed.text.len() - placed.text.trim_start().len();
        new.push_str(if text[end..].starts_with("\r\n") { "\r\n" } else { "\n" });
        new.push_str(&placed.text[..indent]);
        new.push_str(&fact::write(after));
    }
    Some([&text[..start], &new, &text[end..]].concat())
}

/// The line of the fact that is meant.
fn nearest(facts: &[PlacedFact<'_>], edit: &Edit<'_>) -> Option<u32> {
    let same = facts.iter().filter(|placed| placed.fact.id_or_derived() == edit.id);
    same.map(|placed| placed.line).min_by_key(|line| line.abs_diff(edit.line))
}

#[cfg(test)]
mod tests {
    use mindfile_note::fact::Name;

    use super::*;
    use mindfile_note::fact::RETAIN;

    #[test]
    fn a_fact_stands_under_its_heading_whatever_the_note_ends_with() {
        for (text, expected) in [
            ("", "## Retain\n\n"),
            ("# Day\n\ntext\n", "\n## Retain\n\n"),
            ("# Day\n\n## Retain\n\n- W: a\n", ""),
            ("# Day\n\n## Retain\n\ntext\n", "\n"),
            ("## Retain\n\n- W: a\n\n## Later\n", "\n## Retain\n\n"),
            ("```\ncode\n", "```\n\n## Retain\n\n"),
        ] {
            assert_eq!(lead(text, None, RETAIN), expected, "{text:?}");
            let whole = format!("{text}{}- W: new\n", lead(text, None, RETAIN));
            let found = chunk::facts(&whole);
            assert_eq!(
                found.last().map(|f| (f.fact.text(), f.heading.last().map(String::as_str))),
                Some(("new", Some("Retain")))
            );
        }
    }

    #[test]
    fn an_edit_changes_one_line_and_no_other_byte() {
        let bytes = "\u{feff}# Day\r\n- O(key=a) @u: dark ^x1\r\n\tlast";
        let after = Line::new(mindfile_note::fact::Kind::Opinion, ["u"], "light").unwrap();
        let change = |line: &mut Line<'_>| line.set(Name::Until, Some("2026-01-02"));
        let edit = Edit { id: "x1", line: 9, change: &change, after: Some(&after) };
        let new = edited(bytes, &edit, &str::to_owned).unwrap();
        assert_eq!(
            new,
            "\u{feff}# Day\r\n- O(key=a,until=2026-01-02) @u: dark ^x1\r\n- O @u: light\r\n\tlast"
        );
        assert_eq!(edited(bytes, &Edit { id: "gone", ..edit }, &str::to_owned), None);
    }
}
