//! The cells of a table below a word of its head.

use std::ops::Range;

/// How much of a head and of a table is looked at.
const LONGEST_HEAD: usize = 1 << 10;
const LONGEST: usize = 16 << 10;

/// The cells below the one in which a span stands, without spaces and quotes; none where it is in no head of a table.
pub(super) fn below(text: &str, span: &Range<usize>) -> Vec<Range<usize>> {
    let from = text.floor_char_boundary(span.start.saturating_sub(LONGEST_HEAD));
    let start = text[from..span.start].rfind('\n').map_or(from, |at| from + at + 1);
    let column = text[start..span.start].matches('|').count();
    let Some(head) = text[start..cut(text, start + LONGEST_HEAD)].find('\n').map(|at| start + at + 1) else {
        return Vec::new();
    };
    let is_rule = |line: &str| line.contains('-') && line.trim().chars().all(|c| "|-: ".contains(c));
    let mut lines = text[head..cut(text, head + LONGEST)].split_inclusive('\n');
    let rule = lines.next().unwrap_or_default();
    if !text[start..head].contains('|') || !is_rule(rule) {
        return Vec::new();
    }
    let mut at = head + rule.len();
    let mut cells = Vec::new();
    for row in lines.take_while(|line| line.contains('|')) {
        let before: usize = row.split('|').take(column).map(|cell| cell.len() + 1).sum();
        if let Some(cell) = row.split('|').nth(column) {
            let value = cell.trim().trim_matches(['`', '*', '"', '\'']);
            if value.contains(char::is_whitespace) {
                at += row.len();
                continue;
            }
            let lead = cell.find(value).unwrap_or_default();
            cells.push(at + before + lead..at + before + lead + value.len());
        }
        at += row.len();
    }
    cells
}

fn cut(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at.min(text.len()))
}
