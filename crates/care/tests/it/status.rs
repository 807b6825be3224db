//! What `status` tells, and that telling changes nothing.

use std::fs;

use expect_test::{Expect, expect};
use mindfile::config::{self, Maker};
use mindfile::workspace::{Expect as Before, Workspace};
use mindfile_care::status::{self, Check, Counts, IndexState, Presence, Status};

use crate::world::{APPLICATION_ID, FORMAT, Failing, NOTES, World, put};

/// What a person would read first.
fn summary(world: &World, status: &Status) -> String {
    let Status { workspace, index, search, counts, drift, .. } = status;
    let presence = &workspace.presence;
    let fit = &index.fit;
    let embeddings = &search.embeddings;
    let Counts { sources, chunks, .. } = counts;
    let mut lines = vec![
        format!("workspace {presence:?}"),
        format!("index {} {:?}", index.path.display(), index.state),
        format!("embeddings {} {:?} {:?}", embeddings.used, embeddings.model, embeddings.dims),
        format!("chunks {} embedded {} pending {}", chunks.total, chunks.embedded, chunks.pending),
        format!(
            "new {:?} changed {:?} removed {:?} held {:?}",
            drift.new, drift.changed, drift.removed, drift.held
        ),
        format!("fit {fit:?}"),
    ];
    lines.extend(index.why.iter().map(|why| format!("why {why}")));
    lines.extend(
        sources
            .iter()
            .map(|s| format!("{} {} of {:?}, {} chunks", s.source.as_str(), s.indexed, s.on_disk, s.chunks)),
    );
    lines.extend(status.stale.iter().map(|reason| format!("stale: {reason}")));
    lines.extend(status.workspace.skipped.iter().map(|s| format!("skipped {}: {}", s.path, s.reason)));
    lines.extend(status.problems.iter().map(|p| format!("problem {}: {}", p.path, p.what)));
    lines.extend(status.workspace.leftovers.iter().map(|path| format!("leftover {path}")));
    world.tidy(&lines.join("\n"))
}

fn check(world: &World, expected: Expect) {
    expected.assert_eq(&summary(world, &world.status()));
}

fn words(world: &World, check: &Check) -> String {
    world.tidy(&format!("{check:?}"))
}

impl World {
    fn deep(&self) -> Status {
        status::of(&self.memory(), true).unwrap()
    }
}

#[test]
fn without_an_index_it_says_so_and_makes_none() {
    let world = World::new(NOTES);
    let before = world.tree();
    check(
        &world,
        expect![[r#"
            workspace There
            index ~/memory/main.sqlite Absent
            embeddings embedded "potion-base-8M" Some(256)
            chunks 0 embedded 0 pending 0
            new ["MEMORY.md", "memory/2050-07-13.md", "memory/garden.md"] changed [] removed [] held []
            fit Unfilled
            memory 0 of Some(3), 0 chunks
            stale: there is no index yet: the first search makes it"#]],
    );
    assert!(world.status().is_dirty());
    assert_eq!(world.deep().deep.unwrap().index, Check::Skipped("there is no index to check".to_owned()));
    assert_eq!(world.tree(), before);
    assert!(!world.at("memory").exists());
}

#[test]
fn an_index_that_is_up_to_date_has_nothing_to_complain_about() {
    let world = World::new(NOTES);
    world.sync();
    check(
        &world,
        expect![[r#"
            workspace There
            index ~/memory/main.sqlite Ready
            embeddings embedded "potion-base-8M" Some(256)
            chunks 3 embedded 3 pending 0
            new [] changed [] removed [] held []
            fit Fits
            memory 3 of Some(3), 3 chunks"#]],
    );
    let status = world.status();
    assert!(!status.is_dirty());
    assert!(status.index.generation.is_some_and(|generation| generation > 0));
    assert_eq!(status.index.journal_mode.as_deref(), Some("wal"));
    assert_eq!(status.index.sizes.index, fs::metadata(world.index()).unwrap().len());
}

#[test]
fn a_deep_look_finds_everything_in_order() {
    let world = World::new(NOTES);
    world.sync();
    let deep = world.deep().deep.unwrap();
    let told: Vec<String> = [deep.index, deep.notes, deep.embeddings, deep.engines]
        .iter()
        .map(|check| words(&world, check))
        .collect();
    expect![[r#"
        Passed("text, words and vectors of 3 chunks match their checksums")
        Passed("3 notes are indexed as on the disk")
        Passed("a word was embedded in 256 dimensions")
        Passed("the scan and sqlite-vec give the same best 10 for 3 of your own chunks")"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn looking_leaves_every_file_as_it_was() {
    let world = World::new(NOTES);
    world.sync();
    world.save("memory/new.md", b"More.\n");
    let before = world.tree();
    world.status();
    world.deep();
    assert_eq!(world.tree(), before);
}

#[test]
fn changes_on_the_disk_are_told_by_name() {
    let world = World::new(NOTES);
    world.sync();
    world.save("memory/new.md", b"More.\n");
    world.save("memory/garden.md", b"# Garden\n\nTomatoes are over.\n");
    fs::remove_file(world.note("memory/2050-07-13.md")).unwrap();
    check(
        &world,
        expect![[r#"
            workspace There
            index ~/memory/main.sqlite Ready
            embeddings embedded "potion-base-8M" Some(256)
            chunks 3 embedded 3 pending 0
            new ["memory/new.md"] changed ["memory/garden.md"] removed ["memory/2050-07-13.md"] held []
            fit Fits
            memory 3 of Some(3), 3 chunks
            stale: 1 note is not in the index yet
            stale: 1 note has changed since the last sync
            stale: 1 note is gone from the disk"#]],
    );
}

#[test]
fn notes_that_vanish_at_once_are_held_as_a_sync_holds_them() {
    let names: Vec<String> = (0..12).map(|n| format!("memory/{n:02}.md")).collect();
    let notes: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "Something to remember.\n")).collect();
    for gone in [5, 7, 12] {
        let world = World::new(&notes);
        world.sync();
        names.iter().take(gone).for_each(|name| fs::remove_file(world.note(name)).unwrap());
        let told = world.status().drift;
        let report = world.sync();
        assert_eq!((told.held.len(), told.removed.len()), (report.held, report.removed), "{gone} of 12");
    }
}

#[test]
fn a_missing_workspace_is_part_of_the_answer() {
    let world = World::new(NOTES);
    world.sync();
    fs::rename(world.at("workspace"), world.at("elsewhere")).unwrap();
    check(
        &world,
        expect![[r#"
            workspace Missing
            index ~/memory/main.sqlite Ready
            embeddings embedded "potion-base-8M" Some(256)
            chunks 3 embedded 3 pending 0
            new [] changed [] removed [] held []
            fit Fits
            memory 3 of None, 3 chunks
            stale: the workspace does not exist: answers come from the index alone"#]],
    );
    assert_eq!(world.status().workspace.presence, Presence::Missing);
    assert!(!world.at("workspace").exists());
}

#[test]
fn a_damaged_index_is_told_and_left_where_it_is() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| bytes[16..60].fill(b'x'));
    let before = world.tree();
    check(
        &world,
        expect![[r#"
            workspace There
            index ~/memory/main.sqlite Damaged { what: "file is not a database" }
            embeddings embedded "potion-base-8M" Some(256)
            chunks 0 embedded 0 pending 0
            new ["MEMORY.md", "memory/2050-07-13.md", "memory/garden.md"] changed [] removed [] held []
            fit Unfilled
            memory 0 of Some(3), 0 chunks
            stale: the index is damaged (file is not a database): the next search makes it again"#]],
    );
    assert_eq!(world.tree(), before);
}

#[test]
fn a_changed_letter_inside_the_index_is_found_by_a_deep_look() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| {
        let at = bytes.windows(8).position(|window| window == b"Tomatoes").unwrap();
        bytes[at] = b'P';
    });
    let before = world.tree();
    let status = world.deep();
    expect![[r#"Failed("the index ~/memory/main.sqlite is damaged: chunk 3 does not match its checksum")"#]]
        .assert_eq(&words(&world, &status.deep.unwrap().index));
    assert!(matches!(status.index.state, IndexState::Damaged { .. }));
    assert_eq!(world.tree(), before);
}

#[test]
fn the_file_of_another_program_is_named_as_the_reason() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| bytes[APPLICATION_ID..APPLICATION_ID + 4].fill(7));
    let foreign = fs::read(world.index()).unwrap();
    check(
        &world,
        expect![[r#"
            workspace There
            index ~/memory/main.mindfile.sqlite Absent
            embeddings embedded "potion-base-8M" Some(256)
            chunks 0 embedded 0 pending 0
            new ["MEMORY.md", "memory/2050-07-13.md", "memory/garden.md"] changed [] removed [] held []
            fit Unfilled
            why ~/memory/main.sqlite was made by another program and is left alone
            memory 0 of Some(3), 0 chunks
            stale: there is no index yet: the first search makes it"#]],
    );
    world.sync();
    let status = world.status();
    assert_eq!(status.index.state, IndexState::Ready);
    assert!(!status.is_dirty());
    assert_eq!(fs::read(world.index()).unwrap(), foreign);
}

#[test]
fn an_index_of_another_format_says_which() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| bytes[FORMAT + 3] = 99);
    expect!["the index has format 99, made by a newer mindfile; this one knows format 9: the next search makes it again"].assert_eq(&world.status().stale.join("\n"));
}

#[test]
fn an_index_built_with_other_settings_says_which() {
    let mut world = World::new(NOTES);
    world.sync();
    world.settings.chunking.tokens = 123;
    world.settings.chunking.overlap = 7;
    expect!["the index was built with chunking.tokens 400, now 123; chunking.overlap 80, now 7: the next search makes it again"].assert_eq(&world.status().stale.join("\n"));
    world.settings.embedding.primary = Maker::None;
    assert!(world.status().stale[0].contains("provider embedded, now none"));
}

#[test]
fn without_a_provider_nothing_is_pending_and_meaning_is_off() {
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = Maker::None;
    world.sync();
    let status = world.deep();
    assert_eq!(status.stale, Vec::<String>::new());
    expect![[r#"VectorSearch { enabled: false, engine: Scan, dims: None, why: "off: provider is \"none\", so nothing makes vectors" }"#]].assert_eq(&format!("{:?}", status.search.vectors));
    assert_eq!(status.deep.unwrap().engines, Check::Skipped("there are no vectors to compare".to_owned()));
}

#[test]
fn a_provider_that_is_not_there_is_named_with_what_takes_its_place() {
    let mut world = World::new(NOTES);
    world.settings.requested_provider = "bedrock".to_owned();
    expect![[r#"Embeddings { requested: "bedrock", used: "embedded", model: "potion-base-8M", dims: Some(256), fallback: Some(Fallback { from: "bedrock", to: Some("embedded"), reason: "\"bedrock\" is not in this version; \"embedded\" makes the vectors instead", at_ms: 0 }), jobs: false }"#]].assert_eq(&format!("{:?}", world.status().search.embeddings));
}

#[test]
fn what_ranks_by_meaning_is_named_with_the_alternative() {
    let mut world = World::new(NOTES);
    world.sync();
    let machine = mindfile_index::scan_instructions();
    let why = |world: &World| world.status().search.vectors.why.replace(machine, "MACHINE");
    expect!["exact scan over 8-bit codes (MACHINE), the best scored again with the stored vectors; sqlite-vec v0.1.9 is linked and available by store.vector.engine"].assert_eq(&why(&world));
    world.settings.vector.engine = config::Engine::SqliteVec;
    expect![
        "sqlite-vec v0.1.9, by store.vector.engine; the default is the exact scan over 8-bit codes (MACHINE)"
    ]
    .assert_eq(&why(&world));
    assert!(!world.deep().deep.unwrap().engines.is_failed());
}

#[test]
fn what_is_passed_over_and_what_was_left_behind_is_told() {
    let world = World::new(NOTES);
    std::os::unix::fs::symlink(world.note("MEMORY.md"), world.note("memory/link.md")).unwrap();
    world.save("memory/.mindfile-part-1-2", b"half a no");
    world.save("memory/long.md", b"");
    fs::File::options().write(true).open(world.note("memory/long.md")).unwrap().set_len(17 << 20).unwrap();
    check(
        &world,
        expect![[r#"
            workspace There
            index ~/memory/main.sqlite Absent
            embeddings embedded "potion-base-8M" Some(256)
            chunks 0 embedded 0 pending 0
            new ["MEMORY.md", "memory/2050-07-13.md", "memory/garden.md", "memory/long.md"] changed [] removed [] held []
            fit Unfilled
            memory 0 of Some(4), 0 chunks
            stale: there is no index yet: the first search makes it
            skipped memory/link.md: links are not followed
            problem memory/long.md: 17825792 bytes long, only the first 16777216 are indexed
            leftover memory/.mindfile-part-1-2"#]],
    );
}

#[test]
fn an_interrupted_rebuild_and_set_aside_indexes_are_told() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| bytes[16..60].fill(b'x'));
    assert_eq!(world.finds("heron")[0], "MEMORY.md");
    world.interrupt_rebuild();
    let status = world.status();
    let aside: Vec<String> =
        status.index.aside.iter().map(|file| world.tidy(&file.path.display().to_string())).collect();
    assert_eq!(aside, ["~/memory/main.sqlite.aside-2541412800000"]);
    let rebuild = status.index.rebuild.unwrap();
    assert_eq!(world.tidy(&rebuild.path.display().to_string()), "~/memory/main.sqlite.rebuild");
    assert!(!rebuild.running);
    let lock = fs::File::open(world.at("memory/main.sqlite.lock")).unwrap();
    lock.lock().unwrap();
    assert!(world.status().index.rebuild.unwrap().running);
}

#[test]
fn a_displaced_file_that_is_still_open_is_a_leftover() {
    let world = World::new(NOTES);
    let workspace = Workspace::open(&world.at("workspace"), &[]).unwrap();
    let path = workspace.is_memory_path("memory/garden.md").unwrap();
    let old = fs::read(world.note("memory/garden.md")).unwrap();
    let editor = fs::File::options().append(true).open(world.note("memory/garden.md")).unwrap();
    let writer = workspace.writer(tempfile::tempfile().unwrap());
    let pending = writer.replace(&path, b"# Garden\n\nRest.\n", Before::Bytes(&old)).unwrap().pending;
    assert_eq!(
        world.status().workspace.leftovers,
        pending.iter().map(|leftover| leftover.path()).collect::<Vec<_>>()
    );
    assert_eq!(world.status().workspace.leftovers.len(), 1);
    drop(editor);
}

#[test]
fn what_cannot_be_opened_is_part_of_the_answer() {
    let world = World::new(&[]);
    put(&world.at("memory"), b"a file where a folder should be");
    fs::remove_dir(world.at("workspace")).unwrap();
    put(&world.at("workspace"), b"another");
    check(
        &world,
        expect![[r#"
            workspace Unusable("the workspace ~/workspace is not a directory")
            index ~/memory/main.sqlite Unusable { what: "~/memory/main.sqlite: Not a directory (os error 20)" }
            embeddings embedded "potion-base-8M" Some(256)
            chunks 0 embedded 0 pending 0
            new [] changed [] removed [] held []
            fit Unfilled
            memory 0 of None, 0 chunks
            stale: the workspace ~/workspace is not a directory
            stale: the index cannot be used: ~/memory/main.sqlite: Not a directory (os error 20)"#]],
    );
}

#[test]
fn chunks_that_wait_for_a_vector_are_counted() {
    let world = World::new(NOTES);
    world.sync_with(Failing::Documents).unwrap_err();
    let status = status::of(&world.memory_with(Failing::Never), false).unwrap();
    assert_eq!(
        (status.counts.chunks.total, status.counts.chunks.embedded, status.counts.chunks.pending),
        (3, 0, 3)
    );
    assert_eq!(status.stale, ["3 chunks have no vector yet"]);
}

#[test]
fn an_embedder_that_fails_is_told_without_failing() {
    let world = World::new(NOTES);
    world.sync_with(Failing::Never).unwrap();
    let status = status::of(&world.memory_with(Failing::Always), true).unwrap();
    expect!["whether the index fits the embedding model is not known: all 2 values of the vector are zero, so it has no direction"].assert_eq(&status.stale.join("\n"));
    expect![[r#"Failed("all 2 values of the vector are zero, so it has no direction")"#]]
        .assert_eq(&format!("{:?}", status.deep.unwrap().embeddings));
}

#[test]
fn an_engine_that_fails_is_told_with_its_next_attempt() {
    let world = World::new(NOTES);
    let file = world.at("memory/main.backends.json");
    put(
        &file,
        br#"{"backends":1,"outages":[{"engine":"qmd","reason":"exit code 1","since":1752480000000,"failures":3,"next":1752480007000}]}"#,
    );
    let told: Vec<String> =
        world.status().search.outages.iter().map(mindfile::backend::Outage::words).collect();
    let expected = "qmd fails since 2025-07-14T08:00:00Z (3 times; next attempt after 2025-07-14T08:00:07Z): exit code 1";
    assert_eq!(told, [expected]);
}
