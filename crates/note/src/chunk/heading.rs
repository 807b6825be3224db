//! Headings: which lines are headings, and their words without markup.

/// A heading is repeated in every chunk below it, so a longer one is cut here.
const MOST_CHARS: usize = 200;

/// The level of an ATX heading (`## Like this`), by CommonMark's rules.
pub(super) fn level(line: &str) -> Option<u8> {
    let rest = line.trim_start_matches(' ');
    let level = rest.bytes().take(7).take_while(|&b| b == b'#').count();
    let opens = line.len() - rest.len() < 4 && (1..=6).contains(&level);
    let closed = matches!(rest.as_bytes().get(level), None | Some(b' ' | b'\t'));
    (opens && closed).then(|| u8::try_from(level).ok()).flatten()
}

/// The level that a line underlined with `=` or `-` has (a Setext heading).
pub(super) fn underline(line: &str) -> Option<u8> {
    let mark = line.trim();
    let of = |c: char| mark.len() >= 2 && mark.chars().all(|m| m == c) && !line.starts_with("    ");
    if of('=') { Some(1) } else { of('-').then_some(2) }
}

/// The words of a heading line: without `#`, emphasis, code marks, link targets and anchors.
pub(super) fn clean(line: &str) -> String {
    let line = line.get(..line.floor_char_boundary(MOST_CHARS * 8)).unwrap_or(line);
    let text = without_anchor(without_hashes(line.trim()));
    let text = unlinked(text).replace("**", "").replace('`', "");
    capped(unwrapped(text.trim()))
}

/// At most [`MOST_CHARS`] characters of a text.
pub(super) fn capped(text: &str) -> String {
    text.chars().take(MOST_CHARS).collect()
}

fn without_hashes(line: &str) -> &str {
    let text = line.trim_start_matches('#').trim();
    let bare = text.trim_end_matches('#');
    if bare.is_empty() || bare.ends_with([' ', '\t']) { bare.trim_end() } else { text }
}

/// Drops a trailing `{#anchor}` or Obsidian's ` ^anchor`.
fn without_anchor(text: &str) -> &str {
    let braced = text.strip_suffix('}').and_then(|t| t.rsplit_once("{#")).map(|(t, _anchor)| t);
    let block = text.rsplit_once(" ^").filter(|(_, id)| !id.contains(' ')).map(|(t, _id)| t);
    braced.or(block).unwrap_or(text).trim_end()
}

/// Replaces `[words](target)` by `words`.
fn unlinked(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, words, after)) = first_link(rest) {
        plain.push_str(before.strip_suffix('!').unwrap_or(before));
        plain.push_str(words);
        rest = after;
    }
    plain + rest
}

fn first_link(text: &str) -> Option<(&str, &str, &str)> {
    let (head, tail) = text.split_once("](")?;
    let (before, words) = head.rsplit_once('[')?;
    let (_target, after) = tail.split_once(')')?;
    Some((before, words, after))
}

/// Drops one pair of emphasis marks around the whole.
fn unwrapped(text: &str) -> &str {
    let strip = |mark: char| text.strip_prefix(mark).and_then(|t| t.strip_suffix(mark));
    strip('*').or_else(|| strip('_')).filter(|t| !t.is_empty()).unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_before_a_space_make_a_heading() {
        for (line, expected) in
            [("# a", Some(1)), ("   ###### a", Some(6)), ("##", Some(2)), ("#\ta", Some(1))]
        {
            assert_eq!(level(line), expected, "{line}");
        }
        for line in ["#tag", "####### a", "    # code", "a # b", "", "\t# a"] {
            assert_eq!(level(line), None, "{line}");
        }
    }

    #[test]
    fn a_heading_is_cleaned_of_its_markup() {
        for (line, expected) in [
            ("##  Two words  ##", "Two words"),
            ("# C#", "C#"),
            ("# **Bold** and `code()`", "Bold and code()"),
            ("# _All of it_", "All of it"),
            ("# See [the page](http://x.y/z) now", "See the page now"),
            ("# Anchored {#here}", "Anchored"),
            ("# Block ^a1b2", "Block"),
            ("# ___init__", "__init_"),
            ("Underlined", "Underlined"),
            ("###", ""),
        ] {
            assert_eq!(clean(line), expected, "{line}");
        }
    }

    #[test]
    fn a_heading_is_cut_at_two_hundred_characters() {
        assert_eq!(clean(&format!("# {}", "é".repeat(100_000))).chars().count(), 200);
    }
}
