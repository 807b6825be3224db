//! Canaries through every door, forgotten in every way, looked for in every byte.

use std::ops::ControlFlow;

use mindfile::chat::Call;
use mindfile::forget::What;
use mindfile::origin::{Door, Origin};
use mindfile::recall::{self, Touch};
use mindfile::session::tools::{self, EmptyToolbox, Kit};
use mindfile::session::{About, Message, Role};
use mindfile::{Memory, Source, draft, reflect, retain, search};
use mindfile_care::backup;
use mindfile_hosts::host::hook;
use mindfile_hosts::host::{Call as Hook, Event, Host};
use mindfile_hosts::import::{self, Mode, Source as Program};
use serde_json::json;

use super::{cases, forget, holding, owner};
use crate::world::{World, put};

/// A sentence that no language has twice.
fn canary(n: usize) -> (String, String) {
    let token = format!("lampkeeper{n:04}x");
    (format!("The amber key of {token} lies under the seventh stone of the north pier"), token)
}

const WAYS: usize = 18;

/// Writes a canary by the way that its number says, and gives how it is forgotten.
fn plant(world: &World, n: usize) -> What {
    let (text, token) = canary(n);
    let at = |door: Door| world.memory().through(door);
    let request =
        |text: &str| retain::Request { salience: Some(0.9), force: true, ..retain::Request::new(text) };
    let keep = |door: Door| at(door).retain(&request(&text)).unwrap().fact.id;
    match n % WAYS {
        0 => What::Fact(keep(Door::Terminal)),
        1 => What::Fact(keep(Door::Mcp)),
        2 => What::Fact(keep(Door::Http)),
        3 => What::Query(format!("amber key of {}", {
            keep(Door::Hook);
            token
        })),
        4 => {
            keep(Door::Import);
            What::Origin(Origin::Untrusted)
        }
        5 => {
            keep(Door::Tool);
            What::Origin(Origin::Untrusted)
        }
        6 => {
            let entity = format!("Keeper{n}");
            let request = retain::Request { entities: vec![entity.clone()], ..request(&text) };
            at(Door::Terminal).retain(&request).unwrap();
            at(Door::Terminal)
                .retain(&retain::Request { text: format!("{text} and more"), ..request })
                .unwrap();
            What::Entity(entity)
        }
        7 => {
            let key = format!("pier.key{n}");
            at(Door::Terminal).retain(&retain::Request { key: Some(key.clone()), ..request(&text) }).unwrap();
            What::Fact(key)
        }
        8 => {
            world.save(
                &format!("memory/notes-{n}.md"),
                format!("# Pier\r\n\r\nA line.\r\n{text}\r\nAnother.\r\n").as_bytes(),
            );
            What::Query(token)
        }
        9 => {
            let day = jiff::civil::date(2019, 1, 1).saturating_add(jiff::Span::new().days(n as i64));
            world.save(
                &format!("memory/{day}.md"),
                format!("# A day\n\nWe met. {text}\n- W @pier: {text}\n").as_bytes(),
            );
            What::Days { since: Some(day), until: Some(day) }
        }
        10..14 => speak(world, n, &text, token),
        _ => bring(world, n, &text, token),
    }
}

/// The same for what comes from elsewhere: an import, a hook, an edit, a model's tool.
fn bring(world: &World, n: usize, text: &str, token: String) -> What {
    match n % WAYS {
        14 => {
            let folder = tempfile::tempdir().unwrap();
            put(&folder.path().join(format!("n{n}.md")), format!("# Note\n\n{text}\n").as_bytes());
            let memory = world.memory().through(Door::Import);
            import::run(&memory, Program::named("obsidian").unwrap(), folder.path(), Mode::Write).unwrap();
            What::Query(token)
        }
        15 => {
            let told = json!({"conversation_id": format!("h{n}"), "prompt": format!("Remember: {text}.")});
            let call =
                Hook::read(Host::named("cursor").unwrap(), Event::PromptSubmit, told.to_string().as_bytes())
                    .unwrap();
            hook::run(&world.memory().through(Door::Hook), &call).unwrap();
            What::Session(call.session)
        }
        16 => {
            let request = retain::Request::new(&format!("Something else about the pier, number {n}"));
            let id = owner(world).retain(&request).unwrap().fact.id;
            owner(world).edit(&id, text).unwrap();
            What::Fact(id)
        }
        _ => {
            let (name, arguments) = ("memory_append".to_owned(), json!({"text": text}));
            owner(world).say("t", &[Message::new(Role::User, "Hi.").entry()], &About::default()).unwrap();
            tools::call(
                &owner(world),
                &EmptyToolbox,
                Kit::Flush,
                "t",
                &Call { id: "c".to_owned(), name, arguments },
            );
            What::Query(token)
        }
    }
}

/// The same for what is said in a conversation.
fn speak(world: &World, n: usize, text: &str, token: String) -> What {
    let at = |door: Door| world.memory().through(door);
    let say = |door: Door, session: &str, role: Role, text: &str| {
        at(door).say(session, &[Message::new(role, text).entry()], &About::default()).unwrap();
    };
    let session = format!("s{n}");
    match n % WAYS {
        10 => {
            say(Door::Terminal, &session, Role::User, &format!("Please remember: {text}."));
            at(Door::Terminal).flush(&session, None).unwrap();
            What::Session(session)
        }
        11 => {
            say(Door::Chat, &session, Role::Assistant, &format!("Fine. {text}. We decided to keep {token}."));
            What::Query(token)
        }
        12 => {
            say(Door::Terminal, &session, Role::Tool, text);
            What::Origin(Origin::Untrusted)
        }
        _ => {
            say(Door::Import, &session, Role::User, &format!("I like it. {text}! My wife Ana knows."));
            What::Session(session)
        }
    }
}

/// Everything that makes further copies.
fn spread(memory: &Memory) {
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    memory
        .recall(
            &recall::Request { k: Some(1000), untrusted: true, ..recall::Request::new("amber key") },
            Touch::Yes,
        )
        .unwrap();
    memory.reflect(reflect::CoreRequest { max_tokens: Some(50_000), dry_run: false }).unwrap();
    memory
        .search(&search::Request { untrusted: true, ..search::Request::new("amber key pier") }, None)
        .unwrap();
    let backup = memory.settings().state_dir.join(format!("made-{}.tar", memory.uses().unwrap().len()));
    if !backup.exists() {
        backup::make(memory, &backup).unwrap();
    }
}

fn leaks(world: &World, tokens: &[String]) -> Vec<(String, Vec<String>)> {
    let all = world.tree();
    let has = |bytes: &[u8], token: &str| memchr::memmem::find(bytes, token.as_bytes()).is_some();
    let holding = |token: &String| -> Vec<String> {
        let found = all.iter().filter(|(_, bytes)| has(bytes, token));
        found.map(|(path, _)| path.display().to_string()).collect()
    };
    tokens
        .iter()
        .map(|token| (token.clone(), holding(token)))
        .filter(|(_, files)| !files.is_empty())
        .collect()
}

#[test]
fn no_byte_of_a_canary_is_left_and_none_comes_back() {
    let count = cases(WAYS);
    let mut world = World::new(&[("MEMORY.md", "# Mine\n\nMy own words stay.\n")]);
    world.settings.sessions.enabled = true;
    world.settings.sessions.tool_output = true;
    world.settings.sources = vec![Source::Memory, Source::Sessions];
    let mut wanted: Vec<What> = Vec::new();
    for n in 0..count {
        let what = plant(&world, n);
        if !wanted.contains(&what) {
            wanted.push(what);
        }
    }
    let memory = owner(&world);
    spread(&memory);
    world.interrupt_rebuild();
    let tokens: Vec<String> = (0..count).map(|n| canary(n).1).collect();
    let before = leaks(&world, &tokens);
    assert_eq!(before.len(), count, "every canary is there to be forgotten");
    for wanted in ["main.sqlite", "made-"] {
        let all = before.iter().all(|(_, files)| files.iter().any(|file| file.contains(wanted)));
        assert!(all, "{wanted}: {before:?}");
    }
    // All that is untrusted would take what other ways are to find.
    wanted.sort_by_key(|what| matches!(what, What::Origin(_)));
    for what in wanted {
        let done = forget(&memory, what.clone());
        assert!(!done.is_empty() && done.pending.is_empty(), "{what:?}: {done:?}");
    }
    assert_eq!(leaks(&world, &tokens), []);
    drop(memory);
    let memory = owner(&world);
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    memory.rebuild(&mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(leaks(&world, &tokens), []);
    for n in 0..count {
        feed_again(&world, n);
    }
    spread(&owner(&world));
    assert_eq!(leaks(&world, &tokens), []);
    assert!(std::fs::read_to_string(world.note("MEMORY.md")).unwrap().contains("My own words stay."));
}

/// The same text again, through every way in; each refuses it or covers it.
fn feed_again(world: &World, n: usize) {
    let (text, _) = canary(n);
    for door in Door::ALL {
        let memory = world.memory().through(door);
        let refused = memory.retain(&retain::Request::new(&format!("I say it again: {text}"))).unwrap_err();
        assert!(refused.to_string().contains("was forgotten on request"), "{door}: {refused}");
        assert!(draft::bind(&memory, "memory/imports/again.md", &format!("# Old\n\n{text}\n")).is_err());
    }
    let memory = owner(world);
    let again = [Role::User, Role::Assistant, Role::Tool, Role::System]
        .map(|role| Message::new(role, format!("Remember that we decided: {text}. So be it.")).entry());
    let said = memory.say(&format!("again{n}"), &again, &About::default()).unwrap();
    assert!(
        said.candidates.iter().all(|candidate| !candidate.text.contains("amber")),
        "{:?}",
        said.candidates
    );
    memory.flush(&format!("again{n}"), None).unwrap();
}

/// The control of the test above: a line that is only deleted by hand stays in the index's file.
#[test]
fn what_is_only_deleted_is_still_there() {
    let world = World::new(&[]);
    let (text, token) = canary(0);
    world.save("memory/a.md", text.as_bytes());
    world.sync();
    std::fs::remove_file(world.note("memory/a.md")).unwrap();
    world.save("memory/b.md", b"something else");
    world.sync();
    assert_ne!(holding(&world, &token), Vec::<String>::new());
}
