use expect_test::expect;

use crate::home::{Home, write};

/// Put together, so that no scanner takes it for a real one.
fn token() -> String {
    ["gh", "p_", "q7Rt2Lw9Xc4Vb8Nm1Kj5Hg3Fd6Sa0PoIuYtR"].concat()
}

#[test]
fn a_forbidden_fact_is_refused_by_rule_and_not_by_value() {
    let home = Home::new();
    let value = token();
    home.run(&["retain", &format!("the deploy key is {value}")]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: the fact is not stored: the policy's rule "github-token" forbids it
        hint: leave the value out; `mindfile policy check TEXT` shows what was found
    "#]]);
    let came = home.run(&["inspect", &value]);
    assert!(came.code == 2 && !came.err.contains(&value), "{came:?}");
}

#[test]
fn a_check_explains_every_finding_and_prints_no_value() {
    let home = Home::new();
    let text = format!("first\nkey {} and ana@porto.example, GB82 WEST 1234 5698 7654 32\n", token());
    write(&home.path().join("notes.txt"), text.as_bytes());
    home.run(&["policy", "check", "notes.txt"]).check(&expect![[r#"
        exit 0
        --- stdout
        2:5  github-token  never-store  xxx_x9xx9xx9… (40 characters)
            refused by retain; taken out of transcripts; not indexed, sent or shown
        2:50  email  allowed  xxx@xxxxx.xx… (17 characters)
            stored and shown as it is
        2:69  iban  masked  xx99 xxxx 99… (27 characters)
            stored in your file; indexed, sent and shown as a mask
        --- stderr
    "#]]);
    let json = home.json(&["policy", "check", "nothing", "here"]);
    assert_eq!(json["findings"], serde_json::json!([]));
    assert!(home.out(&["policy", "show"]).contains("payment-card"));
}

#[test]
fn what_is_stored_goes_when_it_is_applied() {
    let home = Home::new();
    let value = token();
    home.note("memory/keys.md", &format!("# Keys\n\nDeploy with {value} today.\n"));
    let listed = home.run(&["policy", "apply"]);
    assert!(listed.code == 0 && listed.out.contains("memory/keys.md#L3  github-token"), "{listed:?}");
    assert!(listed.err.contains("nothing was changed"), "{listed:?}");
    assert!(home.out(&["get", "memory/keys.md"]).contains("Deploy with [removed: github-token] today."));
    let path = home.workspace().join("memory/keys.md");
    assert!(std::fs::read_to_string(&path).unwrap().contains(&value));
    let applied = home.json(&["policy", "apply", "--yes"]);
    assert_eq!(applied["changed"], serde_json::json!(["memory/keys.md"]));
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "# Keys\n\nDeploy with [removed: github-token] today.\n"
    );
}

#[test]
fn every_command_says_what_it_could_not_log() {
    let home = Home::new();
    home.note("memory/medical.md", "# Medical\n\nThe quartz syndrome is mild.\n");
    home.out(&["retain", "Ada likes tea", "--entity", "Ada", "--id", "tea"]);
    std::fs::remove_file(home.path().join("state/memory/main.audit.jsonl")).unwrap();
    std::fs::create_dir(home.path().join("state/memory/main.audit.jsonl")).unwrap();
    let unlogged = "warning: done, but not in the audit log: ~/state/memory/main.audit.jsonl: Is a directory";
    let commands: [&[&str]; 7] = [
        &["retain", "Bob likes ale"],
        &["edit", "tea", "--text", "Ada likes green tea"],
        &["edit", "tea", "--text", "Ada likes black tea", "--json"],
        &["trust", "tea"],
        &["encrypt", "memory/medical.md"],
        &["rekey"],
        &["delete", "tea", "--yes"],
    ];
    for command in commands {
        let came = home.run(command);
        assert_eq!((came.code, came.err.matches(unlogged).count()), (0, 1), "{command:?}: {came:?}");
    }
    assert!(home.run(&["doctor"]).out.contains("the audit log cannot be written: "));
}

#[test]
fn the_audit_log_is_shown_and_a_change_of_it_is_named() {
    let home = Home::new();
    assert_eq!(home.json(&["audit", "verify"])["entries"], 0);
    home.out(&["retain", "Sarah keeps the logbook of the zeppelin", "--id", "one"]);
    home.out(&["retain", "Peter paints the hangar in the spring", "--id", "two"]);
    let shown = home.json(&["audit", "show"]);
    let acts: Vec<String> =
        shown.as_array().unwrap().iter().map(|e| format!("{} {} {}", e["door"], e["act"], e["id"])).collect();
    assert_eq!(acts, [r#""terminal" "retain" "one""#, r#""terminal" "retain" "two""#]);
    assert!(home.out(&["audit", "verify"]).starts_with("2 entries, each as it was written\nhead 2:"));
    let path = home.path().join("state/memory/main.audit.jsonl");
    let log = std::fs::read_to_string(&path).unwrap();
    write(&path, log.replace("\"one\"", "\"two\"").as_bytes());
    let came = home.run(&["audit", "verify"]);
    assert!(came.code == 1 && came.out.starts_with("entry 1 is broken (main.audit.jsonl:1): "), "{came:?}");
}
