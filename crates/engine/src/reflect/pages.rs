//! What reflection has to say on each page: the core in MEMORY.md, and the bank.

use std::collections::BTreeMap;

use mindfile_note::alias;
use mindfile_note::fact::Kind;

use super::consolidate::{Group, Item};
use super::line::Line;

pub const CORE: &str = "MEMORY.md";
/// So many items make an entity worth a page of its own.
const WORTH_A_PAGE: usize = 2;
/// A file name must fit into a directory.
const LONGEST_PATH: usize = 200;

/// The body of one page's section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    /// Workspace-relative.
    pub path: String,
    /// What a new file begins with, before the section.
    pub title: String,
    pub body: String,
}

/// The core section: a heading an entity, the most important first.
pub fn core(groups: &[Group]) -> PageText {
    let mut body = String::from("## Core memory\n");
    for group in groups {
        body.push('\n');
        if !group.entity.is_empty() {
            body.push_str(&format!("### @{}\n\n", group.entity));
        }
        body.extend(group.lines.iter().map(|line| line.write() + "\n"));
    }
    PageText { path: CORE.to_owned(), title: "# Long-term memory\n".to_owned(), body }
}

/// The pages of the bank: by kind, and one for each entity that has enough to say.
pub fn bank(items: &[Item]) -> Vec<PageText> {
    let of_kind = |kinds: &[Kind]| items.iter().filter(|item| kinds.contains(&item.kind)).collect::<Vec<_>>();
    let kinds = [
        ("world", "# World\n", of_kind(&[Kind::World, Kind::Summary])),
        ("experience", "# Experience\n", of_kind(&[Kind::Experience])),
        ("opinions", "# Opinions\n", of_kind(&[Kind::Opinion])),
    ];
    let mut pages: Vec<PageText> = kinds
        .into_iter()
        .filter(|(_, _, items)| !items.is_empty())
        .map(|(name, title, items)| page(format!("bank/{name}.md"), title.to_owned(), &items))
        .collect();
    pages.extend(entities(items));
    pages
}

fn entities(items: &[Item]) -> Vec<PageText> {
    let mut named: BTreeMap<String, (String, Vec<&Item>)> = BTreeMap::new();
    for item in items {
        for name in &item.names {
            let (_, of) = named.entry(alias::page(name)).or_insert_with(|| (item.spelling(name), Vec::new()));
            if !of.iter().any(|known| known.cites == item.cites) {
                of.push(item);
            }
        }
    }
    let worth = |(path, (_, items)): &(String, (String, Vec<&Item>))| {
        items.len() >= WORTH_A_PAGE && path.len() <= LONGEST_PATH && !path.ends_with("/.md")
    };
    let pages = named.into_iter().filter(worth);
    pages.map(|(path, (name, items))| page(path, format!("# @{name}\n"), &items)).collect()
}

fn page(path: String, title: String, items: &[&Item]) -> PageText {
    let body = items.iter().map(|item| Line::from(*item).write() + "\n").collect();
    PageText { path, title, body }
}

/// Tokens of a section's body.
pub fn tokens(body: &str) -> usize {
    body.lines().map(mindfile_note::chunk::weight).sum::<usize>().div_ceil(4)
}
