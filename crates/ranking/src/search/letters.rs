//! How far the best text stands out by letters: in a language whose words the index does not know well, an answer has
//! rows of the question's letters that others do not have.

use mindfile_index::bm25::idf;
use mindfile_note::words::Letters;

/// How many after the best say what any text has of the letters.
const NEXT: usize = 9;
/// How much of it counts against the best.
const AGAINST: f32 = 1.2;

/// None where too few were compared to tell, and in scripts without spaces.
pub(crate) fn lead<'a>(texts: impl Iterator<Item = &'a str>, query: &str) -> Option<f32> {
    let letters = Letters::of(query);
    if letters.is_empty() {
        return None;
    }
    let had: Vec<Vec<bool>> = texts.map(|text| letters.within(text)).collect();
    if had.len() <= NEXT {
        return None;
    }
    let weight = |at: usize| idf(had.len(), had.iter().filter(|had| had[at]).count());
    let weights: Vec<f32> = (0..letters.len()).map(weight).collect();
    let weigh = |had: &Vec<bool>| -> f32 {
        had.iter().zip(&weights).filter(|(had, _)| **had).map(|(_, weight)| weight).sum()
    };
    let mut weighed: Vec<f32> = had.iter().map(weigh).collect();
    weighed.sort_by(|a, b| b.total_cmp(a));
    let next = weighed[1..=NEXT].iter().sum::<f32>() / NEXT as f32;
    Some((weighed[0] - AGAINST * next) / weights.iter().sum::<f32>())
}
