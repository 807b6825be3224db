//! Recall on facts in memory.

use expect_test::expect;
use jiff::Timestamp;
use jiff::civil::date;
use mindfile_model::EmbeddedTable;
use mindfile_note::fact::{self as note, Kind};

use super::*;
use crate::fact::Access;
use crate::fact::load::{self, LineRef};

const LINES: [&str; 12] = [
    "- W(s=0.6) @checkout @orders-db: Checkout is slow because orders-db lost an index ^slow",
    "- W(s=0.55) @orders-db @Sarah: Sarah designed the schema of orders-db ^schema",
    "- B(s=0.95) @Sarah @project: Sarah is leaving the company next month ^leaves",
    "- O(s=0.2) @Sarah: Sarah drinks green tea ^tea",
    "- W(s=0.2) @config: Updated heartbeat interval from 5m to 30m ^beat",
    "- W(s=0.3) @config: Increased worker pool size to 4 ^pool",
    "- W(s=0.3) @api: Rate limiting is 100 requests per minute ^rate",
    "- B(s=0.95) @Peter: Peter's father is in hospital ^father",
    "- O(s=0.5,c=0.9) @user: Prefers concise replies under 150 words ^short",
    "- W(s=0.5,until=2026-02-10,by=new) @api: Rate limiting was 50 requests per minute ^old",
    "- W(s=0.5) @billing-team: The billing team meets on Mondays ^meets",
    "- W(s=0.5) @billing-team @Omar: Omar leads the billing team ^leads",
];

fn now() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

/// A fact that stands in the note of a day of February 2026.
fn fact(line: &str, day: i8) -> FactRecord {
    let read = note::read(line).unwrap();
    let path = format!("memory/{}.md", date(2026, 2, day));
    let names = read.entities().map(str::to_lowercase).collect();
    load::of_line(&read, LineRef { path: &path, line: 1 }, names, Access::default())
}

fn slice() -> Slice {
    let facts: Vec<FactRecord> = LINES.iter().map(|line| fact(line, 1)).collect();
    Slice::new(&facts)
}

fn ask(request: &FactRequest) -> Result<Recollection, Error> {
    let plan = plan(request, now(), date(2026, 3, 1))?;
    let table = EmbeddedTable::open();
    let query = table.embed_tokens(&table.tokens(&plan.text));
    answer(&slice(), &plan, query.as_ref().map(mindfile_model::Vector::as_slice))
}

/// Every recalled fact as `id`, or `id hop via`.
fn ids(request: &FactRequest) -> Vec<String> {
    let shown = |one: &Recalled| match one.hop {
        0 => one.fact.id.clone(),
        hop => format!("{} {hop} {}", one.fact.id, one.via.join(">")),
    };
    ask(request).unwrap().recalled.iter().map(shown).collect()
}

#[test]
fn connections_follow_what_answers_and_carry_their_path() {
    assert_eq!(
        ids(&FactRequest { depth: Some(2), ..FactRequest::new("Who could make checkout fast again?") }),
        ["slow", "schema 1 orders-db", "leaves 2 orders-db>sarah"]
    );
    assert_eq!(
        ids(&FactRequest { depth: Some(0), ..FactRequest::new("Who could make checkout fast again?") }),
        ["slow"]
    );
}

#[test]
fn a_question_for_a_fact_gets_the_fact_alone() {
    assert_eq!(ids(&FactRequest::new("What is the rate limit of the API?")), ["rate"]);
}

#[test]
fn an_unrelated_fact_is_never_returned_however_salient() {
    for query in
        ["Which bank holds the escrow account?", "quantum chromodynamics", "How tall is the antenna?"]
    {
        for scorer in [Scorer::Gated, Scorer::Additive] {
            assert_eq!(
                ids(&FactRequest { scorer, depth: Some(3), ..FactRequest::new(query) }),
                [""; 0],
                "{query}"
            );
        }
    }
}

#[test]
fn superseded_facts_are_out_unless_asked_for() {
    let rate = FactRequest { k: Some(5), ..FactRequest::new("rate limiting requests per minute") };
    assert_eq!(ids(&rate), ["rate"]);
    assert!(ids(&FactRequest { past: true, ..rate.clone() }).contains(&"old".to_owned()));
    assert!(ids(&FactRequest { as_of: Some(date(2026, 2, 5)), ..rate }).contains(&"old".to_owned()));
}

#[test]
fn filters_keep_out_what_they_say() {
    let about = |request: FactRequest| ids(&FactRequest { depth: Some(1), ..request });
    assert_eq!(about(FactRequest { min_salience: Some(0.9), ..FactRequest::new("Sarah") }), ["leaves"]);
    assert_eq!(about(FactRequest { kind: Some(Kind::Opinion), ..FactRequest::new("Sarah") }), ["tea"]);
    assert_eq!(about(FactRequest { since: Some(date(2026, 2, 2)), ..FactRequest::new("Sarah") }), [""; 0]);
    let entities = vec!["orders-db".to_owned()];
    assert_eq!(about(FactRequest { entities, ..FactRequest::new("Sarah") }), ["schema", "slow 1 orders-db"]);
}

#[test]
fn a_name_of_several_words_is_found() {
    let mut found = ids(&FactRequest { depth: Some(0), ..FactRequest::new("billing team") });
    found.sort();
    assert_eq!(found, ["leads", "meets"]);
}

#[test]
fn a_budget_is_filled_with_the_best_and_one_too_small_is_refused() {
    let asked = FactRequest { depth: Some(2), ..FactRequest::new("Who could make checkout fast again?") };
    let whole = ask(&asked).unwrap();
    let part = ask(&FactRequest { budget: Some(whole.tokens - 1), ..asked.clone() }).unwrap();
    assert_eq!((part.recalled.len(), part.left_out), (whole.recalled.len() - 1, 1));
    assert!(part.tokens < whole.tokens);
    let error = ask(&FactRequest { budget: Some(3), ..asked }).unwrap_err();
    expect!["E2BIG: the shortest relevant fact needs 21 tokens, the budget is 3"]
        .assert_eq(&error.to_string());
}

#[test]
fn the_traversal_can_be_read() {
    let answer = ask(&FactRequest { depth: Some(2), ..FactRequest::new("slow checkout") }).unwrap();
    expect![[r#"
        Traversal: orders-db → {sarah}
          → Final activation: {sarah: 0.27}
    "#]]
    .assert_eq(&answer.trace.text());
}

#[test]
fn the_score_is_the_sum_of_what_is_explained() {
    let answer = ask(&FactRequest { depth: Some(0), ..FactRequest::new("slow checkout") }).unwrap();
    let parts: Vec<String> = answer.recalled[0].score.parts.iter().map(|part| format!("{part:?}")).collect();
    assert_eq!(parts.len(), 7);
    assert!(parts[5].contains("Salience") && parts[6].contains("Use"), "{parts:?}");
}

#[test]
fn the_additive_score_has_the_guides_values() {
    let leaving = FactRecord {
        access: Access { count: 5, last_ms: Some(now().as_millisecond() - 2 * 86_400_000) },
        ..fact("- B(s=0.95) @Sarah: Sarah is leaving next month", 1)
    };
    assert_eq!(format!("{:.3}", additive(0.0, &leaving, now())), "0.574");
    let unread = fact("- W(s=0.2) @x: A perfect match", 1);
    assert_eq!(format!("{:.4}", additive(1.0, &unread, now())), "0.5325");
}

#[test]
fn use_fades_by_half_in_seven_days_and_starts_anew() {
    let read = |days: i64, count| FactRecord {
        access: Access { count, last_ms: Some(now().as_millisecond() - days * 86_400_000) },
        ..fact("- W @x: y", 1)
    };
    assert!((used(&read(7, 0), now()) - 0.5).abs() < 1e-9);
    assert!(used(&read(6, 90), now()) > used(&read(1, 0), now()) * 0.8);
    assert!((used(&fact("- W @x: y", 1), now()) - 0.25).abs() < 1e-9);
}

mod traversal {
    use super::*;

    fn shown(lines: &[&str], seeds: &[&str], steps: u32) -> Vec<String> {
        let facts: Vec<FactRecord> =
            lines.iter().map(|tags| fact(&format!("- W(s=0.7) {tags}: x"), 1)).collect();
        let seeds: Vec<(String, f32)> = seeds.iter().map(|name| ((*name).to_owned(), 1.0)).collect();
        let spreading = Spreading { steps, decay: 0.5, conduct: 1.0 };
        let traversal = traverse(&Slice::new(&facts), &seeds, spreading).unwrap();
        traversal.active.iter().map(|a| format!("{} {:.2}", a.path.join(">"), a.activation)).collect()
    }

    const CHAIN: [&str; 5] = ["@a @b", "@b @c", "@c @d", "@d @e", "@e @f"];

    #[test]
    fn activation_fades_with_every_step_and_the_path_is_kept() {
        assert_eq!(shown(&CHAIN, &["a"], 0), ["a 1.00"]);
        assert_eq!(shown(&CHAIN, &["a"], 1), ["a 1.00", "a>b 0.32"]);
        assert_eq!(shown(&CHAIN, &["a"], 2), ["a 1.00", "a>b 0.32", "a>b>c 0.10"]);
    }

    #[test]
    fn below_the_floor_it_ends_whatever_the_depth() {
        assert_eq!(shown(&CHAIN, &["a"], 3).len(), 3);
    }

    #[test]
    fn two_paths_into_one_entity_add_up() {
        let one = shown(&["@a @b", "@b @d"], &["a"], 2);
        let two = shown(&["@a @b", "@b @d", "@a @c", "@c @d"], &["a"], 2);
        assert_eq!((one[2].as_str(), two[3].as_str()), ("a>b>d 0.10", "a>b>d 0.20"));
    }

    #[test]
    fn nothing_passes_through_a_hub() {
        let mut lines: Vec<String> = (0..200).map(|n| format!("@hub @x{n}")).collect();
        lines.extend(["@a @hub".to_owned(), "@a @b".to_owned()]);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(shown(&lines, &["a"], 3), ["a 1.00", "a>b 0.32"]);
    }

    #[test]
    fn minor_facts_do_not_conduct() {
        let facts = [fact("- W(s=0.1) @a @b: x", 1), fact("- W(s=0.7) @a @c: x", 1)];
        let spreading = Spreading { steps: 1, decay: 0.5, conduct: 1.0 };
        let traversal = traverse(&Slice::new(&facts), &[("a".to_owned(), 1.0)], spreading).unwrap();
        let names: Vec<&str> = traversal.active.iter().map(|active| active.name.as_str()).collect();
        assert_eq!(names, ["a", "c", "b"]);
        assert!(traversal.active[2].activation < traversal.active[1].activation / 3.0);
    }

    #[test]
    fn no_more_entities_than_allowed_are_active() {
        let lines: Vec<String> =
            (0..9).flat_map(|a| (0..9).map(move |b| format!("@s{a} @t{a}{b}"))).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let seeds: Vec<String> = (0..9).map(|a| format!("s{a}")).collect();
        let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
        assert_eq!(shown(&lines, &seeds, 3).len(), MOST);
    }
}
