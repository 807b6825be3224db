//! Public data sets: what is read from each format, and what a wrong file is told.

use std::ops::ControlFlow;
use std::path::Path;

use expect_test::{Expect, expect};
use mindfile::config::{self, Env, Flags, Overrides, Settings};
use mindfile::search::Mode;
use mindfile_care::eval::{self, Dataset};
use mindfile_evals::public::{self, Format};
use mindfile_evals::{Error, evidence};
use tempfile::TempDir;

const LOCOMO: &str = r#"[{
  "conversation": {
    "speaker_a": "Ann", "speaker_b": "Bo",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
      {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a  parrot\nlast week."},
      {"speaker": "Bo", "dia_id": "D1:2", "text": "Look at this!", "blip_caption": "a red kayak on a lake"}
    ],
    "session_2_date_time": "9:05 am on 8 May, 2023",
    "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "My sister lives in Lisbon now."}],
    "session_3_date_time": "9:05 am on 9 May, 2023"
  },
  "qa": [
    {"question": "Which animal did Ann adopt?", "answer": "a parrot", "evidence": ["D1:1"], "category": 4},
    {"question": "What is on the picture of the lake, and where does the sister live?", "evidence": ["D1:2; D2:1"], "category": 1},
    {"question": "Which cat did Ann adopt?", "evidence": ["D1:1"], "category": 5},
    {"question": "Who said so?", "evidence": ["D9:9"], "category": 2}
  ]
}]"#;

const LONGMEMEVAL: &str = r#"[{
  "question_id": "q1", "question_type": "single-session-user", "question": "Where do I keep the spare key?",
  "answer_session_ids": ["s2"], "haystack_session_ids": ["s1", "s2"],
  "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
  "haystack_sessions": [
    [{"role": "user", "content": "Recommend a film."}, {"role": "assistant", "content": "A western."}],
    [{"role": "user", "content": "My spare key is under the blue pot."}]
  ]
}, {
  "question_id": "q2_abs", "question_type": "single-session-user", "question": "What did Zebulon buy in Lisbon?",
  "answer_session_ids": ["s3"], "haystack_session_ids": ["s3"], "haystack_dates": ["2023/05/22 (Mon) 08:00"],
  "haystack_sessions": [[{"role": "user", "content": "The kayak is red."}]]
}]"#;

const CORPUS: &str = "{\"_id\": \"d1\", \"title\": \"Ferries\", \"text\": \"The ferry leaves at nine.\"}\n\n\
                      {\"_id\": \"d2\", \"text\": \"Tomatoes need water.\"}\n";
const QUERIES: &str = "{\"_id\": \"1\", \"text\": \"when does the ferry leave\"}\n\
                       {\"_id\": \"2\", \"text\": \"not judged\"}\n\
                       {\"_id\": \"3\", \"text\": \"judged irrelevant\"}\n";
const QRELS: &str = "query-id\tcorpus-id\tscore\n1\td1\t1\n1\td2\t0\n3\td2\t0\n";

/// A folder with these files.
fn folder_of(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a file that only this test reads")]
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn load(folder: &TempDir, format: Format, path: &str) -> Result<Dataset, Error> {
    public::load(format, &folder.path().join(path))
}

/// Notes, questions and evidence as text.
fn shown(dataset: &Dataset) -> String {
    let mut lines = vec![dataset.name.clone()];
    for haystack in &dataset.haystacks {
        lines.push(format!("notes asked at {:?}", haystack.now.map(|now| now.to_string())));
        lines.extend(haystack.notes.iter().map(|(path, text)| format!("{path} {text:?}")));
        for question in &haystack.questions {
            let gold = question.gold.iter().map(|gold| match gold.line {
                Some(line) => format!("{}#L{line} {:?}", gold.path, gold.text.as_deref().unwrap_or("")),
                None => gold.path.clone(),
            });
            let gold: Vec<String> = gold.collect();
            lines.push(format!("[{}] {} {:?} {gold:?}", question.category, question.id, question.text));
        }
    }
    lines.join("\n")
}

fn settings() -> Settings {
    let flags = Flags { state_dir: Some("/nowhere".into()), ..Flags::default() };
    let overrides = Overrides { flags, env: Env::default(), home: None, cwd: Path::new("/").to_owned() };
    config::load(&overrides).unwrap().settings
}

fn ranks(dataset: &Dataset) -> String {
    let mut scores =
        eval::run(dataset, &settings(), &[Mode::Hybrid], &mut |_, _| ControlFlow::Continue(())).unwrap();
    let ranks = scores.remove(0).1.into_iter().map(|one| format!("{} {:?}", one.id, one.measured.rank));
    ranks.collect::<Vec<_>>().join("\n")
}

fn wrong(format: Format, path: &str, files: &[(&str, &str)], expected: Expect) {
    let folder = folder_of(files);
    let error = load(&folder, format, path).unwrap_err().to_string();
    expected.assert_eq(&error.replace(folder.path().to_str().unwrap(), "~"));
}

#[test]
fn locomo_sessions_are_daily_notes_and_turns_are_lines() {
    let files = folder_of(&[("locomo.json", LOCOMO)]);
    let dataset = load(&files, Format::Locomo, "locomo.json").unwrap();
    expect![[r##"
        LoCoMo
        notes asked at Some("2023-05-08T13:56:00Z")
        memory/2023-05-08.md "# 2023-05-08\n\n## 13:56 - Conversation\n\nAnn: I adopted a parrot last week.\nBo: Look at this! [image: a red kayak on a lake]\n"
        memory/2023-05-08-s2.md "# 2023-05-08\n\n## 09:05 - Conversation\n\nBo: My sister lives in Lisbon now.\n"
        [4] 0 "Which animal did Ann adopt?" ["memory/2023-05-08.md#L5 \"I adopted a parrot last week.\""]
        [1] 1 "What is on the picture of the lake, and where does the sister live?" ["memory/2023-05-08.md#L6 \"Look at this! [image: a red kayak on a lake]\"", "memory/2023-05-08-s2.md#L5 \"My sister lives in Lisbon now.\""]"##]].assert_eq(&shown(&dataset));
    expect![[r#"
        0 Some(1)
        1 Some(1)"#]]
    .assert_eq(&ranks(&dataset));
}

#[test]
fn longmemeval_questions_have_notes_of_their_own() {
    let files = folder_of(&[("longmemeval.json", LONGMEMEVAL)]);
    let dataset = load(&files, Format::Longmemeval, "longmemeval.json").unwrap();
    expect![[r##"
        LongMemEval
        notes asked at None
        memory/2023-05-20-0.md "# 2023/05/20 (Sat) 02:21\n\nuser: Recommend a film.\n\nassistant: A western.\n"
        memory/2023-05-21-1.md "# 2023/05/21 (Sun) 10:00\n\nuser: My spare key is under the blue pot.\n"
        [single-session-user] q1 "Where do I keep the spare key?" ["memory/2023-05-21-1.md"]
        notes asked at None
        memory/2023-05-22-0.md "# 2023/05/22 (Mon) 08:00\n\nuser: The kayak is red.\n"
        [abstention] q2_abs "What did Zebulon buy in Lisbon?" []"##]].assert_eq(&shown(&dataset));
    expect![[r#"
        q1 Some(1)
        q2_abs None"#]]
    .assert_eq(&ranks(&dataset));
}

#[test]
fn beir_documents_are_notes_and_judged_queries_are_questions() {
    let files =
        folder_of(&[("b/corpus.jsonl", CORPUS), ("b/queries.jsonl", QUERIES), ("b/qrels/test.tsv", QRELS)]);
    let dataset = load(&files, Format::Beir, "b").unwrap();
    expect![[r##"
        BEIR
        notes asked at None
        memory/d000000.md "# Ferries\n\nThe ferry leaves at nine.\n"
        memory/d000001.md "# \n\nTomatoes need water.\n"
        [test] 1 "when does the ferry leave" ["memory/d000000.md"]"##]]
    .assert_eq(&shown(&dataset));
    expect!["1 Some(1)"].assert_eq(&ranks(&dataset));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    wrong(Format::Locomo, "no.json", &[], expect!["~/no.json: No such file or directory (os error 2)"]);
    wrong(
        Format::Beir,
        "b",
        &[("b/corpus.jsonl", CORPUS)],
        expect!["~/b/queries.jsonl: No such file or directory (os error 2)"],
    );
}

#[test]
fn a_wrong_locomo_file_is_told_with_its_line() {
    wrong(
        Format::Locomo,
        "l.json",
        &[("l.json", "[\n{\"conversation\": {},\n\"qa\": 7}]")],
        expect!["~/l.json: invalid type: integer `7`, expected a sequence at line 3 column 7"],
    );
}

#[test]
fn a_wrong_turn_is_told_with_its_session() {
    let turn = LOCOMO.replace("\"dia_id\": \"D2:1\"", "\"dia_id\": 21");
    wrong(
        Format::Locomo,
        "l.json",
        &[("l.json", &turn)],
        expect!["~/l.json: session_2: invalid type: integer `21`, expected a string"],
    );
}

#[test]
fn a_judgement_without_three_fields_is_told_with_its_line() {
    let files =
        [("b/corpus.jsonl", CORPUS), ("b/queries.jsonl", QUERIES), ("b/qrels/test.tsv", "q\td\ts\n1 d1 1\n")];
    wrong(
        Format::Beir,
        "b",
        &files,
        expect!["~/b/qrels/test.tsv: line 2: 1 fields where there should be 3, apart by tabs"],
    );
}

#[test]
fn a_wrong_longmemeval_file_is_told_with_its_line() {
    let text = LONGMEMEVAL.replace("\"haystack_dates\": [\"2023/05/22", "\"dates\": [\"2023/05/22");
    wrong(
        Format::Longmemeval,
        "l.json",
        &[("l.json", &text)],
        expect!["~/l.json: missing field `haystack_dates` at line 13 column 1"],
    );
}

#[test]
fn a_wrong_line_of_a_beir_file_is_told() {
    let files = |corpus, queries| {
        [("b/corpus.jsonl", corpus), ("b/queries.jsonl", queries), ("b/qrels/test.tsv", QRELS)]
    };
    let corpus = format!("{CORPUS}{{\"_id\": \"d3\"}}\n");
    wrong(
        Format::Beir,
        "b",
        &files(&corpus, QUERIES),
        expect!["~/b/corpus.jsonl: line 4: missing field `text` at line 1 column 13"],
    );
    wrong(
        Format::Beir,
        "b",
        &files(CORPUS, "{\"_id\": 1}\n"),
        expect!["~/b/queries.jsonl: line 1: invalid type: integer `1`, expected a string at line 1 column 9"],
    );
}

const CASES: &str = r#"{"name": "fit-ours", "haystacks": [{
  "notes": [["memory/a.md", "Boats.\nThe spare key hangs behind the oven.\n"], ["memory/b.md", "Tomatoes need water.\n"]],
  "questions": [
    {"text": "Where does the spare key hang?", "category": "direct", "gold": [{"path": "memory/a.md", "line": 2}]},
    {"text": "What did Zebulon buy in Lisbon?", "category": "strange", "gold": []}
  ]
}]}"#;

#[test]
fn cases_are_workspaces_and_their_evidence_tells_which_hit_answers() {
    let files = folder_of(&[("cases.json", CASES)]);
    let dataset = load(&files, Format::Cases, "cases.json").unwrap();
    expect![[r#"
        fit-ours
        notes asked at None
        memory/a.md "Boats.\nThe spare key hangs behind the oven.\n"
        memory/b.md "Tomatoes need water.\n"
        [direct] 0 "Where does the spare key hang?" ["memory/a.md#L2 \"The spare key hangs behind the oven.\""]
        [strange] 1 "What did Zebulon buy in Lisbon?" []"#]]
    .assert_eq(&shown(&dataset));
    let mut told = Vec::new();
    evidence::run(&dataset, &settings(), (Mode::Hybrid, 40), &mut |one| {
        told.push(serde_json::to_value(one).unwrap());
        Ok(())
    })
    .unwrap();
    let gold: Vec<String> =
        told.iter().map(|one| format!("{} {}", one["answerable"], one["hits"][0]["gold"])).collect();
    assert_eq!(gold, ["true [0]", "false []"]);
    assert_eq!(told[0]["hits"][0]["answers"], true);
    assert!(told[0]["strength"]["nearness lead"].is_number(), "{}", told[0]);
    let part = told[0]["hits"][0]["parts"]["interaction"].as_array().unwrap();
    assert_eq!(part.len(), 3, "raw, normal and weight");
    wrong(
        Format::Cases,
        "cases.json",
        &[("cases.json", "{}")],
        expect!["~/cases.json: missing field `name` at line 1 column 2"],
    );
}
