//! Judges texts by the built-in rules: texts between NUL bytes from standard input, for each a line of `RULE:CLASS:START-END` to
//! standard output. For measurements that are made elsewhere.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement fails by panicking, and prints")]

use mindfile_trust::policy::{Policy, Rules};

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let policy = Policy::new(&Rules::default(), &std::env::temp_dir());
    for text in text.split('\0') {
        let found = policy.judge_all(text).into_iter().map(|finding| {
            format!("{}:{:?}:{}-{}", finding.rule, finding.class, finding.span.start, finding.span.end)
        });
        println!("{}", found.collect::<Vec<_>>().join(" "));
    }
}
