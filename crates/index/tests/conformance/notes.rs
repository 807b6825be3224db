//! Notes made from a few numbers, for checks that need many of them.

use std::sync::OnceLock;

use crate::{
    Alias, Change, Embedding, FactFields, FileStat, NewChunk, NewFact, NewNote, Origin, Source, StoredNote,
};
use mindfile_note::fact::Kind;
use mindfile_note::hash::Digest;

pub const WORDS: [&str; 12] = [
    "database", "migration", "Sarah", "leaving", "rate-limit", "数据库", "поиск", "coffee", "deadline",
    "E2BIG", "walk", "dog",
];
pub const DIMS: usize = 8;

pub fn text(seed: u64) -> String {
    let mut state = seed;
    let picks = (0..4 + seed % 7).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        WORDS[(state >> 33) as usize % WORDS.len()]
    });
    picks.collect::<Vec<_>>().join(" ")
}

pub fn vector(text: &str) -> Vec<f32> {
    let digest = Digest::of(text.as_bytes());
    let raw: Vec<f32> = digest.as_bytes()[..DIMS].iter().map(|&byte| f32::from(byte) - 127.0).collect();
    let norm = raw.iter().map(|value| value * value).sum::<f32>().sqrt();
    raw.into_iter().map(|value| value / norm).collect()
}

pub const NAMES: [&str; 6] = ["Sarah", "sarah", "Bob", "Robert", "rob", "Zoë"];

/// A note whose every line is a chunk and a fact. A page of the bank also says that some names are others.
pub fn note(path: &str, lines: &[String], embedded: bool) -> NewNote {
    let chunk = |line: usize, text: &String| NewChunk {
        start_line: line as u32 + 1,
        end_line: line as u32 + 1,
        context: format!("notes {}", path.len()),
        text: text.clone(),
        hash: Digest::of(text.as_bytes()),
        tokens: text.bytes().map(u16::from).collect(),
        embedding: if embedded { Embedding::Vector(vector(text)) } else { Embedding::Pending },
        origin: Origin::ALL[text.len() % Origin::ALL.len()],
        terms: OnceLock::new(),
    };
    let chunks = lines.iter().enumerate().map(|(line, text)| chunk(line, text));
    let facts = lines
        .iter()
        .enumerate()
        .map(|(line, text)| NewFact { chunk: chunk(line, text), fields: fields(text) });
    let declared = lines.iter().filter(|_| path.starts_with("bank/"));
    let aliases = declared.map(|text| Alias { alias: name(text, 0), name: name(text, 1) });
    let size = lines.iter().map(String::len).sum::<usize>() as u64;
    let hash = Digest::of(lines.join("\n").as_bytes());
    let stat = FileStat { mtime_ns: size as i64 * 86_400_000_000_000, ctime_ns: 1, size, inode: 7 };
    let day = path.contains("day").then_some(20_000);
    NewNote {
        note: StoredNote { path: path.to_owned(), source: Source::Memory, hash, stat, racy: false },
        day,
        chunks: chunks.collect(),
        facts: facts.collect(),
        aliases: aliases.collect(),
    }
}

fn pick(text: &str, at: usize) -> &'static str {
    NAMES[usize::from(Digest::of(text.as_bytes()).as_bytes()[at]) % NAMES.len()]
}

fn name(text: &str, at: usize) -> String {
    pick(text, at).to_lowercase()
}

fn fields(text: &str) -> FactFields {
    let entities = (0..text.len() % 4).map(|at| pick(text, at).to_owned()).collect();
    let key = text.contains("coffee").then(|| "drink".to_owned());
    FactFields {
        id: format!("f{}", text.len()),
        kind: Kind::World,
        salience: 0.95,
        confidence: None,
        key,
        entities,
        line: format!("- W: {text}"),
    }
}

pub fn put(path: &str, lines: &[&str]) -> Change {
    Change::Put(note(path, &lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>(), true))
}
