//! The lines of a note, each rated as a place to cut before.
//!
//! Cutting needs only this much Markdown: headings, blank lines, fences, list items and front matter. A table
//! or a quotation is a run of non-blank lines and needs no special treatment.

use std::iter::Peekable;

use super::{front, heading, weigh};
use crate::text::{self, Lines};

/// How good a break before a line is, from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seam {
    /// Right after a heading, which would be left behind.
    Stick,
    /// Inside a paragraph, a table, a fence.
    Inside,
    /// Between the parts of one list item.
    Nested,
    /// Between list items, or beside a fence.
    Item,
    /// At a blank line.
    Paragraph,
    /// Before a heading of level 3 to 6.
    Subheading,
    /// Before a heading of level 1 or 2.
    Section,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct OutlineLine<'a> {
    pub(super) above: LineState,
    pub(super) number: u32,
    pub(super) text: &'a str,
    /// The line end included.
    pub(super) weight: usize,
    pub(super) seam: Seam,
    /// The level, if the line is a heading.
    pub(super) level: Option<u8>,
    pub(super) blank: bool,
    /// Front matter or code, which is not Markdown.
    pub(super) verbatim: bool,
}

pub(super) struct Outline<'a> {
    lines: Peekable<Lines<'a>>,
    state: LineState,
    title: Option<String>,
}

/// What the lines above say of the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineState {
    /// How many lines there are above.
    pub(super) number: u32,
    front: usize,
    fence: Option<Fence>,
    /// The indent of the list that is open.
    list: Option<usize>,
    after: LineAbove,
    /// The next line underlines a heading.
    underline: bool,
}

/// The line above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineAbove {
    Blank,
    Heading,
    Text,
    Fence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fence {
    mark: u8,
    length: usize,
}

/// What a line is by itself.
enum Shape {
    Blank,
    Heading(u8),
    Fence(Fence),
    Item,
    Text,
}

impl<'a> Outline<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let (front, after) = (front::extent(text), LineAbove::Blank);
        let state = LineState { number: 0, front, fence: None, list: None, after, underline: false };
        Self::on(text, state, None)
    }

    /// Reads on: `rest` is what follows the lines above.
    pub(super) fn on(rest: &'a str, above: LineState, title: Option<String>) -> Self {
        Self { lines: text::lines(rest).peekable(), state: above, title }
    }

    /// Whether every line was taken, so that the last ones were read with nothing to follow them.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.lines.peek().is_none()
    }

    /// The first level-1 heading among the lines taken so far.
    pub(super) fn into_title(self) -> Option<String> {
        self.title
    }

    /// The line that would close the fence open at this point.
    pub(super) fn open_fence(&self) -> Option<String> {
        self.state.fence.map(|fence| char::from(fence.mark).to_string().repeat(fence.length))
    }

    fn seam(&mut self, line: &str) -> (Seam, Option<u8>) {
        if self.state.front > 0 {
            return (self.in_front(), None);
        }
        if std::mem::take(&mut self.state.underline) {
            return (Seam::Stick, None);
        }
        if let Some(fence) = self.state.fence {
            return (self.in_fence(line, fence), None);
        }
        let indent = line.len() - line.trim_start().len();
        match self.shape(line) {
            Shape::Blank => (self.blank(), None),
            Shape::Heading(level) => (self.heading(line, level), Some(level)),
            Shape::Fence(fence) => (self.open(fence, indent), None),
            Shape::Item => (self.item(indent), None),
            Shape::Text => (self.text(indent), None),
        }
    }

    fn shape(&mut self, line: &str) -> Shape {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            Shape::Blank
        } else if let Some(level) = heading::level(line).or_else(|| self.underlined(trimmed)) {
            Shape::Heading(level)
        } else if let Some(fence) = fence(trimmed) {
            Shape::Fence(fence)
        } else if is_item(trimmed) {
            Shape::Item
        } else {
            Shape::Text
        }
    }

    /// The level of a one-line paragraph that the next line underlines.
    fn underlined(&mut self, trimmed: &str) -> Option<u8> {
        if self.state.after == LineAbove::Text
            || self.state.list.is_some()
            || is_item(trimmed)
            || fence(trimmed).is_some()
        {
            return None;
        }
        let prose = trimmed.chars().any(char::is_alphanumeric);
        let level = self.lines.peek().filter(|_| prose).and_then(|next| heading::underline(next));
        self.state.underline = level.is_some();
        level
    }

    fn in_front(&mut self) -> Seam {
        self.state.front -= 1;
        self.state.after = if self.state.front == 0 { LineAbove::Fence } else { LineAbove::Text };
        Seam::Inside
    }

    fn in_fence(&mut self, line: &str, open: Fence) -> Seam {
        let trimmed = line.trim();
        let closes = trimmed.len() >= open.length && trimmed.bytes().all(|b| b == open.mark);
        if closes {
            self.state.fence = None;
            self.state.after = LineAbove::Fence;
        }
        Seam::Inside
    }

    fn blank(&mut self) -> Seam {
        if self.state.after == LineAbove::Heading {
            return Seam::Stick;
        }
        self.state.after = LineAbove::Blank;
        if self.state.list.is_some() { Seam::Nested } else { Seam::Paragraph }
    }

    fn heading(&mut self, line: &str, level: u8) -> Seam {
        let above = std::mem::replace(&mut self.state.after, LineAbove::Heading);
        self.state.list = None;
        if level == 1 && self.title.is_none() {
            self.title = Some(heading::clean(line)).filter(|title| !title.is_empty());
        }
        match (above, level) {
            (LineAbove::Heading, _) => Seam::Stick,
            (LineAbove::Blank | LineAbove::Text | LineAbove::Fence, 1 | 2) => Seam::Section,
            (LineAbove::Blank | LineAbove::Text | LineAbove::Fence, _) => Seam::Subheading,
        }
    }

    fn open(&mut self, fence: Fence, indent: usize) -> Seam {
        self.state.fence = Some(fence);
        let above = std::mem::replace(&mut self.state.after, LineAbove::Text);
        match (above, self.list_holds(indent)) {
            (LineAbove::Heading, _) => Seam::Stick,
            (LineAbove::Blank | LineAbove::Text | LineAbove::Fence, true) => Seam::Nested,
            (LineAbove::Blank, false) => Seam::Paragraph,
            (LineAbove::Text | LineAbove::Fence, false) => Seam::Item,
        }
    }

    fn item(&mut self, indent: usize) -> Seam {
        let above = std::mem::replace(&mut self.state.after, LineAbove::Text);
        match (above, self.state.list) {
            (LineAbove::Heading, _) => {
                self.state.list = Some(indent);
                Seam::Stick
            }
            (LineAbove::Blank | LineAbove::Text | LineAbove::Fence, Some(base)) if indent > base + 1 => {
                Seam::Nested
            }
            (LineAbove::Blank | LineAbove::Text | LineAbove::Fence, Some(_)) => Seam::Item,
            (LineAbove::Blank | LineAbove::Text | LineAbove::Fence, None) => {
                self.state.list = Some(indent);
                first_item_seam(above)
            }
        }
    }

    fn text(&mut self, indent: usize) -> Seam {
        let above = std::mem::replace(&mut self.state.after, LineAbove::Text);
        match above {
            LineAbove::Heading => Seam::Stick,
            LineAbove::Text => Seam::Inside,
            LineAbove::Blank | LineAbove::Fence if self.list_holds(indent) => Seam::Nested,
            LineAbove::Blank => Seam::Paragraph,
            LineAbove::Fence => Seam::Item,
        }
    }

    /// Whether a line with this indent belongs to an open list item; if not, the list ends.
    fn list_holds(&mut self, indent: usize) -> bool {
        self.state.list = self.state.list.filter(|base| indent >= base + 2);
        self.state.list.is_some()
    }
}

impl<'a> Iterator for Outline<'a> {
    type Item = OutlineLine<'a>;

    fn next(&mut self) -> Option<OutlineLine<'a>> {
        let text = self.lines.next()?;
        let above = self.state;
        self.state.number = self.state.number.saturating_add(1);
        let verbatim = self.state.front > 0
            || self.state.fence.is_some()
            || (self.state.list.is_none() && is_indented(text));
        let (seam, level) = self.seam(text);
        let blank = text.trim().is_empty();
        Some(OutlineLine {
            above,
            number: self.state.number,
            text,
            weight: weigh::weight(text),
            seam,
            level,
            blank,
            verbatim,
        })
    }
}

/// Keeps the lead-in of a list with its first item.
fn first_item_seam(above: LineAbove) -> Seam {
    match above {
        LineAbove::Blank => Seam::Paragraph,
        LineAbove::Heading => Seam::Stick,
        LineAbove::Text => Seam::Inside,
        LineAbove::Fence => Seam::Item,
    }
}

fn fence(trimmed: &str) -> Option<Fence> {
    let mark = *trimmed.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
    let length = trimmed.bytes().take_while(|&b| b == mark).count();
    let inline_code = mark == b'`' && trimmed[length..].contains('`');
    (length >= 3 && !inline_code).then_some(Fence { mark, length })
}

/// Far enough for code, where no list is open.
fn is_indented(line: &str) -> bool {
    line.starts_with("    ") || line.trim_start_matches(' ').starts_with('\t')
}

fn is_item(trimmed: &str) -> bool {
    let digits = trimmed.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let marks: &[u8] = if digits == 0 { b"-*+" } else { b".)" };
    let mut after = trimmed.bytes().skip(digits);
    after.next().is_some_and(|b| marks.contains(&b)) && matches!(after.next(), None | Some(b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let shown: String =
            Outline::new(text).map(|l| format!("{:<10} {}\n", format!("{:?}", l.seam), l.text)).collect();
        expected.assert_eq(&shown);
    }

    #[test]
    fn headings_are_the_best_seams_and_keep_what_follows() {
        check(
            "# A\n\n## B\ntext\nmore\n\n### C\n\ntext\n## D",
            expect![[r#"
            Section    # A
            Stick      
            Stick      ## B
            Stick      text
            Inside     more
            Paragraph  
            Subheading ### C
            Stick      
            Stick      text
            Section    ## D
        "#]],
        );
    }

    #[test]
    fn list_items_are_whole() {
        check(
            "Lead:\n- a\n  more\n  - nested\n\n  part\n- b\nlazy\n\nafter\n\n1. x\n2) y\n",
            expect![[r#"
            Paragraph  Lead:
            Inside     - a
            Inside       more
            Nested       - nested
            Nested     
            Nested       part
            Item       - b
            Inside     lazy
            Nested     
            Paragraph  after
            Paragraph  
            Paragraph  1. x
            Item       2) y
        "#]],
        );
    }

    #[test]
    fn a_fence_hides_what_is_in_it() {
        check(
            "a\n```sh\n# no heading\n\n- no item\n````\nb\n\n~~~\n```\n",
            expect![[r#"
            Paragraph  a
            Item       ```sh
            Inside     # no heading
            Inside     
            Inside     - no item
            Inside     ````
            Item       b
            Paragraph  
            Paragraph  ~~~
            Inside     ```
        "#]],
        );
    }

    #[test]
    fn front_matter_and_underlined_headings_are_known() {
        check(
            "---\n# yaml comment\n---\nTitle\n=====\n\ntext\n\nSub\n---\n\na\n\n---\n\nb\n",
            expect![[r#"
                Inside     ---
                Inside     # yaml comment
                Inside     ---
                Section    Title
                Stick      =====
                Stick      
                Stick      text
                Paragraph  
                Section    Sub
                Stick      ---
                Stick      
                Stick      a
                Paragraph  
                Paragraph  ---
                Paragraph  
                Paragraph  b
            "#]],
        );
    }
}
