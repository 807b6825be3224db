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
          "text": "The rate limit is 100 requests per minute.\n\n",
          "hash": "c4a00ba3721ffa66f77fb27c0cb82e14d58b0fcb0daeb334ffed8b5a20c31405"
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

/// What the command says is to be asked next, as its arguments.
fn next(err: &str) -> Option<Vec<String>> {
    let (_, command) = err.split_once("there is more: mindfile ")?;
    Some(command.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn the_parts_of_a_huge_note_are_the_note() {
    let home = Home::new();
    let lines: String = (0..150_000).map(|n| format!("line {n} of a long day\n")).collect();
    let words = "Schlüssel 東京 ".repeat(300_000);
    let text = format!("{lines}{words}\n{lines}");
    write(&home.workspace().join("memory/huge.md"), text.as_bytes());
    let mut asked = vec!["get".to_owned(), "memory/huge.md".to_owned()];
    let (mut all, mut parts) = (String::new(), 0);
    loop {
        let came = home.run(&asked.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(came.code, 0, "{}", came.err);
        all.push_str(&came.out);
        parts += 1;
        match next(&came.err) {
            Some(command) => asked = command,
            None => break,
        }
    }
    assert!(parts > 3 && all == text, "{parts} parts of {} bytes, not {}", all.len(), text.len());
    let beginning = home.json(&["get", "memory/huge.md", "--from", "150001", "--lines", "2"]);
    let next = &beginning["next"];
    assert_eq!((&next["from"], &next["lines"]), (&150_001.into(), &2.into()));
    assert_eq!(next["byte"].as_u64().unwrap() as usize, beginning["text"].as_str().unwrap().len());
    let mut client = crate::mcp::Client::new(&home, &[]);
    let arguments = serde_json::json!({"path": "memory/huge.md", "from": 150_001, "byte": next["byte"]});
    let told = client.ask("tools/call", serde_json::json!({"name": "memory_get", "arguments": arguments}));
    let told = told.to_string();
    assert!(told.contains("There is more: memory_get reads on from line ") && !told.contains("[untrusted"));
    write(&home.workspace().join("memory/untrusted/page.md"), words.as_bytes());
    for byte in [0, 4_000_000] {
        let arguments = serde_json::json!({"path": "memory/untrusted/page.md", "from": 1, "byte": byte});
        let told =
            client.ask("tools/call", serde_json::json!({"name": "memory_get", "arguments": arguments}));
        assert!(told.to_string().contains("[untrusted"), "a part of what nobody trusts, too");
    }
}
