//! A folder of basic-memory: Markdown as it is, and of each note the observations (`- [category] text #tag (context)`) and
//! relations (`- leads [[Other]]`) as facts.

use std::path::Path;

use mindfile_note::fact::{Kind as FactKind, Line};
use mindfile_note::text;

use super::Work;
use super::facts::statement;
use super::notes::{Naming, markdown};
use crate::Error;

impl Work<'_> {
    pub(super) fn basic_memory(&mut self, root: &Path) -> Result<(), Error> {
        for path in markdown(root)? {
            let Some(bytes) = self.note_file(root, &path, Naming::Apart)? else { continue };
            let note = text::decode(&bytes);
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let title = title(&note).unwrap_or(&stem);
            for (key, line) in text::lines(&note).filter_map(|line| said(title, line)) {
                self.fact(&key, line)?;
            }
        }
        Ok(())
    }
}

/// What the front matter calls the note.
fn title(note: &str) -> Option<&str> {
    let mut lines = text::lines(note);
    lines.next().filter(|line| line.trim_end() == "---")?;
    let mut front = lines.take_while(|line| line.trim_end() != "---");
    let title = front.find_map(|line| line.strip_prefix("title:"))?;
    Some(title.trim().trim_matches(['"', '\''])).filter(|title| !title.is_empty())
}

/// A line as a fact about the note's subject.
fn said(title: &str, line: &str) -> Option<(String, Line<'static>)> {
    let item = line.trim_start().strip_prefix("- ")?.trim();
    if let Some((category, text)) = observation(item) {
        let tags = text.split(' ').filter_map(|word| word.strip_prefix('#')).filter(|tag| !tag.is_empty());
        let about: Vec<&str> = std::iter::once(title).chain(tags).collect();
        let words: Vec<&str> = text.split(' ').filter(|word| !word.starts_with('#')).collect();
        let kind =
            if category.eq_ignore_ascii_case("preference") { FactKind::Opinion } else { FactKind::World };
        return statement(kind, &about, &words.join(" "));
    }
    let (relation, rest) = item.split_once("[[")?;
    let (target, context) = rest.split_once("]]")?;
    let relation = relation.trim().trim_matches('"');
    let relation = if relation.is_empty() { "relates to" } else { relation };
    let target = target.split('|').next().unwrap_or(target).trim();
    let text = format!("{title} {} {target} {}", relation.replace('_', " "), context.trim());
    (!target.is_empty() && context.trim().is_empty() | context.trim().starts_with('('))
        .then(|| statement(FactKind::World, &[title, target], text.trim_end()))?
}

/// `[category] text`; a task and a link are none.
fn observation(item: &str) -> Option<(&str, &str)> {
    let (category, text) = item.strip_prefix('[')?.split_once("] ")?;
    let is_category = !category.trim().is_empty()
        && !matches!(category, "x" | "X" | "-")
        && !category.contains(['[', ']', '(', ')']);
    is_category.then(|| (category.trim(), text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observations_and_relations_are_facts_and_nothing_else_is() {
        let text = |line: &str| said("Ada", line).map(|(_, line)| line.text().to_owned());
        assert_eq!(text("- [fact] Lives in Turku").as_deref(), Some("Lives in Turku"));
        assert_eq!(text("- [note] Likes tea #drinks (at noon)").as_deref(), Some("Likes tea (at noon)"));
        assert_eq!(text("- leads [[Harbour]] (since May)").as_deref(), Some("Ada leads Harbour (since May)"));
        for line in
            ["- [ ] call", "- [x] done", "- [a](b.md)", "plain", "- see [[x]] and more", "- [[", "- [a]"]
        {
            assert_eq!(text(line), None, "{line}");
        }
    }
}
