use expect_test::expect;

use crate::home::{Home, pretty, write};

#[test]
fn lines_are_printed_exactly() {
    let home = Home::new();
    assert_eq!(
        home.out(&["get", "memory/api.md", "--from", "3", "--lines", "1"]),
        "The rate limit is 100 requests per minute.\n"
    );
    assert_eq!(home.out(&["get", "memory/api.md#L3"]), "The rate limit is 100 requests per minute.\n");
    assert_eq!(home.out(&["get", "memory/api.md#L1-L2"]), "# API\n\n");
    assert_eq!(
        home.out(&["memory", "get", "MEMORY.md", "--from", "3"]),
        "The dog is called Pixel and fears the street sweeper.\n"
    );
}

#[test]
fn bytes_that_are_no_text_survive_a_pipe() {
    let home = Home::new();
    let bytes = b"caf\xe9 \x1b[31m\r\nno end";
    write(&home.workspace().join("memory/odd.md"), bytes);
    assert_eq!(home.command(&["get", "memory/odd.md"]).output().unwrap().stdout, bytes);
}

#[test]
fn the_json_of_get_keeps_its_shape() {
    let home = Home::new();
    let lines = home.json(&["get", "memory/api.md", "--from", "3", "--lines", "2"]);
    expect![[r#"
        {
          "path": "memory/api.md",
          "from": 3,
          "lines": 2,
          "text": "The rate limit is 100 requests per minute.\n\n"
        }"#]]
    .assert_eq(&pretty(&lines));
}

#[test]
fn beyond_the_end_there_is_nothing_and_that_is_said() {
    Home::new().run(&["get", "memory/api.md", "--from", "99"]).check(&expect![[r#"
        exit 0
        --- stdout
        --- stderr
        warning: memory/api.md has 5 lines
    "#]]);
}

#[test]
fn only_memory_files_are_read() {
    let home = Home::new();
    write(&home.workspace().join("secret.md"), b"secret");
    write(&home.path().join("outside.md"), b"secret");
    for path in [
        "secret.md", "../../outside.md", "memory/../secret.md", "/etc/passwd", "memory/.hidden.md",
        "memory/x.txt",
    ] {
        let came = home.run(&["get", path]);
        assert_eq!((came.code, came.out.as_str()), (2, ""), "{path}: {came:?}");
        assert!(came.err.contains("is not a memory file: "), "{path}: {came:?}");
    }
    home.run(&["get", "../../outside.md"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: "../../outside.md" is not a memory file: it climbs out of the memory files
        hint: memory files are MEMORY.md, memory.md, USER.md, memory/**/*.md, bank/**/*.md and the .md files of memorySearch.extraPaths
    "#]]);
    home.run(&["get", "memory/none.md"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: memory/none.md does not exist
        hint: `mindfile status` names the files that were found
    "#]]);
    home.run(&["get", "memory/api.md", "--from", "0"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: lines are counted from 1, not from 0
    "#]]);
}
