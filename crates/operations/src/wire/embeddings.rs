//! Vectors in the shape that clients of OpenAI's service know.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mindfile::vectors::Vectors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    #[default]
    Float,
    /// Little-endian 32-bit floats.
    Base64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Embedded {
    object: &'static str,
    data: Vec<One>,
    model: String,
    usage: Usage,
}

#[derive(Debug, Serialize, JsonSchema)]
struct One {
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
struct Usage {
    prompt_tokens: usize,
    total_tokens: usize,
}

impl Embedded {
    pub fn new(made: Vectors, encoding: Encoding) -> Self {
        let dims = made.dims;
        let vectors = made.vectors.into_iter().map(|vector| vector.unwrap_or_else(|| vec![0.0; dims]));
        let one =
            |(index, vector)| One { object: "embedding", index, embedding: Numbers::new(vector, encoding) };
        Self {
            object: "list",
            data: vectors.enumerate().map(one).collect(),
            model: made.model,
            usage: Usage { prompt_tokens: made.tokens, total_tokens: made.tokens },
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
