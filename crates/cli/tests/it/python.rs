//! The package for Python, with the numbers of this program. Where there is no Python 3, nothing is tried, and the test says so.
#![expect(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::Path;
use std::process::Command;

use expect_test::{Expect, expect};

use crate::home::Home;

/// Runs a script with the package; none without Python.
fn python(script: &str) -> Option<String> {
    let home = Home::bare();
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?.join("clients/python");
    let mut python = Command::new("python3");
    python.args(["-c", script]).current_dir(home.path()).env("PYTHONPATH", package);
    python.env("PYTHONDONTWRITEBYTECODE", "1").env("MINDFILE", env!("CARGO_BIN_EXE_mindfile"));
    python.env("MINDFILE_STATE_DIR", home.path().join("state"));
    let Ok(output) = python.output() else {
        eprintln!("skipped: there is no python3");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

fn check(script: &str, expected: &Expect) {
    if let Some(printed) = python(script) {
        expected.assert_eq(&printed);
    }
}

#[test]
fn the_worked_example_of_the_guide_has_its_score() {
    check(
        r"
from mindfile.scoring import compute_retrieval_score, explain_retrieval_score
import datetime
test_fact = {
    'content': 'Sarah is leaving next month',
    'salience': 0.95,
    'last_accessed_at': datetime.datetime.now() - datetime.timedelta(days=2),
    'access_count': 5
}
score = compute_retrieval_score(test_fact, query_entities=['personnel'])
print(f'Composite score: {score:.3f}')
print(f' - Salience contribution: {0.95 * 0.35:.3f}')
print(f' - Access decay (2 days): {0.5 ** (2/7) * 1.15 * 0.25:.3f}')
print({name: round(part, 4) for name, part in explain_retrieval_score(test_fact, ['personnel']).items()})
",
        &expect![[r#"
            Composite score: 0.574
             - Salience contribution: 0.332
             - Access decay (2 days): 0.236
            {'score': 0.5743, 'match': 0.0, 'salience': 0.3325, 'access': 0.2418}
        "#]],
    );
}

#[test]
fn an_unrelated_fact_may_beat_a_match_and_what_is_wrong_is_said() {
    check(
        r"
from mindfile.scoring import ScoringError, compute_retrieval_score
print(round(compute_retrieval_score({'salience': 0.2, 'match': 1}), 4))
print(round(compute_retrieval_score({'salience': 0.2, 'entities': ['Sarah', 'api']}, ['@sarah', 'personnel']), 4))
try:
    compute_retrieval_score({'salience': 2})
except ScoringError as error:
    print(error)
",
        &expect![[r#"
            0.5325
            0.3325
            --salience is 2; it must be between 0 and 1
        "#]],
    );
}
