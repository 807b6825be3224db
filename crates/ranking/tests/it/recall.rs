//! What a recall over the demo's notes gives: facts in their order with what their score is made of.

use expect_test::{Expect, expect};
use jiff::civil::{Date, date};
use mindfile_note::fact::Kind;
use mindfile_ranking::fact::{Access, Uses};
use mindfile_ranking::recall::{Recollection, Request, Scorer};
use mindfile_ranking::search::Part;

use crate::demo;
use crate::world::World;

const TODAY: Date = date(2026, 9, 7);

fn part(part: &Part) -> String {
    match part {
        Part::Term { stage, raw, normal, weight } => {
            format!("{} {raw:.2} {:.3}", stage.as_str(), normal * weight)
        }
        Part::Factor { stage, raw, factor } => format!("{} {raw:.2} ×{factor:.3}", stage.as_str()),
    }
}

fn shown(found: &Recollection, with_parts: bool) -> String {
    let mut text = String::new();
    for one in &found.recalled {
        let said: String = one.fact.text.chars().take(32).collect();
        text.push_str(&format!(
            "{:.3} {} {} {}: {said}\n",
            one.score.value(),
            one.hop,
            one.via.join(">"),
            one.fact.id
        ));
        if with_parts {
            let parts: Vec<String> = one.score.parts.iter().map(part).collect();
            text.push_str(&format!("      {}\n", parts.join(", ")));
        }
    }
    let rest = format!("{} refused, {} left out, {} tokens\n", found.refused, found.left_out, found.tokens);
    text + &rest
}

fn recalled(world: &World, request: &Request) -> Recollection {
    world.recall(request, TODAY, &Uses::new()).unwrap()
}

fn asked(questions: &[&str], expected: &Expect) {
    let world = demo();
    let mut text = String::new();
    for question in questions {
        text.push_str(&format!("{question}\n{}", shown(&recalled(&world, &Request::new(*question)), true)));
    }
    expected.assert_eq(&text);
}

#[test]
fn questions_for_a_fact() {
    let expected = expect![[r#"
        When may a meeting begin?
        0.450 0  c2n8wb: no meetings before 09:30
              interaction 0.44 0.088, rest 0.44 0.066, meaning 0.57 0.142, names 0.44 0.149, sort 0.00 0.000, salience 0.50 ×1.000, use 0.25 ×1.013
        38 refused, 0 left out, 12 tokens
        coffee in the afternoon
        0.850 0  b2k9wa: no coffee at all after lunch, ro
              interaction 1.00 0.200, rest 1.00 0.150, meaning 0.60 0.150, names 1.00 0.340, sort 0.00 0.000, salience 0.50 ×1.000, use 0.25 ×1.013
        2.404 1 mara g9r2ub: Orders live on PostgreSQL since 
              association 0.33 0.946, salience 0.95 ×2.303, interaction 0.20 ×1.102
        2.356 1 mara a3y8nu: As a child she got a rash and sw
              association 0.33 0.946, salience 0.95 ×2.303, interaction 0.16 ×1.081
        2.095 1 mara r8a5pj: Mara gave Hana her word that she
              association 0.65 0.979, salience 0.85 ×1.993, interaction 0.15 ×1.074
        1.802 1 mara a6j0fn: Answers under 120 words unless s
              association 0.33 0.946, salience 0.80 ×1.842, interaction 0.07 ×1.033
        1.769 1 mara q8n1fy: Promised to spend Christmas in U
              association 0.53 0.969, salience 0.75 ×1.694, interaction 0.16 ×1.078
        1.587 1 mara c5j8iv: Phase 2 agreed by handshake on a
              association 0.55 0.970, salience 0.70 ×1.549, interaction 0.11 ×1.056
        1.583 1 mara d3t7vk: Does not want outside investors,
              association 0.33 0.946, salience 0.70 ×1.549, interaction 0.16 ×1.080
        1.023 1 mara j1l6xq: English with me, Swedish with ba
              association 0.33 0.946, salience 0.50 ×1.000, interaction 0.16 ×1.081
        1.023 1 mara e1w9sk: No exclamation marks and no emoj
              association 0.33 0.946, salience 0.50 ×1.000, interaction 0.16 ×1.081
        38 refused, 0 left out, 259 tokens
        Which card processor do we use?
        0.898 0  p9x2ke: Slantpay is the only card proces
              interaction 1.00 0.200, rest 1.00 0.150, meaning 0.41 0.102, names 1.00 0.340, sort 0.00 0.000, salience 0.80 ×1.120, use 0.25 ×1.013
        38 refused, 0 left out, 32 tokens
        Welche Sprache?
        39 refused, 0 left out, 0 tokens
    "#]];
    asked(
        &[
            "When may a meeting begin?",
            "coffee in the afternoon",
            "Which card processor do we use?",
            "Welche Sprache?",
        ],
        &expected,
    );
}

#[test]
fn questions_for_a_person_and_what_hangs_together() {
    let expected = expect![[r#"
        What does Tomasz own?
        0.953 0  s0k7ce: Decided to move the order databa
              interaction 1.00 0.200, rest 1.00 0.150, meaning 0.49 0.122, names 1.00 0.340, sort 0.00 0.000, salience 0.90 ×1.160, use 0.25 ×1.013
        38 refused, 0 left out, 28 tokens
        Who could move the database?
        0.752 0  k0z3ef: Pickup list was slow because idx
              interaction 1.00 0.200, rest 1.00 0.150, meaning 0.45 0.113, names 1.00 0.340, sort -1.00 -0.060, salience 0.50 ×1.000, use 0.25 ×1.013
        0.741 0  s0k7ce: Decided to move the order databa
              interaction 1.00 0.200, rest 1.00 0.150, meaning 0.40 0.101, names 0.53 0.180, sort 0.00 0.000, salience 0.90 ×1.160, use 0.25 ×1.013
        2.782 1 postgres-migration g9r2ub: Orders live on PostgreSQL since 
              association 1.55 1.022, salience 0.95 ×2.303, interaction 0.36 ×1.181
        2.561 1 tomasz f1c7nd: Baby due in mid-January; Tomasz 
              association 1.15 1.007, salience 0.95 ×2.303, interaction 0.21 ×1.104
        2.331 1 bullkorg q2w8jr: On 12 August lost replies from S
              association 0.33 0.946, salience 0.95 ×2.303, interaction 0.14 ×1.070
        2.246 1 tomasz qzg09pn0es: Deadly serious about pierogi; al
              association 0.54 0.969, salience 0.90 ×2.147, interaction 0.16 ×1.079
        2.225 1 bullkorg x5o1vm: Fewer retries, and every order c
              association 0.33 0.946, salience 0.90 ×2.147, interaction 0.19 ×1.096
        2.121 1 tomasz z5r1lo: Tomasz and Mara split revenue 40
              association 0.86 0.993, salience 0.85 ×1.993, interaction 0.14 ×1.072
        2.108 1 postgres-migration e4c9wy: Database created with C.UTF-8 fo
              association 1.15 1.007, salience 0.70 ×1.549, interaction 0.70 ×1.352
        2.051 1 bullkorg j6s0wo: Pilot in three cafés from 21 Sep
              association 0.33 0.946, salience 0.85 ×1.993, interaction 0.18 ×1.088
        38 refused, 0 left out, 322 tokens
        Pixel
        0.729 0  i6l2zc: Came through the emergency witho
              interaction 1.00 0.200, rest 0.00 0.000, meaning 0.41 0.103, names 1.00 0.340, sort 0.00 0.000, salience 0.80 ×1.120, use 0.25 ×1.013
        0.713 0  x7c2pn: Chicken gives her hives; this in
              interaction 1.00 0.200, rest 0.00 0.000, meaning 0.27 0.067, names 1.00 0.340, sort 0.00 0.000, salience 0.90 ×1.160, use 0.25 ×1.013
        0.701 0  q8n1fy: Promised to spend Christmas in U
              interaction 1.00 0.200, rest 0.00 0.000, meaning 0.36 0.089, names 1.00 0.340, sort 0.00 0.000, salience 0.75 ×1.100, use 0.25 ×1.013
        0.614 0  o9g3vi: Ear drops started in the evening
              interaction 1.00 0.200, rest 0.00 0.000, meaning 0.37 0.092, names 1.00 0.340, sort 0.00 0.000, salience 0.40 ×0.960, use 0.25 ×1.013
        2.323 1 mara g9r2ub: Orders live on PostgreSQL since 
              association 0.32 0.945, salience 0.95 ×2.303, interaction 0.14 ×1.068
        2.286 1 mara a3y8nu: As a child she got a rash and sw
              association 0.32 0.945, salience 0.95 ×2.303, interaction 0.10 ×1.050
        2.025 1 mara r8a5pj: Mara gave Hana her word that she
              association 0.53 0.969, salience 0.85 ×1.993, interaction 0.10 ×1.049
        1.824 1 mara a6j0fn: Answers under 120 words unless s
              association 0.32 0.945, salience 0.80 ×1.842, interaction 0.10 ×1.048
        1.619 1 mara c5j8iv: Phase 2 agreed by handshake on a
              association 0.53 0.968, salience 0.70 ×1.549, interaction 0.16 ×1.080
        1.557 1 mara d3t7vk: Does not want outside investors,
              association 0.32 0.945, salience 0.70 ×1.549, interaction 0.13 ×1.064
        36 refused, 0 left out, 253 tokens
        How is Elin?
        0.697 0  r8a5pj: Mara gave Hana her word that she
              interaction 1.00 0.200, rest 0.00 0.000, meaning 0.26 0.064, names 1.00 0.340, sort 0.00 0.000, salience 0.85 ×1.140, use 0.25 ×1.013
        0.633 0  k7u2xd: A shelf in the kiln broke and to
              interaction 1.00 0.200, rest 0.00 0.000, meaning 0.45 0.112, names 1.00 0.340, sort 0.00 0.000, salience 0.40 ×0.960, use 0.25 ×1.013
        0.618 0  n2s8ge: Would rather get useful parcels 
              interaction 1.00 0.200, rest 0.00 0.000, meaning 0.28 0.070, names 1.00 0.340, sort 0.00 0.000, salience 0.50 ×1.000, use 0.25 ×1.013
        36 refused, 0 left out, 83 tokens
    "#]];
    asked(&["What does Tomasz own?", "Who could move the database?", "Pixel", "How is Elin?"], &expected);
}

#[test]
fn questions_that_nothing_answers() {
    let expected = expect![[r#"
        quantum chromodynamics
        39 refused, 0 left out, 0 tokens
        Who is Ibrahim Goldstein?
        40 refused, 0 left out, 0 tokens
        What does Tomasz think about Peru?
        0.524 0  i8p4zw: Thinks this is a mistake but one
              interaction 0.56 0.113, rest 1.00 0.150, meaning 0.48 0.119, names 0.40 0.136, sort 0.00 0.000, salience 0.50 ×1.000, use 0.25 ×1.013
        38 refused, 0 left out, 20 tokens
    "#]];
    asked(
        &["quantum chromodynamics", "Who is Ibrahim Goldstein?", "What does Tomasz think about Peru?"],
        &expected,
    );
}

fn about() -> Request {
    Request::new("Bullkorg and Tomasz")
}

fn with(requests: &[(&str, Request)], expected: &Expect) {
    let world = demo();
    let text = requests
        .iter()
        .map(|(name, request)| format!("{name}\n{}", shown(&recalled(&world, request), false)));
    expected.assert_eq(&text.collect::<String>());
}

#[test]
fn each_filter() {
    let expected = expect![[r#"
        salience
        0.835 0  s0k7ce: Decided to move the order databa
        0.830 0  z5r1lo: Tomasz and Mara split revenue 40
        0.829 0  f1c7nd: Baby due in mid-January; Tomasz 
        0.808 0  g9r2ub: Orders live on PostgreSQL since 
        0.559 0  qzg09pn0es: Deadly serious about pierogi; al
        2.790 1 bullkorg q2w8jr: On 12 August lost replies from S
        2.599 1 bullkorg x5o1vm: Fewer retries, and every order c
        2.416 1 bullkorg v6a1tm: Many more attempts from today, a
        2.350 1 bullkorg u0e4gn: First meeting went well; written
        2.350 1 bullkorg j6s0wo: Pilot in three cafés from 21 Sep
        8 refused, 0 left out, 303 tokens
        kind
        0.459 0  p3f7yd: A postponed safety measure needs
        0.450 0  i8p4zw: Thinks this is a mistake but one
        0.422 0  g4b7ts: Writes objections as a numbered 
        1.846 1 mara d3t7vk: Does not want outside investors,
        1.819 1 mara a6j0fn: Answers under 120 words unless s
        1.037 1 mara j1l6xq: English with me, Swedish with ba
        1.017 1 mara b2k9wa: no coffee at all after lunch, ro
        1.016 1 mara h8d5vy: Likes a table when there are mor
        1.016 1 mara e1w9sk: No exclamation marks and no emoj
        1.011 1 mara t6z0mg: Dislikes the word "founder" in a
        5 refused, 0 left out, 232 tokens
        since
        0.829 0  f1c7nd: Baby due in mid-January; Tomasz 
        0.808 0  g9r2ub: Orders live on PostgreSQL since 
        0.459 0  p3f7yd: A postponed safety measure needs
        2.790 1 bullkorg q2w8jr: On 12 August lost replies from S
        2.599 1 bullkorg x5o1vm: Fewer retries, and every order c
        2.350 1 bullkorg u0e4gn: First meeting went well; written
        2.350 1 bullkorg j6s0wo: Pilot in three cafés from 21 Sep
        1.997 1 mara r8a5pj: Mara gave Hana her word that she
        1.739 1 mara q8n1fy: Promised to spend Christmas in U
        1.568 1 mara c5j8iv: Phase 2 agreed by handshake on a
        12 refused, 0 left out, 289 tokens
        entity
        0.450 0  i8p4zw: Thinks this is a mistake but one
        2.937 1 retries q2w8jr: On 12 August lost replies from S
        2.708 1 retries x5o1vm: Fewer retries, and every order c
        2.515 1 retries v6a1tm: Many more attempts from today, a
        3 refused, 0 left out, 122 tokens
    "#]];
    with(
        &[
            ("salience", Request { min_salience: Some(0.8), ..about() }),
            ("kind", Request { kind: Some(Kind::Opinion), ..about() }),
            ("since", Request { since: Some(date(2026, 8, 1)), ..about() }),
            ("entity", Request { entities: vec!["retries".to_owned()], ..about() }),
        ],
        &expected,
    );
}

#[test]
fn other_days() {
    let expected = expect![[r#"
        as of
        0.835 0  s0k7ce: Decided to move the order databa
        0.830 0  z5r1lo: Tomasz and Mara split revenue 40
        0.721 0  h5e9zt: Templates are turned into basket
        0.559 0  qzg09pn0es: Deadly serious about pierogi; al
        0.480 0  q7y2nd: Booleans stored as 0, 1 and, in 
        0.422 0  g4b7ts: Writes objections as a numbered 
        2.163 1 bullkorg p9x2ke: Slantpay is the only card proces
        1.826 1 bullkorg d3t7vk: Does not want outside investors,
        1.189 1 bullkorg w1o4xh: Churn so far is two bakeries, bo
        1.170 1 bullkorg b8e3ja: Public API allows 100 requests p
        12 refused, 0 left out, 295 tokens
        past
        0.835 0  s0k7ce: Decided to move the order databa
        0.830 0  z5r1lo: Tomasz and Mara split revenue 40
        0.829 0  f1c7nd: Baby due in mid-January; Tomasz 
        0.808 0  g9r2ub: Orders live on PostgreSQL since 
        0.740 0  t1n5gk: Restore drill took 47 minutes; p
        0.721 0  h5e9zt: Templates are turned into basket
        0.559 0  qzg09pn0es: Deadly serious about pierogi; al
        0.480 0  q7y2nd: Booleans stored as 0, 1 and, in 
        0.459 0  p3f7yd: A postponed safety measure needs
        0.450 0  i8p4zw: Thinks this is a mistake but one
        29 refused, 0 left out, 278 tokens
    "#]];
    with(
        &[
            ("as of", Request { as_of: Some(date(2026, 7, 7)), ..about() }),
            ("past", Request { past: true, ..about() }),
        ],
        &expected,
    );
}

#[test]
fn how_far_and_how_much() {
    let expected = expect![[r#"
        k
        0.835 0  s0k7ce: Decided to move the order databa
        0.830 0  z5r1lo: Tomasz and Mara split revenue 40
        28 refused, 0 left out, 55 tokens
        depth
        0.835 0  s0k7ce: Decided to move the order databa
        0.830 0  z5r1lo: Tomasz and Mara split revenue 40
        0.829 0  f1c7nd: Baby due in mid-January; Tomasz 
        0.808 0  g9r2ub: Orders live on PostgreSQL since 
        0.740 0  t1n5gk: Restore drill took 47 minutes; p
        0.721 0  h5e9zt: Templates are turned into basket
        0.559 0  qzg09pn0es: Deadly serious about pierogi; al
        0.480 0  q7y2nd: Booleans stored as 0, 1 and, in 
        0.459 0  p3f7yd: A postponed safety measure needs
        0.450 0  i8p4zw: Thinks this is a mistake but one
        28 refused, 0 left out, 278 tokens
        decay
        0.835 0  s0k7ce: Decided to move the order databa
        0.830 0  z5r1lo: Tomasz and Mara split revenue 40
        0.829 0  f1c7nd: Baby due in mid-January; Tomasz 
        0.808 0  g9r2ub: Orders live on PostgreSQL since 
        0.740 0  t1n5gk: Restore drill took 47 minutes; p
        0.721 0  h5e9zt: Templates are turned into basket
        0.559 0  qzg09pn0es: Deadly serious about pierogi; al
        0.480 0  q7y2nd: Booleans stored as 0, 1 and, in 
        0.459 0  p3f7yd: A postponed safety measure needs
        0.450 0  i8p4zw: Thinks this is a mistake but one
        28 refused, 0 left out, 278 tokens
        budget
        0.835 0  s0k7ce: Decided to move the order databa
        0.830 0  z5r1lo: Tomasz and Mara split revenue 40
        0.829 0  f1c7nd: Baby due in mid-January; Tomasz 
        28 refused, 7 left out, 85 tokens
        additive
        0.672 0  f1c7nd: Baby due in mid-January; Tomasz 
        0.665 0  g9r2ub: Orders live on PostgreSQL since 
        0.662 0  s0k7ce: Decided to move the order databa
        0.648 0  z5r1lo: Tomasz and Mara split revenue 40
        0.591 0  t1n5gk: Restore drill took 47 minutes; p
        0.568 0  qzg09pn0es: Deadly serious about pierogi; al
        0.547 0  h5e9zt: Templates are turned into basket
        0.455 0  q7y2nd: Booleans stored as 0, 1 and, in 
        0.419 0  p3f7yd: A postponed safety measure needs
        0.415 0  i8p4zw: Thinks this is a mistake but one
        28 refused, 0 left out, 278 tokens
    "#]];
    with(
        &[
            ("k", Request { k: Some(2), ..about() }),
            ("depth", Request { depth: Some(3), ..about() }),
            ("decay", Request { depth: Some(3), decay: Some(0.9), ..about() }),
            ("budget", Request { budget: Some(90), ..about() }),
            ("additive", Request { scorer: Scorer::Additive, ..about() }),
        ],
        &expected,
    );
}

#[test]
fn what_was_used_lately_comes_before_its_like() {
    let lines =
        "- W(s=0.5) @boat: the boat has a red sail ^red\n- W(s=0.5) @boat: the boat has a blue sail ^blue\n";
    let world = World::new(&[("memory/boat.md", lines)]);
    let noon = jiff::Timestamp::from_second(1_788_782_400).unwrap().as_millisecond();
    let first = |id: &str, days: i64| {
        let access = Access { count: 3, last_ms: Some(noon - days * 86_400_000) };
        let uses = Uses::from([(id.to_owned(), access)]);
        let found = world.recall(&Request::new("Which sail has the boat?"), TODAY, &uses).unwrap();
        assert_eq!(found.recalled.len(), 2);
        found.recalled[0].fact.id.clone()
    };
    assert_eq!((first("red", 1), first("blue", 1)), ("red".to_owned(), "blue".to_owned()));
}

#[test]
fn what_nobody_trusts_is_recalled_when_it_is_asked_for() {
    let own = "- W @boat: the boat lies in the harbour ^own\n";
    let page = "- W @boat: the boat was sold in the harbour ^page\n";
    let world = World::new(&[("memory/boat.md", own), ("memory/outside.md", page)]);
    let ids = |untrusted: bool| {
        let request = Request { untrusted, ..Request::new("boat harbour") };
        let mut ids: Vec<String> =
            recalled(&world, &request).recalled.into_iter().map(|one| one.fact.id).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(false), ["own"]);
    assert_eq!(ids(true), ["own", "page"]);
}

#[test]
fn other_spellings_and_other_forms_find_the_fact() {
    let lines = "- W @garden: The tomatoes were planted behind the greenhouse ^t\n\
                 - W @Søren: Søren repairs violins in Ålesund ^v\n- W @car: Das Auto wurde neu lackiert ^a\n";
    let world = World::new(&[("memory/things.md", lines)]);
    let text = ["planting tomatoes", "tomatos", "violin repair", "Soren", "lackierte Autos", "green house"]
        .map(|query| {
            let found = recalled(&world, &Request::new(query));
            let ids: Vec<String> = found
                .recalled
                .iter()
                .map(|one| format!("{} {:.3}", one.fact.id, one.score.value()))
                .collect();
            format!("{query}: {}\n", ids.join(", "))
        });
    expect![[r#"
        planting tomatoes: t 0.894
        tomatos: t 0.836
        violin repair: v 0.793
        Soren: v 0.761
        lackierte Autos: a 0.853
        green house: 
    "#]]
    .assert_eq(&text.concat());
}
