//! A rule that comes later holds for what is stored.

use std::fs;

use mindfile::policy::Class;

use super::{ACCOUNT, token};
use crate::world::{World, put};

fn holds(world: &World, text: &str) -> Vec<String> {
    let has = |bytes: &[u8]| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    let held = world.tree().into_iter().filter(|(_, bytes)| has(bytes));
    held.map(|(path, _)| world.tidy(path.to_str().unwrap())).collect()
}

#[test]
fn what_is_stored_is_listed_and_taken_out_everywhere() {
    let value = token();
    let note =
        format!("# Keys\r\n\r\nThe deploy token is {value} today.\r\nRent goes to {ACCOUNT}.\r\nlast line");
    let world = World::new(&[("memory/keys.md", &note), ("memory/other.md", "# Other\n")]);
    let line = |text: &str| {
        format!(
            "{{\"type\":\"message\", \"id\":\"a\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
        )
    };
    let transcript = format!("{}{}", line("hello  there"), line(&format!("use {value} please")));
    put(&world.at("agents/main/sessions/s1.jsonl"), transcript.as_bytes());
    put(&world.at("memory/main.candidates.jsonl"), format!("{{\"text\":\"{value}\"}}\n").as_bytes());
    put(&world.at("memory/main.reflect/1-0.before"), note.as_bytes());
    world.sync();

    let memory = world.memory();
    let listed = memory.apply_policy(true).unwrap();
    let places: Vec<(&str, u32, Class)> =
        listed.found.iter().map(|one| (one.path.as_str(), one.line, one.class)).collect();
    assert_eq!(
        places,
        [
            ("memory/keys.md", 3, Class::NeverStore),
            ("memory/keys.md", 4, Class::Masked),
            ("sessions/s1.jsonl", 2, Class::NeverStore),
            ("memory/main.reflect/1-0.before", 3, Class::NeverStore),
            ("memory/main.reflect/1-0.before", 4, Class::Masked),
            ("memory/main.candidates.jsonl", 1, Class::NeverStore),
        ]
    );
    assert!(listed.changed.is_empty() && !format!("{listed:?}").contains(&value));
    assert_eq!(fs::read_to_string(world.note("memory/keys.md")).unwrap(), note);

    let applied = memory.apply_policy(false).unwrap();
    assert_eq!((applied.found, applied.left), (listed.found, Vec::<String>::new()));
    assert_eq!(applied.changed.len(), 4);
    assert_eq!(holds(&world, &value), Vec::<String>::new());
    let expected = note.replace(&value, "[removed: github-token]");
    assert_eq!(fs::read_to_string(world.note("memory/keys.md")).unwrap(), expected);
    let expected = transcript.lines().next().unwrap().to_owned();
    assert!(fs::read_to_string(world.at("agents/main/sessions/s1.jsonl")).unwrap().starts_with(&expected));
    let again = memory.apply_policy(false).unwrap();
    assert!(again.changed.is_empty() && again.found.iter().all(|one| one.class == Class::Masked));
}
