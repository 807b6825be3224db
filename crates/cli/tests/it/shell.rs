//! `mindfile stats`, `completions` and `man`.

use serde_json::json;

use crate::home::Home;

#[test]
fn stats_count_by_week_and_draw_bars() {
    let home = Home::bare();
    home.note("memory/2026-10-28.md", "# Day\n\n- W @boat: The boat is green\n- W @mast: The mast is red\n");
    home.note("memory/2026-10-29.md", "# Day\n\nNothing.\n");
    home.note("memory/2026-11-04.md", "# Day\n\n- W(seen=2026-10-27) @sail: The sail is white\n");
    let told = home.json(&["stats", "--weeks", "520"]);
    assert_eq!((&told["total"]["notes"], &told["total"]["facts"]), (&json!(3), &json!(3)));
    assert_eq!(told["weeks"][0]["monday"], json!("2026-10-26"));
    assert_eq!((&told["weeks"][0]["notes"], &told["weeks"][0]["facts"]), (&json!(2), &json!(3)));
    assert_eq!(told["weeks"][1]["notes"], json!(1));
    assert_eq!(told["lag"]["notes"], json!(3), "nothing is indexed yet");
    home.out(&["recall", "which colour is the boat"]);
    let told = home.json(&["stats", "--weeks", "520"]);
    assert_eq!(told["lag"]["notes"], json!(0));
    assert!(told["recalls"].as_u64().unwrap() >= 1, "{told}");
    let text = home.out(&["stats", "--weeks", "520"]);
    assert!(text.starts_with("3 notes, ") && text.contains("2026-10-26  ██"), "{text}");
    assert!(text.contains("The index is up to date."), "{text}");
}

#[test]
fn every_shell_has_completions_for_every_command() {
    let home = Home::bare();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = home.out(&["completions", shell]);
        for command in ["search", "recall", "install", "why-not"] {
            assert!(script.contains(command), "{shell} does not know {command}");
        }
    }
}

#[test]
fn every_command_has_a_page() {
    let home = Home::bare();
    assert!(home.out(&["man"]).contains(".TH MINDFILE 1"));
    let told = home.json(&["man", "--out", "man"]);
    let pages = told["pages"].as_array().unwrap();
    assert!(pages.contains(&json!("mindfile-session-append.1")) && pages.len() > 20, "{told}");
    let page = std::fs::read_to_string(home.path().join("man/mindfile-search.1")).unwrap();
    assert!(page.contains("Examples:") && page.contains("max\\-results"), "{page}");
}
