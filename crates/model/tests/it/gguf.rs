//! A model file made by a script, against vectors that the script computed by itself.

#![cfg(feature = "gguf")]

use std::path::{Path, PathBuf};

use mindfile_model::provider::{Local, local};
use mindfile_model::{Embedder, Error, Outcome, Role, Vector};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gguf")
}

fn open(model: &Path) -> Box<dyn Embedder> {
    let (model, endpoint) = (model.display().to_string(), String::new());
    local::open(&Local { model, cache: PathBuf::new(), endpoint, ca_file: None })
}

/// Every text of the reference is where the reference says.
fn check(folder: &Path, name: &str) {
    let embedder = open(&folder.join(format!("{name}.gguf")));
    let reference = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    let reference: Vec<Value> = serde_json::from_str(&reference).unwrap();
    for one in &reference {
        let values = one["vector"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap() as f32);
        let expected = Vector::new(values.collect()).unwrap();
        let text = one["text"].as_str().unwrap();
        let found = embedder.embed(Role::Document, &[text], None).unwrap().remove(0).unwrap();
        assert_eq!(found.as_slice().len(), expected.as_slice().len());
        assert!(found.cosine(&expected) >= 0.999, "{text}: {}", found.cosine(&expected));
    }
}

#[test]
fn a_small_model_gives_the_vectors_of_the_reference() {
    check(&folder(), "tiny-bert");
}

/// `MINDFILE_MINILM` names a folder that assets/make_gguf.py made.
#[test]
#[expect(clippy::disallowed_methods, reason = "the model is too large to be part of the tests")]
fn a_real_model_gives_the_vectors_of_the_reference() {
    if let Some(folder) = std::env::var_os("MINDFILE_MINILM") {
        check(Path::new(&folder), "all-MiniLM-L6-v2");
    }
}

#[test]
fn a_text_that_is_too_long_is_cut_and_said_to_be() {
    let embedder = open(&folder().join("tiny-bert.gguf"));
    let mut outcomes = Vec::new();
    let long = "dog ".repeat(100);
    let take = &mut |answers: Vec<(usize, Outcome)>| {
        outcomes.extend(answers);
        std::ops::ControlFlow::Continue(())
    };
    embedder.embed_each(&["the dog", &long], None, take).unwrap();
    assert!(matches!(outcomes[0], (0, Outcome::Vector(_))), "{outcomes:?}");
    assert!(matches!(outcomes[1], (1, Outcome::Cut { kept: 200..300, .. })), "{outcomes:?}");
    assert_eq!(embedder.spent().texts, 2);
}

#[test]
fn what_is_no_model_is_an_error() {
    let missing = open(Path::new("/no/such/model.gguf")).embed(Role::Query, &["dog"], None).unwrap_err();
    assert!(matches!(missing, Error::NoModelFile { .. }), "{missing}");
    let broken = open(&folder().join("tiny-bert.json")).embed(Role::Query, &["dog"], None).unwrap_err();
    assert!(broken.to_string().contains("it is not a model that can be used"), "{broken}");
}
