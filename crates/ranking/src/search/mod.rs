//! One pipeline of plain functions over one snapshot: plan, gather, fuse, compare, anchor, diversify, cite.

mod diversify;
pub(crate) mod forms;
mod gather;
mod interaction;
mod language;
pub(crate) mod letters;
mod names;
pub(crate) mod pairs;
mod past;
mod plan;
mod rank;
mod score;
mod snippet;
mod strength;
mod sure;
mod voices;
mod why_not;
pub(crate) mod worded;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub use mindfile_index::QueryTerm;
use mindfile_index::{Filter, Origin, Snapshot, Source, StoredChunk, TermStat};

pub use plan::{Mode, Plan, Request, Weights, plan};
pub use score::{Part, Score, Stage};
pub use strength::{Evidence, Strength};
pub use sure::Sure;
pub use why_not::{Place, Standing, WhyNot};

use crate::error::Error;
use crate::fact::load::LineRef;
use interaction::Tokens;
pub(crate) use interaction::known_words;
pub(crate) use language::Language;
use mindfile_trust::speaker::Utterance;
pub(crate) use names::is_german;
use past::PastLines;
use rank::{Comparison, RankedChunk};
use snippet::{Judge, Passage, Repeated};
use voices::People;

/// A line of a note, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerLine {
    pub line: u32,
    /// Of a long line, the sentence. In an envelope where it is untrusted.
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub score: f32,
    pub sure: Sure,
    /// How likely it holds the answer, 0 to 1; None of another engine's.
    pub chance: Option<f32>,
    /// The line that answers best. The snippet is built round it.
    pub answer: AnswerLine,
    pub snippet: String,
    pub source: Source,
    /// The day of a dated note, in days since 1970-01-01.
    pub day: Option<i32>,
    pub parts: Score,
    /// Of a conversation: the messages that are cited.
    pub spoken: Vec<Utterance>,
    /// Where what answers best does not hold: what is said of it, such as `superseded 2026-11-19`.
    pub past: Option<String>,
    /// The lowest of its lines. The snippet of what is untrusted is in an envelope.
    pub origin: Origin,
}

impl Hit {
    /// `memory/2026-07-14.md#L5-L9`
    pub fn citation(&self) -> String {
        if self.start_line == self.end_line {
            format!("{}#L{}", self.path, self.start_line)
        } else {
            format!("{}#L{}-L{}", self.path, self.start_line, self.end_line)
        }
    }

    /// Byte ranges of the snippet's words that were looked for, for who draws them; none in an envelope.
    pub fn marks(&self, sought: &[QueryTerm]) -> Vec<Range<usize>> {
        if self.origin.is_trusted() { snippet::marks(&self.snippet, sought) } else { Vec::new() }
    }

    /// Where the line that answers best begins in the snippet; none in an envelope.
    pub fn answer_at(&self) -> Option<usize> {
        self.snippet.find(&self.answer.text).filter(|_| self.origin.is_trusted())
    }
}

/// What the stages made of a query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    pub hits: Vec<Hit>,
    pub terms: Vec<TermStat>,
    /// What was looked for by words: the query's terms, and forms of them that notes have.
    pub sought: Vec<QueryTerm>,
    /// How many chunks each signal found.
    pub by_words: usize,
    pub by_meaning: usize,
    /// Whether the notes answer at all; None where nothing was found, and where another engine answers.
    pub strength: Option<Strength>,
    /// Hits that were found and fell below the minimum score.
    pub below_minimum: usize,
    /// Hits that nobody trusts and that were not asked for. They are counted for a person whom nothing else answers.
    pub untrusted: usize,
    /// No note has a quoted phrase as typed; its words were looked for instead.
    pub phrases_relaxed: bool,
    pub why_not: Option<WhyNot>,
}

impl Answer {
    /// Whether any hit is more than weak.
    pub fn is_sure(&self) -> bool {
        self.hits.iter().any(|hit| hit.sure > Sure::Weak)
    }
}

/// Answers from one snapshot. `query` is the query's vector, if there is one.
pub fn answer(
    snapshot: &dyn Snapshot,
    plan: &Plan,
    query: Option<&[f32]>,
    place: Option<&Place>,
) -> Result<Answer, Error> {
    let mut gathered = gather::by_words(snapshot, plan)?;
    let mut tokens = Tokens::new(&plan.text, &gathered.terms);
    let is_known = |stat: &TermStat| tokens.telling(&stat.term).is_some();
    let language = Language::of(&plan.text, &gathered.terms, is_known);
    if language.is_bent {
        gather::by_forms(snapshot, plan, &mut gathered)?;
    }
    gather::by_meaning(snapshot, plan, query, &mut gathered)?;
    let fused = rank::fuse(&gathered, plan);
    let ranks = place.map(|_| rank::ranks(&fused));
    let mut compared = rank::compare(&fused, snapshot, plan, &gathered, (&mut tokens, language.understood))?;
    let strength = strength::anchor(&mut compared, plan, &gathered, language, &tokens);
    let Comparison { mut ranked, phrases_relaxed, .. } = compared;
    let judged = (plan.mode != Mode::Keyword).then_some(&mut tokens);
    let people = People::of(&plan.text, &gathered.terms);
    let mut judge = Judge::new(&gathered.terms, &gathered.sought, people, judged);
    let chunks: Vec<&StoredChunk> = ranked.iter().map(|hit| &*hit.chunk).collect();
    for (hit, past) in past::find(snapshot, &chunks, plan)?.into_iter().enumerate() {
        ranked[hit].weaken(past, plan, &mut judge);
    }
    // A factor may turn two neighbours around.
    ranked.sort_by(RankedChunk::order);
    let found = ranked.len();
    let why_not = match (place, ranks) {
        (Some(place), Some(ranks)) => Some(why_not::explain(
            place,
            snapshot,
            &why_not::Stages { plan, gathered: &gathered, ranks, ranked: &ranked },
        )?),
        _ => None,
    };
    ranked.retain(|hit| hit.score.value() >= plan.min_score);
    let below_minimum = found - ranked.len();
    let mut ranked = diversify::diversify(ranked, plan.limit, &plan.mmr);
    ranked.truncate(plan.limit);
    let hits = cite(&ranked, plan, &mut judge);
    Ok(Answer {
        hits,
        by_words: gathered.words_found,
        by_meaning: gathered.meaning_found,
        sought: gathered.sought,
        terms: gathered.terms,
        strength,
        below_minimum,
        untrusted: 0,
        phrases_relaxed,
        why_not,
    })
}

/// How many hits nobody trusts, had they been asked for.
pub fn untrusted(snapshot: &dyn Snapshot, plan: &Plan, query: Option<&[f32]>) -> Result<usize, Error> {
    let filter = Filter { trusted: false, ..plan.filter.clone() };
    let all = answer(snapshot, &Plan { filter, ..plan.clone() }, query, None)?;
    Ok(all.hits.iter().filter(|hit| hit.sure > Sure::Weak && !hit.origin.is_trusted()).count())
}

/// Snippets in rank order; a line that a better hit shows is not shown again.
fn cite(ranked: &[RankedChunk], plan: &Plan, judge: &mut Judge<'_>) -> Vec<Hit> {
    let mut shown: BTreeMap<&str, Repeated> = BTreeMap::new();
    let rooms = snippet::rooms(ranked.len(), plan.snippet_chars, plan.injected_chars);
    let mut hits = Vec::with_capacity(ranked.len());
    for (hit, room) in ranked.iter().zip(rooms) {
        let chunk = &hit.chunk;
        let before = shown.entry(&chunk.path).or_default();
        let within = |lines: &BTreeSet<u32>| {
            lines.range(chunk.start_line..=chunk.end_line).map(|line| line - chunk.start_line).collect()
        };
        let repeated = Repeated { lines: within(&before.lines), answers: within(&before.answers) };
        let cut = snippet::cut(hit.told(), room, &repeated, judge);
        before.lines.extend(cut.lines.iter().map(|line| line + chunk.start_line));
        let (line, text) = cut.answer;
        let answer = AnswerLine { line: line + chunk.start_line, text };
        before.answers.insert(answer.line);
        hits.push(Hit {
            path: chunk.path.clone(),
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            score: hit.score.value(),
            sure: Sure::of(hit),
            chance: Some(hit.chance),
            answer,
            snippet: cut.text,
            source: chunk.source,
            day: chunk.day,
            parts: hit.score.clone(),
            spoken: Vec::new(),
            past: hit.answers_by.clone(),
            origin: chunk.origin,
        });
    }
    hits
}

/// What another engine found, the best first: where it stands, and what stands there.
#[derive(Debug, Clone, PartialEq)]
pub struct Elsewhere {
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub text: String,
    pub source: Source,
    pub day: Option<i32>,
    pub spoken: Vec<Utterance>,
    pub origin: Origin,
}

/// The same as hits of the index are shown. Another engine's scores are not comparable: its order is the score, from 1
/// down to a half, and how sure it is nobody knows.
pub fn ranked_elsewhere(found: Vec<Elsewhere>, plan: &Plan) -> Vec<Hit> {
    let stat = |term: &String| TermStat { term: term.clone(), chunks: 0, formed: 0, idf: 1.0 };
    let terms: Vec<TermStat> = plan.words.terms.iter().map(stat).collect();
    let mut judge =
        Judge::new(&terms, &QueryTerm::as_asked(&plan.words.terms), People::of(&plan.text, &terms), None);
    let rooms = snippet::rooms(found.len(), plan.snippet_chars, plan.injected_chars);
    let ranked = found.into_iter().zip(rooms).enumerate();
    let mut hits: Vec<Hit> = ranked
        .map(|(before, (found, room))| {
            let normal = 1.0 - before as f32 / (2.0 * plan.limit.max(1) as f32);
            let part = Part::Term { stage: Stage::Rank, raw: before as f32 + 1.0, normal, weight: 1.0 };
            let mut parts = Score { parts: vec![part] };
            let place = LineRef { path: &found.path, line: found.start_line };
            let lines = PastLines::of_text(found.source, place, &found.text, plan);
            let told = Passage { text: &found.text, tokens: &[], past: &lines };
            let past = rank::weaken(&mut parts, told, plan, &mut judge);
            let snippet::Snippet { text: snippet, answer: (line, text), .. } =
                snippet::cut(told, room, &Repeated::default(), &mut judge);
            Hit {
                path: found.path,
                start_line: found.start_line,
                end_line: found.end_line,
                score: parts.value(),
                sure: Sure::Related,
                chance: None,
                answer: AnswerLine { line: found.start_line + line, text },
                snippet,
                source: found.source,
                day: found.day,
                parts,
                spoken: found.spoken,
                past,
                origin: found.origin,
            }
        })
        .collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits
}
