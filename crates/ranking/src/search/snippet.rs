//! What an agent sees of a hit: the lines that answer, within a number of characters.
//!
//! A chunk is some 1,600 characters, a snippet at most 700. The lines are scored against the query, and the best are
//! shown in their order, with what stands next to them; places that are not neighbours are joined by an ellipsis.

use std::collections::BTreeSet;
use std::ops::Range;

use mindfile_index::{QueryTerm, TermStat, stored_tokens};
use mindfile_note::segment::{self, segments};
use mindfile_note::words::TermMatcher;

use super::interaction::Tokens;
use super::past::PastLines;
use super::voices::People;

/// Between two places: one that begins a line is set off by lines, one in mid-line by spaces.
const LINE_GAP: &str = "\n…\n";
const GAP: &str = " … ";
const GAP_LENGTH: usize = 3;
/// What another says than those whom the query names counts less.
const OTHERS: f32 = 0.6;
/// What does not hold is shown after what does.
const PAST: f32 = 0.5;
/// A heading says little by itself.
const HEADING: f32 = 0.6;
/// How much of a neighbour's score a line takes over: an answer follows its question.
const NEIGHBOUR: f32 = 0.5;

/// A piece of a chunk that is shown or left out as a whole.
#[derive(Debug, Clone, PartialEq)]
struct Segment {
    range: Range<usize>,
    line: u32,
    score: f32,
}

/// The query as far as lines are compared with it.
pub(super) struct Judge<'a> {
    wanted: TermMatcher,
    /// Of each that is wanted: the number of the term that it is a spelling of, and its weight.
    spellings: Vec<(usize, f32)>,
    mass: f32,
    people: People,
    tokens: Option<&'a mut Tokens>,
    /// What the piece at hand has of each term.
    had: Vec<f32>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        terms: &[TermStat],
        sought: &[QueryTerm],
        people: People,
        tokens: Option<&'a mut Tokens>,
    ) -> Self {
        let mass = terms.iter().map(|stat| stat.idf).sum::<f32>().max(f32::MIN_POSITIVE);
        let as_asked = terms.iter().enumerate().map(|(at, stat)| (stat.term.as_str(), (at, stat.idf)));
        let forms = sought.iter().zip(terms).enumerate().flat_map(|(at, (sought, stat))| {
            sought.forms.iter().map(move |form| (form.term.as_str(), (at, form.similarity * stat.idf)))
        });
        // A word that is itself asked for is no form of another.
        let (wanted, spellings): (Vec<&str>, Vec<(usize, f32)>) = as_asked.chain(forms).unzip();
        Self {
            wanted: TermMatcher::new(wanted),
            spellings,
            mass,
            people,
            tokens,
            had: vec![0.0; terms.len()],
        }
    }

    /// The share of the query's weight that the words cover, and how near the tokens come.
    fn score(&mut self, text: &str, tokens: &[u16]) -> f32 {
        self.had.fill(0.0);
        self.wanted.for_each(text, |number| {
            let (term, weight) = self.spellings[number];
            self.had[term] = self.had[term].max(weight);
        });
        let covered: f32 = self.had.iter().sum();
        covered / self.mass + self.tokens.as_mut().map_or(0.0, |judge| judge.nearness_of(tokens))
    }
}

/// The byte ranges of the words in `text` that have one of the terms, or a form of one.
pub(super) fn marks(text: &str, sought: &[QueryTerm]) -> Vec<Range<usize>> {
    let spellings = QueryTerm::spellings(sought);
    let wanted = TermMatcher::new(spellings.iter().map(String::as_str));
    let mut marks = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if !c.is_whitespace() {
            start = start.or(Some(at));
        } else if let Some(from) = start.take() {
            marks.extend(wanted.is_in(&text[from..at]).then_some(from..at));
        }
    }
    marks
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Snippet {
    pub text: String,
    /// The lines of the chunk that are shown, counted from its first.
    pub lines: BTreeSet<u32>,
    /// The line that answers best, counted from the first, and what it says.
    pub answer: (u32, String),
}

/// What better hits show of the same lines, counted from the first of the text.
#[derive(Debug, Clone, Default)]
pub(super) struct Repeated {
    pub(super) lines: BTreeSet<u32>,
    pub(super) answers: BTreeSet<u32>,
}

/// A text, and its tokens as a chunk stores them; none where it is no chunk's.
#[derive(Clone, Copy)]
pub(super) struct Passage<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [u16],
    /// Its lines that do not hold: they are shown with what is said of them.
    pub(super) past: &'a PastLines,
}

/// How well the best line answers that holds, and the best that does not, which is `line`.
pub(super) struct Answering {
    pub(super) holds: f32,
    pub(super) past: f32,
    pub(super) line: u32,
}

pub(super) fn answering(told: Passage<'_>, judge: &mut Judge<'_>) -> Answering {
    let mut best = Answering { holds: 0.0, past: 0.0, line: 0 };
    for segment in scored(told, judge) {
        if told.past.mark(segment.line).is_none() {
            best.holds = best.holds.max(segment.score);
        } else if segment.score > best.past {
            (best.past, best.line) = (segment.score, segment.line);
        }
    }
    best
}

/// The line that answers best, and round it the best lines of a text in at most `room` characters. Lines that were shown
/// before come last, and what was an answer before is none again while there is another.
pub(super) fn cut(told: Passage<'_>, room: usize, before: &Repeated, judge: &mut Judge<'_>) -> Snippet {
    let Passage { text, past, .. } = told;
    let mut segments = scored(told, judge);
    for segment in segments.iter_mut().filter(|segment| past.mark(segment.line).is_some()) {
        segment.score *= PAST;
    }
    smooth(&mut segments);
    let best = best(&segments, &before.answers);
    let answer = best.map_or_else(Default::default, |at| (segments[at].line, said(told, &segments[at])));
    let marked = past.marked(text);
    if marked.chars().count() <= room && before.lines.is_empty() {
        let lines = (0..text.split('\n').count() as u32).collect();
        return Snippet { text: dense(marked.trim_end()), lines, answer };
    }
    let chosen = choose(text, &segments, (best, room), &before.lines);
    Snippet {
        text: join(told, &segments, &chosen, room),
        lines: chosen.iter().map(|&at| segments[at].line).collect(),
        answer,
    }
}

/// The first of the best that was no answer before.
fn best(segments: &[Segment], answered: &BTreeSet<u32>) -> Option<usize> {
    let order = |&a: &usize, &b: &usize| {
        let was = |at: usize| answered.contains(&segments[at].line);
        was(b).cmp(&was(a)).then(segments[a].score.total_cmp(&segments[b].score)).then(b.cmp(&a))
    };
    (0..segments.len()).max_by(order)
}

/// What a segment says, with what is said of its line where that does not hold.
fn said(told: Passage<'_>, segment: &Segment) -> String {
    let text = told.text[segment.range.clone()].trim();
    told.past.mark(segment.line).map_or_else(|| text.to_owned(), |mark| format!("({mark}) {text}"))
}

/// Without blank lines in a row: a template leaves many of them.
fn dense(text: &str) -> String {
    let mut dense = text.to_owned();
    while dense.contains("\n\n\n") {
        dense = dense.replace("\n\n\n", "\n\n");
    }
    dense
}

/// The segments that say something.
fn scored(told: Passage<'_>, judge: &mut Judge<'_>) -> Vec<Segment> {
    let parts = segments(told.text);
    let mut tokens = stored_tokens::of_segments(told.tokens);
    let others = judge.people.others(told.text);
    let is_others = |line: u32| others.as_ref().is_some_and(|others| others[line as usize]);
    let mut all = Vec::with_capacity(parts.len());
    for segment::Segment { range, line } in parts {
        let tokens = tokens.next().unwrap_or_default();
        let piece = &told.text[range.clone()];
        if piece.contains(char::is_alphanumeric) {
            let heading = if piece.starts_with('#') { HEADING } else { 1.0 };
            let others = if is_others(line) { OTHERS } else { 1.0 };
            let score = judge.score(piece, tokens) * heading * others;
            all.push(Segment { range, line, score });
        }
    }
    all
}

fn smooth(segments: &mut [Segment]) {
    let plain: Vec<f32> = segments.iter().map(|segment| segment.score).collect();
    for at in 0..segments.len() {
        let before = at.checked_sub(1).map_or(0.0, |before| plain[before]);
        let after = plain.get(at + 1).copied().unwrap_or(0.0);
        segments[at].score = plain[at] + NEIGHBOUR * before.max(after);
    }
}

/// The answer, then the best until the room is used up. What was shown before is left out.
fn choose(
    text: &str,
    segments: &[Segment],
    (answer, room): (Option<usize>, usize),
    shown: &BTreeSet<u32>,
) -> BTreeSet<usize> {
    let mut order: Vec<usize> = (0..segments.len()).collect();
    order.sort_by(|&a, &b| {
        let last = |at: usize| (answer != Some(at), shown.contains(&segments[at].line));
        last(a).cmp(&last(b)).then(segments[b].score.total_cmp(&segments[a].score)).then(a.cmp(&b))
    });
    let mut chosen = BTreeSet::new();
    let mut used = 0;
    for at in order {
        if !chosen.is_empty() && shown.contains(&segments[at].line) {
            break;
        }
        let cost = text[segments[at].range.clone()].chars().count() + GAP_LENGTH;
        if used + cost <= room + GAP_LENGTH || chosen.is_empty() {
            used += cost;
            chosen.insert(at);
        }
    }
    chosen
}

/// What stands between two chosen segments: the text's own space between neighbours, an ellipsis elsewhere.
fn gap<'a>(text: &'a str, before: &Segment, after: &Segment, neighbours: bool) -> &'a str {
    let between = &text[before.range.end..after.range.start];
    if neighbours && between.len() <= GAP_LENGTH {
        between
    } else if text[..after.range.start].ends_with('\n') {
        LINE_GAP
    } else {
        GAP
    }
}

fn join(told: Passage<'_>, segments: &[Segment], chosen: &BTreeSet<usize>, room: usize) -> String {
    let Passage { text, past, .. } = told;
    let mut joined = String::new();
    let mut last: Option<usize> = None;
    for &at in chosen {
        if let Some(last) = last {
            joined.push_str(gap(text, &segments[last], &segments[at], last + 1 == at));
        }
        let is_begun = last.is_some_and(|last| segments[last].line == segments[at].line);
        if let Some(mark) = past.mark(segments[at].line).filter(|_| !is_begun) {
            joined.push_str(&format!("({mark}) "));
        }
        joined.push_str(&text[segments[at].range.clone()]);
        last = Some(at);
    }
    match joined.char_indices().nth(room) {
        Some((end, _)) => joined[..end].trim_end().to_owned(),
        None => joined.trim_end().to_owned(),
    }
}

/// How many characters each of `count` snippets may have: the best hits get a whole one while the total lasts, the
/// others a line.
pub(super) fn rooms(count: usize, each: usize, total: usize) -> Vec<usize> {
    let least = (total / count.max(1)).min(each / 5);
    let mut left = total.saturating_sub(least * count);
    (0..count)
        .map(|_| {
            let more = left.min(each - least.min(each));
            left -= more;
            least + more
        })
        .collect()
}
