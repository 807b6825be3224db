//! A score is the list of its parts: what is explained is what was computed.

/// What a part of a score measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// BM25 over the query's words; other forms of them count in part.
    Words,
    /// Cosine of the query's and the chunk's vectors.
    Meaning,
    /// Token by token nearness: each word of the query finds its nearest in the chunk.
    Interaction,
    /// The share of the question's neighbouring tokens that stand side by side.
    Pairs,
    /// How fresh a dated note is.
    Decay,
    /// How many better hits are of the same note.
    Repetition,
    /// How well the lines that hold answer beside those that do not.
    Past,
    /// How well the best of all hits answers the query at all.
    Strength,
    /// Of a fact: the words of the question that name no entity.
    Rest,
    /// Of a fact: the entities that the question names.
    Names,
    /// Of a fact: whether the question is its key.
    Key,
    /// Of a fact: whether it has the time, person, place or number that is asked for.
    Sort,
    /// How strongly a fact hangs together with those that answer.
    Association,
    /// How much a fact matters.
    Salience,
    /// How lately and how often a fact was recalled.
    Use,
    /// The place in the answer of another engine, counted from 1.
    Rank,
}

impl Stage {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Meaning => "meaning",
            Self::Interaction => "interaction",
            Self::Pairs => "pairs",
            Self::Decay => "decay",
            Self::Repetition => "repetition",
            Self::Past => "past",
            Self::Strength => "strength",
            Self::Rest => "rest",
            Self::Names => "names",
            Self::Key => "key",
            Self::Sort => "sort",
            Self::Association => "association",
            Self::Salience => "salience",
            Self::Use => "use",
            Self::Rank => "rank",
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

    /// What each part changes the score by.
    pub fn contributions(&self) -> Vec<f32> {
        let mut sum = 0.0;
        let changed = self.parts.iter().map(|part| {
            let before = sum;
            sum = match part {
                Part::Term { normal, weight, .. } => sum + weight * normal,
                Part::Factor { factor, .. } => sum * factor,
            };
            sum - before
        });
        changed.collect()
    }

    pub fn raw(&self, wanted: Stage) -> Option<f32> {
        self.parts.iter().find_map(|part| match part {
            Part::Term { stage, raw, .. } | Part::Factor { stage, raw, .. } => {
                (*stage == wanted).then_some(*raw)
            }
        })
    }
}
