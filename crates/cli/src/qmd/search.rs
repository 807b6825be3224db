//! `qmd search`, `vsearch` and `query`.

use std::collections::BTreeSet;

use mindfile::config::Maker;
use mindfile::documents::Document;
use mindfile::search::{Hit, Mode, Request};
use mindfile::{Memory, Response};
use serde::Serialize;

use super::arguments::{Call, Depth};
use super::collection::{Collections, not_found};
use super::held::Held;
use crate::failure::Failure;
use crate::output::{self, Screen};

/// How many are asked for at most; those of other collections are among them.
const MOST: usize = 1000;
/// As many digits of a document's id as are told: a few thousand notes never share them.
const DIGITS: usize = 12;

/// One result. Lines are said twice: some hosts read `start_line`, others the head of the snippet.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    docid: Option<String>,
    score: f64,
    file: String,
    collection: String,
    title: String,
    line: u32,
    start_line: u32,
    end_line: u32,
    snippet: String,
}

pub(super) fn run(depth: Depth, call: &Call, all: &Collections, screen: &Screen) -> Result<(), Failure> {
    let held = Held::open(all, screen)?;
    let wanted: Vec<&str> = call.values("c").chain(call.values("collection")).collect();
    if let Some(missing) = wanted.iter().find(|name| !held.as_ref().is_some_and(|held| held.has(name))) {
        return Err(not_found(missing));
    }
    let rows = match &held {
        Some(held) => rows(held, &request(depth, call, &held.memory), &wanted, screen)?,
        None => Vec::new(),
    };
    let printed = if call.has("json") { output::json(&rows) } else { output::text(&text(&rows)) };
    Ok(printed?)
}

fn request(depth: Depth, call: &Call, memory: &Memory) -> Request {
    let usual = if call.has("json") { 20 } else { 5 };
    let count = call.value("n").and_then(|n| n.parse().ok()).unwrap_or(usual);
    Request {
        max_results: Some(usize::clamp(count, 1, MOST)),
        min_score: call.value("min-score").and_then(|score| score.parse().ok()),
        mode: Some(mode(depth, memory)),
        ..Request::new(question(&call.rest(1)))
    }
}

/// The search by words never leaves the machine; where the model is inside the program, meaning takes part.
fn mode(depth: Depth, memory: &Memory) -> Mode {
    match (depth, &memory.settings().embedding.primary) {
        (Depth::Words, Maker::Service(_) | Maker::Local(_)) => Mode::Keyword,
        (Depth::Words, Maker::Embedded | Maker::None) | (Depth::Both, _) => Mode::Hybrid,
        (Depth::Meaning, _) => Mode::Vector,
    }
}

/// Lines such as `lex: …` and `vec: …` without their kind.
fn question(text: &str) -> String {
    const KINDS: [&str; 5] = ["lex:", "vec:", "hyde:", "intent:", "expand:"];
    let plain = |line: &str| {
        let kind = KINDS.iter().find_map(|kind| line.trim_start().strip_prefix(kind));
        kind.unwrap_or(line).trim().to_owned()
    };
    text.lines().map(plain).collect::<Vec<_>>().join(" ")
}

fn rows(held: &Held, request: &Request, wanted: &[&str], screen: &Screen) -> Result<Vec<Row>, Failure> {
    let found = find(held, request, wanted, screen)?;
    let documents: BTreeSet<Document> = found.iter().map(|(_, document)| document.clone()).collect();
    let is_listed = held.list(&documents).unwrap_or_else(|failure| {
        screen.warn(&format!("results have no docid: {}", failure.words()));
        false
    });
    Ok(found.iter().map(|(hit, document)| Row::new(hit, document, is_listed)).collect())
}

/// As many as are asked for, from the collections that are.
fn find(
    held: &Held,
    request: &Request,
    wanted: &[&str],
    screen: &Screen,
) -> Result<Vec<(Hit, Document)>, Failure> {
    let count = request.max_results.unwrap_or(MOST);
    for asked in [(count * 4).clamp(40, MOST), MOST] {
        let request = Request { max_results: Some(asked), ..request.clone() };
        let response = held.memory.search(&request, None)?;
        let is_all = response.answer.hits.len() < asked || asked == MOST;
        let found = of_collections(held, &response, wanted);
        if found.len() >= count || is_all {
            caveats(&response, screen);
            return Ok(found.into_iter().take(count).collect());
        }
    }
    Ok(Vec::new())
}

fn of_collections(held: &Held, response: &Response, wanted: &[&str]) -> Vec<(Hit, Document)> {
    let hits = response.answer.hits.iter();
    hits.filter_map(|hit| Some((hit.clone(), held.document(&hit.path, wanted)?))).collect()
}

fn caveats(response: &Response, screen: &Screen) {
    for words in response.degraded.iter().chain(&response.stale).chain(&response.notices) {
        screen.warn(words);
    }
}

fn text(rows: &[Row]) -> String {
    if rows.is_empty() {
        return "No results found.\n".to_owned();
    }
    let one = |row: &Row| {
        let docid = row.docid.as_deref().unwrap_or_default();
        let percent = (row.score * 100.0).round();
        format!(
            "{}:{} {docid}\nTitle: {}\nScore: {percent}%\n\n{}\n",
            row.file, row.line, row.title, row.snippet
        )
    };
    rows.iter().map(one).collect::<Vec<_>>().join("\n")
}

impl Row {
    fn new(hit: &Hit, document: &Document, is_listed: bool) -> Self {
        let name = document.path.rsplit('/').next().unwrap_or(&document.path);
        let count = hit.end_line - hit.start_line + 1;
        Self {
            docid: is_listed.then(|| document.id().to_string()).map(|id| format!("#{}", &id[..DIGITS])),
            score: (f64::from(hit.score) * 1e4).round() / 1e4,
            file: format!("qmd://{}/{}", document.collection, address(&document.path)),
            collection: document.collection.clone(),
            title: name.strip_suffix(".md").unwrap_or(name).to_owned(),
            line: hit.start_line,
            start_line: hit.start_line,
            end_line: hit.end_line,
            snippet: format!("@@ -{},{count} @@\n{}", hit.start_line, hit.snippet),
        }
    }
}

/// A path as part of an address: what would end it is written by number.
fn address(path: &str) -> String {
    let mut address = String::with_capacity(path.len());
    for c in path.chars() {
        if "%#? ".contains(c) || c.is_ascii_control() {
            address.push_str(&format!("%{:02X}", u32::from(c)));
        } else {
            address.push(c);
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_an_address() {
        assert_eq!(address("a b/100%#1?.md"), "a%20b/100%25%231%3F.md");
        assert_eq!(address("メモ/é.md"), "メモ/é.md");
    }

    #[test]
    fn kinds_of_lines_are_no_words() {
        assert_eq!(question("lex: rate limit\nvec: how many requests"), "rate limit how many requests");
        assert_eq!(question("lexical things"), "lexical things");
    }
}
