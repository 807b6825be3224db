//! Data sets in each format: what is read from them, which ranks and measures follow, and what a wrong file is told.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use mindfile::Error;
use mindfile::eval::{self, Dataset, Format, Measured, Outcome, Table};
use mindfile::search::Mode;

use crate::world::{World, put, settings};

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

const TRUTH: &str = concat!(
    r#"{"id": "t1", "question": "Who moved the release?", "category": "person", "gold": ["memory/2050-07-13.md#L1"]}"#,
    "\n",
    r#"{"id": "t2", "question": "heron and tomatoes", "category": "multi", "gold": ["MEMORY.md#L3", "memory/garden.md#L3"]}"#,
    "\n",
    r#"{"id": "t3", "question": "What did Zebulon paint in Lisbon?", "category": "unanswerable", "gold": []}"#,
    "\n",
);

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> World {
    let world = World::new(crate::world::NOTES);
    files.iter().for_each(|(path, text)| put(&world.at(path), text.as_bytes()));
    world
}

fn load(world: &World, format: Format, path: &str) -> Result<Dataset, Error> {
    let workspace: Option<PathBuf> = (format == Format::Truth).then(|| world.at("workspace"));
    eval::load(format, &world.at(path), workspace.as_deref())
}

/// Notes, questions and evidence as text.
fn shown(dataset: &Dataset) -> String {
    let mut lines = vec![dataset.name.clone()];
    for corpus in &dataset.corpora {
        lines.push(format!("corpus asked at {:?}", corpus.now.map(|now| now.to_string())));
        lines.extend(corpus.notes.iter().map(|(path, text)| format!("{path} {text:?}")));
        for question in &corpus.questions {
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

fn run(dataset: &Dataset, modes: &[Mode]) -> Vec<(Mode, Vec<Outcome>)> {
    eval::run(dataset, &settings(Path::new("/nowhere")), modes, &mut |_, _| ControlFlow::Continue(()))
        .unwrap()
}

fn ranks(dataset: &Dataset) -> String {
    let outcomes = run(dataset, &[Mode::Hybrid]).remove(0).1;
    outcomes
        .iter()
        .map(|outcome| format!("{} {:?}", outcome.id, outcome.measured.rank))
        .collect::<Vec<_>>()
        .join("\n")
}

fn wrong(format: Format, path: &str, files: &[(&str, &str)], expected: Expect) {
    let world = folder(files);
    expected.assert_eq(&world.tidy(&load(&world, format, path).unwrap_err().to_string()));
}

#[test]
fn locomo_sessions_are_daily_notes_and_turns_are_lines() {
    let world = folder(&[("locomo.json", LOCOMO)]);
    let dataset = load(&world, Format::Locomo, "locomo.json").unwrap();
    expect![[r##"
        LoCoMo
        corpus asked at Some("2023-05-08T13:56:00Z")
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
    let world = folder(&[("longmemeval.json", LONGMEMEVAL)]);
    let dataset = load(&world, Format::Longmemeval, "longmemeval.json").unwrap();
    expect![[r##"
        LongMemEval
        corpus asked at None
        memory/2023-05-20-0.md "# 2023/05/20 (Sat) 02:21\n\nuser: Recommend a film.\n\nassistant: A western.\n"
        memory/2023-05-21-1.md "# 2023/05/21 (Sun) 10:00\n\nuser: My spare key is under the blue pot.\n"
        [single-session-user] q1 "Where do I keep the spare key?" ["memory/2023-05-21-1.md"]
        corpus asked at None
        memory/2023-05-22-0.md "# 2023/05/22 (Mon) 08:00\n\nuser: The kayak is red.\n"
        [abstention] q2_abs "What did Zebulon buy in Lisbon?" []"##]].assert_eq(&shown(&dataset));
    expect![[r#"
        q1 Some(1)
        q2_abs None"#]]
    .assert_eq(&ranks(&dataset));
}

#[test]
fn beir_documents_are_notes_and_judged_queries_are_questions() {
    let world =
        folder(&[("b/corpus.jsonl", CORPUS), ("b/queries.jsonl", QUERIES), ("b/qrels/test.tsv", QRELS)]);
    let dataset = load(&world, Format::Beir, "b").unwrap();
    expect![[r##"
        BEIR
        corpus asked at None
        memory/d000000.md "# Ferries\n\nThe ferry leaves at nine.\n"
        memory/d000001.md "# \n\nTomatoes need water.\n"
        [test] 1 "when does the ferry leave" ["memory/d000000.md"]"##]]
    .assert_eq(&shown(&dataset));
    expect!["1 Some(1)"].assert_eq(&ranks(&dataset));
}

#[test]
fn truth_is_asked_of_a_workspace_on_its_latest_day() {
    let world = folder(&[("questions.jsonl", TRUTH)]);
    let dataset = load(&world, Format::Truth, "questions.jsonl").unwrap();
    expect![[r##"
        truth
        corpus asked at Some("2050-07-13T00:00:00Z")
        MEMORY.md "# Memory\n\nThe production database is called heron.\n"
        memory/2050-07-13.md "Sarah moved the release to Friday.\n"
        memory/garden.md "# Garden\n\nTomatoes need water twice a day.\n"
        [person] t1 "Who moved the release?" ["memory/2050-07-13.md#L1 \"Sarah moved the release to Friday.\""]
        [multi] t2 "heron and tomatoes" ["MEMORY.md#L3 \"The production database is called heron.\"", "memory/garden.md#L3 \"Tomatoes need water twice a day.\""]
        [unanswerable] t3 "What did Zebulon paint in Lisbon?" []"##]].assert_eq(&shown(&dataset));
    expect![[r#"
        t1 Some(1)
        t2 Some(1)
        t3 None"#]]
    .assert_eq(&ranks(&dataset));
}

#[test]
fn measures_follow_from_the_ranks() {
    let world = folder(&[("questions.jsonl", TRUTH)]);
    let dataset = load(&world, Format::Truth, "questions.jsonl").unwrap();
    let outcomes = run(&dataset, &[Mode::Keyword]).remove(0).1;
    let whole = Measured {
        rank: Some(1),
        recall_at_5: 1.0,
        recall_at_10: 1.0,
        notes_at_10: 1.0,
        ndcg_at_10: 1.0,
        all_at_10: 1.0,
        seen_at_6: 1.0,
        empty: 0.0,
        answerable: true,
    };
    let nothing = Measured { empty: 1.0, ..Measured::default() };
    let expected = [("t1", "person", whole.clone()), ("t2", "multi", whole), ("t3", "unanswerable", nothing)];
    for (outcome, (id, category, measured)) in outcomes.iter().zip(expected) {
        assert_eq!((outcome.id.as_str(), outcome.category.as_str()), (id, category));
        assert_eq!(outcome.measured, measured, "{id}");
    }
}

/// Twelve notes with the same word: evidence beyond the fifth and the tenth hit, and evidence that is never found.
#[test]
fn late_and_missing_evidence_counts_less() {
    let world = World::new(&[]);
    for n in 0..12 {
        let text = format!("The ferry leaves.\n{}", "Sand and gravel.\n".repeat(n));
        world.save(&format!("memory/{n:02}.md"), text.as_bytes());
    }
    let question = r#"{"id": "q", "question": "ferry", "category": "c", "gold": ["memory/00.md#L1", "memory/06.md#L1", "memory/11.md#L1", "memory/11.md#L3"]}"#;
    put(&world.at("questions.jsonl"), question.as_bytes());
    let dataset = load(&world, Format::Truth, "questions.jsonl").unwrap();
    let measured = &run(&dataset, &[Mode::Keyword]).remove(0).1[0].measured;
    let gain = |rank: f64| 1.0 / (rank + 1.0).log2();
    let ndcg = (gain(1.0) + gain(7.0)) / (gain(1.0) + gain(2.0) + gain(3.0) + gain(4.0));
    assert_eq!((measured.rank, measured.recall_at_5, measured.recall_at_10), (Some(1), 0.25, 0.5));
    assert_eq!((measured.notes_at_10, measured.all_at_10), (2.0 / 3.0, 0.0));
    assert!((measured.ndcg_at_10 - ndcg).abs() < 1e-9, "{}", measured.ndcg_at_10);
}

#[test]
fn the_table_has_a_row_a_category_and_one_over_what_has_an_answer() {
    let world = folder(&[("questions.jsonl", TRUTH)]);
    let dataset = load(&world, Format::Truth, "questions.jsonl").unwrap();
    let table = Table::of(&run(&dataset, &[Mode::Keyword]).remove(0).1);
    let rows = table.rows.iter().chain([&table.all]);
    let told: Vec<String> = rows
        .map(|row| {
            format!("{} {} recall {} empty {}", row.category, row.questions, row.recall_at_10, row.empty)
        })
        .collect();
    expect![[r#"
        multi 1 recall 1 empty 0
        person 1 recall 1 empty 0
        unanswerable 1 recall 0 empty 1
        all answerable 2 recall 1 empty 0"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn every_mode_is_asked_every_question_and_progress_is_told() {
    let world = folder(&[("questions.jsonl", TRUTH)]);
    let dataset = load(&world, Format::Truth, "questions.jsonl").unwrap();
    let mut told = Vec::new();
    let modes = [Mode::Hybrid, Mode::Keyword, Mode::Vector];
    let outcomes = eval::run(&dataset, &world.settings, &modes, &mut |done, of| {
        told.push((done, of));
        ControlFlow::Continue(())
    });
    let counts: Vec<(Mode, usize)> = outcomes.unwrap().iter().map(|(mode, all)| (*mode, all.len())).collect();
    assert_eq!(counts, modes.map(|mode| (mode, 3)));
    assert_eq!(told, [(1, 3), (2, 3), (3, 3)]);
    assert!(!world.index().exists(), "the index of the user is not touched");
}

#[test]
fn an_eval_can_be_stopped() {
    let world = folder(&[("questions.jsonl", TRUTH)]);
    let dataset = load(&world, Format::Truth, "questions.jsonl").unwrap();
    let stopped = eval::run(&dataset, &world.settings, &[Mode::Keyword], &mut |_, _| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(Error::Interrupted)));
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
fn evidence_that_does_not_exist_is_told_with_its_line() {
    let text = TRUTH.replace("MEMORY.md#L3", "MEMORY.md#L99");
    wrong(
        Format::Truth,
        "t.jsonl",
        &[("t.jsonl", &text)],
        expect![[r#"~/t.jsonl: line 2: "MEMORY.md#L99" is not a place in a note"#]],
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

#[test]
fn a_wrong_line_of_a_truth_file_is_told() {
    let text = format!("{TRUTH}{{\"id\": \"t4\"}}\n");
    wrong(
        Format::Truth,
        "t.jsonl",
        &[("t.jsonl", &text)],
        expect!["~/t.jsonl: line 4: missing field `question` at line 1 column 12"],
    );
}

#[test]
fn a_truth_set_without_a_workspace_is_refused() {
    let world = folder(&[("t.jsonl", TRUTH)]);
    let error = eval::load(Format::Truth, &world.at("t.jsonl"), None).unwrap_err();
    expect!["~/t.jsonl: a truth set needs the workspace that it asks about"]
        .assert_eq(&world.tidy(&error.to_string()));
}
