//! What the program does when the machine fails it: calls that fail, kills at any moment, bytes that rot, files that
//! nobody would call notes. Each campaign is one test; `docs/reliability.md` says what is promised and how to run them
//! at full length. By default they run briefly, on a fixed seed.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a campaign reports what it counted")]

mod byte_flips;
mod cases;
#[path = "../../../model/tests/it/chat/server.rs"]
#[expect(dead_code, reason = "it is shared with the tests of the models, which use all of it")]
mod chat_server;
mod chat_sigkills;
mod child;
mod dump;
mod durable_calls;
mod forget_kills;
mod full_disk;
mod hand;
mod hostile_files;
mod index_equals_rebuild;
mod note_writes;
mod private_notes;
mod random;
mod random_sigkills;
mod shim;
mod tree;
mod world;

/// A module that nobody names is never run.
#[test]
fn every_file_of_this_folder_is_part_of_the_tests() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults");
    let named = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let is_module = path.extension().is_some_and(|end| end == "rs") && stem != "main";
        assert!(
            !is_module || named.contains(&format!("mod {stem};")),
            "{} is not in main.rs",
            path.display()
        );
    }
}
