//! The fact lines of a note: those outside front matter, code and quotations.

use super::heading;
use super::outline::Outline;
use super::resume::Resume;
use crate::fact;

/// A fact line with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedFact<'a> {
    /// Counted from 1.
    pub line: u32,
    /// The headings in force above it, outermost first.
    pub heading: Vec<String>,
    /// The whole line, without its terminator.
    pub text: &'a str,
    pub fact: fact::Line<'a>,
}

/// Every fact of a decoded text, in its order.
pub fn facts(text: &str) -> Vec<PlacedFact<'_>> {
    facts_on(text, None, usize::MAX)
}

/// The first facts of a text, or of what follows a place in it, up to a limit.
pub fn facts_on<'a>(text: &'a str, from: Option<&Resume>, most: usize) -> Vec<PlacedFact<'a>> {
    let mut path: Vec<(u8, String)> = from.map(|from| from.path.clone()).unwrap_or_default();
    let mut found = Vec::new();
    for line in Resume::outline(from, text) {
        if found.len() == most {
            break;
        }
        if let Some(level) = line.level {
            path.retain(|(above, _)| *above < level);
            path.push((level, heading::clean(line.text)));
        } else if let Some(fact) = fact::read(line.text).filter(|_| !line.verbatim) {
            let heading = path.iter().map(|(_, words)| words.clone()).collect();
            found.push(PlacedFact { line: line.number, heading, text: line.text, fact });
        }
    }
    found
}

/// A line with what it is: front matter or code, a fact, or neither.
#[derive(Debug, Clone)]
pub(crate) struct ReadLine<'a> {
    pub(crate) text: &'a str,
    pub(crate) verbatim: bool,
    pub(crate) fact: Option<fact::Line<'a>>,
}

/// Every line of a decoded text.
pub(crate) fn read_lines(text: &str) -> impl Iterator<Item = ReadLine<'_>> {
    Outline::new(text).map(|line| {
        let is_fact = line.level.is_none() && !line.verbatim;
        ReadLine { text: line.text, verbatim: line.verbatim, fact: fact::read(line.text).filter(|_| is_fact) }
    })
}

/// The context of a line appended to a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct End {
    /// The heading in force, with its level.
    pub heading: Option<(u8, String)>,
    /// What closes a fence that is still open.
    pub fence: Option<String>,
}

/// Of a text, or of what follows a place in it.
pub fn end(text: &str, from: Option<&Resume>) -> End {
    let mut outline = Resume::outline(from, text);
    let mut heading = from.and_then(|from| from.path.last().cloned());
    for line in outline.by_ref() {
        heading = line.level.map(|level| (level, heading::clean(line.text))).or(heading);
    }
    End { heading, fence: outline.open_fence() }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let shown: String =
            facts(text).iter().map(|f| format!("{} {:?} {}\n", f.line, f.heading, f.fact.text())).collect();
        expected.assert_eq(&shown);
    }

    #[test]
    fn facts_are_found_under_their_headings_whatever_ends_a_line() {
        check(
            "# Day\r\n\r\n- W @a: one\r\ntext\r\n## Retain\r\n* B(s=0.9) @b: two ^x\r\n  - O @c: nested\r\n",
            expect![[r#"
            3 ["Day"] one
            6 ["Day", "Retain"] two
            7 ["Day", "Retain"] nested
        "#]],
        );
    }

    #[test]
    fn the_end_of_a_text_says_what_a_further_line_would_stand_in() {
        assert_eq!(end("", None), End::default());
        let open = end("# A\n\n## Retain\n\n- W: x\n~~~~py\n# no heading\n", None);
        assert_eq!(open, End { heading: Some((2, "Retain".to_owned())), fence: Some("~~~~".to_owned()) });
    }

    #[test]
    fn code_quotations_and_front_matter_hold_no_facts() {
        check(
            "---\n- W: front\n---\n```\n- W: fenced\n```\n> - W: quoted\n\n    - W: indented code\n\n- W: real\n\n~~~\n- W: never closed",
            expect![[r#"
            11 [] real
        "#]],
        );
    }
}
