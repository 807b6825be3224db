//! Why a line was not found: where it stood at every stage, and the least that would have brought it up.

use std::collections::BTreeMap;
use std::str::FromStr;

use mindfile_fault::Hint;
use mindfile_index::{Doc, RowQuery, Snapshot, single};
use mindfile_note::words;

use super::gather::Gathering;
use super::plan::{Mode, Plan};
use super::rank::{COMPARED, RankedChunk, Refusal, refusal};
use super::score::Score;
use crate::error::Error;

/// A line of a note, written `memory/2026-07-14.md#L40`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub path: String,
    pub line: u32,
}

impl FromStr for Place {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::NotAPlace { text: text.to_owned() };
        let (path, line) = text.rsplit_once("#L").ok_or_else(wrong)?;
        let digits = line.split('-').next().unwrap_or(line);
        let line = digits.parse().ok().filter(|&line| line > 0).ok_or_else(wrong)?;
        Ok(Self { path: path.to_owned(), line })
    }
}

/// One chunk's way through the stages. A rank is counted from 1; none where the chunk was not on the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub start_line: u32,
    pub end_line: u32,
    pub words: Option<usize>,
    pub meaning: Option<usize>,
    pub fused: Option<usize>,
    pub last: Option<usize>,
    pub score: Option<Score>,
    /// Words of the query that the chunk does not have.
    pub missing: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct WhyNot {
    pub place: Place,
    /// The best chunk that holds the line; none when no chunk does.
    pub standing: Option<Standing>,
    pub candidates: usize,
    pub limit: usize,
    /// The smallest change that would have brought it up.
    pub advice: Hint,
}

pub(super) struct Stages<'a> {
    pub(super) plan: &'a Plan,
    pub(super) gathered: &'a Gathering,
    pub(super) ranks: BTreeMap<Doc, usize>,
    pub(super) ranked: &'a [RankedChunk],
}

pub(super) fn explain(place: &Place, snapshot: &dyn Snapshot, stages: &Stages<'_>) -> Result<WhyNot, Error> {
    let rows = snapshot.rows_of(&place.path, RowQuery::ChunksAt(place.line))?;
    let docs: Vec<Doc> = rows.into_iter().map(|row| row.doc).collect();
    let best = docs
        .iter()
        .copied()
        .min_by_key(|doc| (stages.last(*doc), stages.ranks.get(doc).copied().unwrap_or(usize::MAX)));
    let standing = best.map(|doc| stages.standing(doc, snapshot)).transpose()?;
    let chunk = best.map(|doc| snapshot.chunks(&[doc])).transpose()?.and_then(|mut chunks| chunks.pop());
    let refused = chunk.as_ref().and_then(|chunk| refusal(chunk, stages.plan));
    let hidden = stages.plan.filter.trusted && chunk.is_some_and(|chunk| !chunk.origin.is_trusted());
    let advice = match &standing {
        None => unknown(place, snapshot)?,
        Some(_) if hidden => {
            Hint::say("it is untrusted, and found only when asked for: ").field("include_untrusted")
        }
        Some(standing) => stages.advice(standing, refused),
    };
    let candidates = stages.gathered.signals.len();
    Ok(WhyNot { place: place.clone(), standing, candidates, limit: stages.plan.limit, advice })
}

fn unknown(place: &Place, snapshot: &dyn Snapshot) -> Result<Hint, Error> {
    let known = single::note(snapshot, &place.path)?.is_some();
    Ok(if known {
        format!(
            "line {} of {} is blank or beyond the end of the note: nothing to find there",
            place.line, place.path
        )
        .into()
    } else {
        Hint::say(format!("{} is not indexed: `", place.path))
            .run("status", &[])
            .and("` lists the notes that are, and what was skipped")
    })
}

impl Stages<'_> {
    fn last(&self, doc: Doc) -> usize {
        self.ranked.iter().position(|hit| hit.chunk.doc == doc).unwrap_or(usize::MAX)
    }

    fn rank_by(&self, doc: Doc, signal: impl Fn(Doc) -> Option<f32>) -> Option<usize> {
        let own = signal(doc)?;
        Some(
            1 + self
                .gathered
                .signals
                .iter()
                .filter(|(other, _)| signal(*other).is_some_and(|value| value > own))
                .count(),
        )
    }

    fn standing(&self, doc: Doc, snapshot: &dyn Snapshot) -> Result<Standing, Error> {
        let chunk = snapshot.chunks(&[doc])?.remove(0);
        let have = words::terms(&format!("{}\n{}", chunk.context, chunk.text));
        let last = self.ranked.iter().position(|hit| hit.chunk.doc == doc);
        Ok(Standing {
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            words: self.rank_by(doc, |doc| self.gathered.of(doc)?.words),
            meaning: self.rank_by(doc, |doc| self.gathered.of(doc)?.meaning),
            fused: self.ranks.get(&doc).copied(),
            last: last.map(|rank| rank + 1),
            score: last.map(|rank| self.ranked[rank].score.clone()),
            missing: self.plan.words.terms.iter().filter(|term| !have.contains(term)).cloned().collect(),
        })
    }

    fn advice(&self, standing: &Standing, refused: Option<Refusal>) -> Hint {
        let limit = self.plan.limit;
        match (standing.last, &standing.score) {
            (Some(rank), Some(score)) if rank <= limit && score.value() >= self.plan.min_score => {
                format!("it is among the results, at rank {rank}").into()
            }
            (Some(rank), Some(score)) if score.value() < self.plan.min_score => {
                let value = score.value();
                let least = (value * 100.0).floor() / 100.0;
                let minimum = self.plan.min_score;
                let hint = Hint::say(format!("its score {value:.3} is below the minimum {minimum:.3}: "))
                    .field("min_score")
                    .and(format!(" {least:.2}"));
                match rank > limit {
                    true => hint.and(" ").field("max_results").and(format!(" {rank}")),
                    false => hint,
                }
            }
            (Some(rank), _) => Hint::say(format!("it stands at rank {rank}: "))
                .field("max_results")
                .and(format!(" {rank} shows it")),
            (None, _) => match refused {
                Some(Refusal::Excluded) => {
                    "it has a word or phrase that the query excludes with a minus".into()
                }
                Some(Refusal::LacksPhrase) => {
                    "it does not have the quoted phrase as typed: ask without the quotation marks".into()
                }
                None => self.not_compared(standing),
            },
        }
    }

    fn not_compared(&self, standing: &Standing) -> Hint {
        let with = |word: &str| format!("the word \"{word}\" is not in these lines; ask with words that are");
        match standing.fused {
            Some(rank) => format!(
                "it stands at rank {rank} of the fused list, beyond the {} that are compared closely: {}",
                COMPARED.max(self.plan.limit),
                standing
                    .missing
                    .first()
                    .map_or_else(|| "ask with a rarer word of it".to_owned(), |word| with(word))
            )
            .into(),
            None if self.plan.mode == Mode::Keyword => {
                Hint::say("none of its words is in the query: ").field("mode").and(" hybrid")
            }
            None => Hint::say("it is on no list: no word in common and too far in meaning, or outside ")
                .field("since")
                .and("/")
                .field("until"),
        }
    }
}
