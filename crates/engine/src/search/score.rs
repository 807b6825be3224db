//! A score is the list of its parts: what is explained is what was computed.

/// What a part of a score measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// BM25 over the query's words.
    Words,
    /// Cosine of the query's and the chunk's vectors.
    Meaning,
    /// Token by token nearness: each word of the query finds its nearest in the chunk.
    Interaction,
    /// How fresh a dated note is.
    Decay,
    /// How many better hits are of the same note.
    Repetition,
    /// How well the best of all hits answers the query at all.
    Strength,
}

impl Stage {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Meaning => "meaning",
            Self::Interaction => "interaction",
            Self::Decay => "decay",
            Self::Repetition => "repetition",
            Self::Strength => "strength",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part {
    /// Adds `weight * normal`.
    Term { stage: Stage, raw: f32, normal: f32, weight: f32 },
    /// Multiplies what the parts before it add up to.
    Factor { stage: Stage, raw: f32, factor: f32 },
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Score {
    pub parts: Vec<Part>,
}

impl Score {
    pub fn value(&self) -> f32 {
        self.parts.iter().fold(0.0, |sum, part| match part {
            Part::Term { normal, weight, .. } => sum + weight * normal,
            Part::Factor { factor, .. } => sum * factor,
        })
    }

    pub fn raw(&self, wanted: Stage) -> Option<f32> {
        self.parts.iter().find_map(|part| match part {
            Part::Term { stage, raw, .. } | Part::Factor { stage, raw, .. } => {
                (*stage == wanted).then_some(*raw)
            }
        })
    }
}
