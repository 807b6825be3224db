//! Links between notes, `[[name]]` and `[words](path.md)`, and what becomes of them where a note gets another path.

use std::borrow::Cow;
use std::ops::Range;

use crate::chunk;
use crate::text;

/// A note gets another path. All paths are relative to the workspace.
#[derive(Debug, Clone, Copy)]
pub struct Renaming<'a> {
    pub from: &'a str,
    pub to: &'a str,
    /// Whether the file's name alone told which note was meant.
    pub was_only: bool,
    /// Whether it will.
    pub is_only: bool,
}

/// The text of the note at `at` with its links as they must be after the renaming; none if they are so already. Code and
/// front matter are left alone.
pub fn renamed(text: &str, at: &str, renaming: &Renaming<'_>) -> Option<String> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for line in chunk::read_lines(text).filter(|line| !line.verbatim) {
        let (start, _) = text::extent(text, line.text);
        let found = targets(line.text).into_iter();
        edits.extend(found.filter_map(|target| {
            let old = &line.text[target.range.clone()];
            let new = target.kind.renamed(old, at, renaming)?;
            (new != old).then(|| (start + target.range.start..start + target.range.end, new))
        }));
    }
    let mut whole = text.to_owned();
    for (range, new) in edits.iter().rev() {
        whole.replace_range(range.clone(), new);
    }
    (!edits.is_empty()).then_some(whole)
}

#[derive(Debug, Clone, Copy)]
enum LinkKind {
    /// `[[name]]`: a name, or a path from the workspace.
    Wiki,
    /// `(path.md)`: a path from the note that it stands in.
    Path,
}

struct LinkTarget {
    kind: LinkKind,
    range: Range<usize>,
}

/// Where the links of a line point, without `#heading` and `|words`.
fn targets(line: &str) -> Vec<LinkTarget> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = line[at..].find(['`', '[', ']']).map(|next| at + next) {
        let rest = &line[next..];
        at = if rest.starts_with('`') {
            next + code(rest)
        } else if let Some(end) = rest.strip_prefix("[[").and_then(|inner| inner.find("]]")) {
            found.push(target(LinkKind::Wiki, line, next + 2..next + 2 + end));
            next + 2 + end
        } else if let Some(end) = rest.strip_prefix("](").and_then(|inner| inner.find(')')) {
            let inner = next + 2..next + 2 + end;
            let angled = line[inner.clone()].starts_with('<') && line[inner.clone()].ends_with('>');
            let inner = if angled { inner.start + 1..inner.end - 1 } else { inner };
            found.push(target(LinkKind::Path, line, inner));
            next + 2 + end
        } else {
            next + 1
        };
    }
    found
}

/// The length of a code span, or of its first mark where nothing ends it.
fn code(rest: &str) -> usize {
    let marks = rest.len() - rest.trim_start_matches('`').len();
    let (mark, inner) = rest.split_at(marks);
    inner.find(mark).map_or(marks, |end| marks + end + marks)
}

fn target(kind: LinkKind, line: &str, range: Range<usize>) -> LinkTarget {
    let inner = &line[range.clone()];
    let end = inner.find(['#', '|']).unwrap_or(inner.len());
    // In a table the mark before the words is escaped.
    let plain = inner[..end].trim_end_matches('\\').trim_end();
    let start = range.start + plain.len() - plain.trim_start().len();
    LinkTarget { kind, range: start..range.start + plain.len() }
}

impl LinkKind {
    /// The target as it must be; none if it is no such link or can stay.
    fn renamed(self, old: &str, at: &str, renaming: &Renaming<'_>) -> Option<String> {
        match self {
            Self::Wiki => wiki(old, renaming),
            Self::Path => path(old, at, renaming),
        }
    }
}

fn wiki(old: &str, renaming: &Renaming<'_>) -> Option<String> {
    let named = old.strip_suffix(".md").unwrap_or(old);
    let (from, to) = (stem(renaming.from), stem(renaming.to));
    let is_name = !named.contains('/');
    let is_meant = from == named
        || renaming.was_only
            && from.len() > named.len()
            && from.is_char_boundary(from.len() - named.len())
            && from.split_at(from.len() - named.len()).1.eq_ignore_ascii_case(named)
            && from.as_bytes()[from.len() - named.len() - 1] == b'/';
    let short = is_name && renaming.is_only;
    let new = if short { to.rsplit('/').next().unwrap_or(to) } else { to };
    let is_same = short && from.rsplit('/').next() == Some(new);
    (is_meant && !named.is_empty() && !is_same).then(|| format!("{new}{}", &old[named.len()..]))
}

fn path(old: &str, at: &str, renaming: &Renaming<'_>) -> Option<String> {
    let is_moved = at == renaming.from;
    let plain = old.replace("%20", " ");
    let is_elsewhere = plain.is_empty() || plain.contains(':') || plain.starts_with('/');
    let target = joined(folder(at), &plain).filter(|_| !is_elsewhere)?;
    let here = if is_moved { renaming.to } else { at };
    let wanted = if target == renaming.from { renaming.to } else { &target };
    if joined(folder(here), &plain).as_deref() == Some(wanted) {
        return None;
    }
    let new = relative(folder(here), wanted);
    Some(if old.contains("%20") { new.replace(' ', "%20") } else { new })
}

fn stem(path: &str) -> &str {
    path.strip_suffix(".md").unwrap_or(path)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Where a path leads from a folder; none if it leads out of the workspace.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// How a path is written from a folder.
fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = path.split('/').collect();
    let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let up = std::iter::repeat_n(Cow::Borrowed(".."), from.len() - shared);
    let down = to[shared..].iter().map(|part| Cow::Borrowed(*part));
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RENAMING: Renaming<'_> = Renaming {
        from: "memory/plans/osaka.md",
        to: "memory/trips/kyoto.md",
        was_only: true,
        is_only: true,
    };

    fn check(at: &str, text: &str, expected: &str) {
        let new = renamed(text, at, &RENAMING);
        assert_eq!(new.as_deref().unwrap_or(text), expected, "{at}");
    }

    #[test]
    fn links_by_name_and_by_path_follow_the_note() {
        check(
            "memory/a.md",
            "[[osaka]] [[Osaka|the trip]] ![[osaka#Food]] [[memory/plans/osaka]] [[plans/osaka.md]]\n",
            "[[kyoto]] [[kyoto|the trip]] ![[kyoto#Food]] [[memory/trips/kyoto]] [[memory/trips/kyoto.md]]\n",
        );
        check(
            "memory/a.md",
            "[trip](plans/osaka.md#food) [x](<plans/osaka.md>) | [[osaka\\|t]] |\r\nnext",
            "[trip](trips/kyoto.md#food) [x](<trips/kyoto.md>) | [[kyoto\\|t]] |\r\nnext",
        );
    }

    #[test]
    fn other_links_and_code_stay_as_they_are() {
        let text = "[[osaka2]] [[a/osaka]] [x](osaka.md) [y](https://x.y/plans/osaka.md) `[[osaka]]` [[]] [[ ]]\n```\n[[osaka]]\n```\n";
        check("memory/a.md", text, text);
    }

    #[test]
    fn the_note_that_moves_takes_its_own_paths_along() {
        check(
            "memory/plans/osaka.md",
            "[map](map.md) [up](../a.md) [[osaka]] [self](osaka.md)\n",
            "[map](../plans/map.md) [up](../a.md) [[kyoto]] [self](kyoto.md)\n",
        );
    }

    #[test]
    fn a_name_that_means_several_notes_is_not_taken_for_one() {
        let both = Renaming { was_only: false, ..RENAMING };
        assert_eq!(renamed("[[osaka]]", "a.md", &both), None);
        let taken = Renaming { is_only: false, ..RENAMING };
        assert_eq!(renamed("[[osaka]]", "a.md", &taken).as_deref(), Some("[[memory/trips/kyoto]]"));
    }
}
