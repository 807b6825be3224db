//! Notes and questions in many languages, as `evals/languages` has them: what is there is found, and what is not is mostly
//! not answered.

use std::fs;

use mindfile::recall::{self, Touch};
use mindfile::search::{Mode, Request};
use serde::Deserialize;

use super::project;
use crate::world::World;

/// Every so many questions are asked; `evals/run` asks all.
const STEP: usize = 3;

#[derive(Deserialize)]
struct Set {
    data: Vec<Topic>,
}

#[derive(Deserialize)]
struct Topic {
    paragraphs: Vec<Paragraph>,
}

#[derive(Deserialize)]
struct Paragraph {
    context: String,
    qas: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    question: String,
}

/// How many of the questions of some topics were asked, answered and rightly answered.
#[derive(Debug, Default)]
struct Asked {
    questions: usize,
    answered: usize,
    right: usize,
}

#[test]
fn every_language_finds_its_answers_and_few_others() {
    let [known, other] = ask_all(
        88,
        |context| context.to_owned(),
        |world, question| world.answer(question).hits.into_iter().map(|hit| hit.path).collect(),
    );
    assert!(known.right_in_percent() >= 95, "{known:?}");
    assert!(10 * other.answered <= 3 * other.questions, "{other:?}");
}

#[test]
fn every_language_recalls_its_facts_and_few_others() {
    let [known, other] = ask_all(70, retained, |world, question| {
        let asked = recall::Request { depth: Some(0), ..recall::Request::new(question) };
        let recalled = world.memory().recall(&asked, Touch::No).unwrap().answer.recalled;
        recalled.into_iter().map(|one| one.fact.path).collect()
    });
    assert!(known.right_in_percent() >= 85, "{known:?}");
    assert!(5 * other.answered <= other.questions, "{other:?}");
}

/// Every sentence as a fact.
fn retained(text: &str) -> String {
    let ends = ['.', '!', '?', '。', '！', '？', '।', '؟', '\n'];
    let sentences = text.split(ends).map(str::trim).filter(|sentence| !sentence.is_empty());
    sentences.map(|sentence| format!("- W: {sentence}.\n")).collect()
}

/// Asks the questions of all languages, and says of none that it finds less than so many percent of its answers. `note`
/// makes a note of a text, `answer` gives the paths of what answers.
fn ask_all(
    least: usize,
    note: impl Fn(&str) -> String,
    answer: impl Fn(&World, &str) -> Vec<String>,
) -> [Asked; 2] {
    let (mut languages, mut whole) = (0, [Asked::default(), Asked::default()]);
    for entry in fs::read_dir(project().join("evals/languages")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let set: Set = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let asked = ask(&set, &note, &answer);
        assert!(asked[0].right_in_percent() >= least, "{}: {:?}", path.display(), asked[0]);
        whole.iter_mut().zip(asked).for_each(|(whole, asked)| whole.add(&asked));
        languages += 1;
    }
    assert!(languages > 15, "{languages}");
    whole
}

impl Asked {
    fn add(&mut self, other: &Self) {
        self.questions += other.questions;
        self.answered += other.answered;
        self.right += other.right;
    }

    fn right_in_percent(&self) -> usize {
        100 * self.right / self.questions
    }
}

/// Every other topic is a note, and the questions of all are asked: of those that are notes, and of the others.
fn ask(
    set: &Set,
    note: &impl Fn(&str) -> String,
    answer: &impl Fn(&World, &str) -> Vec<String>,
) -> [Asked; 2] {
    let paragraphs: Vec<(usize, String, &Paragraph)> = set
        .data
        .iter()
        .enumerate()
        .flat_map(|(at, topic)| topic.paragraphs.iter().enumerate().map(move |(n, one)| (at, n, one)))
        .map(|(at, number, paragraph)| (at % 2, format!("memory/{at:02}-{number}.md"), paragraph))
        .collect();
    let notes: Vec<(&str, String)> = paragraphs
        .iter()
        .filter(|(part, ..)| *part == 0)
        .map(|(_, name, paragraph)| (name.as_str(), note(&paragraph.context)))
        .collect();
    let notes: Vec<(&str, &str)> = notes.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let world = World::new(&notes);
    let mut asked = [Asked::default(), Asked::default()];
    let questions = paragraphs.iter().flat_map(|(part, name, paragraph)| {
        paragraph.qas.iter().map(move |one| (*part, name, &one.question))
    });
    for (part, name, question) in questions.step_by(STEP) {
        let paths = answer(&world, question);
        asked[part].questions += 1;
        asked[part].answered += usize::from(!paths.is_empty());
        asked[part].right += usize::from(paths.contains(name));
    }
    asked
}

/// Among many notes that share another word with the question, too: what is not looked for is not compared.
#[test]
fn a_note_with_other_forms_alone_is_found_by_words() {
    let others: Vec<(String, String)> = (0..90)
        .map(|n| (format!("memory/{n}.md"), format!("Dostawa numer {n} przyszła w terminie.\n")))
        .collect();
    let mut notes: Vec<(&str, &str)> =
        others.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    notes.push(("memory/sandals.md", "Sandały zgubiła w jeziorach, a dostawę odwołano.\n"));
    let world = World::new(&notes);
    let keyword = Request {
        mode: Some(Mode::Keyword),
        ..Request::new("W czyich sandałach był przy jeziorze, dostawa?")
    };
    let response = world.memory().search(&keyword, None).unwrap();
    assert_eq!(response.answer.hits[0].path, "memory/sandals.md");
}
