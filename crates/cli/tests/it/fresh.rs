//! What a newcomer meets: a home in which nothing was set up, where the first use makes the workspace at its default place and
//! nowhere else; notes of their own; and what is said to a slip.

use serde_json::json;

use crate::home::Home;
use crate::hooks::hook;
use crate::mcp::Client;
use crate::serve::Served;

/// What a host is given with a message that asks for what was retained.
fn given(home: &Home) -> String {
    let asked = json!({"session_id": "s1", "prompt": "who leads the billing team?"});
    hook(home, "claude-code", "prompt-submit", &asked).to_string()
}

#[test]
fn what_a_model_retains_after_an_installation_is_given_to_the_next_prompt() {
    let home = Home::bare();
    home.out(&["install", "claude-code", "--yes"]);
    assert!(home.workspace().join("memory").is_dir());
    let opening = hook(&home, "claude-code", "session-start", &json!({"session_id": "s1"}));
    assert!(opening.to_string().contains("memory_retain"), "{opening}");
    let mut client = Client::new(&home, &[]);
    let kept = client.call("memory_retain", json!({"text": "Sarah leads the billing team"}));
    assert_eq!(kept["isError"], json!(false), "{kept}");
    assert!(given(&home).contains("Sarah leads the billing team [memory/"), "{}", given(&home));
}

#[test]
fn the_first_command_call_or_hook_makes_the_workspace() {
    let firsts: [fn(&Home); 6] = [
        // Whoever asks first is told that nothing is there, and may keep something next.
        |home| {
            for words in [["search", "boat"], ["recall", "boat"]] {
                assert_eq!(home.run(&words).code, 2);
            }
            home.out(&["retain", "Sarah leads the billing team"]);
        },
        |home| drop(home.out(&["retain", "Sarah leads the billing team"])),
        |home| drop(Client::new(home, &[]).call("memory_search", json!({"query": "who leads the team"}))),
        |home| drop(hook(home, "codex", "session-start", &json!({"session_id": "s1"}))),
        |home| drop(Served::new(home, &[])),
        |home| {
            crate::home::write(&home.path().join("vault/boat.md"), b"The boat is called Nora.\n");
            home.out(&["import", "obsidian", "vault"]);
        },
    ];
    for (at, first) in firsts.into_iter().enumerate() {
        let home = Home::bare();
        first(&home);
        assert!(home.workspace().join("memory").is_dir(), "{at}");
        home.out(&["retain", "Ada prefers tea"]);
        assert!(home.out(&["recall", "what does Ada drink"]).contains("prefers tea"), "{at}");
    }
}

/// It may lie on a disk that is not there: a new folder in its place would be a memory that has lost everything.
#[test]
fn a_workspace_that_was_configured_or_that_vanished_is_not_made_anew() {
    let vanished = Home::bare();
    vanished.out(&["retain", "Ada prefers tea"]);
    std::fs::remove_dir_all(vanished.workspace()).unwrap();
    let unindexed = Home::bare();
    unindexed.out(&["retain", "Ada prefers tea"]);
    std::fs::remove_dir_all(unindexed.workspace()).unwrap();
    std::fs::remove_file(unindexed.path().join("state/memory/main.sqlite")).unwrap();
    let configured = Home::bare();
    configured.config("{\"agents\": {\"defaults\": {\"workspace\": \"~/elsewhere\"}}}");
    let linked = Home::bare();
    std::fs::create_dir(linked.path().join("state")).unwrap();
    std::os::unix::fs::symlink("/nowhere/notes", linked.workspace()).unwrap();
    for home in [vanished, unindexed, configured, linked] {
        let came = home.run(&["retain", "Ada prefers coffee"]);
        assert!(came.code == 2 && came.err.contains("does not exist"), "{came:?}");
        let answer = Client::new(&home, &[]).call("memory_retain", json!({"text": "Ada prefers coffee"}));
        assert_eq!(answer["isError"], json!(true), "{answer}");
        assert!(!home.workspace().is_dir() && !home.path().join("elsewhere").exists());
    }
}

#[test]
fn a_search_says_how_many_untrusted_hits_it_left_out_and_how_to_see_them() {
    let home = Home::bare();
    crate::home::write(&home.path().join("vault/boat.md"), b"The boat is called Nora.\n");
    let came = home.run(&["import", "obsidian", "vault"]);
    assert!(
        came.err.contains("found with --include-untrusted only") && came.err.contains("--trust"),
        "{came:?}"
    );
    let came = home.run(&["search", "what is the boat called"]);
    assert!(came.out.starts_with("Nothing "), "{came:?}");
    assert!(came.err.contains("1 untrusted hit left out; --include-untrusted shows it"), "{came:?}");
    let all = home.json(&["search", "what is the boat called"]);
    assert_eq!((all["results"].as_array().unwrap().len(), &all["untrusted"]), (0, &serde_json::json!(1)));
    let came = home.run(&["search", "what is the boat called", "--include-untrusted"]);
    assert!(came.out.contains("The boat is called Nora") && !came.err.contains("left out"), "{came:?}");
    let trusting = Home::bare();
    crate::home::write(&trusting.path().join("vault/boat.md"), b"The boat is called Nora.\n");
    let came = trusting.run(&["import", "obsidian", "vault", "--trust"]);
    assert!(!came.err.contains("untrusted"), "{came:?}");
    assert!(trusting.out(&["search", "what is the boat called"]).contains("called Nora"));
}

/// Obsidian's properties are read where they are: nothing is imported.
#[test]
fn a_vault_is_searched_as_obsidian_means_it() {
    let home = Home::bare();
    let vault = home.path().join("vault");
    let robert = "---\naliases: [Bob]\ntags: [family]\ncreated: 2026-03-01\n---\nLives in Ghent. Allergic to shellfish.\n";
    crate::home::write(&vault.join("People/Robert.md"), robert.as_bytes());
    crate::home::write(
        &vault.join("Boat.md"),
        b"Repaired by [[Robert|the neighbour]].\n\n- W @Bob: keeps the spare sail\n",
    );
    let ask = |words: &[&str]| home.out(&[words, &["--workspace", "vault"]].concat());
    let found = ask(&["search", "what is Bob allergic to", "--max-results", "1"]);
    assert!(found.contains("Allergic to shellfish"), "{found}");
    assert!(ask(&["search", "#family"]).contains("People/Robert.md"));
    assert!(ask(&["search", "the neighbour"]).contains("Boat.md"));
    assert!(ask(&["recall", "what does Robert keep"]).contains("spare sail"));
    assert!(ask(&["entities", "Robert"]).contains("spare sail"));
}

#[test]
fn what_a_newcomer_types_is_refused_with_what_helps() {
    let home = Home::new();
    let came = home.run(&["backup", "nowhere/x.tar"]);
    assert!(came.code == 2 && came.err.contains("nowhere does not exist"), "{came:?}");
    assert!(!home.path().join("nowhere").exists());
    let came = home.run(&["config", "set", "provider", "gpt"]);
    assert!(came.code == 2 && came.err.contains("provider cannot be \"gpt\""), "{came:?}");
    assert_eq!(home.run(&["search", "dog"]).err, "");
    let came = home.run(&["search", "dog", "--max-results", "-1"]);
    assert!(came.code == 2 && came.err.contains("invalid value '-1'"), "{came:?}");
    let came = home.run(&["edit", "zzz", "hello"]);
    assert!(came.code == 2 && came.err.contains("there is no fact ^zzz"), "{came:?}");
    let id = home.json(&["retain", "Sarah leads the billing team"])["id"].as_str().unwrap().to_owned();
    home.out(&["edit", &id, "Sarah", "leads", "sales"]);
    assert!(home.out(&["recall", "what does Sarah lead"]).contains("Sarah leads sales"));
}
