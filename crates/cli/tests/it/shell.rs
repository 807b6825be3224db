//! `mindfile completions` and `man`.

use serde_json::json;

use crate::home::Home;

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
