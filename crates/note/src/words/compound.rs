//! The terms of a compound: itself when it is more than one word, then its words. A Vietnamese word is indexed with its
//! marks and without; who types them asks for the first.

use super::fold;
use super::scan::{is_apostrophe, is_connector};
use super::stem::Stems;
use super::{MAX_BYTES, Purpose, Terms, capped};

pub(super) struct Compounds {
    stems: Stems,
    folded: String,
    marked: String,
    purpose: Purpose,
}

impl Compounds {
    pub(super) fn new() -> Self {
        let folded = String::new();
        let marked = String::new();
        Self { stems: Stems::new(), folded, marked, purpose: Purpose::Index }
    }

    pub(super) fn terms(&mut self, raw: &str, purpose: Purpose, each: &mut impl Terms) {
        self.purpose = purpose;
        if raw.bytes().all(|b| b.is_ascii_lowercase()) {
            return self.stemmed(raw, each);
        }
        if !raw.contains(is_connector) {
            return self.part(raw, each);
        }
        self.whole(raw, each);
        for part in raw.split(is_connector) {
            self.part(part, each);
        }
    }

    /// The compound as typed, but for case and form.
    fn whole(&mut self, raw: &str, each: &mut impl Terms) {
        // A letter is folded to at most a few: what is far beyond the cap need not be folded.
        let raw = &raw[..raw.floor_char_boundary(MAX_BYTES * 4)];
        fold::word(raw, &mut self.folded);
        if !self.folded.is_empty() {
            each.take(capped(&self.folded));
        }
    }

    /// A part without connectors: a word, perhaps with apostrophes, humps or digits.
    fn part(&mut self, raw: &str, each: &mut impl Terms) {
        if !raw.contains(is_apostrophe) {
            return self.word(raw, each);
        }
        match contraction(raw) {
            Contraction::Suffix(stem) => self.word(stem, each),
            Contraction::Joined => self.joined(raw, each),
            Contraction::None => raw.split(is_apostrophe).for_each(|word| self.word(word, each)),
        }
    }

    /// `don't` as people also write it: `dont`.
    fn joined(&mut self, raw: &str, each: &mut impl Terms) {
        fold::word(raw, &mut self.folded);
        self.folded.retain(|c| c != '\'');
        if !self.folded.is_empty() {
            each.take(capped(&self.folded));
        }
    }

    /// A word, and the parts of it that people type: letters without the number, and humps.
    fn word(&mut self, raw: &str, each: &mut impl Terms) {
        self.simple(raw, each);
        if raw.len() > MAX_BYTES || raw.bytes().all(|b| b.is_ascii_lowercase()) {
            return;
        }
        if let Some((left, right)) = numbered(raw) {
            self.humped(left, each);
            self.humped(right, each);
        } else if !raw.contains(|c: char| c.is_ascii_digit()) {
            self.humps(raw, each);
        }
    }

    fn humped(&mut self, raw: &str, each: &mut impl Terms) {
        self.simple(raw, each);
        self.humps(raw, each);
    }

    fn humps(&mut self, raw: &str, each: &mut impl Terms) {
        let mut rest = raw;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(hump(rest));
            if piece.len() < raw.len() && piece.chars().nth(1).is_some() {
                self.simple(piece, each);
            }
            rest = after;
        }
    }

    /// One word: stemmed if it is of letters only.
    fn simple(&mut self, raw: &str, each: &mut impl Terms) {
        let raw = &raw[..raw.floor_char_boundary(MAX_BYTES * 4)];
        if fold::marked(raw, &mut self.marked) {
            each.take(capped(&self.marked));
            if self.purpose == Purpose::Query {
                return;
            }
        }
        fold::word(raw, &mut self.folded);
        if self.folded.is_empty() {
            return;
        }
        if self.folded.chars().any(char::is_numeric) {
            each.take(capped(&self.folded));
        } else if each.may_want(&self.folded) {
            each.take(capped(self.stems.stem(&self.folded)));
        }
    }

    fn stemmed(&mut self, word: &str, each: &mut impl Terms) {
        if each.may_want(word) {
            each.take(capped(self.stems.stem(word)));
        }
    }
}

enum Contraction<'a> {
    /// The word before a suffix without meaning: `Sarah's`, `we'll`.
    Suffix(&'a str),
    /// A negation, which is one word.
    Joined,
    None,
}

fn contraction(raw: &str) -> Contraction<'_> {
    let Some((head, tail)) = raw.rsplit_once(is_apostrophe) else {
        return Contraction::None;
    };
    let single = !head.contains(is_apostrophe);
    let is = |suffix: &str| tail.eq_ignore_ascii_case(suffix);
    if single && is("t") && head.ends_with(['n', 'N']) {
        Contraction::Joined
    } else if single && ["s", "ll", "re", "ve", "d", "m"].into_iter().any(is) {
        Contraction::Suffix(head)
    } else {
        Contraction::None
    }
}

/// The two halves of two or more letters with a number at one end: `gpt4`, `30min`; `a828e60` has none.
fn numbered(word: &str) -> Option<(&str, &str)> {
    let digit = |c: char| c.is_ascii_digit();
    let leads = word.starts_with(digit);
    let (left, right) = word.split_at(word.find(|c| digit(c) != leads)?);
    let letters = if leads { right } else { left };
    let apart = right.chars().all(|c| digit(c) != leads);
    (apart && letters.chars().nth(1).is_some()).then_some((left, right))
}

/// A compound as separate words: `editor.theme`, `editor_theme` and `editorTheme` are all `editor theme`, as spelled.
pub fn apart(compound: &str) -> String {
    let mut words = Vec::new();
    for part in compound.split(is_connector) {
        let mut rest = part;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(hump(rest));
            words.push(piece);
            rest = after;
        }
    }
    words.join(" ")
}

/// Where the first hump of a word ends: `memory|Search`, `HTTP|Server`.
fn hump(word: &str) -> usize {
    let mut chars = word.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|&(_, after)| after);
        if before.is_some_and(|before| is_hump(before, c, after)) {
            return at;
        }
        before = Some(c);
    }
    word.len()
}

fn is_hump(before: char, c: char, after: Option<char>) -> bool {
    let begins = before.is_lowercase() && c.is_uppercase();
    let ends_acronym = before.is_uppercase() && c.is_uppercase() && after.is_some_and(char::is_lowercase);
    begins || ends_acronym
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn a_compound_is_taken_apart_at_its_joints_and_humps() {
        for (compound, words) in [
            ("editor.theme", "editor theme"),
            ("editor_font-size", "editor font size"),
            ("memorySearch.store", "memory Search store"),
            ("HTTPServer/port", "HTTP Server port"),
            ("größe.maßEinheit", "größe maß Einheit"),
            ("plain", "plain"),
            ("..", ""),
        ] {
            assert_eq!(apart(compound), words, "{compound}");
        }
    }
}
