//! How fast the policy judges and covers: `cargo bench -p mindfile --bench policy`. Slowness is reported, never an error.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use mindfile::policy::{Policy, Rules};
use mindfile_evals::policy::set;

type Bench<T> = Result<T, Box<dyn Error>>;

/// Bytes of each text, and how long each is judged.
const SIZE: usize = 1 << 20;
const LONG: Duration = Duration::from_secs(1);

#[expect(clippy::print_stdout, reason = "the figures are the output")]
fn main() -> Bench<()> {
    // `cargo test --benches` runs this too, without the argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let policy = Policy::new(&Rules::default(), folder.path());
    println!("| text | MB/s |\n|---|---|");
    for (name, text) in texts() {
        println!("| {name} | {:.0} |", speed(&policy, &text));
    }
    println!(
        "| a question of 40 bytes | {:.0} |",
        speed(&policy, "what did we decide about the rate limits")
    );
    println!(
        "| without a state directory | {:.0} |",
        speed(&Policy::new(&Rules::default(), Path::new("")), &prose())
    );
    Ok(())
}

/// Prose, what looks like secrets and is none, and one value in each hundred lines.
fn texts() -> Vec<(&'static str, String)> {
    let made = set(1, 20, 100);
    let odd: String = made.negatives.iter().map(|one| format!("{}\n", one.text)).collect();
    let value = made.positives.first().map(|one| one.text.clone()).unwrap_or_default();
    let some: String = prose()
        .lines()
        .enumerate()
        .map(|(at, line)| if at % 100 == 0 { format!("{value}\n") } else { format!("{line}\n") })
        .collect();
    vec![("prose", prose()), ("hashes, code, numbers", grown(&odd)), ("a value each hundred lines", some)]
}

fn prose() -> String {
    grown(
        "Sarah moved the release to Friday because staging was down for 3 hours.\nNobody had tested it on port 5432.\n",
    )
}

fn grown(text: &str) -> String {
    text.repeat(SIZE / text.len().max(1) + 1)
}

/// Millions of bytes a second.
fn speed(policy: &Policy, text: &str) -> f64 {
    let (began, mut bytes) = (Instant::now(), 0);
    while began.elapsed() < LONG {
        bytes += policy.cover(text).len().max(text.len());
    }
    bytes as f64 / began.elapsed().as_secs_f64() / 1e6
}
