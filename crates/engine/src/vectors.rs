//! Vectors of any texts, for programs that want those of the model inside this one.

use mindfile_model::{EmbeddedModel, Embedder, Role, Vector, count};

use crate::error::Error;

/// The vectors of some texts, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    pub model: String,
    /// None for a text that has no meaning to the model, such as symbols it does not know.
    pub vectors: Vec<Option<Vec<f32>>>,
    pub dims: usize,
    pub tokens: usize,
}

/// Asks the model inside the program, whatever provider an index has.
pub fn embedded(texts: &[&str]) -> Result<Vectors, Error> {
    let model = EmbeddedModel::new();
    let vectors = model.embed(Role::Document, texts, None)?;
    let space = model.space();
    Ok(Vectors {
        model: space.model.clone(),
        vectors: vectors.into_iter().map(|vector| vector.map(Vector::into_values)).collect(),
        dims: space.dims,
        tokens: texts.iter().map(|text| count::tokens(text)).sum(),
    })
}
