//! A person's own rules: patterns, entities and keys.

use std::ops::Range;

use mindfile_note::text::{self, extent};
use mindfile_note::{alias, fact};

use super::Pattern;

/// A pattern looks at so much at once, and at so much of it again with the next piece: a longer match may be missed where
/// two pieces meet.
const WINDOW: usize = 256 << 10;
const OVERLAP: usize = 4 << 10;
/// Further matches of one pattern in one text are one: the rest of the text.
const MOST: usize = 100_000;

/// Where a pattern matches.
pub(super) fn matches(pattern: &Pattern, text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    loop {
        let to = text.floor_char_boundary((from + WINDOW).min(text.len()));
        let piece = &text[from..to];
        for hit in pattern.regex().find_iter(piece).filter(|hit| !hit.is_empty()) {
            found.push(from + hit.start()..from + hit.end());
            if found.len() == MOST {
                found.push(from + hit.end()..text.len());
                return found;
            }
        }
        if to == text.len() {
            return found;
        }
        from = text.floor_char_boundary(to - OVERLAP);
    }
}

/// What facts about an entity say, and lines of prose that tag it.
pub(super) fn about_entity(name: &str, text: &str) -> Vec<Range<usize>> {
    let Some(wanted) = alias::canonical(name) else { return Vec::new() };
    if !text.contains('@') {
        return Vec::new();
    }
    let lines = text::lines(text).filter(|line| line.contains('@'));
    let spans = lines.filter_map(|line| match fact::read(line) {
        Some(read) => {
            let named =
                read.entities().any(|entity| entity.to_lowercase() == wanted) || tags(read.text(), &wanted);
            named.then(|| said(text, &read))
        }
        None => tags(line, &wanted).then(|| whole(text, line)),
    });
    spans.collect()
}

/// What facts with a key say. `health.*` is every key that begins so.
pub(super) fn with_key(key: &str, text: &str) -> Vec<Range<usize>> {
    if !text.contains("key=") {
        return Vec::new();
    }
    let fits = |found: &str| match key.strip_suffix('*') {
        Some(lead) => found.starts_with(lead),
        None => found == key,
    };
    let facts = text::lines(text).filter(|line| line.contains("key=")).filter_map(fact::read);
    facts.filter(|read| read.key().is_some_and(|found| fits(&found))).map(|read| said(text, &read)).collect()
}

fn tags(text: &str, wanted: &str) -> bool {
    text.split('@').skip(1).any(|rest| {
        let name: String = rest.chars().take_while(|c| fact::is_entity_char(*c)).collect();
        name.trim_end_matches(['.', '-', '/', '_']).to_lowercase() == wanted
    })
}

/// The text of a fact that was read from a line of `text`.
fn said(text: &str, read: &fact::Line<'_>) -> Range<usize> {
    let (start, end) = extent(text, read.text());
    start..end
}

fn whole(text: &str, line: &str) -> Range<usize> {
    let (start, end) = extent(text, line.trim());
    start..end
}
