//! A note as chunks: spans of lines that are found, scored and cited by themselves.
//!
//! The note is read once, line by line, through a window that never holds more than a few chunks, so time and
//! memory are linear in the note whatever its shape. `outline` says how good a break before each line would
//! be, `pack` chooses the breaks, `weigh` says how much fits.

mod facts;
mod front;
mod heading;
mod outline;
mod pack;
mod resume;
mod weigh;

pub use facts::{End, PlacedFact, end, facts, facts_on};
pub(crate) use facts::{ReadLine, read_lines};
pub(crate) use front::extent as front_matter;
pub(crate) use front::list as front_list;
pub use resume::Resume;
pub use weigh::weight;

use crate::hash::Digest;
use outline::Outline;

/// How large a chunk may be and how much of it the next one repeats, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunking {
    pub tokens: u32,
    pub overlap: u32,
}

impl Default for Chunking {
    fn default() -> Self {
        Self { tokens: 400, overlap: 80 }
    }
}

impl Chunking {
    /// The greatest weight of a chunk. It must have room for one character of any script, so fewer than two
    /// tokens count as two.
    pub fn max_weight(&self) -> usize {
        weigh::of_tokens(self.tokens.max(2))
    }

    /// The greatest weight of the lines that the next chunk repeats: at most half a chunk, so that every chunk
    /// has room for new lines.
    pub fn overlap_weight(&self) -> usize {
        weigh::of_tokens(self.overlap).min(self.max_weight() / 2)
    }
}

/// Lines of a note, counted from 1, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineRange {
    pub start: u32,
    pub end: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    pub lines: LineRange,
    /// The headings that stand above the chunk's first line and are in force there, outermost first. A
    /// heading that is itself the first line is not among them: it is in the text.
    pub heading: Vec<String>,
    /// The lines as decoded, joined by `\n`; or a piece of one line that is too long for a chunk.
    pub text: String,
    /// The digest of `text`.
    pub hash: Digest,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// `title:` of the front matter, else the first level-1 heading.
    pub title: Option<String>,
    pub chunks: Vec<Chunk>,
}

/// Cuts a decoded text into chunks. Every non-blank line is in at least one of them.
pub fn read(text: &str, chunking: &Chunking) -> Note {
    read_on(text, None, chunking).0
}

/// Cuts a text, or what follows a place in it, and says where to read on when lines are appended.
pub fn read_on(text: &str, from: Option<&Resume>, chunking: &Chunking) -> (Note, Option<Resume>) {
    let packed = pack::pack(text, from, chunking);
    let (given, settled) = match from {
        Some(from) => (from.given.clone(), true),
        None => (front::title(text), front::is_settled(text)),
    };
    let resume = packed.resume.filter(|_| settled).map(|resume| Resume { given: given.clone(), ..resume });
    (Note { title: given.or(packed.title), chunks: packed.chunks }, resume)
}

/// What a note is called, as [`read`] finds it, without cutting the note.
pub fn title(text: &str) -> Option<String> {
    let headed =
        || Outline::new(text).find(|line| line.level == Some(1)).map(|line| heading::clean(line.text));
    front::title(text).or_else(headed).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, tokens: u32, overlap: u32, expected: Expect) {
        let note = read(text, &Chunking { tokens, overlap });
        let mut shown = format!("title: {:?}\n", note.title);
        for Chunk { lines, heading, text, .. } in &note.chunks {
            shown.push_str(&format!("{}-{} {heading:?} {text:?}\n", lines.start, lines.end));
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_short_note_is_one_chunk() {
        check(
            "\r\n# **Plan**\r\n\r\nShip it.\r\n\r\n",
            400,
            80,
            expect![[r##"
            title: Some("Plan")
            2-4 [] "# **Plan**\n\nShip it."
        "##]],
        );
        check(
            " \n\t\n",
            400,
            80,
            expect![[r#"
            title: None
        "#]],
        );
        check(
            "",
            400,
            80,
            expect![[r#"
            title: None
        "#]],
        );
    }

    #[test]
    fn a_section_of_some_size_starts_a_chunk_without_overlap() {
        check(
            "# A\nfirst section of words\nsecond line of words\n## B\nsecond one\nmore\n## C\nshort\n### D\nshort",
            16,
            8,
            expect![[r###"
                title: Some("A")
                1-3 [] "# A\nfirst section of words\nsecond line of words"
                4-10 ["A"] "## B\nsecond one\nmore\n## C\nshort\n### D\nshort"
            "###]],
        );
    }

    #[test]
    fn a_fence_that_fits_is_not_cut() {
        check(
            "some words before it, quite a few\n\n```\nlet a = 1;\n\nlet b = 2;\n```\nafter",
            12,
            4,
            expect![[r#"
                title: None
                1-1 [] "some words before it, quite a few"
                3-8 [] "```\nlet a = 1;\n\nlet b = 2;\n```\nafter"
            "#]],
        );
    }

    #[test]
    fn a_fence_that_does_not_fit_fills_the_chunk() {
        check(
            "before\n\n```\nline one\nline two\nline three\nline four\nline five\n```\n",
            10,
            0,
            expect![[r#"
                title: None
                1-5 [] "before\n\n```\nline one\nline two"
                6-9 [] "line three\nline four\nline five\n```"
            "#]],
        );
    }

    #[test]
    fn list_items_stay_whole_and_overlap() {
        check(
            "Lead:\n- one item\n  and more\n- two item\n  and more\n- three item\n  and more\n",
            12,
            6,
            expect![[r#"
                title: None
                1-3 [] "Lead:\n- one item\n  and more"
                2-5 [] "- one item\n  and more\n- two item\n  and more"
                4-7 [] "- two item\n  and more\n- three item\n  and more"
            "#]],
        );
    }

    #[test]
    fn a_long_line_is_cut_after_a_space() {
        check(
            "# H\nword word word word word word, word word word end\ntail",
            5,
            2,
            expect![[r##"
            title: Some("H")
            1-1 [] "# H"
            2-2 ["H"] "word word word word"
            2-2 ["H"] " word word, word "
            2-2 ["H"] "word word end"
            3-3 ["H"] "tail"
        "##]],
        );
        check(
            "汉字汉字。汉字汉字",
            6,
            2,
            expect![[r#"
                title: None
                1-1 [] "汉字汉字。"
                1-1 [] "汉字汉字"
            "#]],
        );
    }

    #[test]
    fn a_heading_stays_with_its_text() {
        check(
            "one two three four five six seven\n\n### Sub\n\ntext of the sub heading\n",
            10,
            0,
            expect![[r####"
                title: None
                1-1 [] "one two three four five six seven"
                3-5 [] "### Sub\n\ntext of the sub heading"
            "####]],
        );
    }

    #[test]
    fn the_title_is_of_the_front_matter_first() {
        check(
            "---\ntitle: Given\n---\n# Headed\n",
            400,
            80,
            expect![[r#"
            title: Some("Given")
            1-4 [] "---\ntitle: Given\n---\n# Headed"
        "#]],
        );
        check(
            "text\n\nUnderlined\n==========\n",
            400,
            80,
            expect![[r#"
            title: Some("Underlined")
            1-4 [] "text\n\nUnderlined\n=========="
        "#]],
        );
    }

    #[test]
    fn fewer_than_two_tokens_count_as_two() {
        check(
            "𠀀𠀀ab",
            0,
            9,
            expect![[r#"
            title: None
            1-1 [] "𠀀"
            1-1 [] "𠀀a"
            1-1 [] "b"
        "#]],
        );
    }
}
