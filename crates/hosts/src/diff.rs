//! What would change, line by line, as `diff -u` shows it.

use similar::TextDiff;

/// Unchanged lines around a change.
const CONTEXT: usize = 2;

/// The difference of two texts; empty where there is none.
pub fn diff(path: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let diff = TextDiff::from_slices(&old, &new);
    let mut text = format!("--- {path}\n+++ {path}\n");
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        text.push_str("@@\n");
        for change in hunk.iter_changes() {
            text.push_str(&format!("{}{}\n", change.tag(), change.value()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_change_is_shown_with_what_stands_around_it() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let new = "a\nb\nc\nD\ne\nf\ng\nh\nnew\n";
        expect![[r#"
            --- MEMORY.md
            +++ MEMORY.md
            @@
             b
             c
            -d
            +D
             e
             f
             g
             h
            +new
        "#]]
        .assert_eq(&diff("MEMORY.md", old, new));
        assert_eq!(diff("x", old, old), "");
    }
}
