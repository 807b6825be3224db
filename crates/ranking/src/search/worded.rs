//! What words alone say about whether a question is answered. In languages that the embedded table does not know there is
//! nothing else.

use mindfile_index::bm25::idf;
use mindfile_index::{QueryTerm, TermStat};
use mindfile_note::words::{self, Unit, WritingSystem};

/// How many of the first are looked at as answers, where the rest begins, and how many there must be to tell.
pub(super) const FIRST: usize = 5;
pub(super) const REST: usize = 10;
pub(super) const ENOUGH: usize = 15;
/// How much of what the next have counts against the best, and what all others have, against them.
const AGAINST: f32 = 0.58;
const AGAINST_NEXT: f32 = 0.34;
/// What unrelated texts usually have, for a collection too small to tell.
const USUAL: f32 = 0.1;
/// What the best has of any question at all: more of it among more texts, from a few on, up to a limit.
const BY_CHANCE: f32 = 0.071;
const FIRST_CHANCE: f32 = 0.05;
const MOST_BY_CHANCE: f32 = 0.288;
/// With this many texts, a word that none of them has is news; with fewer it may just be a small collection.
pub(super) const MANY: f32 = 100.0;

/// What is known of a question's terms, among so many texts.
#[derive(Clone, Copy)]
pub(crate) struct TermStats<'a> {
    pub(crate) terms: &'a [TermStat],
    /// The same terms with their forms, the likest first.
    pub(crate) sought: &'a [QueryTerm],
    pub(crate) all: usize,
}

impl TermStats<'_> {
    /// What a term weighs, where so many texts are written as the question is. One that no text has weighs more, if they
    /// are many; of one that they have in another form, as much of it is heard as the likest form has.
    pub(crate) fn weight(self, at: usize, texts: usize) -> f32 {
        let stat = &self.terms[at];
        let likest = || self.sought.get(at).and_then(|sought| sought.forms.first());
        let heard = if stat.chunks > 0 { 1.0 } else { likest().map_or(0.0, |form| form.similarity) };
        let news = telling(texts, MANY) * unheard(self.terms, at) * idf(self.all, 0);
        heard * stat.idf + (1.0 - heard) * news
    }
}

/// What a term that no text has weighs, beside one that they have. In Chinese, Japanese and Korean, a pair between two
/// that they have is just where two words meet.
fn unheard(terms: &[TermStat], at: usize) -> f32 {
    let is_heard = |other: Option<&TermStat>| {
        other.is_some_and(|other| other.chunks > 0 && words::unit(&other.term) == Unit::Cjk)
    };
    match words::unit(&terms[at].term) {
        Unit::Word => 1.7,
        Unit::Syllables => 1.4,
        Unit::Cjk => {
            let neighbours = [at.checked_sub(1).and_then(|at| terms.get(at)), terms.get(at + 1)];
            neighbours.into_iter().filter(|other| !is_heard(*other)).count() as f32 / 2.0
        }
    }
}

/// How far the best stands out from the next, as far as these stand out from the rest; and beyond what any question
/// would find in so many texts. The shares are what each candidate has of the question's weight, in the order of rank.
pub(crate) fn lead(mut shares: Vec<f32>, texts: usize) -> f32 {
    let best = shares.iter().take(FIRST).copied().fold(0.0, f32::max);
    shares.sort_by(|a, b| b.total_cmp(a));
    let mean = |part: &[f32]| part.iter().sum::<f32>() / part.len() as f32;
    let (next, rest) = if shares.len() > ENOUGH {
        (mean(&shares[FIRST..REST]), mean(&shares[REST..]))
    } else {
        (USUAL, USUAL)
    };
    best - AGAINST * next + AGAINST_NEXT * rest - by_chance(texts)
}

fn by_chance(texts: usize) -> f32 {
    (BY_CHANCE * (1.0 + texts as f32).ln() - FIRST_CHANCE).clamp(0.0, MOST_BY_CHANCE)
}

/// Between 0 and 1: how near the texts are to being so many, by order of magnitude.
pub(super) fn telling(texts: usize, many: f32) -> f32 {
    ((1.0 + texts as f32).ln() / (1.0 + many).ln()).min(1.0)
}

/// For an answer, if positive: how far it stands out by words and by letters. Names that stand in the texts speak for an
/// answer, others against it.
pub(crate) fn logit(lead: f32, letters_lead: Option<f32>, names_unknown: Option<f32>) -> f32 {
    let by_names = names_unknown.map_or(0.0, |unknown| 0.5 - 2.0 * unknown);
    let by_letters = letters_lead.map_or(0.0, |lead| 8.0 * lead - 1.0);
    17.0 * lead + by_names + by_letters
}

/// Between 0 and 1.
pub(crate) fn strength(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// How many of the texts are written as the question is, where there are such and they are not all.
pub(crate) fn alike<'a>(texts: impl Iterator<Item = &'a str>, written: &WritingSystem) -> Option<usize> {
    let (mut alike, mut all) = (0, 0);
    for text in texts {
        all += 1;
        alike += usize::from(written.is_way_of(text));
    }
    (1..all).contains(&alike).then_some(alike)
}
