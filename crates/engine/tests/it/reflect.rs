use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use mindfile::reflect::section::{BEGIN, END};
use mindfile::reflect::{CoreRequest, Reflected};
use mindfile::{Error, Memory, reflect};

use crate::world::World;

const NOTE: &str = "- B(s=0.95) @Sarah @project: Sarah is leaving the company next month ^leaves\n\
    - W(s=0.9) @Sarah: Sarah designed the schema of orders-db ^schema\n\
    - W(s=0.3) @api: Rate limiting is 100 requests per minute ^rate\n";

fn world(memory: &str) -> World {
    World::new(&[("MEMORY.md", memory), ("memory/2026-07-14.md", NOTE)])
}

fn reflect(memory: &Memory) -> Reflected {
    memory.reflect(CoreRequest::default()).unwrap()
}

fn read(world: &World, path: &str) -> String {
    String::from_utf8(fs::read(world.note(path)).unwrap()).unwrap()
}

/// Every file of the workspace but the record of reflections.
fn tree(world: &World) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = world.tree();
    files.retain(|path, _| path.starts_with(world.at("workspace")) && !path.ends_with("reflections.md"));
    files
}

#[test]
fn the_core_is_written_between_its_markers_and_nowhere_else() {
    let world = world(&format!("# Mine\r\n\r\nbefore \r\n{BEGIN}\r\n- old (^x)\r\n{END}after\r\nno end"));
    let reflected = reflect(&world.memory());
    let body = "## Core memory\r\n\r\n### @Sarah\r\n\r\n- Sarah is leaving the company next month (^leaves)\r\n\
        - Sarah designed the schema of orders-db (^schema)\r\n";
    let expected = format!("# Mine\r\n\r\nbefore \r\n{BEGIN}\r\n{body}{END}after\r\nno end");
    assert_eq!(read(&world, "MEMORY.md"), expected);
    assert_eq!((reflected.figures.processed, reflected.figures.total), (2, 3));
    assert_eq!(reflected.changes.removed, ["- old (^x)"]);
    assert!(read(&world, "memory/reflections.md").contains("> - old (^x)\n"));
}

#[test]
fn a_marker_that_is_missing_is_an_error_and_nothing_is_changed() {
    for text in [format!("a\n{BEGIN}\nb\n"), format!("a\n{END}\nb\n")] {
        let world = world(&text);
        let before = tree(&world);
        let error = world.memory().reflect(CoreRequest::default()).unwrap_err();
        assert!(matches!(error, Error::Reflect(reflect::Error::Torn { .. })), "{error}");
        assert_eq!(tree(&world), before);
        assert!(!world.note("memory/reflections.md").exists());
    }
}

/// A mode keeps nobody out who may write anywhere; that a folder cannot be made where a file is keeps everybody out.
#[test]
fn a_workspace_that_cannot_be_written_to_is_said_and_nothing_is_changed() {
    let world = world("# Mine\n");
    reflect(&world.memory());
    world.save("memory/2026-07-15.md", b"- W(s=0.9) @Bob: Bob leads the audit ^audit\n");
    fs::remove_dir_all(world.note("bank")).unwrap();
    world.save("bank", b"in the way");
    let kept = || {
        let mut files = world.tree();
        files.retain(|path, _| path.starts_with(world.at("workspace")) || path.ends_with("manifest.json"));
        files
    };
    let before = kept();
    let lock = |mode| fs::set_permissions(world.note("."), PermissionsExt::from_mode(mode)).unwrap();
    lock(0o500);
    let kept_out = fs::File::create(world.note("probe.md")).is_err();
    let error = world.memory().reflect(CoreRequest::default()).unwrap_err();
    lock(0o700);
    assert_eq!(matches!(error, Error::Reflect(reflect::Error::ReadOnly { .. })), kept_out, "{error}");
    if !kept_out {
        fs::remove_file(world.note("probe.md")).unwrap();
    }
    assert_eq!(kept(), before);
}

#[test]
fn undoing_brings_every_byte_back() {
    let world = world("# Mine\n\nno end");
    let before = tree(&world);
    let memory = world.memory();
    reflect(&memory);
    assert!(world.note("bank/entities/sarah.md").exists());
    let files = memory.undo_reflection().unwrap();
    assert!(files.contains(&"MEMORY.md".to_owned()), "{files:?}");
    assert_eq!(tree(&world), before);
    assert!(matches!(memory.undo_reflection(), Err(Error::Reflect(reflect::Error::NothingToUndo))));
}

#[test]
fn undoing_keeps_what_was_written_outside_the_markers_since() {
    let world = world("# Mine\n");
    let memory = world.memory();
    reflect(&memory);
    let mut text = read(&world, "MEMORY.md");
    text.push_str("added by hand\n");
    world.save("MEMORY.md", text.as_bytes());
    memory.undo_reflection().unwrap();
    let text = read(&world, "MEMORY.md");
    assert!(text.ends_with("added by hand\n") && !text.contains("Core memory"), "{text}");
}

#[test]
fn undoing_refuses_to_lose_what_was_edited_between_the_markers() {
    let world = world("# Mine\n");
    let memory = world.memory();
    reflect(&memory);
    let text = read(&world, "MEMORY.md").replace("next month", "tomorrow");
    world.save("MEMORY.md", text.as_bytes());
    let before = tree(&world);
    assert!(matches!(memory.undo_reflection(), Err(Error::Reflect(reflect::Error::ChangedSince { .. }))));
    assert_eq!(tree(&world), before);
}

#[test]
fn a_dry_run_and_a_second_run_change_nothing() {
    let world = world("# Mine\n");
    let before = tree(&world);
    let memory = world.memory();
    let planned = memory.reflect(CoreRequest { dry_run: true, ..CoreRequest::default() }).unwrap();
    assert_eq!(tree(&world), before);
    let done = reflect(&memory);
    assert_eq!(done.edits, planned.edits);
    let after = tree(&world);
    assert!(reflect(&memory).edits.is_empty());
    assert_eq!(tree(&world), after);
}

#[test]
fn what_reflection_writes_is_no_fact() {
    let world = world("# Mine\n");
    let memory = world.memory();
    reflect(&memory);
    assert_eq!(memory.facts().unwrap().len(), 3);
}

#[test]
fn a_fact_that_is_gone_leaves_the_core_and_the_bank() {
    let world = world("# Mine\n");
    let memory = world.memory();
    reflect(&memory);
    world.save("memory/2026-07-14.md", NOTE.lines().next().unwrap().as_bytes());
    reflect(&memory);
    for path in ["MEMORY.md", "bank/world.md", "bank/entities/sarah.md"] {
        assert!(!read(&world, path).contains("schema"), "{path}");
    }
}

#[test]
fn a_core_without_room_is_refused() {
    let world = world("# Mine\n");
    let memory = world.memory();
    let tiny = memory.reflect(CoreRequest { max_tokens: Some(5), ..CoreRequest::default() }).unwrap_err();
    assert_eq!(tiny.to_string(), "max_tokens is 5; it must be 64 to 100000");
    let long = format!("- B(s=0.95) @x: {} ^long\n", "very long fact ".repeat(60));
    world.save("memory/2026-07-14.md", long.as_bytes());
    let error = memory.reflect(CoreRequest { max_tokens: Some(64), ..CoreRequest::default() }).unwrap_err();
    assert!(error.to_string().starts_with("E2BIG: the core memory of one fact needs "), "{error}");
}
