//! Checks whether the index was built with today's settings and embedding model.

use super::Facts;
use mindfile::Corpus;
use mindfile::fingerprint::Fingerprint;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// No index, or one that was never filled.
    Unfilled,
    Fits,
    /// Another space or other chunks: the next sync makes the index again.
    Differs(Vec<Field>),
    /// The index's own cannot be read.
    Unreadable,
    /// The embedder could not be asked.
    Unknown(String),
}

/// One thing that the index was built with, and what it would be built with now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub index: String,
    pub now: String,
}

impl Fit {
    /// What the index was built with, against what it would be built with now.
    pub fn words(&self) -> String {
        match self {
            Self::Unfilled => "the index was never filled".to_owned(),
            Self::Fits => "the index was built with the settings of today".to_owned(),
            Self::Differs(fields) => {
                let value = |text: &String| if text.is_empty() { "none".to_owned() } else { text.clone() };
                let fields: Vec<String> = fields
                    .iter()
                    .map(|field| format!("{} {}, now {}", field.name, value(&field.index), value(&field.now)))
                    .collect();
                format!("the index was built with {}", fields.join("; "))
            }
            Self::Unreadable => "what the index was built with cannot be read".to_owned(),
            Self::Unknown(why) => format!("whether the index fits the embedding model is not known: {why}"),
        }
    }
}

/// A provider is asked only for a deep look.
pub(crate) fn compare(memory: &Corpus, facts: Option<&Facts>, deep: bool) -> Fit {
    let Some(stored) = facts.and_then(|facts| facts.fingerprint.as_deref()) else { return Fit::Unfilled };
    let Some(stored) = Fingerprint::parse(stored) else { return Fit::Unreadable };
    let now = if deep {
        mindfile::fit::wanted(memory, None)
    } else {
        Ok(mindfile::fit::assumed(memory, Some(&stored)))
    };
    match now {
        Ok(now) if now.fits(&stored) => Fit::Fits,
        Ok(now) => Fit::Differs(fields(&stored, &now)),
        Err(error) => Fit::Unknown(error.to_string()),
    }
}

fn fields(stored: &Fingerprint, now: &Fingerprint) -> Vec<Field> {
    let all = listed(stored).into_iter().zip(listed(now));
    let differing = all.filter(|(stored, now)| stored != now);
    differing.map(|((name, index), (_, now))| Field { name, index, now }).collect()
}

fn listed(print: &Fingerprint) -> [(&'static str, String); 12] {
    let Fingerprint {
        provider,
        model,
        endpoint,
        recipe,
        chunk_tokens,
        chunk_overlap,
        vector_dims,
        canary: _,
        policy,
        tokens,
        words,
        workspace,
    } = print;
    [
        ("provider", provider.clone()),
        ("model", model.clone()),
        ("endpoint", endpoint.clone()),
        ("recipe", recipe.clone()),
        ("chunking.tokens", chunk_tokens.to_string()),
        ("chunking.overlap", chunk_overlap.to_string()),
        ("vector dimensions", vector_dims.to_string()),
        ("vector of a known text", print.canary_shown()),
        ("vocabulary", tokens.clone()),
        ("analysis of words", words.to_string()),
        ("workspace", workspace.clone()),
        ("policy", policy.clone()),
    ]
}
