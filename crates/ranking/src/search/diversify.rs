//! Not the same thing twice: maximal marginal relevance over the words of the chunks, if it is switched on.

use std::collections::BTreeSet;

use mindfile_note::words;

use super::rank::RankedChunk;
use mindfile_settings::Mmr;

/// Reorders the first `limit` results so that each is relevant and unlike those before it.
pub(super) fn diversify(ranked: Vec<RankedChunk>, limit: usize, mmr: &Mmr) -> Vec<RankedChunk> {
    if !mmr.enabled {
        return ranked;
    }
    let mut rest: Vec<(BTreeSet<String>, RankedChunk)> =
        ranked.into_iter().map(|hit| (words::terms(&hit.chunk.text).into_iter().collect(), hit)).collect();
    let mut chosen: Vec<(BTreeSet<String>, RankedChunk)> = Vec::new();
    while chosen.len() < limit {
        let value = |(terms, hit): &(BTreeSet<String>, RankedChunk)| {
            let twin = chosen.iter().map(|(other, _)| jaccard(terms, other)).fold(0.0, f32::max);
            mmr.lambda * hit.score.value() - (1.0 - mmr.lambda) * twin
        };
        // The first of equals: the list is already in its final order.
        let best = (0..rest.len()).rev().max_by(|&a, &b| value(&rest[a]).total_cmp(&value(&rest[b])));
        let Some(best) = best else { break };
        chosen.push(rest.remove(best));
    }
    chosen.into_iter().chain(rest).map(|(_, hit)| hit).collect()
}

fn jaccard(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f32 {
    let both = a.intersection(b).count();
    let any = a.len() + b.len() - both;
    if any == 0 { 0.0 } else { both as f32 / any as f32 }
}
