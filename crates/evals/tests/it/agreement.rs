//! The pairs beside the measure: how many of those that are marked by themselves did change.

use std::path::Path;

use mindfile_evals::agreement::{Label, Pair, PairReport, judge, load_pairs};

fn pairs(name: &str) -> Vec<Pair> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../evals/agreement");
    load_pairs(&Path::new(folder).join(name)).unwrap()
}

#[test]
fn what_is_marked_by_itself_has_changed() {
    let [tuned, held, fresh] = ["tuned.txt", "held.txt", "fresh.txt"].map(pairs);
    assert!(tuned.len() + held.len() >= 300 && held.len() >= tuned.len());
    for set in [&tuned, &held, &fresh] {
        let PairReport { marked, right, mistakes, .. } = judge(set);
        assert!(marked >= 20, "{marked}");
        assert!(100 * right >= 99 * marked, "{mistakes:?}");
    }
}

#[test]
fn every_sort_of_pair_is_there_in_three_languages() {
    for set in [pairs("tuned.txt"), pairs("held.txt")] {
        for label in Label::ALL {
            for language in ["en", "de", "fr"] {
                let is_one = |pair: &&Pair| pair.label == *label && pair.language == language;
                assert!(set.iter().filter(is_one).count() >= 3, "{language} {}", label.as_str());
            }
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a file of a test need not survive a power cut")]
fn a_line_that_is_no_pair_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.txt");
    std::fs::write(&file, "# en\nchanged | a | b\n").unwrap();
    let error = load_pairs(&file).unwrap_err().to_string();
    assert!(error.ends_with("\"changed | a | b\" is no pair: label | about | older | newer"), "{error}");
}
