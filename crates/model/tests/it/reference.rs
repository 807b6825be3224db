//! Against what the original tokenizer and the original weights say; see `assets/make_reference.py`.

use mindfile_model::{EmbeddedTable, Interaction, TokenId, Vector};
use serde_json::Value;

struct Case {
    text: String,
    ids: Vec<u16>,
    vector: Option<Vector>,
}

/// Numbers of the file are ten-thousandths.
const UNIT: f32 = 10_000.0;

fn cases() -> Vec<Case> {
    list("texts").iter().map(case).collect()
}

fn list(name: &str) -> Vec<Value> {
    let read: Value = serde_json::from_str(include_str!("../reference.json")).unwrap();
    read[name].as_array().unwrap().clone()
}

fn case(read: &Value) -> Case {
    let vector = read["vector"].as_array().map(|values| Vector::new(numbers(values)).unwrap());
    let ids = numbers(read["ids"].as_array().unwrap()).into_iter().map(|id| id as u16).collect();
    Case { text: read["text"].as_str().unwrap().to_owned(), ids, vector }
}

fn numbers(values: &[Value]) -> Vec<f32> {
    values.iter().map(|value| value.as_f64().unwrap() as f32).collect()
}

fn tokens(read: &Value) -> Vec<TokenId> {
    EmbeddedTable::open().tokens(read.as_str().unwrap())
}

#[test]
fn the_reference_has_texts_of_every_sort() {
    let cases = cases();
    assert!(cases.len() >= 60);
    assert!(cases.iter().any(|case| case.ids.is_empty()));
    assert!(cases.iter().any(|case| case.ids.len() >= 400));
}

#[test]
fn tokens_are_those_of_the_reference() {
    for case in cases() {
        let ids: Vec<u16> =
            EmbeddedTable::open().tokens(&case.text).iter().map(|token| token.get()).collect();
        assert_eq!(ids, case.ids, "{:?}", case.text);
    }
}

#[test]
fn vectors_are_close_to_the_reference() {
    for case in cases() {
        let table = EmbeddedTable::open();
        match (table.embed_tokens(&table.tokens(&case.text)), case.vector) {
            (Some(ours), Some(theirs)) => {
                let cosine = ours.cosine(&theirs);
                assert!(cosine >= 0.999, "{cosine} for {:?}", case.text);
            }
            (ours, theirs) => assert_eq!(ours, theirs, "{:?}", case.text),
        }
    }
}

#[test]
fn interactions_are_close_to_the_reference() {
    for read in list("interactions") {
        let query: Vec<_> = tokens(&read["query"]).into_iter().map(|token| (token, 1.0)).collect();
        let ours = Interaction::new(&EmbeddedTable::open(), &query).score(&tokens(&read["chunk"])).best;
        let theirs = numbers(read["best"].as_array().unwrap());
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert!((ours - theirs / UNIT).abs() < 0.02, "{ours} is not {theirs} for {}", read["query"]);
        }
    }
}
