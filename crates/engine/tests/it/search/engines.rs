//! The same answers on every run, and with every way to look for vectors.

use std::fs;

use mindfile::search::{Hit, Mode, Request};

use super::{demo, project};

/// Some of the questions of the project's own truth set, which are asked of the demo.
fn questions() -> Vec<String> {
    let text = fs::read_to_string(project().join("evals/truth/questions.jsonl")).unwrap();
    let parsed = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    parsed.step_by(5).map(|question| question["question"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn two_runs_agree() {
    let world = demo();
    let (one, other) = (world.memory(), world.memory());
    for question in questions().iter().step_by(3) {
        let first = one.search(&Request::new(question), None).unwrap();
        assert_eq!(other.search(&Request::new(question), None).unwrap(), first);
        assert_eq!(one.search(&Request::new(question), None).unwrap(), first);
    }
}

#[test]
fn both_engines_agree() {
    let mut world = demo();
    let by_scan = world.memory();
    world.settings.vector.engine = mindfile::config::Engine::SqliteVec;
    let by_sqlite = world.memory();
    let found = |memory: &mindfile::Memory, mode, question: &str| {
        let request = Request { mode: Some(mode), max_results: Some(10), ..Request::new(question) };
        memory.search(&request, None).unwrap().answer.hits
    };
    for question in questions().iter().step_by(3) {
        let [scanned, asked] = [&by_scan, &by_sqlite].map(|memory| found(memory, Mode::Vector, question));
        assert_eq!(places(&scanned), places(&asked), "{question}");
        // A chunk that has the words and is far by meaning keeps the cosine of its code: near-equals may change places.
        let [scanned, asked] = [&by_scan, &by_sqlite].map(|memory| found(memory, Mode::Hybrid, question));
        assert_eq!(scanned.len(), asked.len(), "{question}");
        for (one, other) in scanned.iter().zip(&asked) {
            assert!((one.score - other.score).abs() < 0.002, "{question}: {one:?} {other:?}");
        }
    }
}

fn places(hits: &[Hit]) -> Vec<String> {
    hits.iter().map(Hit::citation).collect()
}
