//! BEIR: a folder with `corpus.jsonl`, `queries.jsonl` and `qrels/test.tsv`, each document a note.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use mindfile_care::eval::{Dataset, Evidence, Haystack, LabelledQuestion};
use serde::Deserialize;

use super::{text, wrong};
use crate::error::Error;

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "_id")]
    id: String,
    #[serde(default)]
    title: String,
    text: String,
}

#[derive(Deserialize)]
struct Query {
    #[serde(rename = "_id")]
    id: String,
    text: String,
}

pub(super) fn load(path: &Path) -> Result<Dataset, Error> {
    let documents: Vec<Document> = lines(&path.join("corpus.jsonl"))?;
    let queries: Vec<Query> = lines(&path.join("queries.jsonl"))?;
    let judged = judgements(&path.join("qrels").join("test.tsv"))?;
    let names: HashMap<&str, String> = documents
        .iter()
        .enumerate()
        .map(|(number, d)| (d.id.as_str(), format!("memory/d{number:06}.md")))
        .collect();
    let notes =
        documents.iter().map(|d| (names[d.id.as_str()].clone(), format!("# {}\n\n{}\n", d.title, d.text)));
    let questions = queries.iter().filter_map(|query| question(query, &names, &judged));
    let haystack = Haystack { notes: notes.collect(), questions: questions.collect(), now: None };
    Ok(Dataset { name: "BEIR".to_owned(), haystacks: vec![haystack] })
}

fn lines<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>, Error> {
    let text = text(path)?;
    let parsed = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    parsed
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| wrong(path, format!("line {}: {error}", number + 1)))
        })
        .collect()
}

/// Query id to the documents that were judged relevant.
fn judgements(path: &Path) -> Result<BTreeMap<String, Vec<String>>, Error> {
    let mut judged: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (number, line) in text(path)?.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty())
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let [query, document, grade] = fields[..] else {
            let what = format!(
                "line {}: {} fields where there should be 3, apart by tabs",
                number + 1,
                fields.len()
            );
            return Err(wrong(path, what));
        };
        if grade.trim() != "0" {
            judged.entry(query.to_owned()).or_default().push(document.to_owned());
        }
    }
    Ok(judged)
}

fn question(
    query: &Query,
    names: &HashMap<&str, String>,
    judged: &BTreeMap<String, Vec<String>>,
) -> Option<LabelledQuestion> {
    let relevant = judged.get(&query.id)?.iter().filter_map(|id| names.get(id.as_str()));
    let gold: Vec<Evidence> =
        relevant.map(|path| Evidence { path: path.clone(), line: None, text: None }).collect();
    let id = query.id.clone();
    let text = query.text.clone();
    (!gold.is_empty()).then_some(LabelledQuestion { id, text, category: "test".to_owned(), gold })
}
