//! Adds an entry to somebody's YAML and removes it, by lines: comments, order and every other byte stay. The entry is written as
//! JSON, which is YAML, on one line below its section; a section in a form that has no lines of its own is refused.

use std::ops::Range;
use std::path::Path;

use super::entries::Insertion;
use crate::Error;
use mindfile_workspace::Ending;

pub(super) fn put(path: &Path, old: &str, puts: &[Insertion]) -> Result<String, Error> {
    let ending = Ending::of(old.as_bytes());
    let mut lines: Vec<String> = old.lines().map(str::to_owned).collect();
    for one in puts {
        let Insertion::Entry { at, value } = one else { continue };
        let [section, name] = at.as_slice() else { continue };
        let Some(head) = head(path, &lines, section)? else {
            lines.push(format!("{section}:"));
            lines.push(format!("  {name}: {value}"));
            continue;
        };
        let body = body(&lines, head);
        let indent = indent(&lines[body.clone()]);
        let entry = format!("{indent}{name}: {value}");
        match place(&lines, body, &indent, name) {
            Some(there) => drop(lines.splice(there, [entry])),
            None => lines.insert(head + 1, entry),
        }
    }
    Ok(joined(&lines, ending))
}

/// A section that is left without an entry goes as well.
pub(super) fn take(path: &Path, old: &str, puts: &[Insertion]) -> Result<String, Error> {
    let ending = Ending::of(old.as_bytes());
    let mut lines: Vec<String> = old.lines().map(str::to_owned).collect();
    for one in puts {
        let Insertion::Entry { at, .. } = one else { continue };
        let [section, name] = at.as_slice() else { continue };
        let Some(head) = head(path, &lines, section)? else { continue };
        let found = body(&lines, head);
        let indent = indent(&lines[found.clone()]);
        let Some(there) = place(&lines, found, &indent, name) else { continue };
        lines.drain(there);
        if lines[body(&lines, head)].iter().all(|line| !says(line)) {
            lines.remove(head);
        }
    }
    Ok(joined(&lines, ending))
}

fn joined(lines: &[String], ending: Ending) -> String {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    String::from_utf8_lossy(&ending.apply(text.as_bytes())).into_owned()
}

/// Neither blank nor a comment.
fn says(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

/// The line that begins a section at the top of the document.
fn head(path: &Path, lines: &[String], section: &str) -> Result<Option<usize>, Error> {
    let refused = |what: String| Error::CannotEdit { path: path.to_owned(), what };
    if lines.iter().skip_while(|line| !says(line)).skip(1).any(|line| line.starts_with("---")) {
        return Err(refused("it holds several documents".to_owned()));
    }
    let rest = |line: &String| line.strip_prefix(section)?.strip_prefix(':').map(str::to_owned);
    let Some((at, rest)) = lines.iter().enumerate().find_map(|(at, line)| Some((at, rest(line)?))) else {
        return Ok(None);
    };
    if says(&rest) {
        return Err(refused(format!("`{section}` is written on one line")));
    }
    Ok(Some(at))
}

/// The lines below a head that are indented, with blank ones and comments between them.
fn body(lines: &[String], head: usize) -> Range<usize> {
    let is_below = |line: &String| line.starts_with([' ', '\t']) || !says(line);
    let mut end = head + 1 + lines[head + 1..].iter().take_while(|line| is_below(line)).count();
    while end > head + 1 && !says(&lines[end - 1]) {
        end -= 1;
    }
    head + 1..end
}

fn indent(body: &[String]) -> String {
    let first = body.iter().find(|line| says(line)).map_or("  ", String::as_str);
    first[..first.len() - first.trim_start().len()].to_owned()
}

/// The entry with all that is indented below it.
fn place(lines: &[String], body: Range<usize>, indent: &str, name: &str) -> Option<Range<usize>> {
    let begins = |line: &String| {
        line.strip_prefix(indent)
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|rest| rest.starts_with(':'))
    };
    let start = body.clone().find(|at| begins(&lines[*at]))?;
    let deeper = |line: &String| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with([' ', '\t']));
    let inner = lines[start + 1..body.end].iter().take_while(|line| deeper(line)).count();
    Some(start..start + 1 + inner)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry() -> [Insertion; 1] {
        [Insertion::Entry { at: vec!["extensions", "mindfile"], value: json!({"cmd": "m"}) }]
    }

    fn check(old: &str, expected: &str) {
        let path = Path::new("config.yaml");
        let new = put(path, old, &entry()).unwrap();
        assert_eq!(new, expected);
        assert_eq!(put(path, &new, &entry()).unwrap(), new);
        let bare = take(path, &new, &entry()).unwrap();
        assert_eq!(bare.trim_end(), old.trim_end(), "{new}");
    }

    #[test]
    fn an_entry_is_one_line_below_its_section_and_goes_again() {
        check("", "extensions:\n  mindfile: {\"cmd\":\"m\"}\n");
        check("a: 1 # keep\n", "a: 1 # keep\nextensions:\n  mindfile: {\"cmd\":\"m\"}\n");
        check(
            "extensions: # mine\n    # first\n    other:\n        cmd: x\n\nb: 2\n",
            "extensions: # mine\n    mindfile: {\"cmd\":\"m\"}\n    # first\n    other:\n        cmd: x\n\nb: 2\n",
        );
        check(
            "extensions:\r\n  other: {}\r\n",
            "extensions:\r\n  mindfile: {\"cmd\":\"m\"}\r\n  other: {}\r\n",
        );
    }

    #[test]
    fn an_entry_of_another_version_is_replaced_with_all_that_is_below_it() {
        let old = "extensions:\n  mindfile:\n    cmd: old\n    args:\n      - mcp\n  other: {}\n";
        let new = put(Path::new("c.yaml"), old, &entry()).unwrap();
        assert_eq!(new, "extensions:\n  mindfile: {\"cmd\":\"m\"}\n  other: {}\n");
    }

    #[test]
    fn a_form_without_lines_is_refused() {
        for old in ["extensions: {}\n", "extensions: {other: {}}\n", "a: 1\n---\nextensions:\n"] {
            assert!(put(Path::new("c.yaml"), old, &entry()).is_err(), "{old}");
        }
    }
}
