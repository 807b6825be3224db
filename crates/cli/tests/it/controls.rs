//! `edit`, `trust`, `delete` and `forget`.

use crate::home::Home;

fn with_fact() -> Home {
    let home = Home::new();
    home.note("memory/pier.md", "# Pier\n\n- W @pier: The north pier is closed on Mondays ^n1\n- W @pier: The tide is low at noon ^t1\n");
    home
}

fn note(home: &Home) -> String {
    std::fs::read_to_string(home.workspace().join("memory/pier.md")).unwrap()
}

#[test]
fn nothing_goes_unless_it_was_looked_at_or_somebody_said_yes() {
    let home = with_fact();
    let before = note(&home);
    let came = home.run(&["delete", "n1"]);
    assert_eq!((came.code, came.err.contains("--dry-run lists exactly what goes")), (2, true), "{came:?}");
    let out = home.out(&["delete", "n1", "--dry-run"]);
    assert!(out.contains("memory/pier.md#L3") && out.contains("Would forget: 1 fact"), "{out}");
    assert_eq!(note(&home), before);
    let out = home.out(&["delete", "n1", "--yes"]);
    assert!(out.contains("✓ Forgotten: 1 fact, 0 notes, 1 line, 0 messages"), "{out}");
    assert_eq!(note(&home), before.replace("- W @pier: The north pier is closed on Mondays ^n1\n", ""));
    let again = home.run(&["retain", "The north pier is closed on Mondays"]);
    assert_eq!((again.code, again.err.contains("was forgotten on request")), (2, true), "{again:?}");
    assert_eq!(home.json(&["forget", "--allow", "The north pier is closed on Mondays"])["entries"], 1);
    home.out(&["retain", "The north pier is closed on Mondays"]);
}

#[test]
fn forget_takes_one_question_and_answers_in_json() {
    let home = with_fact();
    for words in [
        &["forget"][..],
        &["forget", "--entity", "a", "--query", "b"],
        &["forget", "--last", "7d", "--since", "7d"],
    ] {
        assert_eq!(home.run(words).code, 2, "{words:?}");
    }
    let gone = home.json(&["forget", "--query", "tide is low", "--dry-run"]);
    assert_eq!(
        (&gone["dryRun"], &gone["lines"][0]["why"], &gone["lines"][0]["line"]),
        (&true.into(), &"asked".into(), &4.into())
    );
    let gone = home.json(&["forget", "--entity", "pier", "--yes"]);
    assert_eq!((gone["facts"].as_u64(), gone["pending"].as_array().map(Vec::len)), (Some(2), Some(0)));
    assert_eq!(note(&home), "# Pier\n\n");
    assert_eq!(home.out(&["forget", "--query", "tide is low", "--yes"]), "Nothing of it is known.\n");
}

#[test]
fn an_edit_is_made_in_place_or_in_an_editor() {
    let home = with_fact();
    let edited = home.json(&["edit", "n1", "--text", "The north pier is closed on Sundays"]);
    assert_eq!(
        (&edited["before"], &edited["origin"]),
        (&"The north pier is closed on Mondays".into(), &"owner".into())
    );
    assert!(note(&home).contains("- W(v=2) @pier: The north pier is closed on Sundays ^n1\n"));
    let editor = home.path().join("editor.sh");
    mindfile::durable::replace(&editor, b"#!/bin/sh\necho 'The tide is high' > \"$1\"\n").unwrap();
    let mut command = home.command(&["edit", "t1"]);
    command.env("EDITOR", format!("/bin/sh {}", editor.display()));
    assert!(command.output().unwrap().status.success());
    assert!(note(&home).contains("- W(v=2) @pier: The tide is high ^t1\n"), "{}", note(&home));
    assert_eq!(home.run(&["edit", "t1"]).code, 2);
}

#[test]
fn trust_is_given_and_taken_and_shown() {
    let home = with_fact();
    home.note("memory/untrusted/web.md", "- W @pier: The harbour master sells the pier ^w1\n");
    let words = |query: &[&str]| home.out(&[&["recall", "harbour master"], query].concat());
    assert!(!words(&[]).contains("sells") && words(&["--include-untrusted"]).contains("[untrusted "));
    assert!(home.out(&["inspect", "w1"]).contains("nobody's word: untrusted"));
    assert_eq!(home.json(&["trust", "w1"])["was"], "untrusted");
    assert!(words(&[]).contains("sells the pier"));
    assert_eq!(home.json(&["inspect", "w1"])["door"], "terminal");
    assert_eq!(home.json(&["edit", "w1", "--origin", "untrusted"])["origin"], "untrusted");
    assert!(!words(&[]).contains("sells"));
}
