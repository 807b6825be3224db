//! YAML front matter: where it ends, and the title in it.

use super::heading;
use crate::text;

/// Longer front matter is not recognised: the opening `---` is then a rule.
const MOST_LINES: usize = 1_000;

/// How many lines the front matter takes, both `---` included; 0 if there is none.
pub(crate) fn extent(text: &str) -> usize {
    let mut lines = text::lines(text).take(MOST_LINES);
    if lines.next().map(str::trim_end) != Some("---") {
        return 0;
    }
    lines.position(|line| matches!(line.trim_end(), "---" | "...")).map_or(0, |inner| inner + 2)
}

/// Whether nothing that is appended makes front matter of what stands there.
pub(super) fn is_settled(text: &str) -> bool {
    let opens = text::lines(text).next().map(str::trim_end) == Some("---");
    !opens || extent(text) > 0 || text::lines(text).nth(MOST_LINES).is_some()
}

/// The value of the top-level key `title`, if it is a plain or quoted scalar on one line.
pub(super) fn title(text: &str) -> Option<String> {
    let inner = extent(text).saturating_sub(2);
    let mut lines = text::lines(text).skip(1).take(inner);
    let value = lines.find_map(|line| line.strip_prefix("title:"))?;
    Some(heading::capped(scalar(value.trim())?.trim())).filter(|title| !title.is_empty())
}

/// The values of a top-level key, as Obsidian reads its properties: one, several between brackets, or one a line.
pub(crate) fn list(text: &str, key: &str) -> Vec<String> {
    let inner = extent(text).saturating_sub(2);
    let mut lines = text::lines(text).skip(1).take(inner);
    let Some(first) = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(':')) else {
        return Vec::new();
    };
    let first = first.trim();
    let values: Vec<&str> = match first.strip_prefix('[') {
        Some(flow) => flow.trim_end_matches(']').split(',').collect(),
        None if first.is_empty() => lines.map_while(|line| line.trim_start().strip_prefix("- ")).collect(),
        None => first.split(',').collect(),
    };
    values.into_iter().filter_map(|value| scalar(value.trim())).filter(|value| !value.is_empty()).collect()
}

fn scalar(value: &str) -> Option<String> {
    match value.chars().next()? {
        '"' => double_quoted(&value[1..]),
        '\'' => single_quoted(&value[1..]),
        '|' | '>' | '[' | '{' | '&' | '*' | '!' | '#' => None,
        _ => Some(value.split_once(" #").map_or(value, |(plain, _comment)| plain).to_owned()),
    }
}

fn double_quoted(rest: &str) -> Option<String> {
    let mut value = String::new();
    let mut chars = rest.chars();
    loop {
        match chars.next()? {
            '"' => return Some(value),
            '\\' => value.push(match chars.next()? {
                'n' | 't' => ' ',
                escaped => escaped,
            }),
            plain => value.push(plain),
        }
    }
}

fn single_quoted(rest: &str) -> Option<String> {
    let mut value = String::new();
    let mut chars = rest.chars().peekable();
    loop {
        match chars.next()? {
            '\'' if chars.next_if_eq(&'\'').is_none() => return Some(value),
            plain => value.push(plain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(title(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn a_title_is_read_from_the_front_matter() {
        check("---\ntags: [a]\ntitle: Plain words # note\n---\n", Some("Plain words"));
        check("---\r\ntitle: \"Say \\\"hi\\\": now\"\r\n...\r\n", Some("Say \"hi\": now"));
        check("---\ntitle: 'It''s'\n---", Some("It's"));
    }

    #[test]
    fn a_list_is_read_in_each_of_its_forms() {
        for text in [
            "---\naliases: [Bob, \"Bobby B\"]\n---\n",
            "---\na: 1\naliases:\n  - Bob\n  - 'Bobby B'\nb: 2\n---\n",
            "---\r\naliases: Bob, Bobby B\r\n---\r\n",
        ] {
            assert_eq!(list(text, "aliases"), ["Bob", "Bobby B"], "{text}");
        }
        for text in
            ["aliases: [Bob]\n", "---\naliases: []\n---\n", "---\naliases:\n---\n", "---\nalias2: x\n---\n"]
        {
            assert_eq!(list(text, "aliases"), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_scalar_in_front_matter_is_no_title() {
        check("title: x\n", None);
        check("---\ntitle: x\n", None);
        check("---\ntitle:\n---\n", None);
        check("---\ntitle: >\n  folded\n---\n", None);
        check("---\ntitle: \"open\n---\n", None);
        check("---\nsub:\n  title: x\n---\n", None);
        check("---\n---\ntitle: x\n", None);
    }

    #[test]
    fn an_unclosed_front_matter_is_a_rule() {
        assert_eq!(extent("---\na\n"), 0);
        assert_eq!(extent("---\na\n---\nb"), 3);
        assert_eq!(extent(&format!("---\n{}---\n", "a\n".repeat(2_000))), 0);
    }
}
