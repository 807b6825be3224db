//! A score is its parts, between 0 and 1, in order, and the same on every run.

use std::fs;

use jiff::civil::date;
use mindfile_ranking::search::{Answer, Hit, Mode, Part, Request, Stage, Weights, plan};
use mindfile_settings::Fusion;

use crate::world::World;
use crate::{all, demo, project};

/// Some of the questions of the project's own truth set, which are asked of the demo.
fn questions() -> Vec<String> {
    let text = fs::read_to_string(project().join("evals/truth/questions.jsonl")).unwrap();
    let parsed = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    parsed.step_by(5).map(|question| question["question"].as_str().unwrap().to_owned()).collect()
}

/// The sum as a person would do it with the printed parts.
fn added_up(hit: &Hit) -> f32 {
    let mut sum = 0.0;
    for part in &hit.parts.parts {
        match part {
            Part::Term { normal, weight, .. } => {
                assert!((0.0..=1.0).contains(normal) && (0.0..=1.0).contains(weight), "{part:?}");
                sum += normal * weight;
            }
            Part::Factor { factor, .. } => sum *= factor,
        }
    }
    sum
}

fn check(request: &Request, answer: &Answer) {
    for hit in &answer.hits {
        assert!((hit.score - added_up(hit)).abs() < 1e-6, "{request:?} {hit:?}");
        assert!((0.0..=1.0).contains(&hit.score), "{request:?} {}", hit.score);
        let terms = hit.parts.parts.iter().filter_map(|part| match part {
            // What pairs add comes on top.
            Part::Term { stage, weight, .. } => (*stage != Stage::Pairs).then_some(weight),
            Part::Factor { .. } => None,
        });
        let weights: f32 = terms.sum();
        assert!((weights - 1.0).abs() < 1e-5, "{request:?} {weights}");
    }
    let scores: Vec<f32> = answer.hits.iter().map(|hit| hit.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{request:?} {scores:?}");
}

#[test]
fn every_score_is_the_sum_of_its_parts() {
    let mut world = demo();
    for fusion in [Fusion::Weighted, Fusion::Rrf] {
        world.settings.hybrid.fusion = fusion;
        let mut hits = 0;
        for question in questions() {
            for mode in [Mode::Hybrid, Mode::Keyword, Mode::Vector] {
                let request = Request { mode: Some(mode), ..all(&question) };
                let answer = world.ask(&request).answer;
                check(&request, &answer);
                hits += answer.hits.len();
            }
        }
        assert!(hits > 1000, "{hits}");
    }
}

#[test]
fn equals_are_ordered_by_path_and_line() {
    let same = "The ferry leaves at nine.\n";
    let mut world = World::new(&[("memory/c.md", same), ("memory/a.md", same), ("memory/b.md", same)]);
    world.save(
        "memory/d.md",
        "# D\n\nThe ferry leaves at nine.\n\n# D\n\nThe ferry leaves at nine.\n".as_bytes(),
    );
    (world.settings.chunking.tokens, world.settings.chunking.overlap) = (16, 0);
    for mode in [Mode::Hybrid, Mode::Keyword, Mode::Vector] {
        let hits = world.ask(&Request { mode: Some(mode), ..all("ferry leaves nine") }).answer.hits;
        let named: Vec<String> =
            hits.iter().filter(|hit| hit.path != "memory/d.md").map(Hit::citation).collect();
        let twice: Vec<String> =
            hits.iter().filter(|hit| hit.path == "memory/d.md").map(Hit::citation).collect();
        assert!(twice.is_sorted() && twice.len() == 2, "{twice:?}");
        assert_eq!(named.len(), 3);
        if mode == Mode::Keyword {
            assert_eq!(named, ["memory/a.md#L1", "memory/b.md#L1", "memory/c.md#L1"], "{mode:?}");
        }
    }
}

#[test]
fn each_mode_names_its_stages() {
    let world = World::new(&[
        (
            "memory/2050-07-01.md",
            "# Ferry\n\nThe ferry leaves at nine.\n\n# Again\n\nThe ferry leaves at ten.\n",
        ),
        ("memory/b.md", "The ferry is blue.\n"),
    ]);
    let stages = |mode| {
        let hits = world.ask(&Request { mode: Some(mode), ..all("ferry leaves") }).answer.hits;
        let hit = hits.into_iter().find(|hit| hit.path.contains("2050")).unwrap();
        let stages = hit.parts.parts.iter().map(|part| match part {
            Part::Term { stage, .. } | Part::Factor { stage, .. } => stage.as_str(),
        });
        stages.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(stages(Mode::Hybrid), "words meaning interaction pairs decay strength");
    assert_eq!(stages(Mode::Keyword), "words decay strength");
    assert_eq!(stages(Mode::Vector), "meaning decay strength");
}

#[test]
fn further_chunks_of_one_note_count_a_little_less() {
    let sections: String =
        (0..6).map(|n| format!("## Day {n}\n\nThe ferry leaves at nine o'clock sharp.\n\n")).collect();
    let mut world =
        World::new(&[("memory/log.md", sections.as_str()), ("memory/b.md", "The ferry is blue.\n")]);
    (world.settings.chunking.tokens, world.settings.chunking.overlap) = (24, 0);
    let hits = world.ask(&all("ferry leaves")).answer.hits;
    let repeats: Vec<f32> = hits
        .iter()
        .filter(|hit| hit.path == "memory/log.md")
        .map(|hit| hit.parts.raw(Stage::Repetition).unwrap_or(0.0))
        .collect();
    assert_eq!(repeats, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
}

/// Who asks for what is weak gets it in order, however weak it is.
#[test]
fn an_answer_that_is_none_is_still_in_order() {
    let hits =
        demo().ask(&all("What did Zebulon Karrabash say about the migration of the database?")).answer.hits;
    assert!(hits.len() > 10 && hits[0].score < 0.01, "{:?}", hits[0]);
    let is_related = |hit: &&Hit| hit.parts.raw(Stage::Strength) == hits[0].parts.raw(Stage::Strength);
    let relative = |hit: &Hit| {
        hit.parts.parts.iter().fold(0.0, |sum, part| match part {
            Part::Term { normal, weight, .. } => sum + normal * weight,
            Part::Factor { stage: Stage::Strength, .. } => sum,
            Part::Factor { factor, .. } => sum * factor,
        })
    };
    let order: Vec<f32> = hits.iter().filter(is_related).map(relative).collect();
    assert!(order.len() > 10 && order.is_sorted_by(|before, after| before >= after), "{order:?}");
}

#[test]
fn the_table_decides_less_where_it_does_not_know_the_language() {
    let world = World::new(&[]);
    let weights = |query: &str, english_vectors: bool| -> Weights {
        plan(&Request::new(query), &world.settings, english_vectors, date(2050, 8, 1)).unwrap().weights
    };
    let english = weights("where does the ferry leave", true);
    for query in ["d'où part le ferry", "wo legt die Fähre ab", "откуда уходит паром"] {
        let foreign = weights(query, true);
        assert!(foreign.meaning < english.meaning && foreign.interaction < english.interaction, "{query}");
        assert!(foreign.words > english.words, "{query}");
    }
    // Vectors from elsewhere know more languages; what is compared token by token is the table's all the same.
    let elsewhere = weights("откуда уходит паром", false);
    assert!((elsewhere.meaning / (elsewhere.meaning + elsewhere.words) - 0.6).abs() < 1e-5, "{elsewhere:?}");
    assert!(elsewhere.interaction < english.interaction);
}

/// The same words count more where they stand side by side as in the question.
#[test]
fn words_that_stand_side_by_side_as_asked_count_more() {
    let world = World::new(&[
        ("memory/a.md", "The house of the green party keeps the boat.\n"),
        ("memory/b.md", "The party of the house keeps the green boat.\n"),
        ("memory/c.md", "The party of the boat keeps the green house.\n"),
    ]);
    let pairs = |query: &str| {
        let hits = world.ask(&all(query)).answer.hits;
        hits.iter().map(|hit| (hit.path.clone(), hit.parts.raw(Stage::Pairs))).collect::<Vec<_>>()
    };
    let found = pairs("green boat");
    assert_eq!(found[0], ("memory/b.md".to_owned(), Some(1.0)), "{found:?}");
    assert!(found[1..].iter().all(|(_, had)| *had == Some(0.0)), "{found:?}");
}
