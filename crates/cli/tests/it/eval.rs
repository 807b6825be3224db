use crate::home::{Home, write};

#[test]
fn a_set_of_ones_own_questions_is_measured() {
    let home = Home::new();
    let questions = [
        r#"{"id":"q1","question":"What is the rate limit?","category":"exact","gold":["memory/api.md#L3"]}"#,
        r#"{"id":"q2","question":"zeppelin","category":"unanswerable","gold":[]}"#,
    ];
    write(&home.path().join("questions.jsonl"), questions.join("\n").as_bytes());
    let came = home.run(&["eval", "truth", "questions.jsonl", "--mode", "keyword", "--questions"]);
    assert_eq!(came.code, 0, "{came:?}");
    let lines: Vec<String> =
        came.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        lines,
        [
            "truth, keyword",
            "category questions recall@5 recall@10 notes@10 ndcg@10 all@10 seen@6 answer@3 silent",
            "exact 1 1.000 1.000 1.000 1.000 1.000 1.000 1.000 0.000",
            "unanswerable 1 0.000 0.000 0.000 0.000 0.000 0.000 0.000 1.000",
            "all answerable 1 1.000 1.000 1.000 1.000 1.000 1.000 1.000 0.000",
            "q1 exact 1",
            "q2 unanswerable rightly silent",
            "",
        ]
    );
    let json = home.json(&["eval", "truth", "questions.jsonl", "--mode", "keyword"]);
    assert_eq!(json["modes"][0]["all"]["recallAt10"], 1.0);
}

#[test]
fn a_file_that_holds_no_questions_is_named() {
    let home = Home::new();
    write(&home.path().join("broken.jsonl"), b"{");
    let came = home.run(&["eval", "truth", "broken.jsonl"]);
    assert_eq!(came.code, 2, "{came:?}");
    assert!(came.err.starts_with("error: broken.jsonl: line 1: "), "{came:?}");
}
