//! The package for Python, with the numbers of this program. Where there is no Python 3, nothing is tried, and the test says so.
#![expect(
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test that is left out says so; whoever changed a row has the files written again"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::{Expect, expect};

use crate::home::{Home, write};
use crate::serve::Served;

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

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("clients")
}

#[test]
fn every_example_of_the_readme_runs_as_it_stands() {
    let readme = std::fs::read_to_string(clients().join("python/README.md")).unwrap();
    let examples: Vec<&str> =
        readme.split("```python\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert!(examples.len() >= 4);
    let printed: Vec<String> = examples.iter().filter_map(|example| python(example)).collect();
    if let [first, second, third, _] = &printed[..] {
        assert!(first.starts_with("Ada prefers tea over coffee\nmemory/"), "{first}");
        assert_eq!(second, "409 # Plan\n\nSail in June.\n\n");
        assert!(third.starts_with("0 "), "{third}");
    }
}

/// A client that is killed takes its server along: nothing is left that listens.
#[test]
fn a_server_ends_with_the_client_that_started_it() {
    let script = "
import os, signal, subprocess, sys, time
code = 'from mindfile import Memory; m = Memory(\"notes\", create=True); print(m._server.process.pid, flush=True); input()'
child = subprocess.Popen([sys.executable, '-c', code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
server = int(child.stdout.readline())
child.send_signal(signal.SIGKILL)
child.wait()
for _ in range(600):
    try:
        os.kill(server, 0)
        with open(f'/proc/{server}/stat') as stat:
            if stat.read().rsplit(')', 1)[1].split()[0] == 'Z':
                break
    except (OSError, FileNotFoundError):
        break
    time.sleep(0.05)
else:
    sys.exit('the server is still there')
print('gone')
";
    check(script, &expect!["gone\n"]);
}

/// When it fails: `mindfile serve`, and `curl …/openapi.json | clients/generate.py`.
#[test]
fn the_methods_of_both_clients_are_those_of_the_server() {
    let home = Home::new();
    let document = Served::new(&home, &[]).get("/openapi.json").to_string();
    write(&home.path().join("openapi.json"), document.as_bytes());
    let document = std::fs::File::open(home.path().join("openapi.json")).unwrap();
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut generator = Command::new("python3");
    generator.arg(clients().join("generate.py")).args((!update).then_some("--check")).stdin(document);
    let Ok(output) = generator.output() else {
        eprintln!("skipped: there is no python3");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
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
