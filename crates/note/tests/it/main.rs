//! The laws of notes, checked on generated input. `PROPTEST_CASES` raises the number of cases.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod chunks;
mod facts;
mod texts;
mod words;

use proptest::prelude::ProptestConfig;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn every_file_here_is_a_module() {
    let main = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || main.contains(&format!("\nmod {module};\n")), "{name} is not listed");
    }
}
