use expect_test::expect;
use serde_json::Value;

use crate::home::{Home, pretty, shape};

#[test]
fn the_json_of_a_search_keeps_its_shape() {
    let home = Home::new();
    let found = home.json(&["search", "rate limit", "--max-results", "1"]);
    expect![[r##"
        {
          "results": [
            {
              "path": "memory/api.md",
              "startLine": "<number>",
              "endLine": "<number>",
              "score": "<number>",
              "sure": "answers",
              "answer": {
                "line": "<number>",
                "text": "The rate limit is 100 requests per minute."
              },
              "snippet": "# API\n\nThe rate limit is 100 requests per minute.\n\nTimeouts are 30 seconds.",
              "source": "memory",
              "origin": "owner",
              "citation": "memory/api.md#L1-L5"
            }
          ],
          "backend": "builtin",
          "provider": "embedded",
          "model": "potion-base-8M",
          "mode": "hybrid",
          "degraded": []
        }"##]]
    .assert_eq(&pretty(&shape(&found)));
}

#[test]
fn scores_have_four_decimals() {
    let home = Home::new();
    let found = home.json(&["search", "rate limit of the API"]);
    for hit in found["results"].as_array().unwrap() {
        let score = hit["score"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&score), "{score}");
        assert!((score * 1e4 - (score * 1e4).round()).abs() < 1e-9, "{score}");
    }
}

#[test]
fn explain_adds_the_plan_and_parts_that_sum_to_the_score() {
    let home = Home::new();
    let found = home.json(&["search", "rate limit", "--explain"]);
    assert_eq!(found["plan"]["text"], "rate limit");
    assert_eq!(found["plan"]["mode"], "hybrid");
    assert_eq!(found["terms"].as_array().unwrap().len(), 2);
    for hit in found["results"].as_array().unwrap() {
        let parts = hit["parts"].as_array().unwrap();
        let sum: f64 = parts.iter().map(|part| part["contribution"].as_f64().unwrap()).sum();
        assert!((sum - hit["score"].as_f64().unwrap()).abs() < 1e-3, "{hit}");
    }
}

#[test]
fn explain_shows_a_table_whose_total_is_the_score() {
    let home = Home::new();
    let out = home.out(&["search", "rate limit", "--explain", "--max-results", "1"]);
    let score = out.lines().find_map(|line| line.strip_suffix("  answers  memory/api.md#L1-L5")).unwrap();
    let total = out.lines().find_map(|line| line.trim().strip_prefix("total")).unwrap();
    let (score, total): (f64, f64) = (score.parse().unwrap(), total.trim().parse().unwrap());
    assert!((score - total).abs() < 6e-4, "{out}");
    for word in
        ["Plan", "mode:", "hybrid", "words:", "rate (1), limit (1)", "weights:", "found:", "strength:"]
    {
        assert!(out.contains(word), "{word} is not in {out}");
    }
}

#[test]
fn a_hit_is_a_line_with_its_place_and_the_text_below() {
    let home = Home::new();
    let out = home.out(&["search", "rate limit", "--max-results", "1"]);
    let (head, rest) = out.split_once('\n').unwrap();
    assert_eq!(head.split_once("  ").unwrap().1, "answers  memory/api.md#L1-L5");
    let lines = [
        "       # API",
        "",
        "     › The rate limit is 100 requests per minute.",
        "",
        "       Timeouts are 30 seconds.",
    ];
    assert_eq!(rest, format!("{}\n\n", lines.join("\n")));
}

#[test]
fn a_daily_note_says_how_old_it_is() {
    let home = Home::new();
    home.note("memory/2020-02-03.md", "# 2020-02-03\n\nBought a zeppelin.\n");
    let out = home.out(&["search", "zeppelin"]);
    let head = out.lines().next().unwrap();
    assert!(head.contains("memory/2020-02-03.md#L1-L3  (") && head.ends_with(" years ago)"), "{head}");
}

#[test]
fn why_not_says_where_a_line_stood_and_what_would_help() {
    let home = Home::new();
    let words = ["search", "rate limit", "--max-results", "1", "--why-not", "memory/trip.md#L3"];
    let out = home.out(&words);
    for word in ["Why not memory/trip.md#L3?", "by words:", "not on the list", "words it lacks:  rate, limit"]
    {
        assert!(out.contains(word), "{word} is not in {out}");
    }
    let why = &home.json(&words)["whyNot"];
    assert_eq!((&why["path"], &why["line"]), (&Value::from("memory/trip.md"), &Value::from(3)));
    assert_eq!(why["standing"]["words"], Value::Null);
    assert!(!why["advice"].as_str().unwrap().is_empty());
}

#[test]
fn nothing_found_is_an_answer() {
    let home = Home::new();
    let came = home.run(&["search", "zeppelin", "--mode", "keyword"]);
    assert_eq!((came.code, came.err.as_str()), (0, ""));
    assert!(came.out.starts_with("Nothing relevant"), "{}", came.out);
    assert_eq!(home.json(&["search", "zeppelin", "--mode", "keyword"])["results"], Value::Array(Vec::new()));
}

#[test]
fn the_query_may_be_several_words_or_a_flag_and_flags_may_stand_anywhere() {
    let home = Home::new();
    let first = |words: &[&str]| home.json(words)["results"][0]["path"].clone();
    for words in [
        &["search", "rate", "limit"][..],
        &["search", "--query", "rate limit"],
        &["search", "dog", "--query", "rate limit"],
        &["--quiet", "search", "rate", "--agent", "main", "limit"],
        &["memory", "search", "rate limit"],
        &["memory", "--quiet", "search", "rate limit"],
        &["search", "--query", "-zeppelin rate limit"],
    ] {
        assert_eq!(first(words), "memory/api.md", "{words:?}");
    }
    let came = home.run(&["search", "--json", "--", "--rate", "limit"]);
    assert!(came.out.contains("memory/api.md"), "{came:?}");
}

#[test]
fn odd_queries_are_only_text() {
    let home = Home::new();
    let long = "word ".repeat(10_000);
    for query in [
        "\"", "\"\"\"", "AND OR NOT", "(*)", "rate* NEAR/2 limit", "'; DROP TABLE chunks; --", "🐕🐕", "\\",
        &long,
    ] {
        let came = home.run(&["search", "--json", "--query", query]);
        assert_eq!((came.code, came.err.as_str()), (0, ""), "{query}");
        assert!(serde_json::from_str::<Value>(&came.out).unwrap()["results"].is_array());
    }
}

#[test]
fn dates_limit_what_is_found() {
    let home = Home::new();
    home.note("memory/2020-02-03.md", "Bought a zeppelin.\n");
    let count = |words: &[&str]| {
        home.json(&[&["search", "zeppelin"], words].concat())["results"].as_array().unwrap().len()
    };
    assert_eq!(count(&["--mode", "keyword"]), 1);
    assert_eq!(count(&["--mode", "keyword", "--until", "2020-02-03", "--since", "2020-02-03"]), 1);
    assert_eq!(count(&["--mode", "keyword", "--until", "2020-02-02"]), 0);
    assert_eq!(count(&["--mode", "keyword", "--since", "30d"]), 0);
}

#[test]
fn nothing_in_a_note_reaches_the_reader_as_an_escape_sequence() {
    let home = Home::new();
    home.note("memory/evil.md", "zeppelin \u{1b}]0;owned\u{7} \u{1b}[2J \u{202e}txet\n");
    let came = home.run(&["search", "zeppelin"]);
    assert!(came.out.contains("zeppelin \\u{1b}]0;owned\\u{7} \\u{1b}[2J \\u{202e}txet"), "{came:?}");
    assert!(!format!("{}{}", came.out, came.err).contains('\u{1b}'), "{came:?}");
}

#[test]
fn citations_can_be_switched_off() {
    let home = Home::new();
    home.config("{ memory: { citations: \"off\" } }");
    assert_eq!(home.json(&["search", "rate limit"])["results"][0].get("citation"), None);
}

#[test]
fn a_workspace_that_is_away_leaves_the_old_index_to_answer() {
    let home = Home::new();
    home.out(&["index"]);
    std::fs::rename(home.workspace(), home.path().join("away")).unwrap();
    let came = home.run(&["search", "rate limit"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(came.out.contains("memory/api.md"), "{came:?}");
    assert!(came.err.starts_with("warning: the answer may be old: "), "{came:?}");
}

#[test]
fn what_no_longer_holds_is_marked_and_below_what_does() {
    let home = Home::new();
    home.note("memory/old.md", "# Rooms\n\n- W(until=2026-05-12,by=b) @team: The standup room is Aspen ^a\n");
    home.note("memory/rooms.md", "# Rooms\n\n- W @team: The standup room is Birch ^b\n");
    let json = home.json(&["search", "standup room"]);
    let told = |at: usize| (json["results"][at]["path"].clone(), json["results"][at]["past"].clone());
    assert_eq!(told(0), ("memory/rooms.md".into(), ().into()));
    assert_eq!(told(1), ("memory/old.md".into(), "superseded 2026-05-12".into()));
    let text = home.out(&["search", "Aspen", "--max-results", "1"]);
    let (header, snippet) = text.split_once('\n').unwrap();
    assert!(header.ends_with("memory/old.md#L1-L3  (superseded 2026-05-12)"), "{header}");
    assert!(snippet.contains("(superseded 2026-05-12) - W(until=2026-05-12,by=b) @team"), "{snippet}");
    let then = home.json(&["search", "standup room", "--as-of", "2026-05-01"]);
    assert!(then["results"].as_array().unwrap().iter().all(|hit| hit["past"].is_null()), "{then}");
}
