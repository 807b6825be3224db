//! Questions of one's own: what is read, which ranks and measures follow, and what a wrong file is told.

use std::ops::ControlFlow;
use std::path::Path;

use expect_test::{Expect, expect};
use mindfile::Error;
use mindfile::search::Mode;
use mindfile_care::eval::{self, Dataset, MeansTable, QuestionScores, Scores};

use crate::world::{World, put, settings};

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

fn load(world: &World, path: &str) -> Result<Dataset, mindfile_care::Error> {
    eval::load(&world.at(path), &world.at("workspace"))
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

fn run(dataset: &Dataset, modes: &[Mode]) -> Vec<(Mode, Vec<QuestionScores>)> {
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

fn wrong(path: &str, files: &[(&str, &str)], expected: Expect) {
    let world = folder(files);
    expected.assert_eq(&world.tidy(&load(&world, path).unwrap_err().to_string()));
}

#[test]
fn truth_is_asked_of_a_workspace_on_its_latest_day() {
    let world = folder(&[("questions.jsonl", TRUTH)]);
    let dataset = load(&world, "questions.jsonl").unwrap();
    expect![[r##"
        truth
        notes asked at Some("2050-07-13T00:00:00Z")
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
    let dataset = load(&world, "questions.jsonl").unwrap();
    let outcomes = run(&dataset, &[Mode::Keyword]).remove(0).1;
    let whole = Scores {
        rank: Some(1),
        recall_at_5: 1.0,
        recall_at_10: 1.0,
        notes_at_10: 1.0,
        ndcg_at_10: 1.0,
        all_at_10: 1.0,
        seen_at_6: 1.0,
        answer_at_3: 1.0,
        silent: 0.0,
        answerable: true,
    };
    let nothing = Scores { silent: 1.0, ..Scores::default() };
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
    let dataset = load(&world, "questions.jsonl").unwrap();
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
    let dataset = load(&world, "questions.jsonl").unwrap();
    let table = MeansTable::of(&run(&dataset, &[Mode::Keyword]).remove(0).1);
    let rows = table.rows.iter().chain([&table.all]);
    let told: Vec<String> = rows
        .map(|row| {
            format!("{} {} recall {} silent {}", row.category, row.questions, row.means[1], row.means[7])
        })
        .collect();
    expect![[r#"
        multi 1 recall 1 silent 0
        person 1 recall 1 silent 0
        unanswerable 1 recall 0 silent 1
        all answerable 2 recall 1 silent 0"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn every_mode_is_asked_every_question_and_progress_is_told() {
    let world = folder(&[("questions.jsonl", TRUTH)]);
    let dataset = load(&world, "questions.jsonl").unwrap();
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
    let dataset = load(&world, "questions.jsonl").unwrap();
    let stopped = eval::run(&dataset, &world.settings, &[Mode::Keyword], &mut |_, _| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(mindfile_care::Error::Memory(Error::Interrupted))));
}

#[test]
fn evidence_that_does_not_exist_is_told_with_its_line() {
    let text = TRUTH.replace("MEMORY.md#L3", "MEMORY.md#L99");
    wrong(
        "t.jsonl",
        &[("t.jsonl", &text)],
        expect![[r#"~/t.jsonl: line 2: "MEMORY.md#L99" is not a place in a note"#]],
    );
}

#[test]
fn a_wrong_line_of_a_truth_file_is_told() {
    let text = format!("{TRUTH}{{\"id\": \"t4\"}}\n");
    wrong(
        "t.jsonl",
        &[("t.jsonl", &text)],
        expect!["~/t.jsonl: line 4: missing field `question` at line 1 column 12"],
    );
}
