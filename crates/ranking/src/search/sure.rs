//! How sure it is that a hit holds the answer. A logistic function of two evidences, fitted by `evals/fit` on questions whose
//! answers are known: how strong the notes' answer is at all, and how far the hit stands out from the others.

use super::rank::RankedChunk;

/// What each evidence counts.
const NONE: f32 = -3.15;
const STRENGTH: f32 = 0.40;
const LEAD: f32 = 6.83;
/// From this chance on a hit is called an answer: so that of those that are, at least 85 % hold it.
const ANSWERS: f32 = 0.7;
/// Below this score, notes about something else are as likely.
const RELATED: f32 = 0.35;
/// A strength nearer to 0 or 1 says no more.
const EXTREME: f32 = 1e-4;

/// How sure it is that a hit holds the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sure {
    /// Hardly: the notes may say nothing about it.
    Weak,
    /// It is about what was asked.
    Related,
    Answers,
}

impl Sure {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answers => "answers",
            Self::Related => "related",
            Self::Weak => "weak",
        }
    }

    /// What does not hold is no answer, however near it comes.
    pub(super) fn of(hit: &RankedChunk) -> Self {
        if hit.score.value() < RELATED {
            Self::Weak
        } else if hit.chance >= ANSWERS && hit.answers_by.is_none() {
            Self::Answers
        } else {
            Self::Related
        }
    }
}

/// How likely each holds the answer, 0 to 1. The scores are those before strength, best first.
pub(super) fn chances(scores: &[f32], strength: f32) -> impl Iterator<Item = f32> {
    let strength = strength.clamp(EXTREME, 1.0 - EXTREME);
    let strength = (strength / (1.0 - strength)).ln();
    let best = scores.first().copied().unwrap_or_default();
    let second = scores.get(1).copied().unwrap_or_default();
    let lead = move |(at, score): (usize, &f32)| if at == 0 { best - second } else { score - best };
    let chance = move |lead: f32| 1.0 / (1.0 + (-(NONE + STRENGTH * strength + LEAD * lead)).exp());
    scores.iter().enumerate().map(lead).map(chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_out_of_a_strong_answer_is_likely_to_be_it() {
        let of = |scores: &[f32], strength| -> Vec<f32> {
            chances(scores, strength).map(|chance| (chance * 100.0).round() / 100.0).collect()
        };
        assert_eq!(of(&[0.9, 0.4, 0.3], 0.98), [0.86, 0.01, 0.0]);
        assert_eq!(of(&[0.9, 0.88], 0.98), [0.19, 0.15], "two alike: either");
        assert_eq!(of(&[0.9, 0.4], 0.02), [0.22, 0.0], "nothing is strong");
        assert_eq!(of(&[0.9], 1.0), [1.0]);
        assert_eq!(of(&[], 0.5), [0.0; 0]);
    }
}
