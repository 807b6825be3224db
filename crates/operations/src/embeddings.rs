//! Vectors in the shape that clients of OpenAI's service know.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mindfile::vectors::{self, Vectors};

use crate::operation::prelude::*;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Embeddings {
    #[arg(skip)]
    pub input: Input,
    /// Any name: the model inside the program answers.
    #[arg(skip)]
    pub model: Option<String>,
    #[arg(skip)]
    #[serde(default)]
    pub encoding_format: Encoding,
    /// Only what the model has.
    #[arg(skip)]
    #[schemars(range(min = 256, max = 256))]
    pub dimensions: Option<usize>,
    #[arg(skip)]
    pub user: Option<String>,
}

/// One text, or several.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Input {
    One(String),
    Many(#[schemars(length(min = 1, max = 2048))] Vec<String>),
}

impl Default for Input {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    #[default]
    Float,
    /// Little-endian 32-bit floats.
    Base64,
}

impl Operation for Embeddings {
    const ROW: Row = Row::new("embeddings", "Make vectors with the model inside the program")
        .http(Http::post("/v1/embeddings"));
    type Answer = EmbeddedTexts;

    fn run(self, _: &Caller<'_>) -> Result<EmbeddedTexts, Failure> {
        let texts: Vec<&str> = match &self.input {
            Input::One(text) => vec![text],
            Input::Many(texts) => texts.iter().map(String::as_str).collect(),
        };
        if !(1..=2048).contains(&texts.len()) {
            return Err(Failure::usage(format!("input has {} texts; it must have 1 to 2048", texts.len())));
        }
        let made = vectors::embedded(&texts)?;
        match self.dimensions {
            Some(wanted) if wanted != made.dims => {
                Err(Failure::usage(format!("dimensions is {wanted}; the model has {}", made.dims)))
            }
            Some(_) | None => Ok(EmbeddedTexts::new(made, self.encoding_format)),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct EmbeddedTexts {
    object: &'static str,
    data: Vec<EmbeddedText>,
    model: String,
    usage: TokenUse,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EmbeddedText {
    object: &'static str,
    index: usize,
    embedding: Numbers,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum Numbers {
    Plain(Vec<f32>),
    Packed(String),
}

#[derive(Debug, Serialize, JsonSchema)]
struct TokenUse {
    prompt_tokens: usize,
    total_tokens: usize,
}

impl EmbeddedTexts {
    fn new(made: Vectors, encoding: Encoding) -> Self {
        let dims = made.dims;
        let vectors = made.vectors.into_iter().map(|vector| vector.unwrap_or_else(|| vec![0.0; dims]));
        let one = |(index, vector)| EmbeddedText {
            object: "embedding",
            index,
            embedding: Numbers::new(vector, encoding),
        };
        Self {
            object: "list",
            data: vectors.enumerate().map(one).collect(),
            model: made.model,
            usage: TokenUse { prompt_tokens: made.tokens, total_tokens: made.tokens },
        }
    }
}

impl Numbers {
    fn new(vector: Vec<f32>, encoding: Encoding) -> Self {
        match encoding {
            Encoding::Float => Self::Plain(vector),
            Encoding::Base64 => {
                let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
                Self::Packed(STANDARD.encode(bytes))
            }
        }
    }
}

impl Answer for EmbeddedTexts {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(format!("{} vectors of {}\n", self.data.len(), self.model))
    }
}
