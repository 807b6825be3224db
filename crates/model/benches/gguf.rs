//! One side of `benches/gguf/run`: makes vectors of the texts of a file, once for every line that it is sent.
//!
//! `MINDFILE_BENCH_MODEL` is the GGUF file, `MINDFILE_BENCH_TEXTS` a JSON array of texts. Each line of the output is JSON:
//! how many tokens the texts have, and the first vector.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement prints, and stops when it cannot go on"
)]

use std::ops::ControlFlow;
use std::path::PathBuf;

use mindfile_model::provider::{Local, local};
use mindfile_model::{Embedder, Outcome, Role};

fn main() {
    let (Ok(model), Ok(texts)) =
        (std::env::var("MINDFILE_BENCH_MODEL"), std::env::var("MINDFILE_BENCH_TEXTS"))
    else {
        println!("benches/gguf/run runs this");
        return;
    };
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(texts).unwrap()).unwrap();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let embedder =
        local::open(&Local { model, cache: PathBuf::new(), endpoint: String::new(), ca_file: None });
    embedder.embed(Role::Query, &texts[..1], None).unwrap();
    for _ in std::io::stdin().lines() {
        println!("{}", once(&*embedder, &texts));
    }
}

fn once(embedder: &dyn Embedder, texts: &[&str]) -> serde_json::Value {
    let before = embedder.spent().tokens;
    let mut vectors = Vec::with_capacity(texts.len());
    let take = &mut |answers: Vec<(usize, Outcome)>| {
        vectors.extend(answers);
        ControlFlow::Continue(())
    };
    embedder.embed_each(texts, None, take).unwrap();
    let (0, Outcome::Vector(first)) = &vectors[0] else { panic!("{:?} is not the first vector", vectors[0]) };
    serde_json::json!({"tokens": embedder.spent().tokens - before, "first": first.as_slice()})
}
