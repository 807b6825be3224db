//! Other names of entities: `Bob` and `Robert` are one person, and count as one.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::Alias;

/// How many entities of a fact are linked: a line of a thousand tags names half a million pairs.
pub const MOST_ENTITIES: usize = 32;

/// What each alias means. Where two notes disagree, the one whose path comes first decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aliases(BTreeMap<String, String>);

impl Aliases {
    /// From declarations in the order of their paths.
    pub fn of<'a>(declared: impl IntoIterator<Item = &'a Alias>) -> Self {
        let mut map = BTreeMap::new();
        for Alias { alias, name } in declared {
            map.entry(alias.clone()).or_insert_with(|| name.clone());
        }
        Self(map)
    }

    /// The name in force. Names that form a circle all mean the alphabetically first of them.
    pub fn resolve<'a>(&'a self, name: &'a str) -> &'a str {
        let mut seen = BTreeSet::new();
        let mut at = name;
        while let Some(next) = self.0.get(at) {
            if !seen.insert(at) {
                return self.circle(at);
            }
            at = next;
        }
        at
    }

    /// The name in force, for a name in any case.
    pub fn in_force(&self, name: &str) -> String {
        self.resolve(&name.to_lowercase()).to_owned()
    }

    fn circle<'a>(&'a self, start: &'a str) -> &'a str {
        let mut least = start;
        let mut at = start;
        while let Some(next) = self.0.get(at).filter(|next| *next != start) {
            at = next;
            least = least.min(at);
        }
        least
    }

    /// The names in force of a line's entities, without repeats.
    pub fn names(&self, spelled: &[String]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for entity in spelled {
            let lower = entity.to_lowercase();
            let name = self.resolve(&lower);
            if names.len() < MOST_ENTITIES && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// What the names mean here that mean something else in `other`.
    pub fn changed<'a>(&'a self, other: &'a Self) -> BTreeSet<&'a str> {
        let all = self.0.keys().chain(other.0.keys());
        all.filter(|name| self.resolve(name) != other.resolve(name)).map(|name| self.resolve(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aliases(pairs: &[(&str, &str)]) -> Aliases {
        let all: Vec<Alias> =
            pairs.iter().map(|(a, n)| Alias { alias: (*a).to_owned(), name: (*n).to_owned() }).collect();
        Aliases::of(&all)
    }

    #[test]
    fn a_name_is_followed_to_its_end() {
        let known = aliases(&[("bob", "robert"), ("rob", "bob"), ("bob", "somebody")]);
        assert_eq!((known.resolve("rob"), known.resolve("ann")), ("robert", "ann"));
        assert_eq!(known.names(&["Rob".to_owned(), "Ann".to_owned(), "BOB".to_owned()]), ["robert", "ann"]);
    }

    #[test]
    fn a_circle_is_one_name() {
        let known = aliases(&[("a", "b"), ("b", "c"), ("c", "b")]);
        assert_eq!((known.resolve("a"), known.resolve("b"), known.resolve("c")), ("b", "b", "b"));
        assert_eq!(aliases(&[("a", "a")]).resolve("a"), "a");
    }

    #[test]
    fn what_changed_is_named_by_what_it_meant() {
        let before = aliases(&[("rob", "bob")]);
        let after = aliases(&[("rob", "bob"), ("bob", "robert")]);
        assert_eq!(before.changed(&after), BTreeSet::from(["bob"]));
        assert_eq!(after.changed(&before), BTreeSet::from(["robert"]));
    }
}
