//! Other names of an entity, declared in its page in the bank: `alias: Bob = Robert`; or in the front matter of the note that has its
//! name, as Obsidian has it: `aliases: [Bob]` in `Robert.md`.

use crate::chunk::front_list;
use crate::fact::is_entity_char;
use crate::text;

/// `alias` means `name`; both in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alias {
    pub alias: String,
    pub name: String,
}

/// Where the pages of entities are.
pub const PAGES: &str = "bank/entities/";

/// The aliases that a note declares: an entity's page by lines, any note for its own name.
pub fn declared(path: &str, text: &str) -> Vec<Alias> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let name = canonical(file.strip_suffix(".md").unwrap_or(file));
    let others = ["aliases", "alias"].into_iter().flat_map(|key| front_list(text, key));
    let own = others.filter_map(|alias| {
        let (alias, name) = (canonical(&alias)?, name.clone()?);
        (alias != name).then_some(Alias { alias, name })
    });
    let by_lines = text::lines(text).filter(|_| path.starts_with(PAGES)).filter_map(read);
    own.chain(by_lines).collect()
}

/// One line, with or without a bullet.
fn read(line: &str) -> Option<Alias> {
    let line = line.trim().trim_start_matches(['-', '*', '+']).trim_start();
    let (word, rest) = line.split_once(':')?;
    let (alias, name) = rest.split_once('=').filter(|_| word.trim_end().eq_ignore_ascii_case("alias"))?;
    let alias = canonical(alias)?;
    let name = canonical(name)?;
    (alias != name).then_some(Alias { alias, name })
}

/// Renames either side of an alias line; the rest stays.
pub fn renamed(line: &str, old: &str, new: &str) -> String {
    let Some((head, rest)) = line.split_once(':') else { return line.to_owned() };
    let sides = rest.split('=').map(|side| {
        let name = side.trim();
        if canonical(name).as_deref() == Some(old) {
            side.replace(name, &spelled(new))
        } else {
            side.to_owned()
        }
    });
    format!("{head}:{}", sides.collect::<Vec<_>>().join("="))
}

/// A name in comparable form: lower case, without `@`, spaces as `-`; `None` if nothing is left.
pub fn canonical(name: &str) -> Option<String> {
    let spelled = spelled(name);
    (!spelled.is_empty()).then(|| spelled.to_lowercase())
}

/// A name as a tag: characters that a tag cannot hold become `-`.
pub fn spelled(name: &str) -> String {
    let name = name.trim().trim_start_matches('@');
    name.chars().map(|c| if is_entity_char(c) { c } else { '-' }).collect()
}

/// The page of an entity.
pub fn page(name: &str) -> String {
    let slug: String =
        name.to_lowercase().chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    format!("{PAGES}{}.md", slug.trim_matches('-'))
}

/// The line that declares an alias.
pub fn line(alias: &str, name: &str) -> String {
    format!("alias: {} = {}", spelled(alias), spelled(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = declared("bank/entities/robert.md", text);
        let found: Vec<_> = found.iter().map(|a| (a.alias.as_str(), a.name.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn aliases_are_lines_of_an_entitys_page() {
        check(
            "# Robert\n\nalias: Bob = Robert\r\n- Alias: @Bobby Tables = robert\n",
            &[("bob", "robert"), ("bobby-tables", "robert")],
        );
        assert_eq!(declared("memory/robert.md", "alias: Bob = Robert"), []);
        let note = "---\naliases: [Bob, Old Bob]\n---\nA friend.\n";
        let found = declared("memory/people/Robert Ames.md", note);
        let found: Vec<_> = found.iter().map(|a| (a.alias.as_str(), a.name.as_str())).collect();
        assert_eq!(found, [("bob", "robert-ames"), ("old-bob", "robert-ames")]);
    }

    #[test]
    fn other_lines_are_not() {
        check("alias: Bob\nalias: = Robert\nalias = Bob: Robert\nalias: Bob = bob\naliases: a = b\n", &[]);
    }

    #[test]
    fn a_name_is_changed_on_either_side_and_the_rest_of_the_line_stays() {
        let check = |line: &str, expected: &str| assert_eq!(renamed(line, "robert", "Rob Roy"), expected);
        check("- alias: Bob = Robert  ", "- alias: Bob = Rob-Roy  ");
        check("alias:  @Robert=Bob", "alias:  Rob-Roy=Bob");
        check("alias: Roberta = Bob", "alias: Roberta = Bob");
        check("no alias", "no alias");
    }

    #[test]
    fn a_page_is_named_after_its_entity() {
        assert_eq!(page("Robert"), "bank/entities/robert.md");
        assert_eq!(page("host/owner.repo"), "bank/entities/host-owner-repo.md");
        assert_eq!(line("Bob", "@Robert J"), "alias: Bob = Robert-J");
    }
}
