//! What is forgotten is in no file any more.

use std::path::Path;

use mindfile_index::conformance::notes::put;
use mindfile_index::{Backend, Batch, Change, Index, Purged};
use mindfile_lancedb::LanceIndex;

use crate::place::{apply, folder, local};

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
    let changes = vec![
        Change::Forget { hashes: Vec::new(), ids: Vec::new() },
        put("memory/a.md", &["walk dog"]),
        Change::Remove { path: "memory/b.md".to_owned() },
    ];
    index.apply(&Batch { changes, ..Batch::default() }).unwrap();
    assert_eq!(index.purge().unwrap(), Purged::Done);
    assert_eq!(files_with(folder.path(), "quokkasecret"), Vec::<String>::new());
    assert_eq!(files_with(folder.path(), "quokka"), Vec::<String>::new());
    index.verify().unwrap();
}

#[test]
fn a_reader_keeps_what_it_reads_and_that_is_said() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    apply(&index, put("memory/a.md", &["quokkasecret lives in Perth"]));
    let reader = LanceIndex::open(&local(&folder)).unwrap();
    let reader = reader.snapshot().unwrap();
    assert_eq!(reader.notes().unwrap().len(), 1);
    apply(&index, Change::Remove { path: "memory/a.md".to_owned() });
    let Purged::Held(why) = index.purge().unwrap() else { panic!("nobody was waited for") };
    assert!(why.starts_with("a reader holds old versions"), "{why}");
    assert_eq!(reader.all_facts().unwrap().len(), 1);
    drop(reader);
    assert_eq!(index.purge().unwrap(), Purged::Done);
    assert_eq!(files_with(folder.path(), "quokkasecret"), Vec::<String>::new());
}
