//! `retain`, `inspect` and `entities`.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;

use expect_test::expect;
use serde_json::{Value, json};

use crate::home::{Came, Home, pretty};

fn sarah(home: &Home) -> Came {
    let words = ["retain", "Sarah is leaving the company next month", "--type", "B", "--entity", "Sarah"];
    home.run(&[&words[..], &["--entity", "project", "--salience", "0.95", "--id", "k3f9a2"]].concat())
}

/// Text in which today is one and the same day.
fn dated(text: &str) -> String {
    let digits = |word: &str| word.len() == 10 && word.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("20") {
        let (before, after) = rest.split_at(at);
        shown.push_str(before);
        let day = after.get(..10).filter(|word| digits(word) && word.matches('-').count() == 2);
        shown.push_str(if day.is_some() { "TODAY" } else { "20" });
        rest = &after[if day.is_some() { 10 } else { 2 }..];
    }
    shown + rest
}

fn check(came: &Came, expected: &expect_test::Expect) {
    let Came { code, out, err } = came;
    expected.assert_eq(&dated(&format!("exit {code}\n--- stdout\n{out}--- stderr\n{err}")));
}

#[test]
fn retain_says_what_it_kept_and_a_repeat_writes_nothing() {
    let home = Home::new();
    check(
        &sarah(&home),
        &expect![[r#"
        exit 0
        --- stdout
        ✓ Retained: B(s=0.95) @Sarah @project: Sarah is leaving the company next month
        --- stderr
        memory/TODAY.md#L5 ^k3f9a2
    "#]],
    );
    check(
        &sarah(&home),
        &expect![[r#"
        exit 0
        --- stdout
        ✓ Known already: B(s=0.95) @Sarah @project: Sarah is leaving the company next month
        --- stderr
        memory/TODAY.md#L5 ^k3f9a2
    "#]],
    );
    check(
        &home.run(&["memory", "retain", "sarah is leaving the company next month!", "--entity", "sarah"]),
        &expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: EDUPFACTS: already known as ^k3f9a2 in memory/TODAY.md:5: Sarah is leaving the company next month
        hint: to write it all the same: --force
    "#]],
    );
}

#[test]
fn the_json_of_retain_and_of_its_failures_keeps_its_shape() {
    let home = Home::new();
    sarah(&home);
    let kept =
        home.json(&["retain", "Rate limiting is 100 requests per minute", "--entity", "api", "--id", "r1"]);
    let fields = ["ok", "id", "path", "line", "text", "kind", "salience", "entities"];
    assert!(fields.iter().all(|field| kept.get(field).is_some()), "{kept}");
    expect![[r#"
        {
          "ok": true,
          "outcome": "written",
          "id": "r1",
          "kind": "W",
          "text": "Rate limiting is 100 requests per minute",
          "salience": "<estimate>",
          "entities": [
            "api"
          ],
          "path": "memory/TODAY.md",
          "line": 6,
          "origin": "owner",
          "seen": "TODAY"
        }"#]]
    .assert_eq(&dated(&pretty(&with(kept, "salience", "<estimate>"))));
    let again =
        home.run(&["retain", "Rate limiting is 100 requests per minute", "--entity", "api", "--json"]);
    let failed: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(
        (again.code, &failed["ok"], &failed["error"]["type"]),
        (2, &false.into(), &"EDUPFACTS".into())
    );
}

fn with(mut value: Value, field: &str, new: &str) -> Value {
    value[field] = new.into();
    value
}

#[test]
fn a_key_has_one_value_proposals_and_a_history() {
    let home = Home::new();
    let key = ["--key", "editor.theme", "--salience", "0.5"];
    let keep = |words: &[&str]| home.run(&[&["retain"], words, &key].concat());
    assert_eq!(keep(&["dark", "--confidence", "0.91", "--id", "d1"]).code, 0);
    check(
        &keep(&["light", "--id", "l1"]),
        &expect![[r#"
            exit 0
            --- stdout
            ? Proposed: O(key=editor.theme,s=0.5): light
            --- stderr
            memory/TODAY.md#L6 ^l1
            "dark" stays until it is seen again on another day, or with --confirm
        "#]],
    );
    check(
        &keep(&["light", "--if-version", "7"]),
        &expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: "editor.theme" is at version 1, not 7
        hint: look at the value that is there now: mindfile inspect editor.theme
    "#]],
    );
    check(
        &home.run(&["inspect", "editor.theme"]),
        &expect![[r#"
            exit 0
            --- stdout
            O(key=editor.theme,s=0.5): dark
              ^d1 · current · memory/TODAY.md#L5
              confidence 0.91 · seen TODAY · confirmed TODAY
              the owner's word, by terminal on TODAY
              never recalled
              - O(key=editor.theme,s=0.5,c=0.91,seen=TODAY,conf=TODAY,v=1): dark ^d1
              given unasked in memory/TODAY.md#L5 (today's note)
            editor.theme
              v2 proposed since TODAY: light ^l1 memory/TODAY.md#L6
              v1 current since TODAY: dark ^d1 memory/TODAY.md#L5
            --- stderr
        "#]],
    );
    assert_eq!(keep(&["light", "--confirm"]).code, 0);
    let shown = home.json(&["inspect", "editor.theme"]);
    let states: Vec<_> = shown["history"].as_array().unwrap().iter().map(|v| v["state"].clone()).collect();
    assert_eq!((&shown["text"], states), (&"light".into(), vec!["current".into(), "superseded".into()]));
    let unknown = home.run(&["inspect", "nobody"]);
    assert_eq!((unknown.code, unknown.err.lines().next()), (2, Some("error: there is no fact ^nobody")));
}

#[test]
fn entities_are_listed_drawn_merged_and_renamed() {
    let home = Home::new();
    sarah(&home);
    home.note("memory/team.md", "- W @bob @project: Bob writes the tests ^b1\n");
    check(
        &home.run(&["entities"]),
        &expect![[r#"
        exit 0
        --- stdout
        @project  2 facts  0.91
        @bob       1 fact  1.44
        @Sarah     1 fact  1.44
        --- stderr
    "#]],
    );
    check(
        &home.run(&["entities", "project", "--dot"]),
        &expect![[r#"
        exit 0
        --- stdout
        graph mindfile {
          layout=neato; overlap=false; node [shape=ellipse];
          "@project" [style=bold];
          "@project" -- "@bob" [label="1", weight="1.313"];
          "@project" -- "@sarah" [label="1", weight="1.313"];
        }
        --- stderr
    "#]],
    );
    home.out(&["entities", "project", "--svg", "p.svg"]);
    assert!(std::fs::read_to_string(home.path().join("p.svg")).unwrap().starts_with("<svg"));
    assert_eq!(
        home.out(&["entities", "bob", "--rename", "Robert"]),
        "✓ @bob is @Robert in 1 note (memory/team.md)\n"
    );
    home.out(&["entities", "Robert", "--merge-into", "sarah"]);
    check(
        &home.run(&["entities", "robert"]),
        &expect![[r#"
        exit 0
        --- stdout
        @Sarah · 2 facts · weight 0.91
        also @robert
        page bank/entities/sarah.md

        - B(s=0.95) @Sarah @project: Sarah is leaving the company next month (memory/TODAY.md#L5 ^k3f9a2)
        - W(s=0.5) @Robert @project: Bob writes the tests (memory/team.md#L1 ^b1)

        named together with:
          @project · 2 facts · weight 1.66
        --- stderr
    "#]],
    );
    let unknown = home.run(&["entities", "projekt", "--json"]);
    let failed: Value = serde_json::from_str(&unknown.out).unwrap();
    assert_eq!((unknown.code, &failed["error"]["type"]), (2, &"ENOENTITY".into()));
    let page = home.json(&["entities", "project"]);
    assert_eq!((&page["factCount"], &page["neighbours"][0]["cooccurCount"]), (&2.into(), &2.into()));
}

#[test]
fn bad_values_are_refused_by_name_and_change_nothing() {
    let home = Home::new();
    for (words, message) in [
        (&["--salience", "1.5"][..], "error: --salience is 1.5; it must be from 0 to 1"),
        (&["--salience", "NaN"], "error: --salience is NaN; it must be from 0 to 1"),
        (
            &["--entity", "a\nb"],
            "error: \"a\\nb\" is not an entity's name: it has a line end or another control character",
        ),
        (&["--ttl", "soon"], "error: --ttl is \"soon\"; it must be a duration (180d, 2w) or a day"),
    ] {
        let came = home.run(&[&["retain", "Something"], words].concat());
        assert_eq!((came.code, came.err.lines().next()), (2, Some(message)));
    }
    let mut child =
        home.command(&["retain", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The reader stops when it has seen enough.
    match child.stdin.take().unwrap().write_all(&[b'x'; 1 << 20]) {
        Ok(()) | Err(_) => {}
    }
    let came = home.came(&child.wait_with_output().unwrap());
    assert_eq!(
        (came.code, came.err.contains("bytes long; it must be at most 8192")),
        (2, true),
        "{}",
        came.err
    );
    let notes = std::fs::read_dir(home.workspace().join("memory")).unwrap().count();
    assert_eq!(notes, 2);
}

#[test]
fn processes_that_retain_at_once_lose_and_repeat_nothing() {
    let home = Home::new();
    let birds = ["swift", "heron", "wren", "rook", "teal", "dove"];
    let start = |bird: &&str| {
        let own = format!("A {bird} sang in the yard before breakfast");
        let words = ["retain", own.as_str(), "--entity", bird, "--salience", "0.5"];
        let same = ["retain", "Everyone says this", "--id", "same"];
        [&words[..], &same[..]].map(|words| home.command(words).stdout(Stdio::null()).spawn().unwrap())
    };
    for mut child in birds.iter().flat_map(start).collect::<Vec<_>>() {
        assert!(child.wait().unwrap().success());
    }
    let facts = home.json(&["entities"]);
    assert_eq!(facts.as_array().unwrap().len(), birds.len());
    let text = notes(&home);
    let lines: BTreeSet<&str> = text.lines().filter(|line| line.starts_with("- W")).collect();
    assert_eq!((lines.len(), text.matches("^same").count()), (birds.len() + 1, 1), "{text}");
}

#[test]
fn killed_at_any_moment_retain_keeps_what_it_acknowledged_and_repeats_nothing() {
    let home = Home::new();
    let words = |n: usize| [format!("Ship number {n} came in"), format!("kill-{n}")];
    let spawn = |n: usize| {
        let [text, id] = words(n);
        let mut command = home.command(&["retain", &text, "--id", &id, "--entity", "harbour", "--quiet"]);
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    for n in 0..16 {
        let mut child = spawn(n);
        std::thread::sleep(std::time::Duration::from_millis(3 * n as u64));
        child.kill().unwrap();
        let out = child.wait_with_output().unwrap().stdout;
        let kept = notes(&home).matches(&format!("^kill-{n}\n")).count();
        assert!(kept == 1 || (kept == 0 && out.is_empty()), "{n}: {kept} {out:?}");
        assert!(spawn(n).wait().unwrap().success());
    }
    let text = notes(&home);
    for n in 0..16 {
        assert_eq!(text.matches(&format!("^kill-{n}\n")).count(), 1, "{text}");
    }
    assert_eq!(home.json(&["entities", "harbour"])["factCount"], 16);
}

fn notes(home: &Home) -> String {
    let folder = std::fs::read_dir(home.workspace().join("memory")).unwrap();
    folder.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
}

/// The queries of the guide that this part of the product follows work in any sqlite3.
#[test]
fn the_tables_answer_to_the_names_that_people_know() {
    let home = Home::new();
    sarah(&home);
    let db = rusqlite::Connection::open(home.path().join("state/memory/main.sqlite")).unwrap();
    let ask = |sql: &str| -> String { db.query_row(sql, [], |row| row.get(0)).unwrap() };
    let found = [
        "SELECT content || '|' || salience FROM facts WHERE content LIKE '%Sarah%'",
        "SELECT f.content FROM facts f JOIN fact_entities fe ON f.id = fe.fact_id
         JOIN entities e ON fe.entity_id = e.id WHERE e.name = 'project'",
        "SELECT entity || '|' || COUNT(*) AS cnt FROM fact_entities GROUP BY entity ORDER BY cnt DESC LIMIT 1",
        "SELECT COUNT(*) || '' FROM facts WHERE last_accessed > datetime('now', '-7 days')",
        "SELECT name || '|' || fact_count || '|' || round(idf_weight, 3) FROM entity_stats ORDER BY name LIMIT 1",
        "SELECT cooccur_count || '|' || round(cooccur_weight, 3) FROM entity_cooccurrence",
        "SELECT access_count || '|' || ifnull(last_accessed_at, 'never') FROM facts",
    ]
    .map(ask);
    let said = "Sarah is leaving the company next month";
    let expected =
        [&format!("{said}|0.95"), said, "@project|1", "0", "project|1|1.443", "1|2.081", "0|never"];
    assert_eq!(found.each_ref().map(String::as_str), expected);
}

#[test]
fn of_many_facts_that_do_not_agree_as_many_are_listed_as_are_wanted() {
    let home = Home::new();
    home.note(
        "memory/2020-07-03.md",
        "- W @Sarah: Sarah lives in Berlin ^berlin1\n- W @Sarah: Sarah lives in Oslo ^oslo1\n\
         - W @rate: The rate limit is 100 requests per minute ^rate100\n\
         - W @rate: The rate limit is 200 requests per minute ^rate200\n",
    );
    let all = home.json(&["disagreements"]);
    assert_eq!((&all["total"], all["disagreements"].as_array().unwrap().len()), (&json!(2), 2), "{all}");
    let one = home.json(&["disagreements", "--limit", "1"]);
    assert_eq!((&one["total"], &one["disagreements"]), (&json!(2), &json!([all["disagreements"][0]])));
    assert!(home.out(&["disagreements", "--limit", "1"]).ends_with("and 1 more\n"));
}

#[test]
fn what_some_days_did_to_the_facts_is_told_and_whose_word_each_is() {
    let home = Home::new();
    home.note(
        "memory/2020-07-03.md",
        "- W(s=0.8) @Sarah: Sarah leaves the project ^sarah1\n\
         - O(key=editor.theme,v=1,seen=2020-06-01,until=2020-07-10,by=theme2) @user: dark ^theme1\n\
         - O(key=editor.theme,v=2,seen=2020-07-10,conf=2020-07-20) @user: light ^theme2\n\
         - W(s=0.8,ttl=5d,seen=2020-07-04,src=chat:claude-1#L7) @figma: Trial of Figma ^trial1\n",
    );
    assert_eq!(
        home.out(&["diff", "2020-07-01..2020-08-01"]),
        "2 facts came\n\
         \x20 2020-07-03  W(s=0.8) @Sarah: Sarah leaves the project  memory/2020-07-03.md#L1 ^sarah1\n\
         \x20 2020-07-04  W(s=0.8) @figma: Trial of Figma (expired)  memory/2020-07-03.md#L4 ^trial1\n\
         1 fact changed\n\
         \x20 2020-07-10  editor.theme: dark → light  memory/2020-07-03.md#L3 ^theme2\n\
         1 fact ended\n\
         \x20 2020-07-10  W(s=0.8) @figma: Trial of Figma (expired)  memory/2020-07-03.md#L4 ^trial1\n"
    );
    let july = ["diff", "2020-07-01..2020-08-01", "--limit", "1"];
    let last = "2 facts came\n\
                \x20 2020-07-04  W(s=0.8) @figma: Trial of Figma (expired)  memory/2020-07-03.md#L4 ^trial1\n\
                \x20 and 1 before\n";
    assert!(home.out(&july).starts_with(last), "{}", home.out(&july));
    let told = home.json(&july);
    assert_eq!(told["total"], json!({"came": 2, "changed": 1, "ended": 1, "removed": 0}));
    assert_eq!((told["came"].as_array().unwrap().len(), &told["came"][0]["id"]), (1, &"trial1".into()));
    let nothing = "No fact came, changed or ended from 2020-08-01 to 2020-08-02.\n";
    assert_eq!(home.out(&["diff", "2020-08-01..2020-08-02"]), nothing);
    assert_eq!(home.out(&["diff", "2020-08-02..2020-08-01"]), nothing);
    let came = home.run(&["diff", "..2020-08-01"]);
    assert_eq!((came.code, came.err.lines().next().unwrap().ends_with("is no span of days")), (2, true));
    home.out(&["edit", "theme2", "--text", "solarized"]);
    home.out(&["edit", "sarah1", "--text", "Sarah stays on the project"]);
    home.out(&["delete", "trial1", "--yes"]);
    let today = home.json(&["diff", "1d"]);
    let changed: Vec<&Value> =
        today["changed"].as_array().unwrap().iter().map(|one| &one["after"]["text"]).collect();
    assert!(changed.contains(&&"Sarah stays on the project".into()), "{today}");
    let removed = &today["removed"][0];
    assert_eq!(
        (&removed["id"], &removed["act"], &removed["door"]),
        (&"trial1".into(), &"delete".into(), &"terminal".into())
    );
    let told = home.out(&["blame", "memory/2020-07-03.md"]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "L1  W(s=0.8) @Sarah: Sarah stays on the project");
    assert!(
        lines[1].starts_with("      the owner's word · by terminal on ")
            && lines[1].ends_with(" · seen 2020-07-03"),
        "{told}"
    );
    assert_eq!(lines[3], "      the owner's word · seen 2020-06-01 · superseded 2020-07-10 · by ^theme2");
}

#[test]
fn blame_names_the_conversation_and_the_last_confirmation() {
    let home = Home::new();
    home.note(
        "memory/cats.md",
        "# Cats\n\n- W(s=0.8,seen=2020-07-04,conf=2020-09-01,src=chat:claude-1#L7) @Tom: Tom sleeps ^tom1\n\nNo fact.\n",
    );
    let blamed = home.json(&["blame", "memory/cats.md"]);
    let fact = &blamed["facts"][0];
    assert_eq!(blamed["facts"].as_array().unwrap().len(), 1);
    assert_eq!((&fact["line"], &fact["conversation"]), (&3.into(), &"claude-1#L7".into()));
    assert_eq!((&fact["lastConfirmed"], &fact["origin"]), (&"2020-09-01".into(), &"owner".into()));
    assert_eq!(
        home.out(&["blame", "memory/cats.md"]),
        "L3  W(s=0.8) @Tom: Tom sleeps\n      the owner's word · in claude-1#L7 · seen 2020-07-04 · confirmed 2020-09-01\n"
    );
    assert_eq!(home.out(&["blame", "memory/api.md"]), "memory/api.md has no facts.\n");
    assert_eq!(home.run(&["blame", "MEMORY.md", "--chat-type", "group"]).code, 2);
}
