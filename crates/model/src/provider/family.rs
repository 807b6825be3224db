//! What models of a family expect around a text, and how much they read. A row applies by the name of the model,
//! wherever it runs: Ollama, LM Studio, vLLM or a file.

use crate::Role;

/// One family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    pub name: &'static str,
    /// Parts of model names, in lower case; the first row with one of them is the one.
    marks: &'static [&'static str],
    query: &'static str,
    document: &'static str,
    /// The most tokens that the model reads of a text.
    pub tokens: usize,
}

const RETRIEVE: &str = "Represent this sentence for searching relevant passages: ";
const INSTRUCT: &str = "Instruct: Given a question, retrieve notes that answer it\nQuery: ";

/// The defaults of a row: texts are sent as they are.
const PLAIN: Family = Family { name: "", marks: &[], query: "", document: "", tokens: 512 };

/// The first match counts: a more particular name stands before a more general one.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "EmbeddingGemma",
        marks: &["embeddinggemma", "embedding-gemma"],
        query: "task: search result | query: ",
        document: "title: none | text: ",
        tokens: 2_048,
    },
    Family {
        name: "Qwen3-Embedding",
        marks: &["qwen3-embedding", "qwen3_embedding"],
        query: INSTRUCT,
        tokens: 32_000,
        ..PLAIN
    },
    Family {
        name: "nomic-embed",
        marks: &["nomic-embed"],
        query: "search_query: ",
        document: "search_document: ",
        tokens: 2_048,
    },
    Family {
        name: "E5 instruct",
        marks: &["e5-mistral", "e5-large-instruct", "e5-instruct"],
        query: INSTRUCT,
        ..PLAIN
    },
    Family {
        name: "E5",
        marks: &["e5-small", "e5-base", "e5-large"],
        query: "query: ",
        document: "passage: ",
        ..PLAIN
    },
    Family { name: "mxbai-embed", marks: &["mxbai-embed"], query: RETRIEVE, ..PLAIN },
    Family { name: "BGE-M3", marks: &["bge-m3"], tokens: 8_192, ..PLAIN },
    Family {
        name: "BGE",
        marks: &["bge-small-en", "bge-base-en", "bge-large-en", "bge-large"],
        query: RETRIEVE,
        ..PLAIN
    },
    Family {
        name: "Snowflake Arctic 2",
        marks: &["arctic-embed2", "arctic-embed-l-v2", "arctic-embed-m-v2"],
        query: "query: ",
        tokens: 8_192,
        ..PLAIN
    },
    Family { name: "Snowflake Arctic", marks: &["arctic-embed"], query: RETRIEVE, ..PLAIN },
    Family { name: "MiniLM", marks: &["minilm"], tokens: 256, ..PLAIN },
];

impl Family {
    /// The family of a model, if it is one of the table.
    pub fn of(model: &str) -> Option<&'static Self> {
        let model = model.to_lowercase();
        FAMILIES.iter().find(|family| family.marks.iter().any(|mark| model.contains(mark)))
    }

    pub fn prefix(&self, role: Role) -> &'static str {
        match role {
            Role::Query => self.query,
            Role::Document => self.document,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_known_by_the_models_name() {
        let check = |model: &str, expected: Option<&str>| {
            assert_eq!(Family::of(model).map(|family| family.name), expected, "{model}");
        };
        check("embeddinggemma-300m-qat-Q8_0.gguf", Some("EmbeddingGemma"));
        check("Qwen/Qwen3-Embedding-0.6B", Some("Qwen3-Embedding"));
        check("text-embedding-nomic-embed-text-v1.5", Some("nomic-embed"));
        check("intfloat/multilingual-e5-large-instruct", Some("E5 instruct"));
        check("intfloat/multilingual-e5-large", Some("E5"));
        check("BAAI/bge-m3", Some("BGE-M3"));
        check("snowflake-arctic-embed2", Some("Snowflake Arctic 2"));
        check("snowflake-arctic-embed", Some("Snowflake Arctic"));
        check("all-minilm", Some("MiniLM"));
        check("text-embedding-3-small", None);
    }
}
