use expect_test::expect;

use crate::home::{Home, pretty};

/// Without the time it took.
fn untimed(text: &str) -> String {
    let cut = text.rfind(" in ").or_else(|| text.rfind(" (")).unwrap_or(text.len());
    text[..cut].to_owned()
}

#[test]
fn the_summary_counts_what_was_done() {
    let home = Home::new();
    assert_eq!(
        untimed(&home.out(&["index"])),
        "Indexed 3 notes (195 bytes): 3 new, 0 changed, 0 removed, 3 chunks"
    );
    assert_eq!(untimed(&home.out(&["index"])), "Up to date: 3 notes, nothing changed");
    home.note("memory/api.md", "# API\n\nThe rate limit is 200 now.\n");
    std::fs::rename(
        home.workspace().join("memory/trip.md"),
        home.workspace().join("memory/trip-to-osaka.md"),
    )
    .unwrap();
    let out = untimed(&home.out(&["index"]));
    assert!(out.starts_with("Indexed 2 of 3 notes (") && out.contains(" 1 changed, "), "{out}");
    assert!(home.out(&["index", "--force"]).contains("3 new"));
}

#[test]
fn the_json_of_index_keeps_its_shape() {
    let home = Home::new();
    std::os::unix::fs::symlink("api.md", home.workspace().join("memory/link.md")).unwrap();
    let mut done = home.json(&["index"]);
    done["milliseconds"] = 0.into();
    expect![[r#"
        {
          "ok": true,
          "notes": 3,
          "added": 3,
          "changed": 0,
          "renamed": 0,
          "removed": 0,
          "chunks": 3,
          "bytes": 195,
          "milliseconds": 0,
          "held": 0,
          "skipped": [
            {
              "path": "memory/link.md",
              "reason": "links are not followed"
            }
          ],
          "problems": []
        }"#]]
    .assert_eq(&pretty(&done));
}

#[test]
fn notes_that_vanish_at_once_are_kept_until_one_says_otherwise() {
    let home = Home::new();
    home.out(&["index"]);
    std::fs::remove_dir_all(home.workspace().join("memory")).unwrap();
    std::fs::remove_file(home.workspace().join("MEMORY.md")).unwrap();
    let came = home.run(&["index"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(came.err.starts_with("warning: 3 notes vanished at once and stay in the index"), "{came:?}");
    assert!(came.err.contains("mindfile index --force"), "{came:?}");
    home.out(&["index", "--force"]);
    assert!(home.out(&["search", "rate limit"]).starts_with("Nothing relevant"));
}

#[test]
fn a_note_that_cannot_be_read_is_named_and_the_others_are_indexed() {
    let home = Home::new();
    home.note("memory/huge.md", &"zeppelin\n".repeat((17 << 20) / 9));
    let came = home.run(&["index"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(came.err.starts_with("warning: memory/huge.md: "), "{came:?}");
    assert!(came.out.starts_with("Indexed 4 notes"), "{came:?}");
}
