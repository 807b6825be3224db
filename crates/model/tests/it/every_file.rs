use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn no_file_of_this_folder_is_forgotten() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let present: BTreeSet<String> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| name != "main")
        .collect();
    let named: BTreeSet<String> = include_str!("main.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    assert_eq!(named, present);
}
