//! The laws of cutting: nothing is lost, nothing is too heavy, every line number is true.

use mindfile_note::chunk::{self, Chunk, Chunking, LineRange, weight};
use mindfile_note::hash::Digest;
use mindfile_note::text;
use proptest::prelude::*;

use crate::config;

/// Notes of Markdown lines in any order, with any line ends.
fn note() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[a-z ]{0,30}",
        1 => "#{1,4} [a-z]{1,8}",
        1 => "(  ){0,2}[-*] [a-z ]{1,20}",
        1 => Just("```".to_owned()),
        1 => Just("---".to_owned()),
        1 => Just(String::new()),
        1 => " {1,3}",
        1 => "\\| [a-z]{1,5} \\| [a-z]{1,5} \\|",
        1 => "[中文かな한국。, ]{1,30}",
        1 => "[เย็นนี้กินข้าว]{1,30}",
        1 => "(👩\u{200d}👩\u{200d}👧|👍🏽|🇩🇪|𠀀|e\u{301}){1,20}",
        1 => "[a-z .]{60,120}",
        1 => "[^\r\n]{0,12}",
    ];
    let end = prop_oneof![5 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    proptest::collection::vec((line, end), 0..40)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
}

fn chunking() -> impl Strategy<Value = Chunking> {
    (0..40_u32, 0..20_u32).prop_map(|(tokens, overlap)| Chunking { tokens, overlap })
}

fn chunk_weight(chunk: &Chunk) -> usize {
    text::lines(&chunk.text).map(weight).sum::<usize>()
}

/// Whether a chunk is exactly its lines, or a piece of one line that does not fit.
fn is_true(chunk: &Chunk, lines: &[&str], most: usize) -> bool {
    let LineRange { start, end } = chunk.lines;
    let cited = &lines[start as usize - 1..end as usize];
    let piece = start == end && weight(cited[0]) > most && cited[0].contains(&chunk.text);
    chunk.text == cited.join("\n") || piece
}

/// Everything of a line that is not white space, as the chunks that hold it have it.
fn held(chunks: &[Chunk], number: u32, line: &str, most: usize) -> String {
    let holders = chunks.iter().filter(|c| c.lines.start <= number && number <= c.lines.end);
    let solid = |text: &str| text.split_whitespace().collect::<String>();
    if weight(line) > most {
        return holders.map(|chunk| solid(&chunk.text)).collect();
    }
    holders
        .map(|chunk| solid(text::lines(&chunk.text).nth((number - chunk.lines.start) as usize).unwrap()))
        .next()
        .unwrap_or_default()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_chunk_is_its_lines_and_not_too_heavy(note in note(), chunking in chunking()) {
        let lines: Vec<&str> = text::lines(&note).collect();
        for chunk in chunk::read(&note, &chunking).chunks {
            prop_assert!(is_true(&chunk, &lines, chunking.max_weight()), "{chunk:?}");
            prop_assert!(chunk_weight(&chunk) <= chunking.max_weight(), "{chunk:?}");
            prop_assert!(!chunk.text.trim().is_empty());
            prop_assert_eq!(chunk.hash, Digest::of(chunk.text.as_bytes()));
        }
    }

    #[test]
    fn no_line_is_lost(note in note(), chunking in chunking()) {
        let chunks = chunk::read(&note, &chunking).chunks;
        for (number, line) in (1..).zip(text::lines(&note)) {
            let solid: String = line.split_whitespace().collect();
            prop_assert_eq!(held(&chunks, number, line, chunking.max_weight()), solid);
        }
    }

    #[test]
    fn chunks_follow_each_other(note in note(), chunking in chunking()) {
        let chunks = chunk::read(&note, &chunking).chunks;
        for pair in chunks.windows(2) {
            let (above, below) = (pair[0].lines, pair[1].lines);
            let pieces = above == below && above.start == above.end;
            let later = above.start < below.start && above.end < below.end;
            prop_assert!(pieces || later, "{above:?} {below:?}");
        }
    }

    #[test]
    fn what_is_repeated_is_within_the_overlap(note in note(), chunking in chunking()) {
        let lines: Vec<&str> = text::lines(&note).collect();
        let chunks = chunk::read(&note, &chunking).chunks;
        for pair in chunks.windows(2).filter(|pair| pair[0].lines != pair[1].lines) {
            let repeated = (pair[1].lines.start..=pair[0].lines.end).map(|n| weight(lines[n as usize - 1]));
            prop_assert!(repeated.sum::<usize>() <= chunking.overlap_weight());
        }
    }

    #[test]
    fn the_same_note_has_the_same_chunks(note in note(), chunking in chunking()) {
        prop_assert_eq!(chunk::read(&note, &chunking), chunk::read(&note, &chunking));
    }

    #[test]
    fn line_ends_do_not_matter(note in note(), chunking in chunking()) {
        let plain: String = text::lines(&note).map(|line| format!("{line}\n")).collect();
        prop_assert_eq!(chunk::read(&plain, &chunking), chunk::read(&note, &chunking));
    }

    #[test]
    fn any_text_is_a_note(note in any::<String>(), tokens in any::<u32>(), overlap in any::<u32>()) {
        for chunk in chunk::read(&note, &Chunking { tokens, overlap }).chunks {
            prop_assert!(chunk.lines.start >= 1 && chunk.lines.start <= chunk.lines.end);
        }
    }

    #[test]
    fn a_fence_that_fits_is_whole(
        before in "([a-z ]{1,20}\n){0,6}", code in "([a-z]{0,9}\n){0,6}", after in "([a-z ]{1,20}\n){0,6}",
    ) {
        let fence = format!("```\n{code}```");
        let chunking = Chunking { tokens: 20, overlap: 5 };
        let fits = text::lines(&fence).map(weight).sum::<usize>() <= chunking.max_weight();
        let chunks = chunk::read(&format!("{before}\n{fence}\n\n{after}"), &chunking).chunks;
        prop_assert!(!fits || chunks.iter().any(|chunk| chunk.text.contains(&fence)));
    }
}
