//! Finds keys by a prefix, or by a mark inside them.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input};

use super::alphabet::{entropy, is_placeholder, joins};
use super::pieces::Piece;
use super::table::Form;
use super::{Detector, Sink};

/// Bits a character below which a run is a pattern and no key.
const LEAST_ENTROPY: f32 = 2.5;

/// Every mark of every form, and what it is of.
struct MarkTable {
    automaton: AhoCorasick,
    of: Vec<(Detector, &'static Form)>,
}

static MARKS: LazyLock<Option<MarkTable>> = LazyLock::new(|| {
    let automaton = AhoCorasick::new(marks().map(|(_, _, mark)| mark)).ok()?;
    Some(MarkTable { automaton, of: marks().map(|(detector, form, _)| (detector, form)).collect() })
});

fn marks() -> impl Iterator<Item = (Detector, &'static Form, &'static str)> {
    let forms =
        Detector::all().flat_map(|detector| detector.spec().forms.iter().map(move |form| (detector, form)));
    forms.flat_map(|(detector, form)| form.marks.iter().map(move |mark| (detector, form, *mark)))
}

/// A value of each row: its mark with a run of its alphabet in which no character says what follows.
#[cfg(test)]
pub(super) fn samples() -> Vec<String> {
    let run = |form: &Form, length: usize, seed: usize| {
        let all = (0..=u8::MAX).filter(|byte| form.alphabet.has(*byte) && byte.is_ascii_alphanumeric());
        let all: Vec<char> = all.map(char::from).collect();
        (0..length).map(|at| all[(at * 37 + at * at * 11 + seed * 7) % all.len()]).collect::<String>()
    };
    let sample = |(at, (_, form, mark)): (usize, (Detector, &Form, &str))| {
        format!("{}{mark}{}", run(form, form.before.0, at), run(form, form.after.0, at + 3))
    };
    marks().enumerate().map(sample).collect()
}

/// Every mark, for texts made of parts.
#[cfg(test)]
pub(super) fn all_marks() -> Vec<String> {
    marks().map(|(_, _, mark)| mark.to_owned()).collect()
}

pub(super) fn find(sink: &mut Sink<'_>, pieces: &[Piece]) {
    for piece in pieces.iter().filter(|piece| piece.may_be_key()) {
        let Some(marks) = &*MARKS else { return };
        find_in(sink, marks, piece);
    }
}

fn find_in(sink: &mut Sink<'_>, marks: &MarkTable, piece: &Piece) {
    let text = sink.text;
    for hit in marks.automaton.find_overlapping_iter(Input::new(text).span(piece.span.clone())) {
        let (detector, form) = marks.of[hit.pattern().as_usize()];
        if !(sink.wanted)(detector) {
            continue;
        }
        if let Some(span) = form.span(text, hit.start(), hit.end()) {
            sink.put(detector, span);
        }
    }
}

impl Form {
    fn span(&self, text: &str, start: usize, end: usize) -> Option<std::ops::Range<usize>> {
        let bytes = text.as_bytes();
        let from = self.begin(bytes, start)?;
        if from > 0 && joins(bytes[from - 1]) {
            return None;
        }
        let (least, most) = self.after;
        let mut to = self.alphabet.end(bytes, end, most + 1);
        // The full stop of a sentence is none of the key's.
        while to > end && bytes[to - 1] == b'.' {
            to -= 1;
        }
        let fits = (least..=most).contains(&(to - end)) && !bytes.get(to).is_some_and(|byte| joins(*byte));
        (fits && is_key(text.get(from..to)?, text.get(end..to)?, self.before.0)).then_some(from..to)
    }

    fn begin(&self, bytes: &[u8], start: usize) -> Option<usize> {
        let (least, most) = self.before;
        if most == 0 {
            return Some(start);
        }
        let from = self.alphabet.start(bytes, start, most + 1);
        (least..=most).contains(&(start - from)).then_some(from)
    }
}

fn is_key(whole: &str, run: &str, before: usize) -> bool {
    let judged = if before > 0 { whole } else { run };
    entropy(judged.as_bytes()) >= LEAST_ENTROPY && !is_placeholder(judged)
}

#[cfg(test)]
mod tests {
    use super::super::pieces::{LEAST_KEY, of};
    use super::*;

    #[test]
    fn no_key_is_shorter_than_a_piece_that_is_looked_at_or_parted_by_one() {
        for (_, form, mark) in marks() {
            assert!(form.before.0 + mark.len() + form.after.0 >= LEAST_KEY, "{mark}");
            let bytes = (0..=u8::MAX).filter(|byte| form.alphabet.has(*byte)).map(char::from);
            let all = mark.chars().chain(bytes).collect::<String>();
            let (pieces, _) = of(&all);
            assert!(pieces.len() == 1 && pieces[0].span == (0..all.len()), "{mark}: {pieces:?}");
        }
    }
}
