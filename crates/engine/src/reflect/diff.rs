//! What would change, line by line, as `diff -u` shows it.

/// Unchanged lines around a change.
const CONTEXT: usize = 2;
/// Beyond this, the changed part is shown as all old and all new lines: nobody reads such a diff line by line.
const MOST_CELLS: usize = 4_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Same,
    Gone,
    New,
}

/// The difference of two texts; empty where there is none.
pub fn diff(path: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let marked = compare(&old, &new);
    let mut text = format!("--- {path}\n+++ {path}\n");
    let shown = near_changes(&marked);
    let mut gap = true;
    for ((mark, line), shown) in marked.iter().zip(shown) {
        if !shown {
            gap = true;
            continue;
        }
        if gap {
            text.push_str("@@\n");
            gap = false;
        }
        let sign = match mark {
            Mark::Same => ' ',
            Mark::Gone => '-',
            Mark::New => '+',
        };
        text.push_str(&format!("{sign}{line}\n"));
    }
    text
}

fn near_changes(marked: &[(Mark, &str)]) -> Vec<bool> {
    let changed = |at: usize| marked.get(at).is_some_and(|(mark, _)| *mark != Mark::Same);
    (0..marked.len()).map(|at| (at.saturating_sub(CONTEXT)..=at + CONTEXT).any(changed)).collect()
}

fn compare<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(Mark, &'a str)> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let same = |lines: &[&'a str]| lines.iter().map(|line| (Mark::Same, *line)).collect::<Vec<_>>();
    let mut marked = same(&old[..head]);
    marked.extend(middle(old_middle, new_middle));
    marked.extend(same(&old[old.len() - tail..]));
    marked
}

/// By the longest common subsequence.
fn middle<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(Mark, &'a str)> {
    let gone = |lines: &[&'a str]| lines.iter().map(|line| (Mark::Gone, *line)).collect::<Vec<_>>();
    let added = |lines: &[&'a str]| lines.iter().map(|line| (Mark::New, *line)).collect::<Vec<_>>();
    if old.len() * new.len() > MOST_CELLS {
        return [gone(old), added(new)].concat();
    }
    let lengths = lengths(old, new);
    let (mut a, mut b, mut marked) = (0, 0, Vec::new());
    while a < old.len() && b < new.len() {
        if old[a] == new[b] {
            marked.push((Mark::Same, old[a]));
            (a, b) = (a + 1, b + 1);
        } else if lengths[a + 1][b] >= lengths[a][b + 1] {
            marked.push((Mark::Gone, old[a]));
            a += 1;
        } else {
            marked.push((Mark::New, new[b]));
            b += 1;
        }
    }
    marked.extend(gone(&old[a..]));
    marked.extend(added(&new[b..]));
    marked
}

/// At `[a][b]`, the length of the longest common subsequence of the lines from there on.
fn lengths(old: &[&str], new: &[&str]) -> Vec<Vec<u32>> {
    let mut lengths = vec![vec![0; new.len() + 1]; old.len() + 1];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            lengths[a][b] = if old[a] == new[b] {
                lengths[a + 1][b + 1] + 1
            } else {
                lengths[a + 1][b].max(lengths[a][b + 1])
            };
        }
    }
    lengths
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
