//! The seam between those who need vectors and those who make them.

use std::ops::{AddAssign, ControlFlow};
use std::time::Instant;

use crate::{Error, Jobs, Vector};

pub trait Embedder: Send + Sync {
    /// Names the vectors: only those of equal spaces may be compared or kept together.
    fn space(&self) -> &Space;

    /// Embeds a few texts at once, such as a question. One answer for each, in order; `None` says that the text has no
    /// meaning in this space, for example because it consists of symbols that the model does not know. Whatever is not
    /// there at `until` ends in [`Error::Deadline`].
    fn embed(&self, role: Role, texts: &[&str], until: Option<Instant>)
    -> Result<Vec<Option<Vector>>, Error>;

    /// Embeds any number of documents, in as few requests as the limits allow and several of them at a time. Answers reach
    /// `sink` as they arrive, in any order, so that an error later on does not lose them.
    fn embed_each(&self, texts: &[&str], until: Option<Instant>, sink: &mut Sink<'_>) -> Result<(), Error>;

    /// What [`Self::embed_each`] would spend on these documents.
    fn estimate(&self, texts: &[&str]) -> Spending;

    /// What has been spent since the model was opened.
    fn spent(&self) -> Spending;

    /// The slower, cheaper way that some providers offer for many documents.
    fn jobs(&self) -> Option<&dyn Jobs>;
}

/// Takes answers, each with the position of its text. `Break` ends the work with [`Error::Stopped`].
pub type Sink<'a> = dyn FnMut(Vec<(usize, Outcome)>) -> ControlFlow<()> + 'a;

/// What a text is for: some models embed questions and documents differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Query,
    Document,
}

/// What became of one document.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Vector(Vector),
    /// The vector of the text's beginning: the whole was longer than the model reads.
    Cut {
        vector: Vector,
        /// How many characters were read.
        kept: usize,
    },
    /// The text has no meaning in this space.
    Blank,
    /// The provider takes other texts, but not this one.
    Refused(String),
}

impl Outcome {
    /// `kept` is how many characters of the text were embedded, if not all.
    pub(crate) fn of(vector: Vector, kept: Option<usize>) -> Self {
        match kept {
            Some(kept) => Self::Cut { vector, kept },
            None => Self::Vector(vector),
        }
    }
}

/// A vector space, named by where its vectors come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Space {
    pub provider: String,
    pub model: String,
    /// The address of the provider; empty when the model is part of the program.
    pub endpoint: String,
    /// Zero where only the first answer tells.
    pub dims: usize,
    /// What else decides the vectors: prompts, input types, a length that was asked for.
    pub recipe: String,
}

/// Requests, with the texts and tokens in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spending {
    pub requests: u64,
    pub texts: u64,
    /// As the provider counted them; estimated where it does not.
    pub tokens: u64,
}

impl AddAssign for Spending {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.texts += other.texts;
        self.tokens += other.tokens;
    }
}

/// [`Embedder::embed_each`] for a model that is asked for all documents at once.
pub fn embed_all_at_once(
    embedder: &dyn Embedder,
    texts: &[&str],
    until: Option<Instant>,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    let answers = embedder.embed(Role::Document, texts, until)?;
    let outcomes = answers.into_iter().map(|vector| vector.map_or(Outcome::Blank, Outcome::Vector));
    match sink(outcomes.enumerate().collect()) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Stopped),
    }
}
