//! Checks that read everything: all checksums, all notes, the embedder, and both vector engines on the user's own notes.

use mindfile_index::{Backend, Doc, Error as IndexError, Filter, Index, Opinion, Shelf, Snapshot};
use mindfile_model::{Embedder, Role};

use super::{Content, Facts, IndexInspection, WorkspaceInspection};
use mindfile::Corpus;
use mindfile::wording;

/// A word that any model knows.
const PROBE: &str = "memory";
/// How many of the user's chunks both vector engines are asked about, and how many answers are compared.
const ASKED: usize = 5;
const COMPARED: usize = 10;
/// Cosines this close are a tie: the engines add up in another order.
const TIE: f32 = 1e-5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deep {
    /// Every checksum in the index, and every word derived again from its text.
    pub index: Check,
    /// Every note on the disk against what the index was made from.
    pub notes: Check,
    pub embeddings: Check,
    /// Whether both ways to compare vectors give the same answers.
    pub engines: Check,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    Passed(String),
    Failed(String),
    Skipped(String),
}

impl Check {
    pub fn is_failed(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

pub(super) fn check(
    memory: &Corpus,
    looked: &mut IndexInspection,
    facts: Option<&Facts>,
    seen: &WorkspaceInspection,
) -> Deep {
    let probe = memory.space().embedder.as_deref().map(probe);
    let index = verify(looked, facts);
    let engines = match (&looked.open, &probe) {
        (None, _) => Check::Skipped("there is no index to compare them on".to_owned()),
        (Some(_), None | Some(Err(_))) => Check::Skipped("there are no vectors to compare".to_owned()),
        (Some(index), Some(Ok(vector))) => engines(&**index, vector),
    };
    Deep { index, notes: notes(facts, seen), embeddings: embeddings(probe), engines }
}

fn verify(looked: &mut IndexInspection, facts: Option<&Facts>) -> Check {
    let (Some(index), Some(facts)) = (&looked.open, facts) else {
        return Check::Skipped("there is no index to check".to_owned());
    };
    let chunks: u64 = facts.stats.chunks.iter().map(|(_, count)| count).sum();
    match index.verify() {
        Ok(()) => Check::Passed(format!(
            "text, words and vectors of {} match their checksums",
            wording::count(chunks, "chunk")
        )),
        Err(error) => {
            let words = error.to_string();
            looked.give_up(error);
            Check::Failed(words)
        }
    }
}

fn notes(facts: Option<&Facts>, seen: &WorkspaceInspection) -> Check {
    let (Some((workspace, scan)), Some(facts)) = (seen.both(), facts) else {
        return Check::Skipped("there is no workspace or no index to compare".to_owned());
    };
    let content = Content::compare(workspace, scan, &facts.notes);
    let differing: Vec<&str> = content.changed.iter().chain(&content.hidden).map(String::as_str).collect();
    if !content.unreadable.is_empty() {
        return Check::Failed(format!(
            "{} not readable",
            wording::are(content.unreadable.len() as u64, "note")
        ));
    }
    if differing.is_empty() {
        return Check::Passed(format!(
            "{} indexed as on the disk",
            wording::are(content.read as u64, "note")
        ));
    }
    Check::Failed(format!("the index has another content of {}", differing.join(", ")))
}

fn probe(embedder: &dyn Embedder) -> Result<Vec<f32>, String> {
    let answer = embedder.embed(Role::Query, &[PROBE], None).map_err(|error| wording::with_cause(&error))?;
    let vector =
        answer.into_iter().flatten().next().ok_or_else(|| format!("no vector for the word \"{PROBE}\""))?;
    let found = vector.as_slice().len();
    let expected = embedder.space().dims;
    if found != expected {
        return Err(format!("a vector has {found} dimensions where the model has {expected}"));
    }
    Ok(vector.into_values())
}

fn embeddings(probe: Option<Result<Vec<f32>, String>>) -> Check {
    match probe {
        None => Check::Skipped("provider is \"none\"".to_owned()),
        Some(Ok(vector)) => Check::Passed(format!("a word was embedded in {} dimensions", vector.len())),
        Some(Err(why)) => Check::Failed(why),
    }
}

fn engines(index: &dyn Backend, probe: &[f32]) -> Check {
    let Opinion { index: other, names: [own, other_name] } = match index.second_opinion() {
        Ok(Some(opinion)) => opinion,
        Ok(None) => return Check::Skipped("there is one way to compare vectors here".to_owned()),
        Err(error) => return Check::Failed(error.to_string()),
    };
    match compare(index, &*other, probe) {
        Ok(EngineComparison { asked: 0, .. }) => Check::Skipped("there are no vectors to compare".to_owned()),
        Ok(EngineComparison { asked, differing: 0 }) => Check::Passed(format!(
            "{own} and {other_name} give the same best {COMPARED} for {asked} of your own chunks"
        )),
        Ok(EngineComparison { asked, differing }) => Check::Failed(format!(
            "{own} and {other_name} differ in the best {COMPARED} for {differing} of {asked} of your own chunks"
        )),
        Err(error) => Check::Failed(error.to_string()),
    }
}

struct EngineComparison {
    asked: usize,
    differing: usize,
}

fn compare(one: &dyn Index, other: &dyn Index, probe: &[f32]) -> Result<EngineComparison, IndexError> {
    let one = one.snapshot()?;
    let other = other.snapshot()?;
    let near: Vec<Doc> = one
        .nearest(Shelf::Chunks, probe, &Filter::default(), ASKED, &[])?
        .into_iter()
        .map(|(doc, _)| doc)
        .collect();
    let mut compared = EngineComparison { asked: 0, differing: 0 };
    for chunk in one.chunks(&near)? {
        let Some(vector) = chunk.embedding.vector() else { continue };
        compared.asked += 1;
        compared.differing += usize::from(!agree(&*one, &*other, vector)?);
    }
    Ok(compared)
}

fn agree(one: &dyn Snapshot, other: &dyn Snapshot, query: &[f32]) -> Result<bool, IndexError> {
    let best =
        |snapshot: &dyn Snapshot| snapshot.nearest(Shelf::Chunks, query, &Filter::default(), COMPARED, &[]);
    let one = best(one)?;
    let other = best(other)?;
    let same = |((a, x), (b, y)): (&(Doc, f32), &(Doc, f32))| a == b || (x - y).abs() < TIE;
    Ok(one.len() == other.len() && one.iter().zip(&other).all(same))
}
