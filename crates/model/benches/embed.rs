//! How many chunks of 400 tokens the embedded model makes vectors of in a second, on one core.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement prints, and stops when it cannot go on"
)]

use std::time::Instant;

use mindfile_model::{EmbeddedModel, EmbeddedTable, Embedder, Role};

const CHUNKS: usize = 2_000;
const TOKENS: usize = 400;

fn main() {
    let texts: Vec<String> = (0..CHUNKS).map(chunk).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let tokens: usize = texts.iter().map(|text| EmbeddedTable::open().tokens(text).len()).sum();
    let model = EmbeddedModel::new();
    let best = (0..5).map(|_| seconds(&model, &texts)).fold(f64::INFINITY, f64::min);
    println!("{CHUNKS} chunks of {} tokens: {:.0} chunks a second", tokens / CHUNKS, CHUNKS as f64 / best);
}

fn seconds(model: &EmbeddedModel, texts: &[&str]) -> f64 {
    let begun = Instant::now();
    let vectors = model.embed(Role::Document, texts, None).unwrap();
    assert!(vectors.iter().all(Option::is_some));
    begun.elapsed().as_secs_f64()
}

/// Ordinary words, other ones in every chunk.
fn chunk(n: usize) -> String {
    const WORDS: &str = "the release was moved to friday because database migration took longer than expected and \
        nobody had tested restore of last backup before meeting with customer in harbour where ferry leaves at noon";
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let pick = |at: usize| words[(n * 31 + at * 7 + at * at) % words.len()];
    (0..TOKENS).map(pick).collect::<Vec<_>>().join(" ")
}
