//! Which paths are memory files.

use expect_test::{Expect, expect};
use mindfile_fault::Fault;
use mindfile_workspace::Error;

use super::workspace;

fn check(path: &str, expected: &Expect) {
    let (_dir, workspace) = workspace(&[]);
    let answer = match workspace.is_memory_path(path) {
        Ok(note) => note.to_string(),
        Err(error) => {
            assert_eq!(error.fault(), Fault::Caller);
            assert!(format!("{:?}", error.hint()).contains("memory/**/*.md"));
            error.to_string()
        }
    };
    expected.assert_eq(&answer);
}

#[test]
fn memory_files_are_accepted_by_their_relative_path() {
    check("MEMORY.md", &expect!["MEMORY.md"]);
    check("./memory/2026-01-02.md", &expect!["memory/2026-01-02.md"]);
    check(".//./bank/world.md", &expect!["bank/world.md"]);
    check(
        "memory/a b/..c/ü.md",
        &expect![[r#""memory/a b/..c/ü.md" is not a memory file: hidden files are not memory"#]],
    );
    check("memory/a..b.md", &expect!["memory/a..b.md"]);
}

#[test]
fn everything_else_is_refused_by_name() {
    check(
        "/etc/passwd",
        &expect![[r#""/etc/passwd" is not a memory file: paths are relative to the workspace"#]],
    );
    check(
        "memory/../SOUL.md",
        &expect![[r#""memory/../SOUL.md" is not a memory file: it climbs out of the memory files"#]],
    );
    check("../x.md", &expect![[r#""../x.md" is not a memory file: it climbs out of the memory files"#]]);
    check("memory/x.txt", &expect![[r#""memory/x.txt" is not a memory file: its name does not end in .md"#]]);
    check("memory/.x.md", &expect![[r#""memory/.x.md" is not a memory file: hidden files are not memory"#]]);
    check("memory/.md", &expect![[r#""memory/.md" is not a memory file: hidden files are not memory"#]]);
    check("SOUL.md", &expect![[r#""SOUL.md" is not a memory file: it lies outside the memory files"#]]);
    check("Memory.md", &expect![[r#""Memory.md" is not a memory file: it lies outside the memory files"#]]);
    check("docs/x.md", &expect![[r#""docs/x.md" is not a memory file: it lies outside the memory files"#]]);
    check(
        "memory//x.md",
        &expect![[r#""memory//x.md" is not a memory file: it lies outside the memory files"#]],
    );
    check(
        "memory/a\0.md",
        &expect![[r#""memory/a\0.md" is not a memory file: it lies outside the memory files"#]],
    );
    check("", &expect![[r#""" is not a memory file: it lies outside the memory files"#]]);
}

/// Whoever cannot read a note has changed nothing anyway; whoever cannot write one wants to know.
#[test]
fn a_note_that_is_closed_is_hinted_at_by_what_was_tried() {
    let hint = |doing| {
        let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        Error::io(doing, "memory/a.md", denied).hint()
    };
    for looking in ["open", "read", "list"] {
        assert_eq!(hint(looking), Some("check its permissions and those of the folders above it".into()));
    }
    for changing in ["write", "append to", "remove"] {
        assert_eq!(
            hint(changing),
            Some("nothing was changed; check the permissions of the workspace".into())
        );
    }
}
