use mindfile::recall::{Recalled, Request, Touch};

use crate::world::World;

const NOTE: &str = "# Day\n\n\
    - W(s=0.6) @checkout @orders-db: Checkout is slow because orders-db lost an index ^slow\n\
    - W(s=0.55) @orders-db @Sarah: Sarah designed the schema of orders-db ^schema\n\
    - B(s=0.95) @Sarah @project: Sarah is leaving the company next month ^leaves\n\
    - W(s=0.3) @api: Rate limiting is 100 requests per minute ^rate\n";

fn world() -> World {
    World::new(&[("memory/2026-07-14.md", NOTE)])
}

fn ids(world: &World, request: &Request) -> Vec<String> {
    let shown = |one: &Recalled| match one.hop {
        0 => one.fact.id.clone(),
        hop => format!("{} {hop} {}", one.fact.id, one.via.join(">")),
    };
    world.memory().recall(request, Touch::No).unwrap().answer.recalled.iter().map(shown).collect()
}

#[test]
fn connections_come_out_of_the_index_with_their_path() {
    let asked = Request { depth: Some(2), ..Request::new("Who could make checkout fast again?") };
    assert_eq!(ids(&world(), &asked), ["slow", "schema 1 orders-db", "leaves 2 orders-db>sarah"]);
}

#[test]
fn what_nobody_said_comes_back_empty() {
    assert_eq!(ids(&world(), &Request::new("Which dentist did Marcus choose?")), [""; 0]);
}

#[test]
fn what_is_recalled_counts_as_used_unless_it_is_only_looked_at() {
    let world = world();
    let memory = world.memory();
    let asked = Request::new("rate limiting");
    memory.recall(&asked, Touch::No).unwrap();
    assert!(memory.uses().unwrap().is_empty());
    memory.recall(&asked, Touch::Yes).unwrap();
    let again = memory.recall(&asked, Touch::Yes).unwrap();
    assert_eq!(memory.uses().unwrap().get("rate").map(|access| access.count), Some(2));
    assert_eq!(again.answer.recalled[0].fact.access.count, 1);
}

#[test]
fn what_is_kept_of_facts_between_recalls_follows_the_notes() {
    let note = |name: &str| {
        format!(
            "- W @dog: The dog is called {name} ^dog\n- O(key=editor.theme) @user: dark ^theme\n- W @cat: The cat is grey ^cat\n"
        )
    };
    let world = World::new(&[("memory/2026-07-14.md", &note("Pixel"))]);
    let memory = world.memory();
    let told = |asked: &str| {
        let answer = memory.recall(&Request::new(asked), Touch::No).unwrap().answer;
        answer.recalled.into_iter().map(|one| (one.fact.text, one.fact.until.is_some())).collect::<Vec<_>>()
    };
    let said = |text: &str| (text.to_owned(), false);
    assert_eq!(told("What is the dog called?")[0], said("The dog is called Pixel"));
    assert_eq!(told("editor.theme"), [said("dark")]);
    world.save("memory/2026-07-14.md", note("Bruno").as_bytes());
    assert_eq!(told("What is the dog called?")[0], said("The dog is called Bruno"));
    assert_eq!(told("What colour is the cat?")[0], said("The cat is grey"));
    world.save("memory/2026-07-15.md", b"- O(key=editor.theme,v=2) @user: light ^theme2\n");
    assert_eq!(told("editor.theme")[0], said("light"));
}

#[test]
fn salience_that_is_edited_by_hand_changes_the_order() {
    let line = |id: &str, salience: f32| {
        format!("- W(s={salience}) @db: The backup of db runs at night ({id}) ^{id}\n")
    };
    let both = |a: f32, b: f32| format!("{}{}", line("one", a), line("two", b));
    let world = World::new(&[("memory/2026-07-14.md", &both(0.9, 0.8))]);
    let asked = Request { depth: Some(0), ..Request::new("When does the backup of db run?") };
    assert_eq!(ids(&world, &asked), ["one", "two"]);
    world.save("memory/2026-07-14.md", both(0.8, 0.9).as_bytes());
    assert_eq!(ids(&world, &asked), ["two", "one"]);
}

#[test]
fn a_fact_that_was_written_just_now_is_recalled() {
    let world = world();
    let memory = world.memory();
    let asked = Request { depth: Some(0), ..Request::new("Where is the spare key?") };
    assert!(memory.recall(&asked, Touch::No).unwrap().answer.recalled.is_empty());
    world.save("memory/2026-07-15.md", b"- W @key: The spare key is under the mat ^mat\n");
    let found = memory.recall(&asked, Touch::No).unwrap().answer.recalled;
    assert_eq!(found.iter().map(|one| one.fact.id.as_str()).collect::<Vec<_>>(), ["mat"]);
}

#[test]
fn of_an_entity_that_no_fact_names_nothing_is_recalled() {
    let asked = Request { entities: vec!["Sara".to_owned()], ..Request::new("leaving") };
    assert!(world().memory().recall(&asked, Touch::No).unwrap().answer.recalled.is_empty());
}

/// The embedded table knows English: of other languages it knows letters, which every fact has.
#[test]
fn in_other_languages_words_decide_in_whatever_form() {
    let polish = World::new(&[(
        "memory/2026-07-14.md",
        "- W @Łukasz: Łukasz mieszka od maja w Krakowie ^krakow\n\
         - O @Łukasz: Łukasz nie lubi porannych spotkań ^rano\n\
         - W @Łukasz @rower: Rower Łukasza ma nowy łańcuch ^rower\n\
         - W @Marta: Marta prowadzi zajęcia jogi we wtorki ^joga\n\
         - W: Wynajem kajaków kosztuje czterdzieści złotych ^kajak\n",
    )]);
    let asked = |query: &str| ids(&polish, &Request { depth: Some(0), ..Request::new(query) });
    assert_eq!(asked("Gdzie mieszka Łukasz?"), ["krakow"]);
    assert_eq!(asked("Ile kosztuje wynajęcie kajaka?"), ["kajak"]);
    assert_eq!(asked("Co wymieniono w rowerze Łukasza?"), ["rower"]);
    assert_eq!(asked("Łukasz"), ["krakow", "rano", "rower"]);
    assert_eq!(asked("Jaki samochód ma Łukasz?"), [""; 0]);
    assert_eq!(ids(&polish, &Request::new("Gdzie mieszka Łukasz?")), ["krakow"], "a question is for a fact");
    assert_eq!(asked("Jaka jest stolica Mongolii?"), [""; 0]);
    let elsewhere = Request { depth: Some(0), ..Request::new("Co Sarah robi w następnym miesiącu?") };
    assert_eq!(ids(&world(), &elsewhere), ["leaves", "schema"], "all that English facts say of her");
    let japanese = World::new(&[(
        "memory/2026-07-14.md",
        "- W: 会議は水曜日の午後三時に変わりました ^kaigi\n\
         - W: 猫の名前はミケで、魚が好きです ^neko\n\
         - W: 駅前のパン屋は月曜日が休みです ^panya\n",
    )]);
    let asked = |query: &str| ids(&japanese, &Request { depth: Some(0), ..Request::new(query) });
    assert_eq!(asked("パン屋の休みはいつですか"), ["panya"]);
    assert_eq!(asked("猫の名前は何ですか"), ["neko"]);
    assert_eq!(asked("飛行機の切符はいくらですか"), [""; 0]);
}
