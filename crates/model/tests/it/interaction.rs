//! Late interaction against the plain way to compute it.

use mindfile_model::{EmbeddedTable, Interaction, QueryMatch, TokenId};
use proptest::prelude::*;

const CHUNK: &str = "For the soup I used the small pumpkin from the garden, two onions and a thumb of ginger. \
                     Anton cannot eat peanuts, so the topping is sunflower seeds.";

fn tokens(text: &str) -> Vec<TokenId> {
    EmbeddedTable::open().tokens(text)
}

fn weighted(text: &str) -> Vec<(TokenId, f32)> {
    tokens(text).into_iter().zip(1_u16..).map(|(token, weight)| (token, f32::from(weight))).collect()
}

fn unit(token: TokenId) -> Vec<f32> {
    let row = EmbeddedTable::open().row(token);
    let values: Vec<f32> = row.values.iter().map(|value| f32::from(*value) * row.scale).collect();
    let norm = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.into_iter().map(|value| value / norm).collect()
}

fn cosine(a: TokenId, b: TokenId) -> f32 {
    unit(a).iter().zip(unit(b)).map(|(a, b)| a * b).sum()
}

fn naive(query: &[(TokenId, f32)], chunk: &[TokenId]) -> QueryMatch {
    let nearest = |token| chunk.iter().map(|other| cosine(token, *other)).reduce(f32::max).unwrap_or(0.0);
    let best: Vec<f32> = query.iter().map(|(token, _)| nearest(*token)).collect();
    let total: f32 = query.iter().map(|(_, weight)| weight).sum();
    let sum: f32 = query.iter().zip(&best).map(|((_, weight), best)| weight * best).sum();
    QueryMatch { mean: if total > 0.0 { sum / total } else { 0.0 }, best }
}

fn assert_close(ours: &QueryMatch, naive: &QueryMatch) {
    assert_eq!(ours.best.len(), naive.best.len());
    assert!((ours.mean - naive.mean).abs() < 0.001, "{ours:?} {naive:?}");
    assert!(ours.best.iter().zip(&naive.best).all(|(a, b)| (a - b).abs() < 0.001), "{ours:?} {naive:?}");
}

#[test]
fn a_score_is_the_weighted_mean_of_the_nearest() {
    for query in
        ["nut allergy", "What may Anton not eat?", "one two three four five six seven eight nine ten", ""]
    {
        let query = weighted(query);
        let mut interaction = Interaction::new(&EmbeddedTable::open(), &query);
        for chunk in [CHUNK, "soup", "peanuts and seeds", ""] {
            assert_close(&interaction.score(&tokens(chunk)), &naive(&query, &tokens(chunk)));
        }
    }
}

#[test]
fn a_word_that_is_in_the_chunk_is_found_entirely() {
    let scored = Interaction::new(&EmbeddedTable::open(), &weighted("pumpkin soup")).score(&tokens(CHUNK));
    assert!(scored.mean > 0.999 && scored.mean < 1.001, "{scored:?}");
}

#[test]
fn a_query_without_weight_scores_nothing() {
    let query: Vec<_> = tokens("pumpkin soup").into_iter().map(|token| (token, 0.0)).collect();
    let mut interaction = Interaction::new(&EmbeddedTable::open(), &query);
    assert_eq!(interaction.score(&tokens(CHUNK)).mean, 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_tokens_are_compared_as_the_plain_way_does(
        query in prop::collection::vec((0..29_528_u16, 0.0..9.0_f32), 0..12),
        chunk in prop::collection::vec(0..29_528_u16, 0..20),
    ) {
        let token = |id| TokenId::new(id).unwrap();
        let query: Vec<_> = query.into_iter().map(|(id, weight)| (token(id), weight)).collect();
        let chunk: Vec<_> = chunk.into_iter().map(token).collect();
        assert_close(&Interaction::new(&EmbeddedTable::open(), &query).score(&chunk), &naive(&query, &chunk));
    }
}
