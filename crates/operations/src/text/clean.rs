//! Text from notes before it reaches a terminal. A note may hold anything: an escape sequence could move the cursor,
//! rewrite what stands above or set the title; an override of the writing direction could show a text as another one.

use std::borrow::Cow;

/// The text with such characters written out.
pub fn text(text: &str) -> Cow<'_, str> {
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

/// The same for a text with styles of our own: sequences that only choose a colour stay. The last gate before a terminal,
/// behind the cleaning of each value from a note.
pub fn styled(whole: &str) -> Cow<'_, str> {
    if whole.chars().all(|c| !is_unsafe(c)) {
        return Cow::Borrowed(whole);
    }
    let mut shown = String::with_capacity(whole.len() + 16);
    let mut rest = whole;
    while let Some(at) = rest.find('\u{1b}') {
        shown.push_str(&text(&rest[..at]));
        let length = style_length(&rest[at..]);
        let (sequence, after) = rest[at..].split_at(length.unwrap_or(1));
        if length.is_some() {
            shown.push_str(sequence);
        } else {
            shown.push_str(&text(sequence));
        }
        rest = after;
    }
    shown.push_str(&text(rest));
    Cow::Owned(shown)
}

/// JSON that means the same, in which such characters are written as JSON writes them: outside of strings it has none.
pub fn json(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| !is_unsafe(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe(c) {
            shown.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// The length of a sequence that sets a style, if the text begins with one.
fn style_length(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    numbers[end..].starts_with('m').then_some(2 + end + 1)
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
    fn only_styles_pass_the_last_gate() {
        for (given, expected) in [
            ("\u{1b}[1;32mgood\u{1b}[0m\n", "\u{1b}[1;32mgood\u{1b}[0m\n"),
            ("\u{1b}[2J\u{1b}]0;title\u{7}", "\\u{1b}[2J\\u{1b}]0;title\\u{7}"),
            ("\u{1b}[31\u{1b}[31m", "\\u{1b}[31\u{1b}[31m"),
            ("\u{1b}", "\\u{1b}"),
            ("a\u{202e}b", "a\\u{202e}b"),
        ] {
            assert_eq!(styled(given), expected);
        }
    }

    #[test]
    fn json_means_the_same_and_steers_nothing() {
        let value = serde_json::json!({"a\u{9b}": "x\u{7f}\u{202e}\u{2028}\u{1b}\t\n é"});
        let text = serde_json::to_string_pretty(&value).unwrap() + "\n";
        let shown = json(&text);
        assert!(shown.chars().all(|c| !is_unsafe(c)), "{shown:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

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
