//! Marked text, folded to the width of the terminal.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::clean;
use super::style::MARK;

/// The lines of `text`, cleaned, with what `marks` names in bold. Without a width, lines stay as long as they are.
pub fn lines(text: &str, marks: &[Range<usize>], width: Option<usize>) -> Vec<String> {
    let mut folded = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let mut fold = Fold::new(width);
        for (at, word) in words(line) {
            let from = start + at;
            let is_marked = marks.iter().any(|mark| mark.start < from + word.len() && from < mark.end);
            fold.word(&clean::text(word.trim_end_matches('\r')), is_marked);
        }
        folded.extend(fold.finish());
        start += line.len() + 1;
    }
    folded
}

/// Runs of spaces and runs of anything else, with where they begin.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let text = &line[rest..];
        let is_space = text.chars().next()?.is_whitespace();
        let end = text.find(|c: char| c.is_whitespace() != is_space).unwrap_or(text.len());
        let at = rest;
        rest += end;
        Some((at, &text[..end]))
    })
}

struct Fold {
    width: usize,
    used: usize,
    line: String,
    done: Vec<String>,
}

impl Fold {
    fn new(width: Option<usize>) -> Self {
        Self { width: width.unwrap_or(usize::MAX), used: 0, line: String::new(), done: Vec::new() }
    }

    fn word(&mut self, word: &str, is_marked: bool) {
        if word.trim().is_empty() {
            return self.space(word);
        }
        if self.used + word.width() > self.width && self.used > 0 && word.width() <= self.width {
            self.end_line();
        }
        if is_marked {
            self.line.push_str(&MARK.to_string());
        }
        for c in word.chars() {
            self.char(c, is_marked);
        }
        if is_marked {
            self.line.push_str(&MARK.render_reset().to_string());
        }
    }

    /// A space at a fold is dropped; at the beginning of a line of the text it is kept.
    fn space(&mut self, space: &str) {
        let space = space.replace('\t', "    ");
        if self.used + space.width() >= self.width {
            self.end_line();
        } else if self.used > 0 || self.done.is_empty() {
            self.used += space.width();
            self.line.push_str(&space);
        }
    }

    fn char(&mut self, c: char, is_marked: bool) {
        let wide = c.width().unwrap_or(0);
        if self.used + wide > self.width {
            if is_marked {
                self.line.push_str(&MARK.render_reset().to_string());
            }
            self.end_line();
            if is_marked {
                self.line.push_str(&MARK.to_string());
            }
        }
        self.used += wide;
        self.line.push(c);
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.done.push(line.trim_end().to_owned());
        self.used = 0;
    }

    fn finish(mut self) -> Vec<String> {
        if self.used > 0 || self.done.is_empty() {
            self.end_line();
        }
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, marks: &[Range<usize>], width: Option<usize>, expected: &[&str]) {
        let shown: Vec<String> = lines(text, marks, width)
            .iter()
            .map(|line| line.replace("\u{1b}[1m", "<").replace("\u{1b}[0m", ">"))
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn lines_fold_at_words_and_wide_scripts_anywhere() {
        check("one two three", &[], Some(7), &["one two", "three"]);
        check("  - item goes on", &[], Some(10), &["  - item", "goes on"]);
        check("数据库方案", &[], Some(6), &["数据库", "方案"]);
        check("a\n\nb", &[], Some(5), &["a", "", "b"]);
        check("a long line stays", &[], None, &["a long line stays"]);
    }

    #[expect(clippy::single_range_in_vec_init, reason = "a list of one mark")]
    #[test]
    fn marks_survive_cleaning_and_folding() {
        check("the \u{1b}db is slow", &[4..7], Some(40), &["the <\\u{1b}db> is slow"]);
        check("数据库方案", &[0..15], Some(6), &["<数据库>", "<方案>"]);
        check("x\r\nslow db\r\n", &[3..7], None, &["x", "<slow> db", ""]);
    }
}
