//! Which lines go together: the largest run that fits, ended at the best seam in its later part.

use std::collections::VecDeque;

use super::outline::{Outline, OutlineLine, Seam};
use super::resume::Resume;
use super::weigh::{LINE_END, char_weight};
use super::{Chunk, Chunking, LineRange, heading};
use crate::hash::Digest;
use crate::text::extent;

/// What a text, or the rest of one, was cut into.
pub(super) struct Packed {
    pub(super) chunks: Vec<Chunk>,
    /// The first level-1 heading.
    pub(super) title: Option<String>,
    /// The last place up to which an addition changes nothing.
    pub(super) resume: Option<Resume>,
}

/// `text` is what follows the place from which it is read on, if that is not its beginning.
pub(super) fn pack(text: &str, from: Option<&Resume>, chunking: &Chunking) -> Packed {
    let mut packer = Packer {
        text,
        before: from.map_or(0, |from| from.at),
        source: Resume::outline(from, text),
        window: VecDeque::new(),
        path: from.map(|from| from.path.clone()).unwrap_or_default(),
        max: chunking.max_weight(),
        overlap: chunking.overlap_weight(),
        chunks: Vec::new(),
        resume: from.cloned(),
    };
    packer.run(from.map(|from| from.carried));
    let title = packer.source.into_title();
    let resume = packer.resume.map(|resume| Resume { title: title.clone(), ..resume });
    Packed { chunks: packer.chunks, title, resume }
}

struct Packer<'a> {
    text: &'a str,
    /// Bytes before `text`.
    before: usize,
    source: Outline<'a>,
    /// The lines of the chunk in work and those looked ahead at: at most about twice the heaviest chunk.
    window: VecDeque<OutlineLine<'a>>,
    /// The headings in force above the window.
    path: Vec<(u8, String)>,
    max: usize,
    overlap: usize,
    chunks: Vec<Chunk>,
    resume: Option<Resume>,
}

impl<'a> Packer<'a> {
    /// `carried` is none at the beginning of a text.
    fn run(&mut self, carried: Option<usize>) {
        let mut carried = carried.unwrap_or_else(|| self.advance(0));
        while let Some(first) = self.line(0) {
            self.settle(first, carried);
            let end = if first.weight > self.max {
                self.emit_pieces(first);
                1
            } else {
                let end = self.fill(carried);
                self.emit(end);
                end
            };
            carried = self.advance(end);
        }
    }

    /// A chunk begins here whatever is appended, as long as a line follows all that was looked ahead at.
    fn settle(&mut self, first: OutlineLine<'a>, carried: usize) {
        if self.source.is_at_end() {
            return;
        }
        let at = self.before + extent(self.text, first.text).0;
        let resume = self.resume.get_or_insert_with(|| Resume::at_start(first.above));
        (resume.at, resume.above, resume.carried) = (at, first.above, carried);
        resume.path.clone_from(&self.path);
    }

    /// The line at a place in the window, read from the source when it is not there yet.
    fn line(&mut self, at: usize) -> Option<OutlineLine<'a>> {
        while self.window.len() <= at {
            let line = self.source.next()?;
            self.window.push_back(line);
        }
        self.window.get(at).copied()
    }

    /// Where the chunk that begins at the window's front ends; after at least one line that is not carried.
    fn fill(&mut self, carried: usize) -> usize {
        let mut at = 0;
        let mut weight = 0;
        while let Some(line) = self.line(at) {
            if at > carried && line.seam == Seam::Section && weight >= self.max / 2 {
                return at;
            }
            if weight + line.weight > self.max {
                return if line.weight > self.max { at } else { self.cut(at, carried) };
            }
            weight += line.weight;
            at += 1;
        }
        at
    }

    /// The best place to end a chunk that would be full before line `full`.
    ///
    /// Looks for the best seam in the later half of the chunk (for a section's, in the later three quarters).
    /// A block that began earlier is moved to the next chunk if it fits there whole, else it is cut.
    fn cut(&mut self, full: usize, carried: usize) -> usize {
        let mut best = full;
        let mut seam = Seam::Stick;
        let mut block = None;
        let mut weight = self.window.iter().take(carried + 1).map(|line| line.weight).sum::<usize>();
        for at in carried + 1..=full {
            let line = self.window[at];
            let least = if line.seam == Seam::Section { self.max / 4 } else { self.max / 2 };
            if weight >= least && line.seam >= seam {
                (best, seam) = (at, line.seam);
            }
            if line.seam >= Seam::Item {
                block = Some(at);
            }
            weight += line.weight;
        }
        match block {
            Some(start) if seam < Seam::Item && self.block_weight(start) <= self.max => start,
            Some(_) | None => best,
        }
    }

    /// The weight of the block that begins at a line, counted only until it exceeds a chunk.
    fn block_weight(&mut self, start: usize) -> usize {
        let mut at = start;
        let mut weight = 0;
        while let Some(line) = self.line(at) {
            if (at > start && line.seam >= Seam::Item) || weight > self.max {
                break;
            }
            weight += line.weight;
            at += 1;
        }
        weight
    }

    /// Moves the window to the next chunk and says how many of its lines the last chunk also has.
    fn advance(&mut self, end: usize) -> usize {
        let end = self.skip_blank(end);
        let carried = match self.line(end) {
            Some(next) if next.seam != Seam::Section => self.tail(end, next),
            Some(_) | None => 0,
        };
        self.drop_front(end - carried);
        carried
    }

    /// The first line from `at` on that is not blank, counted in the window. A gap too large to be carried
    /// over is dropped at once, with all before it.
    fn skip_blank(&mut self, mut at: usize) -> usize {
        while self.line(at).is_some_and(|line| line.blank) {
            at += 1;
            if at > self.max {
                self.drop_front(at);
                at = 0;
            }
        }
        at
    }

    /// How many lines before `end` the next chunk repeats: whole lines, not more than the overlap, not from
    /// before a section's heading, and none that would push the next block out.
    fn tail(&mut self, end: usize, next: OutlineLine<'a>) -> usize {
        let block = self.block_weight(end);
        let needed = if block <= self.max { block } else { next.weight };
        let mut room = self.overlap.min(self.max.saturating_sub(needed));
        let mut start = end;
        while start > 1 && self.window[start - 1].weight <= room {
            start -= 1;
            room -= self.window[start].weight;
            if self.window[start].seam == Seam::Section {
                break;
            }
        }
        let blank = self.window.range(start..end).take_while(|line| line.blank).count();
        end - start - blank
    }

    fn drop_front(&mut self, count: usize) {
        for line in self.window.drain(..count.min(self.window.len())) {
            if let Some(level) = line.level {
                self.path.retain(|(above, _)| *above < level);
                self.path.push((level, heading::clean(line.text)));
            }
        }
    }

    fn emit(&mut self, end: usize) {
        let blank = self.window.range(..end).rev().take_while(|line| line.blank).count();
        let lines = self.window.range(..end - blank);
        let numbers = LineRange { start: self.window[0].number, end: self.window[end - blank - 1].number };
        let mut text = String::with_capacity(lines.clone().map(|line| line.text.len() + 1).sum());
        for line in lines {
            if line.number > numbers.start {
                text.push('\n');
            }
            text.push_str(line.text);
        }
        self.push(numbers, text);
    }

    fn emit_pieces(&mut self, line: OutlineLine<'a>) {
        let numbers = LineRange { start: line.number, end: line.number };
        let mut rest = line.text;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(piece_end(rest, self.max));
            if !piece.trim().is_empty() {
                self.push(numbers, piece.to_owned());
            }
            rest = after;
        }
    }

    fn push(&mut self, lines: LineRange, text: String) {
        let level = self.window.front().and_then(|line| line.level).unwrap_or(u8::MAX);
        let above = self.path.iter().filter(|(l, words)| *l < level && !words.is_empty());
        let heading = above.map(|(_, words)| words.clone()).collect();
        let hash = Digest::of(text.as_bytes());
        self.chunks.push(Chunk { lines, heading, text, hash });
    }
}

/// Where to cut a line that does not fit: after a sentence or a space in the last fifth, else between two
/// characters as they are seen, else between two scalars.
fn piece_end(line: &str, max: usize) -> usize {
    let room = max - LINE_END;
    let mut weight = 0;
    let mut seen = 0;
    let mut space = 0;
    let mut before = None;
    for (at, c) in line.char_indices() {
        if weight * 5 >= room * 4 && at > 0 {
            seen = if is_cluster_boundary(before, c) { at } else { seen };
            space = if before.is_some_and(ends_a_part) && seen == at { at } else { space };
        }
        weight += char_weight(c);
        if weight > room {
            return [space, seen, at].into_iter().find(|&end| end > 0).unwrap_or(c.len_utf8());
        }
        before = Some(c);
    }
    line.len()
}

fn ends_a_part(c: char) -> bool {
    c.is_whitespace() || matches!(c, '。' | '！' | '？' | '；' | '，' | '、' | '।' | '።' | '။' | '។' | '｡')
}

/// Whether a cut here keeps what is drawn as one character together: marks, joined and modified emoji, jamo.
fn is_cluster_boundary(before: Option<char>, after: char) -> bool {
    let extends = |c: char| {
        unicode_normalization::char::is_combining_mark(c)
            || matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
            || matches!(c, '\u{1160}'..='\u{11FF}' | '\u{E0020}'..='\u{E007F}')
    };
    let regional = |c: char| matches!(c, '\u{1F1E6}'..='\u{1F1FF}');
    let joined = before.is_some_and(|b| b == '\u{200D}' || (regional(b) && regional(after)));
    after.is_ascii() || !(extends(after) || joined)
}
