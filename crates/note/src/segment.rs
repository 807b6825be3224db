//! The pieces of a text that are shown or left out as a whole: a line, or a sentence of a long line.

use std::ops::Range;

/// A longer line is cut into sentences.
const LONG_LINE: usize = 280;
/// Shorter pieces are not sentences of their own.
const SHORT_SENTENCE: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Bytes of the text, without the end of the line.
    pub range: Range<usize>,
    /// Counted from 0.
    pub line: u32,
}

/// All segments, in order. Only line ends lie between them.
pub fn segments(text: &str) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut start = 0;
    for (line, content) in (0..).zip(text.split('\n')) {
        for range in sentences(content) {
            segments.push(Segment { range: start + range.start..start + range.end, line });
        }
        start += content.len() + 1;
    }
    segments
}

/// Yields a short line whole, a long one sentence by sentence.
fn sentences(line: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    if line.len() <= LONG_LINE {
        ranges.push(0..line.len());
        return ranges;
    }
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' | ';' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        let end = at + c.len_utf8();
        if (ends && end - start > SHORT_SENTENCE) || end - start > 2 * LONG_LINE {
            ranges.push(start..end);
            start = end;
        }
    }
    if start < line.len() {
        ranges.push(start..line.len());
    }
    ranges
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_line_is_cut_after_its_sentences() {
        let first = "The restore drill of Thursday took two hours and forty minutes. ";
        let line = first.repeat(6);
        let found = segments(&format!("short. line\n{line}"));
        assert_eq!(found[0], Segment { range: 0..11, line: 0 });
        assert_eq!(found.len(), 8);
        assert!(found[1..].iter().all(|segment| segment.line == 1));
        assert_eq!(found[1].range.len(), first.trim_end().len());
    }

    proptest! {
        #[test]
        fn segments_are_the_text_but_for_the_ends_of_lines(text in "([a-zé。]{0,400}[.?!]? ?\n?){0,9}") {
            let joined: String = segments(&text).iter().map(|segment| &text[segment.range.clone()]).collect();
            prop_assert_eq!(joined, text.replace('\n', ""));
        }
    }
}
