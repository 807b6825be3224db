//! One line on the disk before the answer, in the index right after it.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use expect_test::expect;
use mindfile::fact::Kind;
use mindfile::fault::Explain;
use mindfile::retain::{Outcome, Request};
use mindfile_index::{FactQuery, Index, StoredChunk, single};

use super::{TODAY, about, keep, read, retain, without_ids};
use crate::world::{NOTES, World};

#[test]
fn a_fact_is_one_line_under_its_heading() {
    let world = World::new(&[]);
    let first = Request {
        kind: Some(Kind::Experience),
        salience: Some(0.95),
        ..about("Sarah is leaving the company next month", &["Sarah", "project"])
    };
    let kept = retain(&world.memory(), &first).unwrap();
    assert_eq!(kept.fact.shown(), "B(s=0.95) @Sarah @project: Sarah is leaving the company next month");
    assert_eq!((kept.outcome, kept.fact.path.as_str(), kept.fact.line), (Outcome::Written, TODAY, 5));
    let second =
        Request { salience: Some(0.3), ..about("Rate limiting is 100 requests\nper minute", &["api"]) };
    retain(&world.memory(), &second).unwrap();
    expect![[r#"
        # 2050-07-14

        ## Retain

        - B(s=0.95) @Sarah @project: Sarah is leaving the company next month
        - W(s=0.3) @api: Rate limiting is 100 requests per minute
    "#]]
    .assert_eq(&without_ids(&read(&world, TODAY)));
    let found = world.memory().inspect(&kept.fact.id, None).unwrap();
    assert_eq!(found.fact, kept.fact);
}

#[test]
fn entities_come_from_flags_tags_and_known_names() {
    let world = World::new(&[
        ("memory/a.md", "- W @slow-endpoint @Peter: one\n"),
        ("bank/entities/peter.md", "alias: Pete = Peter\n"),
    ]);
    let kept = keep(&world, "pete met @Ann (ann@example.org) about the slow endpoint", &["standup"]);
    assert_eq!(kept.fact.spelled, ["standup", "Ann", "Peter", "slow-endpoint"]);
    assert_eq!(kept.fact.entities, ["standup", "ann", "peter", "slow-endpoint"]);
}

#[test]
fn the_same_id_writes_nothing_twice() {
    let world = World::new(&[]);
    let request = Request { id: Some("msg-17".to_owned()), ..about("Tea at four", &["ann"]) };
    let first = retain(&world.memory(), &request).unwrap();
    let text = read(&world, TODAY);
    let again = retain(&world.memory(), &Request { text: "Tea at five".to_owned(), ..request }).unwrap();
    assert_eq!((first.outcome, again.outcome), (Outcome::Written, Outcome::Known));
    assert_eq!((again.fact.text.as_str(), read(&world, TODAY)), ("Tea at four", text));
}

#[test]
fn a_duplicate_is_named_and_not_written() {
    let world = World::new(&[("memory/a.md", "- W @api: The rate limit is 100 requests per minute ^old\n")]);
    let refused = |text: &str| retain(&world.memory(), &about(text, &["api"])).unwrap_err().to_string();
    assert_eq!(
        refused("the RATE limit is 100 requests per minute."),
        "EDUPFACTS: already known as ^old in memory/a.md:1: The rate limit is 100 requests per minute"
    );
    assert_eq!(
        refused("Rate limiting is 100 requests per minute"),
        "EDUPFACTS: nearly the same is known as ^old in memory/a.md:1: The rate limit is 100 requests per minute"
    );
    assert!(!world.note(TODAY).exists());
    keep(&world, "The rate limit is 200 requests per minute", &["api"]);
    keep(&world, "The rate limit is 100 requests per minute", &["billing"]);
    let forced = Request { force: true, ..about("The rate limit is 100 requests per minute", &["api"]) };
    retain(&world.memory(), &forced).unwrap();
    assert_eq!(read(&world, TODAY).matches("- W").count(), 3);
}

#[test]
fn a_fact_stands_in_the_file_that_is_named_in_its_own_line_ends() {
    let world = World::new(&[("memory/log.md", "# Log\r\n\r\n```\r\nopen fence\r\n")]);
    let request =
        Request { file: Some("memory/log.md".to_owned()), salience: Some(0.5), ..about("Kept", &["x"]) };
    retain(&world.memory(), &request).unwrap();
    let text = read(&world, "memory/log.md");
    assert!(text.starts_with("# Log\r\n\r\n```\r\nopen fence\r\n```\r\n\r\n## Retain\r\n\r\n- W(s=0.5,seen=2050-07-14) @x: Kept ^"), "{text:?}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert_eq!(world.memory().entity("x").unwrap().facts.len(), 1);
}

#[test]
fn a_folder_of_plain_notes_stays_one() {
    let world = World::new(&[("ideas.md", "# Ideas\n\nA boat.\n")]);
    let kept = keep(&world, "Boats need paint", &["boat"]);
    assert_eq!(kept.fact.path, "2050-07-14.md");
    assert_eq!(world.finds("boat"), ["ideas.md", "2050-07-14.md"]);
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let world = World::new(NOTES);
    world.sync();
    let before = world.tree();
    let base = || about("Something", &["x"]);
    let cases = [
        (Request { salience: Some(1.5), ..base() }, "salience is 1.5; it must be from 0 to 1"),
        (Request { salience: Some(f32::NAN), ..base() }, "salience is NaN; it must be from 0 to 1"),
        (Request { confidence: Some(-0.1), ..base() }, "confidence is -0.1; it must be from 0 to 1"),
        (
            about("Something", &["a\nb"]),
            "\"a\\nb\" is not an entity's name: it has a line end or another control character",
        ),
        (about("Something", &[" "]), "\" \" is not an entity's name: it has no letter and no digit"),
        (Request::new(" \n\t"), "the fact has no text"),
        (Request::new(&"x".repeat(1 << 20)), "the fact is 1048576 bytes long; it must be at most 8192"),
        (
            Request { ttl: Some("soon".into()), ..base() },
            "ttl is \"soon\"; it must be a duration (180d, 2w) or a day",
        ),
        (
            Request { id: Some("a b".into()), ..base() },
            "id is \"a b\"; it must be 1 to 64 ASCII letters, digits and -",
        ),
        (
            Request { key: Some("a b".into()), ..base() },
            "key is \"a b\"; it must be 1 to 200 characters without spaces",
        ),
        (
            Request { source: Some("chat".into()), ..base() },
            "source is \"chat\"; it must be kind:reference, such as chat:msg_9981",
        ),
        (Request { if_version: Some(1), ..base() }, "if_version is 1; it must be given together with a key"),
        (
            Request { file: Some("../x.md".into()), ..base() },
            "\"../x.md\" is not a memory file: it climbs out of the memory files",
        ),
    ];
    for (request, expected) in cases {
        assert_eq!(retain(&world.memory(), &request).unwrap_err().to_string(), expected);
    }
    assert_eq!(world.tree(), before);
}

#[test]
fn a_missing_or_read_only_workspace_is_said() {
    let world = World::new(NOTES);
    world.sync();
    std::fs::remove_dir_all(world.at("workspace")).unwrap();
    let missing = retain(&world.memory(), &about("x", &["y"])).unwrap_err();
    assert_eq!(world.tidy(&missing.to_string()), "the workspace ~/workspace does not exist");
    let world = World::new(NOTES);
    let lock =
        |mode| std::fs::set_permissions(world.note("memory"), PermissionsExt::from_mode(mode)).unwrap();
    lock(0o500);
    let probe = std::fs::File::create(world.note("memory/probe.md"));
    let refused = retain(&world.memory(), &about("x", &["y"]));
    lock(0o700);
    // Whoever may write anywhere is not kept out by a mode.
    if probe.is_err() {
        let error = refused.unwrap_err();
        assert!(format!("{:?}", error.hint()).contains("check the permissions"), "{error}");
    }
}

#[test]
fn threads_that_retain_at_once_lose_and_repeat_nothing() {
    let world = World::new(&[]);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let world = &world;
            scope.spawn(move || {
                for n in 0..5 {
                    keep(world, &format!("Thread {thread} saw bird number {n}"), &["birds"]);
                }
                let shared = Request { id: Some("one".to_owned()), ..about("Said by everyone", &["all"]) };
                retain(&world.memory(), &shared).unwrap();
            });
        }
    });
    let text = read(&world, TODAY);
    let facts: BTreeSet<&str> = text.lines().filter(|line| line.starts_with("- W")).collect();
    assert_eq!((facts.len(), text.matches("## Retain").count()), (21, 1));
    assert_eq!(world.memory().entity("birds").unwrap().facts.len(), 20);
}

/// SQLite begins its log anew when everything in it is in the database and nobody reads it: a thousand pages at most,
/// however long a server runs.
#[test]
fn the_log_of_the_index_stays_short_however_much_is_retained() {
    let world = World::new(&[]);
    let memory = world.memory();
    for n in 0..120 {
        retain(&memory, &about(&format!("Bird number {n} was seen at the pond"), &["birds"])).unwrap();
    }
    let mut log = world.index().into_os_string();
    log.push("-wal");
    let size = std::fs::metadata(log).unwrap().len();
    assert!(size < 20 << 20, "{size} bytes");
}

/// What the index has of chunks and facts, whatever their numbers.
fn indexed(world: &World) -> Vec<String> {
    let index = world.open_index();
    let snapshot = index.snapshot().unwrap();
    let facts = snapshot.facts(&single::list(&*snapshot, FactQuery::All).unwrap()).unwrap();
    let facts = facts.iter().map(|fact| (fact.chunk.as_ref().clone(), Some(fact.fields.clone())));
    let rows = world.chunks().into_iter().map(|chunk| (chunk, None)).chain(facts);
    let mut shown: Vec<String> = rows
        .map(|(chunk, fields)| {
            let StoredChunk { path, start_line, end_line, context, text, origin, embedding, .. } = chunk;
            format!("{path}:{start_line}-{end_line} {origin:?} {context:?} {text:?} {fields:?} {embedding:?}")
        })
        .collect();
    shown.sort();
    shown
}

/// As an editor does that writes into the file as it stands.
fn overwrite(path: &std::path::Path, text: &str) {
    let mut file = std::fs::OpenOptions::new().write(true).truncate(true).open(path).unwrap();
    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
}

#[test]
fn a_day_that_is_added_to_all_along_is_indexed_as_if_it_were_read_at_once() {
    let mut world = World::new(&[]);
    world.settings.chunking.tokens = 48;
    world.settings.chunking.overlap = 12;
    let memory = world.memory();
    for n in 0..48_usize {
        let text = format!("Crate {n} of the harbour holds {} blue ropes", n * 7);
        let kept = retain(&memory, &Request { force: true, ..about(&text, &["harbour"]) }).unwrap();
        assert_eq!((kept.fact.path.as_str(), kept.notices.len()), (TODAY, 0), "{n}");
        let (path, day) = (world.note(TODAY), read(&world, TODAY));
        match n % 12 {
            // In the same file, of the same length.
            3 => overwrite(&path, &day.replacen("blue", "grey", 1)),
            5 => overwrite(&path, &(day + "\n## By hand\n\nA paragraph about the crane.\n")),
            7 => world.save(TODAY, format!("Begins otherwise now, {n}.\n\n{day}").as_bytes()),
            9 => overwrite(&path, &(day + "```\nan open fence\n")),
            11 => overwrite(&path, &(day + "The mail of ")),
            _ => {}
        }
    }
    world.sync();
    let followed = indexed(&world);
    std::fs::remove_file(world.index()).unwrap();
    world.sync();
    assert_eq!(followed, indexed(&world));
    assert!(followed.len() > 70, "{}", followed.len());
}
