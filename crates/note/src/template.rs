//! Pages that a program puts into a new workspace, and that nobody has written yet. A paragraph that stands there as it
//! was put there is no memory: it answers no question and is given to no model.
//!
//! A paragraph is known by the name of its file and its digest. A list, a code block and a heading are paragraphs of their
//! own; a heading stays as long as something under it does.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use crate::hash::Digest;
use crate::text;

/// `@ FILE: SOURCE`, then the digests of that file's paragraphs.
const TABLE: &str = include_str!("template/paragraphs.txt");
const DIGITS: usize = 16;

/// Whether templates put something into a file of this name.
pub fn fills(path: &str) -> bool {
    !paragraphs_of(path).is_empty()
}

/// A decoded note with nothing in the place of what a template put there. Every line keeps its number.
pub fn own_text<'a>(path: &str, text: &'a str) -> Cow<'a, str> {
    let known = paragraphs_of(path);
    if known.is_empty() {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text::lines(text).collect();
    let paragraphs = paragraphs(&lines);
    let untouched: Vec<bool> =
        paragraphs.iter().map(|at| known.contains(&*digest(path, &lines[at.clone()]))).collect();
    let mut blank = Vec::new();
    for (number, at) in paragraphs.iter().enumerate() {
        let below = || section(&lines, &paragraphs, number);
        if untouched[number] && below().all(|other| untouched[other]) {
            blank.extend(at.clone());
        }
    }
    if blank.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(without(text, &blank)) }
}

/// The paragraphs that templates put into a file at the root of a workspace.
fn paragraphs_of(path: &str) -> HashSet<&'static str> {
    let files = TABLE.split("\n@ ").skip(1).filter_map(|file| file.split_once('\n'));
    let digests = files.filter(|(head, _)| head.split_once(": ").is_some_and(|(name, _)| name == path));
    digests.flat_map(|(_, digests)| digests.split_whitespace()).collect()
}

fn digest(path: &str, lines: &[&str]) -> String {
    let mut digest = Digest::of(format!("{path}\n{}", lines.join("\n")).as_bytes()).to_string();
    digest.truncate(DIGITS);
    digest
}

/// The lines of each paragraph. Nothing parts a block of code.
fn paragraphs(lines: &[&str]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut fenced, mut joins) = (false, false);
    for (at, line) in lines.iter().enumerate() {
        let is_fence = ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence));
        let (is_blank, is_heading) = (line.trim().is_empty(), level(line).is_some());
        if !fenced && is_blank {
            joins = false;
            continue;
        }
        match found.last_mut().filter(|_| fenced || (joins && !is_heading)) {
            Some(last) => last.end = at + 1,
            None => found.push(at..at + 1),
        }
        joins = fenced || !is_heading;
        fenced ^= is_fence;
    }
    found
}

fn level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    (level > 0).then_some(level)
}

/// The paragraphs under a heading; none under anything else.
fn section<'p>(
    lines: &[&str],
    paragraphs: &'p [Range<usize>],
    number: usize,
) -> impl Iterator<Item = usize> + use<'p> {
    let level_of = |number: usize| level(lines[paragraphs[number].start]);
    let own = level_of(number);
    let after = number + 1..paragraphs.len();
    let ends = |other: &usize| level_of(*other).is_some_and(|other| own.is_some_and(|own| other <= own));
    let end = match own {
        None => number + 1,
        Some(_) => after.clone().find(ends).unwrap_or(after.end),
    };
    number + 1..end
}

/// A text without what stands on these lines, counted from 0.
fn without(text: &str, blank: &[usize]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    for (number, line) in text::lines(text).enumerate() {
        let (_, after) = rest.split_at(line.len());
        let terminator = match after.as_bytes() {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            [_, ..] => 1,
        };
        if blank.binary_search(&number).is_err() {
            kept.push_str(line);
        }
        kept.push_str(&after[..terminator]);
        rest = &after[terminator..];
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The opening of OpenClaw's page, which stands in many workspaces as it is.
    const USER: &str = "# USER.md - About Your Human\n\n*Learn about the person you're helping. Update this as you go.*\n\n- **Name:** \n- **What to call them:** \n- **Pronouns:** *(optional)*\n- **Timezone:** \n- **Notes:** \n\n## Context\n\n*(What do they care about? What projects are they working on? What annoys them? What makes them laugh? Build this over time.)*\n\n---\n\nThe more you know, the better you can help. But remember — you're learning about a person, not building a dossier. Respect the difference.\n";

    fn check(path: &str, text: &str, expected: &str) {
        assert_eq!(own_text(path, text), expected);
        assert_eq!(text::lines(&own_text(path, text)).count(), text::lines(text).count());
    }

    #[test]
    fn a_template_that_nobody_touched_says_nothing() {
        assert_eq!(own_text("USER.md", USER).trim(), "");
        assert_eq!(own_text("USER.md", &USER.replace('\n', "\r\n")).trim(), "");
    }

    #[test]
    fn what_somebody_wrote_into_a_template_stays_under_its_headings() {
        let text = USER.replace("- **Name:** \n", "- **Name:** Ada\n");
        let own = "\n\n- **Name:** Ada\n- **What to call them:** \n- **Pronouns:** *(optional)*\n- **Timezone:** \n- **Notes:** \n";
        let lead = "# USER.md - About Your Human\n\n";
        check("USER.md", &text, &format!("{lead}{own}{}", "\n".repeat(8)));
        let text = USER.replace("\n---\n", "\nShe likes tea.\n");
        let own = "\n## Context\n\n\n\nShe likes tea.\n\n\n";
        check("USER.md", &text, &format!("{lead}\n\n\n\n\n\n\n{own}"));
    }

    #[test]
    fn the_same_words_in_a_note_of_ones_own_are_memory() {
        check("memory/USER.md", USER, USER);
        check("notes.md", USER, USER);
        check("USER.md", "# Ada\n\nShe likes tea.\n", "# Ada\n\nShe likes tea.\n");
    }
}
