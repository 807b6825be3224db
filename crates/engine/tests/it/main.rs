//! The engine's tests, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod audit;
mod config;
mod doctor;
mod drill;
mod eval;
mod fact;
mod forget;
mod heartbeat;
mod memory;
mod origin;
mod policy;
mod private;
mod qmd;
mod recall;
mod reconcile;
mod reflect;
mod salience;
mod search;
mod session;
mod status;
mod watch;
mod workspace;
mod world;

use std::fs;
use std::path::Path;

#[test]
fn no_file_of_this_folder_is_forgotten() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    check_modules(&folder.join("main.rs"), &folder);
}

/// Every file and folder in `folder` is a module that `parent` names.
fn check_modules(parent: &Path, folder: &Path) {
    let text = fs::read_to_string(parent).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap();
        let named = path == parent || text.contains(&format!("\nmod {module};"));
        assert!(named, "{} is not in {}", path.display(), parent.display());
        if path.is_dir() {
            check_modules(&path.with_extension("rs"), &path);
        }
    }
}
