//! Questions about time alone, and what is listed for who asks for it.

use jiff::civil::{Date, date};
use mindfile_ranking::fact::Uses;
use mindfile_ranking::recall::{Recollection, Request};

use crate::world::World;

const TODAY: Date = date(2050, 5, 20);

const NOTES: &[(&str, &str)] = &[
    (
        "memory/2050-05-20.md",
        "- W(s=0.3) @config: Set log level to INFO ^log\n\
         - W(s=0.25) @database: The database moved to port 6432 ^port\n",
    ),
    (
        "memory/2050-05-18.md",
        "- B(s=0.95) @Sarah @project: Sarah is leaving the company next month ^leaves\n",
    ),
    (
        "memory/2050-05-12.md",
        "- W(s=0.3) @config: Updated heartbeat interval from 5m to 30m ^beat\n\
         - O(s=0.6,until=2050-05-15) @user: Prefers evening standups ^old\n",
    ),
    ("memory/2050-05-02.md", "- W(s=0.5) @api: Rate limiting is 100 requests per minute ^rate\n"),
    ("memory/2050-01-10.md", "- B(s=0.99) @Omar: Omar became a father ^father\n"),
    ("memory/people.md", "- W(s=0.9) @Omar: Omar leads the billing team ^omar\n"),
    ("memory/2050-06-01.md", "- W(s=0.9) @project: The audit begins ^ahead\n"),
];

fn recall(request: &Request) -> Recollection {
    World::new(NOTES).recall(request, TODAY, &Uses::new()).unwrap()
}

fn ids(request: &Request) -> Vec<String> {
    recall(request).recalled.into_iter().map(|one| one.fact.id).collect()
}

#[test]
fn a_question_about_time_alone_gets_what_is_salient_and_recent() {
    let month = ["leaves", "rate", "log", "beat", "port"];
    for question in [
        "any recent updates", "what's new", "What has changed lately?", "was gibt es Neues",
        "quoi de neuf ?", "¿qué hay de nuevo?", "что нового?", "最近有什么新消息？",
    ] {
        assert_eq!(ids(&Request::new(question)), month, "{question}");
    }
    for question in ["what happened this week", "Was ist diese Woche passiert?", "今週の出来事を教えて"]
    {
        assert_eq!(ids(&Request::new(question)), ["leaves", "log", "port"], "{question}");
    }
    assert_eq!(ids(&Request::new("what happened today?")), ["log", "port"]);
    assert_eq!(ids(&Request::new("what happened yesterday?")), [""; 0]);
}

#[test]
fn any_word_of_something_else_is_what_is_asked_about() {
    let one = |query: &str| ids(&Request { depth: Some(0), ..Request::new(query) });
    assert_eq!(one("any recent updates on the database"), ["port"]);
    assert_eq!(one("what did Sarah do this week"), ["leaves"]);
    assert_eq!(one("capital of Mongolia"), [""; 0]);
    assert_eq!(one("any recent updates on the zoo"), [""; 0]);
}

#[test]
fn recent_facts_are_listed_without_a_question_and_narrowed_by_one() {
    let week = || Request { recent: Some(date(2050, 5, 13)), ..Request::new("") };
    assert_eq!(ids(&week()), ["leaves", "log", "port"]);
    assert_eq!(ids(&Request { k: Some(1), ..week() }), ["leaves"]);
    assert_eq!(ids(&Request { entities: vec!["config".to_owned()], ..week() }), ["log"]);
    assert_eq!(ids(&Request { min_salience: Some(0.9), ..week() }), ["leaves"]);
    assert_eq!(ids(&Request { query: "what's new".to_owned(), ..week() }), ids(&week()));
    let rates = Request { query: "rate limiting".to_owned(), depth: Some(0), ..week() };
    assert_eq!(ids(&rates), [""; 0], "it was said before");
    assert_eq!(ids(&Request { recent: Some(date(2050, 5, 1)), ..rates }), ["rate"]);
    let june =
        Request { as_of: Some(date(2050, 5, 14)), recent: Some(date(2050, 5, 10)), ..Request::new("") };
    assert_eq!(ids(&june), ["old", "beat"], "as of a day, what held then");
}

#[test]
fn what_is_recent_is_scored_by_salience_and_freshness() {
    let found = recall(&Request::new("any recent updates"));
    let parts: Vec<String> = found.recalled[0].score.parts.iter().map(|part| format!("{part:?}")).collect();
    assert_eq!(
        parts,
        [
            "Term { stage: Salience, raw: 0.95, normal: 0.95, weight: 1.0 }",
            "Factor { stage: Decay, raw: 2.0, factor: 0.956266 }",
        ]
    );
}

#[test]
fn the_best_of_many_are_found_however_they_are_spread() {
    let line = |n: u32| format!("- W(s=0.{:02}) @x: Fact {n} of the day ^f{n}\n", n * 37 % 100);
    let day = |day: u32| (0..40).map(|n| line(day * 40 + n)).collect::<String>();
    let notes: Vec<(String, String)> =
        (1..=20).map(|n| (format!("memory/2050-05-{n:02}.md"), day(n))).collect();
    let notes: Vec<(&str, &str)> = notes.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let world = World::new(&notes);
    let of = |k: usize| {
        let request = Request { k: Some(k), ..Request::new("what's new") };
        let found = world.recall(&request, TODAY, &Uses::new()).unwrap().recalled;
        found.into_iter().map(|one| one.fact.id).collect::<Vec<String>>()
    };
    assert_eq!(of(12), of(800)[..12]);
}

#[test]
fn copies_of_a_line_are_one_answer() {
    let line = "- B(s=0.9) @Sarah: Sarah is leaving the company ^leaves\n";
    let plain = "- W @boat: The boat has a red sail\n";
    let notes = [line, plain].concat();
    let world = World::new(&[("memory/2050-05-20.md", &notes), ("memory/2050-05-19.md", &notes)]);
    let places = |query: &str| {
        let found = world.recall(&Request::new(query), TODAY, &Uses::new()).unwrap().recalled;
        found.into_iter().map(|one| format!("{}#L{}", one.fact.path, one.fact.line)).collect::<Vec<String>>()
    };
    assert_eq!(places("Who is leaving the company?").len(), 1);
    assert_eq!(places("Which sail has the boat?").len(), 1);
    assert_eq!(places("what's new"), ["memory/2050-05-20.md#L1", "memory/2050-05-20.md#L2"]);
}
