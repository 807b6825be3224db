//! The lines of three versions merged as lines are. Facts that all three have are lines among them, each known by its id.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use similar::{Algorithm, DiffOp, MergeRegion, MergeResolution, TextMerge, capture_diff_slices};

use super::Rules;
use super::version::{Bare, Ending, Key, Piece, Version};
use crate::fact::chosen;

const BASE: usize = 0;
pub(super) const OURS: usize = 1;
pub(super) const THEIRS: usize = 2;

/// What stands in the merged note, from above.
pub(super) enum Part<'a> {
    Bare(Bare<'a>),
    Fact(Key),
    /// Of a conflict.
    Mark(String),
}

pub(super) struct Skeleton<'a> {
    pub(super) parts: Vec<Part<'a>>,
    /// For each version and each of its lines here: how many parts stand there up to it.
    pub(super) places: [Vec<usize>; 3],
    pub(super) conflicts: usize,
}

/// A line of one version, with a number that equal lines have in common.
#[derive(Clone, Copy)]
struct Numbered<'v, 'a> {
    number: usize,
    piece: &'v Piece<'a>,
}

pub(super) struct Builder<'v, 'a> {
    lines: [Vec<Numbered<'v, 'a>>; 3],
    front: [usize; 3],
    rules: Rules,
    placed: HashSet<Key>,
    made: Skeleton<'a>,
}

/// The lines of the note without the facts that are not in all of its versions.
pub(super) fn build<'v, 'a>(
    versions: &'v [Version<'a>; 3],
    stable: &HashSet<&Key>,
    rules: Rules,
) -> Skeleton<'a> {
    let mut numbers = HashMap::new();
    let lines = versions.each_ref().map(|version| {
        let kept = version.pieces.iter().filter(|piece| match piece {
            Piece::Bare(_) => true,
            Piece::Fact(block) => stable.contains(&block.key),
        });
        let numbered = |piece: &'v Piece<'a>| {
            let next = numbers.len();
            Numbered { number: *numbers.entry(piece.identity()).or_insert(next), piece }
        };
        kept.map(numbered).collect::<Vec<_>>()
    });
    let [base, ours, theirs] = lines
        .each_ref()
        .map(|lines| lines.iter().map(|line| format!("{}\n", line.number)).collect::<String>());
    let merge = TextMerge::from_lines(&base, &ours, &theirs);
    let made = Skeleton { parts: Vec::new(), places: Default::default(), conflicts: 0 };
    let front = versions.each_ref().map(|version| version.front);
    let mut builder = Builder { lines, front, rules, placed: HashSet::new(), made };
    merge.regions().iter().for_each(|region| builder.region(region));
    builder.made
}

impl<'a> Builder<'_, 'a> {
    fn region(&mut self, region: &MergeRegion) {
        let ranges = [region.base_range(), region.ours_range(), region.theirs_range()];
        if region.is_conflict() {
            self.conflict(&ranges);
        } else {
            let from = if region.resolution() == MergeResolution::Theirs { THEIRS } else { OURS };
            for at in 0..ranges[from].len() {
                self.line(from, ranges[from].start + at, &ranges, at);
            }
        }
        // A line that is gone ends where what took its place ends.
        for (places, range) in self.made.places.iter_mut().zip(ranges) {
            places.resize(range.end, self.made.parts.len());
        }
    }

    /// One line that is taken from a version; the others have it as well where it stands in them at the same place.
    fn line(&mut self, from: usize, index: usize, ranges: &[Range<usize>; 3], at: usize) {
        let line = self.lines[from][index];
        let same = |version: usize| {
            let found = ranges[version].clone().nth(at).map(|index| self.lines[version][index]);
            found.filter(|found| found.number == line.number)
        };
        let end = |version: usize| same(version).and_then(|found| found.piece.bare()).map(|bare| bare.end);
        let ends = [end(BASE), end(OURS), end(THEIRS)];
        self.push(line.piece, ends);
        let len = self.made.parts.len();
        for (version, range) in ranges.iter().enumerate() {
            let places = &mut self.made.places[version];
            if at < range.len() && places.len() == range.start + at {
                places.push(len);
            }
        }
    }

    fn push(&mut self, piece: &Piece<'a>, [base, ours, theirs]: [Option<Ending<'a>>; 3]) {
        match piece {
            Piece::Bare(bare) => {
                let end = match (ours, theirs) {
                    (Some(ours), Some(theirs)) => chosen(base.as_ref(), ours, theirs).unwrap_or(ours),
                    (one, other) => one.or(other).unwrap_or(bare.end),
                };
                self.made.parts.push(Part::Bare(Bare { end, ..*bare }));
            }
            Piece::Fact(block) => {
                if self.placed.insert(block.key.clone()) {
                    self.made.parts.push(Part::Fact(block.key.clone()));
                }
            }
        }
    }

    /// Lines that both sides changed: what they have in common at both ends, and between them what they differ in.
    fn conflict(&mut self, ranges: &[Range<usize>; 3]) {
        let [base, ours, theirs] = ranges;
        let numbers = |version: usize, range: &Range<usize>| -> Vec<usize> {
            self.lines[version][range.clone()].iter().map(|line| line.number).collect()
        };
        let (was, o, t) = (numbers(BASE, base), numbers(OURS, ours), numbers(THEIRS, theirs));
        let head = o.iter().zip(&t).take_while(|(o, t)| o == t).count();
        let tail = o[head..].iter().rev().zip(t[head..].iter().rev()).take_while(|(o, t)| o == t).count();
        let inner = [ours.start + head..ours.end - tail, theirs.start + head..theirs.end - tail];
        self.common(ours.start..inner[0].start, theirs.start);
        if self.may_have_both(base, &inner) {
            // What the other side took out, or has elsewhere now.
            let gone = |other: &[usize]| was.iter().filter(|line| !other.contains(line)).copied().collect();
            let ops =
                capture_diff_slices(Algorithm::Myers, &o[head..o.len() - tail], &t[head..t.len() - tail]);
            for op in ops {
                let old = op.old_range().start + inner[0].start..op.old_range().end + inner[0].start;
                let new = op.new_range().start + inner[1].start..op.new_range().end + inner[1].start;
                if matches!(op, DiffOp::Equal { .. }) {
                    self.common(old, new.start);
                } else {
                    self.side(OURS, old, &gone(&t));
                    self.side(THEIRS, new, &gone(&o));
                }
            }
        } else {
            self.differing(base, &inner);
        }
        self.common(inner[0].end..ours.end, inner[1].end);
    }

    /// Whether lines that only add to each other: one side has none, or the note is a journal, or reflection wrote them
    /// and will again.
    fn may_have_both(&self, base: &Range<usize>, [ours, theirs]: &[Range<usize>; 2]) -> bool {
        let is_reflected = |version: usize, range: &Range<usize>| {
            let mut lines = self.lines[version][range.clone()].iter();
            lines.all(|line| line.piece.bare().is_none_or(|bare| bare.reflected))
        };
        let only_adds = self.bare(BASE, base).is_empty() && (ours.is_empty() || theirs.is_empty());
        let is_below_front = ours.start >= self.front[OURS] && theirs.start >= self.front[THEIRS];
        ((only_adds || self.rules.append_only) && is_below_front)
            || (is_reflected(OURS, ours) && is_reflected(THEIRS, theirs))
    }

    /// Lines that both sides have.
    fn common(&mut self, ours: Range<usize>, theirs: usize) {
        for (at, index) in ours.enumerate() {
            let (line, same) = (self.lines[OURS][index], self.lines[THEIRS][theirs + at]);
            self.push(
                line.piece,
                [None, line.piece.bare().map(|bare| bare.end), same.piece.bare().map(|bare| bare.end)],
            );
            let len = self.made.parts.len();
            self.made.places[OURS].push(len);
            self.made.places[THEIRS].push(len);
        }
    }

    /// Lines that one side has, without those that are gone.
    fn side(&mut self, version: usize, range: Range<usize>, gone: &HashSet<usize>) {
        for index in range {
            let line = self.lines[version][index];
            if line.piece.bare().is_none() || !gone.contains(&line.number) {
                self.push(line.piece, [None; 3]);
            }
            self.made.places[version].push(self.made.parts.len());
        }
    }

    /// Lines that one side left as they were, or lines between marks. Facts come after them: whoever takes one side loses none.
    fn differing(&mut self, base: &Range<usize>, ranges: &[Range<usize>; 2]) {
        let [was, ours, theirs] = [(BASE, base), (OURS, &ranges[0]), (THEIRS, &ranges[1])]
            .map(|(side, range)| self.bare(side, range));
        match chosen(Some(&was), ours.clone(), theirs) {
            Some(taken) if taken == ours => self.sort(OURS, &ranges[0], false),
            Some(_) => self.sort(THEIRS, &ranges[1], false),
            None => {
                self.mark("<<<<<<< ours");
                self.sort(OURS, &ranges[0], false);
                self.mark("=======");
                self.sort(THEIRS, &ranges[1], false);
                self.mark(">>>>>>> theirs");
                self.made.conflicts += 1;
            }
        }
        for (side, range) in [OURS, THEIRS].into_iter().zip(ranges) {
            self.sort(side, range, true);
        }
        for (side, range) in [OURS, THEIRS].into_iter().zip(ranges) {
            self.made.places[side].resize(range.end, self.made.parts.len());
        }
    }

    /// The lines of a side that are no facts, as numbers.
    fn bare(&self, side: usize, range: &Range<usize>) -> Vec<usize> {
        let lines = self.lines[side][range.clone()].iter().filter(|line| line.piece.bare().is_some());
        lines.map(|line| line.number).collect()
    }

    /// Of the lines of a side those that are facts, or the others.
    fn sort(&mut self, side: usize, range: &Range<usize>, facts: bool) {
        let sorted =
            self.lines[side][range.clone()].iter().filter(|line| line.piece.bare().is_none() == facts);
        let sorted: Vec<Numbered<'_, 'a>> = sorted.copied().collect();
        sorted.iter().for_each(|line| self.push(line.piece, [None; 3]));
    }

    /// A mark of as many characters as git asks for.
    fn mark(&mut self, mark: &str) {
        let (sign, label) = mark.split_once(' ').map_or((mark, ""), |(sign, _)| (sign, &mark[sign.len()..]));
        self.made.parts.push(Part::Mark(format!("{}{label}", sign[..1].repeat(self.rules.marker))));
    }
}

impl<'a> Piece<'a> {
    /// Equal for equal lines; a line of code is none of prose, and a fact is its id.
    pub(super) fn identity(&self) -> (Option<&Key>, &str, bool) {
        match self {
            Self::Bare(bare) => (None, bare.text, bare.verbatim),
            Self::Fact(block) => (Some(&block.key), "", false),
        }
    }

    pub(super) fn bare(&self) -> Option<&Bare<'a>> {
        match self {
            Self::Bare(bare) => Some(bare),
            Self::Fact(_) => None,
        }
    }
}
