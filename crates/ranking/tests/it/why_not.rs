//! Why a line was not found, in each way in which that can be.

use expect_test::{Expect, expect};
use mindfile_fault::Spelling;
use mindfile_ranking::search::{Answer, Mode, Place, Request, WhyNot};

use crate::world::{NOTES, World};
use crate::{all, by};

fn explained(world: &World, request: &Request, at: &str) -> Answer {
    world.search(request, Some(&at.parse().unwrap())).unwrap().answer
}

fn why(world: &World, request: &Request, at: &str) -> WhyNot {
    explained(world, request, at).why_not.unwrap()
}

/// Fields by their own names.
struct Plain;

impl Spelling for Plain {
    fn field(&self, field: &str) -> String {
        field.to_owned()
    }

    fn run(&self, operation: &str, _: &[(&str, String)]) -> String {
        operation.to_owned()
    }

    fn set(&self, key: &str, value: &str) -> String {
        format!("{key} {value}")
    }
}

/// The advice, with every number that the ranking decides left out.
fn check(world: &World, request: &Request, at: &str, expected: Expect) {
    expected.assert_eq(&without_scores(&why(world, request, at).advice.spelled(&Plain)));
}

/// `0.123` is X.
fn without_scores(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let is_score = word.trim_end_matches(':').parse::<f32>().is_ok() && word.contains('.');
        if is_score {
            word.replace(|c: char| c.is_ascii_digit() || c == '.', "").replace(':', "") + "X"
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn many() -> World {
    let names: Vec<(String, String)> = (0..80)
        .map(|n| (format!("memory/{n:02}.md"), format!("The ferry took parcel number {n} to the island.\n")))
        .collect();
    let notes: Vec<(&str, &str)> = names.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut world = World::new(&notes);
    world.save(
        "memory/weak.md",
        format!("Parcel, and then {}.\n", "sand and gravel and wind ".repeat(40)).as_bytes(),
    );
    world.save("memory/apart.md", b"Zucchini soup.\n");
    world
}

#[test]
fn among_the_results() {
    let world = World::new(NOTES);
    check(&world, &Request::new("heron"), "MEMORY.md#L3", expect!["it is among the results, at rank 1"]);
    let standing = why(&world, &Request::new("heron"), "MEMORY.md#L3").standing.unwrap();
    assert_eq!((standing.start_line, standing.end_line), (1, 3));
    assert_eq!(
        (standing.words, standing.meaning, standing.fused, standing.last),
        (Some(1), Some(1), Some(1), Some(1))
    );
    assert_eq!(standing.missing, Vec::<String>::new());
    assert_eq!(standing.score.unwrap(), world.answer("heron").hits[0].parts);
}

#[test]
fn below_the_minimum() {
    let world = World::new(NOTES);
    let request = Request { min_score: Some(1.0), ..Request::new("heron") };
    let advice = why(&world, &request, "MEMORY.md#L3").advice.spelled(&Plain);
    expect!["its score X is below the minimum X min_score X"].assert_eq(&without_scores(&advice));
    let enough: f32 = advice.rsplit(' ').next().unwrap().parse().unwrap();
    let followed = world.ask(&Request { min_score: Some(enough), ..request }).answer;
    assert_eq!(followed.hits[0].path, "MEMORY.md", "following the advice shows it");
}

#[test]
fn below_the_minimum_and_beyond_the_number_of_results() {
    let world = World::new(NOTES);
    let request = Request { min_score: Some(1.0), max_results: Some(1), ..Request::new("heron") };
    let why = why(&world, &request, "memory/garden.md#L1");
    let rank = why.standing.unwrap().last.unwrap();
    let advice = why.advice.spelled(&Plain);
    assert!(advice.ends_with(&format!(" max_results {rank}")) && rank > 1, "{advice}");
}

#[test]
fn beyond_the_number_of_results() {
    let world = World::new(NOTES);
    let request =
        Request { min_score: Some(0.0), max_results: Some(1), ..Request::new("tomatoes and heron") };
    let first = world.ask(&request).answer.hits[0].path.clone();
    let other = if first == "MEMORY.md" { "memory/garden.md#L3" } else { "MEMORY.md#L3" };
    check(&world, &request, other, expect!["it stands at rank 2: max_results 2 shows it"]);
    assert_eq!(world.ask(&Request { max_results: Some(2), ..request }).answer.hits.len(), 2);
}

#[test]
fn not_compared_for_want_of_a_word() {
    let world = many();
    check(
        &world,
        &by(Mode::Keyword, "ferry parcel island"),
        "memory/weak.md#L1",
        expect![[
            r#"it stands at rank 81 of the fused list, beyond the 40 that are compared closely: the word "ferri" is not in these lines; ask with words that are"#
        ]],
    );
}

#[test]
fn not_compared_although_it_has_every_word() {
    let world = many();
    check(
        &world,
        &by(Mode::Keyword, "parcel"),
        "memory/weak.md#L1",
        expect![
            "it stands at rank 81 of the fused list, beyond the 40 that are compared closely: ask with a rarer word of it"
        ],
    );
}

#[test]
fn on_no_list() {
    let world = many();
    check(
        &world,
        &by(Mode::Keyword, "ferry"),
        "memory/apart.md#L1",
        expect!["none of its words is in the query: mode hybrid"],
    );
    let since = Some(jiff::civil::date(2050, 1, 1));
    check(
        &world,
        &Request { since, ..Request::new("ferry") },
        "memory/apart.md#L1",
        expect!["it is on no list: no word in common and too far in meaning, or outside since/until"],
    );
}

#[test]
fn left_out_by_an_excluded_word_or_for_want_of_a_phrase() {
    let world = World::new(&[
        ("memory/a.md", "The ferry to the island leaves at nine.\n"),
        ("memory/b.md", "The ferry of the old island sinks.\n"),
    ]);
    check(
        &world,
        &all("ferry island -nine"),
        "memory/a.md#L1",
        expect!["it has a word or phrase that the query excludes with a minus"],
    );
    check(
        &world,
        &all("\"ferry to the island\""),
        "memory/b.md#L1",
        expect!["it does not have the quoted phrase as typed: ask without the quotation marks"],
    );
}

#[test]
fn a_blank_line_and_one_beyond_the_end() {
    let world = World::new(&[("memory/a.md", "The ferry leaves at nine.\n\n\n")]);
    for line in [2, 99] {
        let advice =
            why(&world, &Request::new("ferry"), &format!("memory/a.md#L{line}")).advice.spelled(&Plain);
        let told = format!(
            "line {line} of memory/a.md is blank or beyond the end of the note: nothing to find there"
        );
        assert_eq!(advice, told);
    }
}

#[test]
fn a_note_that_is_not_indexed() {
    let world = World::new(NOTES);
    let why = why(&world, &Request::new("heron"), "memory/nowhere.md#L1");
    expect!["memory/nowhere.md is not indexed: `status` lists the notes that are, and what was skipped"]
        .assert_eq(&why.advice.spelled(&Plain));
    assert_eq!((why.standing, why.limit), (None, 6));
}

#[test]
fn asking_why_changes_nothing_in_the_answer() {
    let world = World::new(NOTES);
    let mut asked = explained(&world, &all("heron"), "memory/garden.md#L1");
    assert!(asked.why_not.take().is_some());
    assert_eq!(asked, world.ask(&all("heron")).answer);
}

#[test]
fn places_are_read_as_they_are_cited() {
    let told = |text: &str| match text.parse::<Place>() {
        Ok(Place { path, line }) => format!("{path} {line}"),
        Err(error) => error.to_string(),
    };
    assert_eq!(told("memory/a.md#L40"), "memory/a.md 40");
    assert_eq!(told("memory/a.md#L40-L50"), "memory/a.md 40");
    assert_eq!(told("memory/odd#L1.md#L2"), "memory/odd#L1.md 2");
    for wrong in ["memory/a.md", "memory/a.md#L0", "memory/a.md#L", "memory/a.md#40", "memory/a.md#Lx"] {
        assert_eq!(told(wrong), format!("\"{wrong}\" is not a place in a note"));
    }
}
