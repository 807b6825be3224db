//! Text from notes before it reaches a terminal. A note may hold anything: an escape sequence could move the cursor,
//! rewrite what stands above or set the title; an override of the writing direction could show a text as another one.

use std::borrow::Cow;

/// The text with such characters written out.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| !is_unsafe(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_unsafe(c) => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

fn is_unsafe(c: char) -> bool {
    let is_layout = matches!(c, '\n' | '\t');
    let turns_direction = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks_line = matches!(c, '\u{2028}' | '\u{2029}');
    (c.is_control() && !is_layout) || turns_direction || breaks_line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_the_terminal_is_written_out() {
        let cases = [
            ("plain\ttext\n", "plain\ttext\n"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\u{202e}b\u{2066}c", "a\\u{202e}b\\u{2066}c"),
            ("one\r\ntwo\rthree", "one\ntwo\\rthree"),
            ("bell\u{7} del\u{7f} null\0", "bell\\u{7} del\\u{7f} null\\u{0}"),
            ("👩‍👩‍👧 שלום 数据", "👩‍👩‍👧 שלום 数据"),
        ];
        for (given, expected) in cases {
            assert_eq!(text(given), expected);
        }
    }
}
