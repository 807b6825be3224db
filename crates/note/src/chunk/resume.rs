//! Where a text that is added to is read on.
//!
//! Where a chunk begins is settled once a line follows all that was looked ahead at: whatever is appended to the text, its lines,
//! facts and chunks are the same up to there.

use super::outline::{LineState, Outline};

/// The last settled place of a text that ends with a line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// The bytes of the text before it.
    pub at: usize,
    pub(super) above: LineState,
    /// The headings in force there, with their levels.
    pub(super) path: Vec<(u8, String)>,
    /// How many of the lines that follow the chunk before it has, too.
    pub(super) carried: usize,
    /// The first level-1 heading of the text.
    pub(super) title: Option<String>,
    /// The title that front matter gives it.
    pub(super) given: Option<String>,
}

impl Resume {
    pub(super) fn at_start(above: LineState) -> Self {
        Self { at: 0, above, path: Vec::new(), carried: 0, title: None, given: None }
    }

    /// How many lines stand before it.
    pub fn lines(&self) -> u32 {
        self.above.number
    }

    /// The lines of a text, or of what follows a place in it.
    pub(super) fn outline<'a>(from: Option<&Self>, text: &'a str) -> Outline<'a> {
        match from {
            Some(from) => Outline::on(text, from.above, from.title.clone()),
            None => Outline::new(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Chunking, end, facts_on, read_on};
    use crate::chunk::{Chunk, PlacedFact};

    const LINES: &[&str] = &[
        "- W @ana: likes tea ^a1",
        "- W @bo: rides a bike ^b2",
        "  and more of it",
        "",
        "",
        "text of a paragraph",
        "# Head",
        "## Retain",
        "=====",
        "---",
        "```",
        "~~~",
        "    code",
        "- O @c: nested ^c3",
        "  - W @d: deeper ^d4",
        "title: x",
        "### Sub `of` it",
        "a line that is longer than a chunk may be, so that it is cut to pieces in the middle of it",
    ];

    /// A text of lines that are drawn from a seed.
    fn drawn(seed: u64, count: usize) -> String {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % below as u64).unwrap_or(0)
        };
        (0..count)
            .flat_map(|_| [LINES[next(LINES.len())], if next(20) == 0 { "\r\n" } else { "\n" }])
            .collect()
    }

    #[test]
    fn a_text_that_is_read_on_reads_as_the_whole_does() {
        let chunking = Chunking { tokens: 24, overlap: 6 };
        let mut resumed = 0;
        for seed in 1..400 {
            let before = drawn(seed, 40);
            let whole = format!("{before}{}", drawn(seed + 1000, 6));
            let (_, Some(from)) = read_on(&before, None, &chunking) else { continue };
            resumed += 1;
            let (all, last) = read_on(&whole, None, &chunking);
            let rest = &whole[from.at..];
            let (read, next) = read_on(rest, Some(&from), &chunking);
            assert_eq!((&read.title, next), (&all.title, last), "{whole:?}");
            let after = |line: u32| line > from.lines();
            let chunks: Vec<&Chunk> = all.chunks.iter().filter(|chunk| after(chunk.lines.start)).collect();
            assert_eq!(read.chunks.iter().collect::<Vec<_>>(), chunks, "{whole:?}");
            let facts = facts_on(&whole, None, usize::MAX);
            let facts: Vec<&PlacedFact<'_>> = facts.iter().filter(|fact| after(fact.line)).collect();
            let found = facts_on(rest, Some(&from), usize::MAX);
            assert_eq!(found.iter().collect::<Vec<_>>(), facts, "{whole:?}");
            assert_eq!(end(rest, Some(&from)), end(&whole, None), "{whole:?}");
        }
        assert!(resumed > 300, "{resumed}");
    }

    #[test]
    fn what_may_still_become_front_matter_is_read_from_its_beginning() {
        let open = format!("---\n{}", "title: Given\n- W: a fact of some length ^a1\n".repeat(40));
        assert_eq!(read_on(&open, None, &Chunking { tokens: 24, overlap: 6 }).1, None);
        let (note, from) =
            read_on(&open.replacen("\n-", "\n---\n-", 1), None, &Chunking { tokens: 24, overlap: 6 });
        assert_eq!(note.title.as_deref(), Some("Given"));
        let (read, _) = read_on("- W: more ^b2\n", from.as_ref(), &Chunking::default());
        assert_eq!(read.title.as_deref(), Some("Given"));
    }
}
