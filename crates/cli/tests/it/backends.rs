//! Which engine keeps the index: a name that is not known and one that is not there are said before anything happens.

use expect_test::expect;

use crate::home::Home;

#[test]
fn an_engine_that_nobody_knows_is_refused() {
    let home = Home::new();
    home.run(&["search", "x", "--backend", "oracle"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: --backend: memory.backend is "oracle"; it must be one of "builtin", "sqlite", "postgres", "lancedb", "qmd"
    "#]]);
}

#[test]
fn an_engine_that_is_not_built_in_is_named_with_what_to_do() {
    let home = Home::new();
    home.config("{ memory: { backend: 'lancedb' } }");
    home.run(&["index"]).check(&expect![[r#"
        exit 1
        --- stdout
        --- stderr
        error: lancedb at memory.backend cannot be used: this program was built without it
        hint: use a build with lancedb (docs/backends.md), or the built-in index: mindfile config set memory.backend builtin
    "#]]);
}

#[test]
fn the_built_in_engine_goes_by_both_its_names() {
    let home = Home::new();
    for name in ["builtin", "sqlite"] {
        let status = home.json(&["status", "--backend", name]);
        assert_eq!(status[0]["status"]["backend"], name);
    }
}
