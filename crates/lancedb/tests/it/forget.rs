//! What is forgotten is in no file any more.

use std::collections::HashMap;
use std::path::Path;

use mindfile_index::conformance::notes::{put, vector};
use mindfile_index::{Backend, Batch, Change, FactQuery, Index, NoteQuery, PurgeOutcome, single};
use mindfile_lancedb::LanceIndex;

use crate::decoded::decoded;
use crate::place::{apply, folder, local, part};

fn files_with(folder: &Path, needle: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, needle));
        } else if memory(&std::fs::read(&path).unwrap(), needle.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}

fn files_ending(folder: &Path, end: &str) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: std::path::PathBuf| {
        if path.is_dir() {
            files_ending(&path, end)
        } else {
            usize::from(path.to_str().unwrap().ends_with(end))
        }
    };
    entries.map(of).sum()
}

pub(crate) fn memory(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn nothing_of_a_forgotten_text_is_left_in_any_file() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    apply(&index, put("memory/a.md", &["quokkasecret lives in Perth", "walk dog"]));
    apply(&index, put("memory/b.md", &["another quokkasecret", "coffee"]));
    apply(&index, Change::Compact);
    assert!(!files_with(folder.path(), "quokkasecret").is_empty(), "the search would find it");
    let secret = vector("quokkasecret lives in Perth");
    let before = decoded(&part(&folder), &HashMap::new());
    assert!(before.has("quokkasecret") && before.vectors.contains(&secret), "and so would this one");
    let changes = vec![
        Change::Forget { hashes: Vec::new(), ids: Vec::new() },
        put("memory/a.md", &["walk dog"]),
        Change::Remove { path: "memory/b.md".to_owned() },
    ];
    index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    assert_eq!(index.purge().unwrap(), PurgeOutcome::Done);
    assert_eq!(files_with(folder.path(), "quokkasecret"), Vec::<String>::new());
    assert_eq!(files_with(folder.path(), "quokka"), Vec::<String>::new());
    let after = decoded(&part(&folder), &HashMap::new());
    assert!(!after.has("quokkasecret") && !after.has("quokka") && !after.vectors.contains(&secret));
    assert!(after.has("walk") && after.vectors.contains(&vector("walk dog")));
    assert_eq!(after.indices, 0);
    assert!(after.versions.iter().all(|versions| *versions == 1), "{:?}", after.versions);
    assert_eq!(files_ending(folder.path(), ".lance"), after.files, "a file that no version names");
    index.verify().unwrap();
}

#[test]
fn a_reader_keeps_what_it_reads_and_that_is_said() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    apply(&index, put("memory/a.md", &["quokkasecret lives in Perth"]));
    let reader = LanceIndex::open(&local(&folder)).unwrap();
    let reader = reader.snapshot().unwrap();
    assert_eq!(reader.notes(NoteQuery::All).unwrap().len(), 1);
    apply(&index, Change::Remove { path: "memory/a.md".to_owned() });
    let PurgeOutcome::Held(why) = index.purge().unwrap() else { panic!("nobody was waited for") };
    assert!(why.starts_with("a reader holds old versions"), "{why}");
    assert_eq!(single::list(&*reader, FactQuery::All).unwrap().len(), 1);
    drop(reader);
    assert_eq!(index.purge().unwrap(), PurgeOutcome::Done);
    assert_eq!(files_with(folder.path(), "quokkasecret"), Vec::<String>::new());
}
