//! Any text may stand in a settings file: it is read or refused in words, and a key that is set in it is read back,
//! with everything else as it was.
#![no_main]

use std::path::Path;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use mindfile::config::{self, Flags, KEYS, MINDFILE_JSON, Overrides};
use tempfile::TempDir;

fuzz_target!(|bytes: &[u8]| {
    let Some((&[key, length], rest)) = bytes.split_first_chunk::<2>() else { return };
    let (value, text) = rest.split_at(usize::from(length).min(rest.len()));
    load(text);
    let (Ok(value), Ok(text)) = (std::str::from_utf8(value), std::str::from_utf8(text)) else { return };
    set(KEYS[usize::from(key) % KEYS.len()].path, value, text);
    set(value, text, "{}");
});

fn load(text: &[u8]) {
    static STATE: OnceLock<TempDir> = OnceLock::new();
    let state = STATE.get_or_init(|| TempDir::new().unwrap()).path();
    std::fs::write(state.join(MINDFILE_JSON), text).unwrap();
    let flags = Flags {
        state_dir: Some(state.to_owned()),
        workspace: Some(state.join("workspace")),
        ..Flags::default()
    };
    let overrides =
        Overrides { flags, home: Some(state.to_owned()), cwd: state.to_owned(), ..Overrides::default() };
    match config::load(&overrides) {
        Ok(loaded) => assert!(loaded.origins.len() >= KEYS.len()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn set(key: &str, value: &str, text: &str) {
    let file = Path::new(MINDFILE_JSON);
    let Ok(change) = config::edit(file, Some(text), key, value) else { return };
    let Ok(again) = config::edit(file, Some(&change.text), key, value) else {
        panic!("unreadable: {}", change.text)
    };
    assert_eq!(again.text, change.text, "setting {key} to the same value again changes the file");
}
