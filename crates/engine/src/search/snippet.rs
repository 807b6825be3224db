//! What an agent sees of a hit: the lines that answer, within a number of characters.
//!
//! A chunk is some 1,600 characters, a snippet at most 700. The lines are scored against the query, and the best are
//! shown in their order, with what stands next to them; places that are not neighbours are joined by an ellipsis.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use mindfile_index::TermStat;
use mindfile_note::words;

use super::interaction::Tokens;

/// Between two places: one that begins a line is set off by lines, one in mid-line by spaces.
const LINE_GAP: &str = "\n…\n";
const GAP: &str = " … ";
const GAP_LENGTH: usize = 3;
/// A heading says little by itself.
const HEADING: f32 = 0.6;
/// A longer line is cut into sentences.
const LONG_LINE: usize = 280;
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
    /// A term's number and weight.
    terms: HashMap<&'a str, (u32, f32)>,
    mass: f32,
    tokens: Option<&'a mut Tokens>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(terms: &'a [TermStat], tokens: Option<&'a mut Tokens>) -> Self {
        let mass = terms.iter().map(|stat| stat.idf).sum::<f32>().max(f32::MIN_POSITIVE);
        let terms =
            terms.iter().zip(0..).map(|(stat, number)| (stat.term.as_str(), (number, stat.idf))).collect();
        Self { terms, mass, tokens }
    }

    /// The share of the query's weight that the words cover, and how near the tokens come.
    fn score(&mut self, text: &str) -> f32 {
        let (mut seen, mut covered) = (0_u128, 0.0);
        words::for_each(text, |term| {
            if let Some((number, idf)) = self.terms.get(term) {
                let bit = 1_u128.checked_shl(*number).unwrap_or(0);
                covered += if seen & bit == 0 { *idf } else { 0.0 };
                seen |= bit;
            }
        });
        covered / self.mass + self.tokens.as_mut().map_or(0.0, |tokens| tokens.nearness_of(text))
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Snippet {
    pub text: String,
    /// The lines of the chunk that are shown, counted from its first.
    pub lines: BTreeSet<u32>,
}

/// The best lines of `text` in at most `room` characters. Lines that `shown` names were shown before and come last.
pub(super) fn cut(text: &str, room: usize, shown: &BTreeSet<u32>, judge: &mut Judge<'_>) -> Snippet {
    if text.chars().count() <= room && shown.is_empty() {
        return Snippet {
            text: text.trim_end().to_owned(),
            lines: (0..text.split('\n').count() as u32).collect(),
        };
    }
    let mut segments = segments(text);
    for segment in &mut segments {
        let piece = &text[segment.range.clone()];
        segment.score = judge.score(piece) * if piece.starts_with('#') { HEADING } else { 1.0 };
    }
    smooth(&mut segments);
    let chosen = choose(text, &segments, room, shown);
    Snippet {
        text: join(text, &segments, &chosen, room),
        lines: chosen.iter().map(|&at| segments[at].line).collect(),
    }
}

fn segments(text: &str) -> Vec<Segment> {
    let mut all = Vec::new();
    let mut start = 0;
    for (number, line) in text.split('\n').enumerate() {
        for range in sentences(line) {
            if line[range.clone()].contains(char::is_alphanumeric) {
                let range = start + range.start..start + range.end;
                all.push(Segment { range, line: number as u32, score: 0.0 });
            }
        }
        start += line.len() + 1;
    }
    all
}

/// A short line whole, a long one by its sentences.
fn sentences(line: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    if line.len() <= LONG_LINE {
        ranges.push(0..line.len());
        return ranges;
    }
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' | ';' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        let end = at + c.len_utf8();
        if (ends && end - start > 40) || end - start > 2 * LONG_LINE {
            ranges.push(start..end);
            start = end;
        }
    }
    if start < line.len() {
        ranges.push(start..line.len());
    }
    ranges
}

fn smooth(segments: &mut [Segment]) {
    let plain: Vec<f32> = segments.iter().map(|segment| segment.score).collect();
    for at in 0..segments.len() {
        let before = at.checked_sub(1).map_or(0.0, |before| plain[before]);
        let after = plain.get(at + 1).copied().unwrap_or(0.0);
        segments[at].score = plain[at] + NEIGHBOUR * before.max(after);
    }
}

/// Best first until the room is used up. What was shown before is taken only when nothing else is there.
fn choose(text: &str, segments: &[Segment], room: usize, shown: &BTreeSet<u32>) -> BTreeSet<usize> {
    let mut order: Vec<usize> = (0..segments.len()).collect();
    order.sort_by(|&a, &b| {
        let seen = |at: usize| shown.contains(&segments[at].line);
        seen(a).cmp(&seen(b)).then(segments[b].score.total_cmp(&segments[a].score)).then(a.cmp(&b))
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

fn join(text: &str, segments: &[Segment], chosen: &BTreeSet<usize>, room: usize) -> String {
    let mut joined = String::new();
    let mut last: Option<usize> = None;
    for &at in chosen {
        if let Some(last) = last {
            joined.push_str(gap(text, &segments[last], &segments[at], last + 1 == at));
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

/// The byte ranges of the words in `text` that match the query, for marking them on a terminal.
pub(super) fn marks(text: &str, terms: &[TermStat]) -> Vec<Range<usize>> {
    let wanted: BTreeSet<&str> = terms.iter().map(|stat| stat.term.as_str()).collect();
    let mut marks = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if c.is_whitespace() {
            if let Some(from) = start.take() {
                let mut matches = false;
                words::for_each(&text[from..at], |term| matches |= wanted.contains(term));
                marks.extend(matches.then_some(from..at));
            }
        } else if start.is_none() {
            start = Some(at);
        }
    }
    marks
}
