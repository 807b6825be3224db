//! Notes in which people speak by turns: whose words they are decides.

use mindfile::search::{Mode, Request};
use mindfile::session::ChatType;

use super::{all, by, paths};
use crate::world::World;

const MARKET: &str = "# 2026-07-04

Nadia: I sold eleven jars of honey at the market today.
Piet: Well done! How did you get all of it there?
Nadia: By cargo bike. I painted the bike yellow last winter.
Piet: My sister wants one of those. She lives by the canal.
Nadia: She should try mine. I keep it in the shed behind the bakery.
Piet: I will tell her on Sunday when we eat together.
";

const REGATTA: &str = "# 2026-07-11

Piet: I finished the regatta on the lake in third place.
Nadia: Third! What was the wind like?
Piet: Strong all morning. I tore a sail at the second buoy.
Nadia: Oh no. Who will mend it for you?
Piet: An old sailmaker in the harbour. He also taught me splicing.
Nadia: Say hello from me when you see him.
";

const EVENING: &str = "# 2026-07-18

Nadia: The bees swarmed this evening and hung in the pear tree.
Piet: Did anyone get stung?
Nadia: Only my neighbour, once, on the thumb.
Piet: I heard that vinegar helps against it.
Nadia: We used an onion, and he laughed about it.
Piet: An onion goes with everything, as my aunt always says.
";

fn talks() -> World {
    World::new(&[
        ("memory/2026-07-04.md", MARKET),
        ("memory/2026-07-11.md", REGATTA),
        ("memory/2026-07-18.md", EVENING),
    ])
}

fn others_lead(world: &World, query: &str) -> Option<f32> {
    world.ask(&all(query)).answer.strength.unwrap().evidence.others_lead
}

#[test]
fn what_another_says_is_no_answer() {
    let world = talks();
    assert_eq!(
        paths(&world.answer("Where did Piet tear a sail in the regatta?").hits)[0],
        "memory/2026-07-11.md"
    );
    let asked_of_another = world.answer("Where did Nadia tear a sail in the regatta?");
    assert_eq!(paths(&asked_of_another.hits), Vec::<&str>::new());
    assert!(asked_of_another.below_minimum > 0, "they are there for who asks for them");
    let wrong = others_lead(&world, "Where did Nadia tear a sail in the regatta?").unwrap();
    let right = others_lead(&world, "Where did Piet tear a sail in the regatta?").unwrap();
    assert!(right < 0.0 && wrong > 0.25, "{right} {wrong}");
}

#[test]
fn what_a_note_says_about_them_is_an_answer() {
    let world = talks();
    world.save("memory/sails.md", b"# Sails\n\nNadia tore a sail in the regatta of 2024, at the pier.\n");
    let answer = world.answer("Where did Nadia tear a sail in the regatta?");
    assert_eq!(paths(&answer.hits)[0], "memory/sails.md");
    let lead = answer.strength.unwrap().evidence.others_lead.unwrap();
    assert!(lead < 0.25, "{lead}");
}

/// "What was the wind like?" is about who was there.
#[test]
fn a_question_is_about_who_answers_it() {
    let world = talks();
    let of_piet = others_lead(&world, "What did Piet say the wind was like?").unwrap();
    let of_nadia = others_lead(&world, "What did Nadia say the wind was like?").unwrap();
    assert!(of_piet < 0.0 && of_nadia > 0.0, "{of_piet} {of_nadia}");
}

/// As in minutes: what another says of someone by name is about them.
#[test]
fn who_is_named_is_who_it_is_about() {
    let minutes = "Nadia: Piet broke the winch of the crane on Monday.\nOda: The crane is hired.\nNadia: I call the hirer.\n\
                   Piet: I was told nothing of that.\nOda: The ropes are ours.\n";
    let world = World::new(&[("memory/2026-07-25.md", minutes), ("memory/2026-07-04.md", MARKET)]);
    let of_piet = others_lead(&world, "When did Piet break the winch of the crane?").unwrap();
    let of_oda = others_lead(&world, "When did Oda break the winch of the crane?").unwrap();
    assert!(of_piet < 0.0 && of_oda > 0.0, "{of_piet} {of_oda}");
}

#[test]
fn voices_count_only_where_the_question_tells_them_apart() {
    let world = talks();
    assert_eq!(others_lead(&world, "Where was the sail torn in the regatta?"), None, "names nobody");
    assert_eq!(others_lead(&world, "Who mends the sail in Rotterdam?"), None, "names nobody who speaks");
    assert_eq!(others_lead(&world, "Did Nadia and Piet tear a sail?"), None, "names everybody");
    assert_eq!(
        world.ask(&by(Mode::Keyword, "Nadia sail")).answer.hits.len(),
        3,
        "who asks for words gets them"
    );
    let list = World::new(&[("memory/a.md", "Owner: Nadia\nBike: yellow\nSail: torn\nShed: bakery\n")]);
    assert_eq!(others_lead(&list, "Which Bike does the owner have?"), None, "no conversation");
}

#[test]
fn what_they_say_themselves_is_shown_first() {
    let long = (1..15).fold(String::new(), |text, day| {
        text + &format!(
            "Nadia: On day {day} I counted the herons at the pond again, more than ever before.\n\
             Piet: On day {day} I counted the herons at the bridge again, fewer than ever before.\n"
        )
    });
    let world = World::new(&[("memory/2026-07-04.md", &long)]);
    let shown = |query: &str| {
        world.ask(&Request { max_results: Some(1), ..all(query) }).answer.hits[0].snippet.clone()
    };
    let count = |text: &str, name: &str| text.matches(name).count();
    let of_piet = shown("How many herons did Piet count?");
    assert!(count(&of_piet, "Piet:") > 3 * count(&of_piet, "Nadia:"), "{of_piet}");
    let of_nadia = shown("How many herons did Nadia count?");
    assert!(count(&of_nadia, "Nadia:") > 3 * count(&of_nadia, "Piet:"), "{of_nadia}");
}

/// What a group may not see has no part in what it gets to see.
#[test]
fn private_notes_have_no_voice_in_a_group() {
    let private = format!("# Memory\n\n{}", REGATTA.replace("Piet", "Oda"));
    let world = World::new(&[("MEMORY.md", &private), ("memory/2026-07-04.md", MARKET)]);
    let ask = |chat| world.ask(&Request { chat, ..all("Where did Oda tear a sail in the regatta?") }).answer;
    let direct = ask(ChatType::Direct).strength.unwrap().evidence;
    assert!(direct.others_lead.is_some_and(|lead| lead < 0.0), "{direct:?}");
    let group = ask(ChatType::Group);
    assert_eq!(group.strength.unwrap().evidence.others_lead, None);
    assert_eq!(paths(&group.hits), ["memory/2026-07-04.md"]);
}
