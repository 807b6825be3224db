//! The screen as lines of text: the question, the hits, and the lines around the chosen one.

use unicode_width::UnicodeWidthChar;

use super::View;
use crate::output::clean;
use crate::output::style::{FAINT, MARK, PLACE, SCORE};

/// The lines of the screen, none wider than it.
pub(super) fn screen(view: &View, width: usize, height: usize) -> Vec<String> {
    let rows = height.saturating_sub(3);
    let listed = (rows / 2).max(1).min(rows);
    let mut lines = vec![format!(
        "{MARK}>{MARK:#} {}",
        fitted(&tail(&view.query, width.saturating_sub(3)), width.saturating_sub(2))
    )];
    lines.extend(list(view, width, listed));
    lines.resize(1 + listed, String::new());
    lines.push(format!("{FAINT}{}{FAINT:#}", "─".repeat(width)));
    lines.extend(preview(view, width, rows.saturating_sub(listed)));
    lines.resize(height.saturating_sub(1), String::new());
    lines.push(format!("{FAINT}{}{FAINT:#}", fitted(&foot(view), width)));
    lines.truncate(height);
    lines
}

fn list(view: &View, width: usize, rows: usize) -> Vec<String> {
    let first = view.chosen.saturating_sub(rows.saturating_sub(1));
    let line = |(at, hit): (usize, &mindfile::search::Hit)| {
        let mark = if at == view.chosen { "▌" } else { " " };
        let citation = clean::text(&hit.citation()).into_owned();
        let shown = fitted(&citation, width.saturating_sub(9));
        let room = width.saturating_sub(11 + columns(&shown));
        let snippet = fitted(&one_line(&hit.answer.text), room);
        format!(
            "{MARK}{mark}{MARK:#}{SCORE}{:.3}{SCORE:#}  {PLACE}{shown}{PLACE:#}  {FAINT}{snippet}{FAINT:#}",
            hit.score
        )
    };
    view.hits.iter().enumerate().skip(first).take(rows).map(line).collect()
}

fn preview(view: &View, width: usize, rows: usize) -> Vec<String> {
    let (first, text) = &view.preview;
    let Some(hit) = view.hits.get(view.chosen) else { return Vec::new() };
    let within = hit.start_line..=hit.end_line;
    let line = |(number, line): (u32, &String)| {
        let shown = fitted(&clean::text(line), width.saturating_sub(7));
        let style = if within.contains(&number) { "" } else { "\u{1b}[2m" };
        let mark = if number == hit.answer.line { "›" } else { " " };
        format!("{FAINT}{number:>5}{FAINT:#}{MARK}{mark}{MARK:#} {style}{shown}\u{1b}[0m")
    };
    (*first..).zip(text).take(rows).map(line).collect()
}

fn foot(view: &View) -> String {
    let found = match (view.query.trim().is_empty(), view.hits.len()) {
        (true, _) => "type to search".to_owned(),
        (false, 0) => "nothing relevant".to_owned(),
        (false, many) => format!("{} of {many}", view.chosen + 1),
    };
    let told = view.told.as_deref().map(|told| format!("  ({})", clean::text(told))).unwrap_or_default();
    format!("{found}{told}   ↑↓ choose   Enter open   Esc leave")
}

fn one_line(text: &str) -> String {
    clean::text(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn columns(text: &str) -> usize {
    text.chars().filter_map(UnicodeWidthChar::width).sum()
}

/// The beginning of a text that fits.
fn fitted(text: &str, room: usize) -> String {
    let (mut shown, mut used) = (String::new(), 0);
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide > room {
            break;
        }
        shown.push(c);
        used += wide;
    }
    shown
}

/// The end of a text that fits: where the cursor is.
fn tail(text: &str, room: usize) -> String {
    let mut used = 0;
    let kept: Vec<char> = text
        .chars()
        .rev()
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        })
        .collect();
    kept.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_has_its_height_and_no_line_is_wider() {
        let view = View { query: "メモ ".repeat(80), ..View::default() };
        for (width, height) in [(80, 24), (20, 5), (3, 2), (1, 1), (200, 60)] {
            let lines = screen(&view, width, height);
            assert_eq!(lines.len(), height, "{width}x{height}");
            for line in lines {
                let plain = anstream::adapter::strip_str(&line).to_string();
                assert!(columns(&plain) <= width.max(2), "{plain:?} in {width}");
            }
        }
    }

    #[test]
    fn the_end_of_a_long_question_is_what_is_seen() {
        assert_eq!(tail("abcdef", 3), "def");
        assert_eq!(tail("メモ", 3), "モ");
        assert_eq!(fitted("メモ", 3), "メ");
    }
}
