//! A model file made by a script, against vectors that the script computed by itself.

#![cfg(feature = "gguf")]

use std::io::Write;
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
fn texts_that_go_through_the_model_together_have_the_vectors_that_they_have_alone() {
    let embedder = open(&folder().join("tiny-bert.gguf"));
    let texts: Vec<String> = (0..100).map(|n| "the dog ".repeat(1 + n * 7 % 40)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut together = Vec::new();
    let mut steps = 0;
    let take = &mut |answers: Vec<(usize, Outcome)>| {
        steps += 1;
        together.extend(answers);
        std::ops::ControlFlow::Continue(())
    };
    embedder.embed_each(&texts, None, take).unwrap();
    assert!((5..50).contains(&steps), "{steps}");
    assert_eq!(together.iter().map(|(at, _)| *at).collect::<Vec<_>>(), (0..100).collect::<Vec<_>>());
    for ((at, outcome), text) in together.iter().zip(&texts) {
        let alone = embedder.embed(Role::Document, &[text], None).unwrap().remove(0).unwrap();
        let (Outcome::Vector(vector) | Outcome::Cut { vector, .. }) = outcome else { panic!("{outcome:?}") };
        assert!(vector.cosine(&alone) >= 0.9999, "{at}: {}", vector.cosine(&alone));
    }
}

#[test]
fn a_question_does_not_wait_for_documents() {
    let embedder = open(&folder().join("tiny-bert.gguf"));
    let mut asked = 0;
    let take = &mut |_: Vec<(usize, Outcome)>| {
        asked += embedder.embed(Role::Query, &["dog"], None).unwrap().len();
        std::ops::ControlFlow::Continue(())
    };
    embedder.embed_each(&["the dog", "the cat"], None, take).unwrap();
    assert_eq!(asked, 1);
}

#[test]
fn many_ask_at_once_and_get_what_one_gets() {
    let embedder = open(&folder().join("tiny-bert.gguf"));
    let expected = embedder.embed(Role::Query, &["the dog"], None).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    assert_eq!(embedder.embed(Role::Query, &["the dog"], None).unwrap(), expected);
                }
            });
        }
    });
}

#[test]
fn a_question_does_not_wait_for_a_download() {
    let cache = tempfile::tempdir().unwrap();
    let model = "hf:owner/repository/model.gguf".to_owned();
    let endpoint = "http://127.0.0.1:9".to_owned();
    let embedder = local::open(&Local { model, cache: cache.path().to_owned(), endpoint, ca_file: None });
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let error = embedder.embed(Role::Query, &["dog"], Some(until)).unwrap_err();
    assert_eq!(error.to_string(), "the model hf:owner/repository/model.gguf is not on this machine yet");
    assert_eq!(error.hint().as_deref(), Some("mindfile index fetches it"));
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
    let other = open(&folder().join("tiny-bert.json")).embed(Role::Query, &["dog"], None).unwrap_err();
    assert!(other.to_string().ends_with("is not a model that can be run: it is not a GGUF file"), "{other}");
    let place = tempfile::tempdir().unwrap();
    let part = place.path().join("part.gguf");
    let whole = std::fs::read(folder().join("tiny-bert.gguf")).unwrap();
    std::fs::File::create(&part).unwrap().write_all(&whole[..whole.len() / 2]).unwrap();
    let broken = open(&part).embed(Role::Query, &["dog"], None).unwrap_err();
    assert!(broken.to_string().contains("it is cut off or damaged"), "{broken}");
}
