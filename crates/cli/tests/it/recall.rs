use expect_test::expect;

use crate::home::Home;

const NOTE: &str = "# Day\n\n\
    - W(s=0.6) @checkout @orders-db: Checkout is slow because orders-db lost an index ^slow\n\
    - W(s=0.55) @orders-db @Sarah: Sarah designed the schema of orders-db ^schema\n\
    - B(s=0.95) @Sarah @project: Sarah is leaving the company next month ^leaves\n\
    - W(s=0.3) @api: Rate limiting is 100 requests per minute ^rate\n";

fn home() -> Home {
    let home = Home::new();
    home.note("memory/facts.md", NOTE);
    home
}

#[test]
fn direct_matches_come_first_and_connections_with_their_path() {
    let came =
        home().run(&["recall", "who could make checkout fast again?", "--associative-depth", "2", "--debug"]);
    assert_eq!(came.code, 0, "{came:?}");
    expect![[r#"
        Traversal: orders-db → {sarah}
          → Final activation: {sarah: 0.28}

        RETRIEVED (associative, depth=2):
        Direct matches:
        - W(s=0.6) @checkout @orders-db: Checkout is slow because orders-db lost an index  memory/facts.md#L3 ^slow
        1-hop connections:
        - W(s=0.55) @orders-db @Sarah: Sarah designed the schema of orders-db (via @orders-db)  memory/facts.md#L4 ^schema
        2-hop connections:
        - B(s=0.95) @Sarah @project: Sarah is leaving the company next month (via @orders-db → @sarah)  memory/facts.md#L5 ^leaves
    "#]]
    .assert_eq(&came.out);
}

#[test]
fn programs_get_what_the_product_promises() {
    let json = home().json(&["memory", "recall", "rate limiting", "--explain", "--no-touch"]);
    let first = &json["results"][0];
    assert_eq!((&first["id"], &first["hop"], &first["line"]), (&"rate".into(), &0.into(), &6.into()));
    assert_eq!(first["path"], "memory/facts.md");
    assert_eq!(first["via"], serde_json::json!([]));
    assert!(first["parts"].as_array().unwrap().len() >= 5, "{first}");
    assert_eq!(json["degraded"], serde_json::json!([]));
}

#[test]
fn nothing_relevant_is_an_empty_answer_and_no_failure() {
    let home = home();
    let asked = ["recall", "Which dentist did Marcus choose?"];
    let came = home.run(&asked);
    assert_eq!(came.code, 0);
    assert!(came.out.starts_with("Nothing relevant is known.\nNearest:\n- "), "{}", came.out);
    let json = home.json(&asked);
    let near = json["nearest"].as_array().unwrap();
    assert!(json["results"] == serde_json::json!([]) && (1..=3).contains(&near.len()), "{json}");
    assert!(home.json(&["recall", "rate limiting"]).get("nearest").is_none(), "something answers");
}

#[test]
fn bad_values_are_refused_by_name() {
    for (words, message) in [
        (["recall", "x", "--associative-depth", "7"], "--associative-depth is 7; it must be 0 to 3"),
        (["recall", "x", "--min-salience", "1.5"], "--min-salience is 1.5; it must be 0 to 1"),
        (["recall", "x", "--min-salience", "NaN"], "--min-salience is NaN; it must be 0 to 1"),
        (
            ["recall", "rate limiting", "--budget", "2"],
            "E2BIG: the shortest relevant fact needs 15 tokens, the budget is 2",
        ),
        (["recall", "x", "--entity", "nobody"], "ENOENTITY: no fact names @nobody"),
        (["reflect", "--max-tokens", "3", "--dry-run"], "--max-tokens is 3; it must be 64 to 100000"),
    ] {
        let came = home().run(&words);
        assert_eq!(came.code, 2, "{came:?}");
        assert!(came.err.contains(message), "{came:?}");
    }
}

#[test]
fn reflecting_shows_what_it_does_and_can_be_undone() {
    let home = home();
    let before = std::fs::read(home.workspace().join("MEMORY.md")).unwrap();
    let planned = home.run(&["reflect", "--dry-run"]);
    assert!(planned.out.contains("\n+- Sarah is leaving the company next month (^leaves)\n"), "{planned:?}");
    assert_eq!(std::fs::read(home.workspace().join("MEMORY.md")).unwrap(), before);
    let came = home.run(&["reflect", "--debug"]);
    expect![[r#"
        Processing 1 fact (filtered from 4 total by priority)
        Top priority facts:
        1. B(s=0.95) @Sarah @project: Sarah is leaving the company next month (priority: 0.95)
        0 folded, 0 contradicted, 0 left out; 1 lines added, 0 removed, 0 kept
        Core memory updated: 20 tokens (was 0)
    "#]]
    .assert_eq(&came.out);
    let undone = home.run(&["reflect", "--undo"]);
    assert_eq!((undone.code, undone.out.as_str()), (0, "✓ Undone: MEMORY.md, bank/experience.md\n"));
    assert_eq!(std::fs::read(home.workspace().join("MEMORY.md")).unwrap(), before);
}

/// The ids of what is recalled, by the words of a command.
fn ids(home: &Home, words: &[&str]) -> Vec<String> {
    let json = home.json(&[&["recall", "--no-touch"], words].concat());
    let facts = json["results"].as_array().unwrap().iter();
    facts.map(|fact| fact["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_new_is_listed_by_salience_for_a_question_and_without_one() {
    let home = home();
    for (id, salience, text) in [
        ("log", "0.3", "Set log level to INFO"),
        ("leaving", "0.95", "Sarah announced that she is leaving next month"),
        ("pool", "0.2", "Increased worker pool size to 4"),
    ] {
        home.out(&["retain", text, "--id", id, "--salience", salience, "--entity", "config"]);
    }
    let listed = ["leaving", "log", "pool"];
    assert_eq!(ids(&home, &["any recent updates"]), listed);
    assert_eq!(ids(&home, &["was gibt es Neues?"]), listed);
    assert_eq!(ids(&home, &["--recent", "7d"]), listed);
    assert_eq!(ids(&home, &["worker pool", "--recent", "7d", "--associative-depth", "0"]), ["pool"]);
    let text = home.out(&["recall", "--recent", "0d", "--k", "1"]);
    let today = text.split_whitespace().nth(4).unwrap().trim_end_matches("):").to_owned();
    assert_eq!(
        text,
        format!(
            "RETRIEVED (recent, {today} to {today}):\nDirect matches:\n- W(s=0.95) @config @Sarah: Sarah announced that she is leaving \
             next month  memory/{today}.md#L6 ^leaving\n"
        )
    );
}

#[test]
fn a_keyed_memory_is_found_by_its_key_and_an_old_value_says_so() {
    let home = home();
    home.note(
        "memory/settings.md",
        "- O(key=editor.theme,until=2026-01-02,by=light) @user: dark ^dark\n\
         - O(key=editor.theme,v=2) @user: light ^light\n- O(key=units.system) @user: metric ^units\n",
    );
    assert_eq!(ids(&home, &["editor theme", "--associative-depth", "0"]), ["light"]);
    assert_eq!(ids(&home, &["what is the user's editor theme?"]), ["light"]);
    assert_eq!(ids(&home, &["which units system"]), ["units"]);
    assert_eq!(ids(&home, &["editor.theme"]), ["light"]);
    let came = home.run(&["recall", "editor.theme", "--past", "--no-touch"]);
    expect![[r#"
        RETRIEVED (direct):
        Direct matches:
        - O(key=editor.theme,s=0.5) @user: light  memory/settings.md#L2 ^light
        - (superseded 2026-01-02) O(key=editor.theme,s=0.5) @user: dark  memory/settings.md#L1 ^dark
    "#]]
    .assert_eq(&came.out);
    // What took its place is told with what no longer holds, however much more that matters.
    home.note(
        "memory/rooms.md",
        "- O(key=room,s=0.66,until=2026-01-02,by=birch) @office: Aspen ^aspen\n- O(key=room,s=0.3,v=2) @office: Birch ^birch\n",
    );
    assert_eq!(ids(&home, &["office room", "--past"]), ["birch", "aspen"]);
    // So is what does not agree with it.
    home.note(
        "memory/bo.md",
        "- W(s=0.9) @bo: Bo lives in Turku ^turku1\n- W(s=0.5) @bo: Bo lives in Espoo ^espoo1\n",
    );
    assert_eq!(ids(&home, &["where does Bo live"]), ["turku1", "espoo1"]);
    home.out(&["settle", "turku1", "espoo1"]);
    assert_eq!(ids(&home, &["where does Bo live"]), ["turku1"]);
    assert_eq!(ids(&home, &["where does Bo live", "--past"]), ["turku1", "espoo1"]);
    let past = home.json(&["recall", "editor.theme", "--past", "--no-touch"]);
    assert_eq!(
        (&past["results"][0]["state"], &past["results"][1]["state"]),
        (&().into(), &"superseded".into())
    );
}
