use expect_test::expect;

use crate::home::Home;

#[test]
fn a_workspace_is_made_once_and_never_overwritten() {
    let home = Home::bare();
    home.run(&["init"]).check(&expect![[r#"
        exit 0
        --- stdout
        ~/state/workspace
          made     MEMORY.md
          made     SOUL.md
          made     memory/
        --- stderr
        Next: write notes into memory/, then: mindfile search "anything"
    "#]]);
    home.note("MEMORY.md", "mine\n");
    home.run(&["init", "--json"]).check(&expect![[r#"
        exit 0
        --- stdout
        {
          "ok": true,
          "workspace": "~/state/workspace",
          "made": [],
          "already": [
            "MEMORY.md",
            "SOUL.md",
            "memory/"
          ]
        }
        --- stderr
    "#]]);
    assert_eq!(home.out(&["get", "MEMORY.md"]), "mine\n");
}

#[test]
fn a_directory_of_ones_own_comes_with_the_next_step() {
    Home::bare().run(&["init", "notes"]).check(&expect![[r#"
        exit 0
        --- stdout
        ~/notes
          made     MEMORY.md
          made     SOUL.md
          made     memory/
        --- stderr
        Next: mindfile config set workspace ~/notes
    "#]]);
    let home = Home::bare();
    home.out(&["init", "my notes"]);
    home.out(&["config", "set", "workspace", home.path().join("my notes").to_str().unwrap()]);
    assert!(home.out(&["get", "MEMORY.md"]).starts_with("# Memory"));
}
