//! Any bytes are a note: they decode, and the chunks hold every line that is not blank, each at its place.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mindfile_note::chunk::{self, Chunk, Chunking, weight};
use mindfile_note::hash::Digest;
use mindfile_note::{text, words};

fuzz_target!(|bytes: &[u8]| {
    let Some((&[tokens, overlap], bytes)) = bytes.split_first_chunk::<2>() else { return };
    let decoded = text::decode(bytes);
    check(&decoded, &Chunking { tokens: u32::from(tokens), overlap: u32::from(overlap) });
    check(&decoded, &Chunking::default());
    words::terms(&decoded);
});

fn check(note: &str, chunking: &Chunking) {
    let lines: Vec<&str> = text::lines(note).collect();
    let mut held = vec![false; lines.len()];
    for chunk in chunk::read(note, chunking).chunks {
        let start = chunk.lines.start as usize;
        let end = chunk.lines.end as usize;
        assert!(is_true(&chunk, &lines[start - 1..end], chunking.max_weight()), "{chunk:?}");
        assert!(text::lines(&chunk.text).map(weight).sum::<usize>() <= chunking.max_weight(), "{chunk:?}");
        assert_eq!(chunk.hash, Digest::of(chunk.text.as_bytes()));
        held[start - 1..end].fill(true);
    }
    for (line, held) in lines.iter().zip(held) {
        assert!(held || line.trim().is_empty(), "lost: {line:?}");
    }
}

/// Exactly its lines, or a piece of one line that does not fit.
fn is_true(chunk: &Chunk, cited: &[&str], most: usize) -> bool {
    let piece = || cited.len() == 1 && weight(cited[0]) > most && cited[0].contains(&chunk.text);
    chunk.text == cited.join("\n") || piece()
}
