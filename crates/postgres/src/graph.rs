//! Entities and the facts that name them. Queries resolve aliases, so that declaring or withdrawing one changes no row.

use mindfile_index::{Doc, Entity, Error, Filter};
use postgres::Row;
use std::collections::{BTreeMap, BTreeSet};

use crate::codec::{self, all_stored, plain, stored};
use crate::condition::{condition, with_note};
use crate::pool::Params;
use crate::read::Reader;

/// A caller that asks for so few facts of each entity needs their contents next, so they are read along.
const FEW: usize = 32;

/// Parallel arrays of names, as parameters.
#[derive(Default)]
struct NameArrays {
    at: Vec<i64>,
    asked: Vec<String>,
    own: Vec<String>,
}

impl Reader<'_> {
    /// Every name that means one of these, with the position of that one and its name in force.
    fn asked(&self, names: &[&str]) -> Result<NameArrays, Error> {
        let known = self.known()?;
        let mut all = NameArrays::default();
        for (at, name) in (0_i64..).zip(names) {
            let name = known.aliases.in_force(name);
            let others = known.meant.iter().filter(|(alias, meant)| *meant == name && *alias != name);
            // A name in force may itself be an alias, if aliases form a circle.
            let own = (known.aliases.resolve(&name) == name).then_some(&name);
            for spelled in others.map(|(alias, _)| alias).chain(own) {
                all.at.push(at);
                all.asked.push(stored(spelled).into_owned());
                all.own.push(stored(&name).into_owned());
            }
        }
        Ok(all)
    }

    /// Every entity that a fact names, by name. Those that aliases concern are counted by all their names.
    pub(crate) fn all_entities(&self) -> Result<Vec<Entity>, Error> {
        let sql = "SELECT name, facts FROM entities WHERE agent = $1 AND part = $2";
        let mut all: Vec<Entity> = self.ask(sql, &[])?.iter().map(entity).collect();
        let known = self.known()?;
        let aliases: BTreeSet<&str> = known.meant.iter().map(|(alias, _)| alias.as_str()).collect();
        let meant: BTreeSet<&str> = known.meant.iter().map(|(_, name)| name.as_str()).collect();
        all.retain(|Entity { name, .. }| !aliases.contains(name.as_str()) && !meant.contains(name.as_str()));
        let counted = self.named(&meant.into_iter().collect::<Vec<&str>>())?;
        all.extend(counted.into_iter().filter(|entity| entity.facts > 0));
        all.sort();
        Ok(all)
    }

    /// Entities by any of their names. Counts are read once in a snapshot.
    pub(crate) fn named(&self, names: &[&str]) -> Result<Vec<Entity>, Error> {
        let known = self.known()?;
        let names: Vec<String> = names.iter().map(|name| known.aliases.in_force(name)).collect();
        let wanted = names.iter().filter(|name| !self.counts.borrow().contains_key(*name));
        let wanted: BTreeSet<&str> = wanted.map(String::as_str).collect();
        if !wanted.is_empty() {
            let wanted: Vec<&str> = wanted.into_iter().collect();
            let found = self.fact_counts(&wanted)?;
            let count = |name: &&str| ((*name).to_owned(), found.get(*name).copied().unwrap_or(0));
            self.counts.borrow_mut().extend(wanted.iter().map(count));
        }
        let counts = self.counts.borrow();
        let entity = |name: String| Entity { facts: counts.get(&name).copied().unwrap_or(0), name };
        Ok(names.into_iter().map(entity).collect())
    }

    /// The last facts that name each of these entities and that a narrowed filter admits.
    pub(crate) fn last_naming(
        &self,
        names: &[&str],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let NameArrays { at, asked, .. } = self.asked(names)?;
        let mut lists = vec![Vec::new(); names.len()];
        if asked.is_empty() || limit == 0 {
            return Ok(lists);
        }
        let admitted = match filter.is_empty() {
            true => String::new(),
            false => format!(
                "JOIN entries e ON e.agent = o.agent AND e.part = o.part AND e.doc = o.doc {}{}",
                with_note(filter),
                condition(filter)
            ),
        };
        // A fact may name an entity by several of its names.
        let sql = format!(
            "SELECT DISTINCT m.at, o.doc FROM unnest($3::int8[], $4::text[]) m(at, name) CROSS JOIN LATERAL (
               SELECT o.doc FROM names o {admitted} WHERE o.agent = $1 AND o.part = $2 AND o.name = m.name
               ORDER BY o.doc DESC LIMIT $5) o"
        );
        let most = i64::try_from(limit).unwrap_or(i64::MAX);
        let params: Params<'_> = &[&at, &asked, &most];
        let found: Vec<(i64, Doc)> = if limit <= FEW {
            self.read_found(&sql, params)?
        } else {
            let rows = self.ask(&format!("{sql} ORDER BY m.at, o.doc DESC"), params)?;
            rows.iter().map(|row| (row.get(0), codec::to_doc(row.get(1)))).collect()
        };
        for (at, doc) in found {
            let place = usize::try_from(at).ok().and_then(|at| lists.get_mut(at));
            if let Some(list) = place.filter(|list| list.len() < limit) {
                list.push(doc);
            }
        }
        Ok(lists)
    }

    fn fact_counts(&self, names: &[&str]) -> Result<BTreeMap<String, u32>, Error> {
        if self.known()?.meant.is_empty() {
            let sql =
                "SELECT name, facts FROM entities WHERE agent = $1 AND part = $2 AND name = ANY ($3::text[])";
            return Ok(self.ask(sql, &[&all_stored(names)])?.iter().map(counted).collect());
        }
        let NameArrays { asked, own, .. } = self.asked(names)?;
        let sql = "SELECT m.meant, count(DISTINCT n.doc) FROM unnest($3::text[], $4::text[]) m(alias, meant)
            JOIN names n ON n.agent = $1 AND n.part = $2 AND n.name = m.alias GROUP BY m.meant";
        Ok(self.ask(sql, &[&asked, &own])?.iter().map(counted).collect())
    }

    /// Takes the first tag of each fact that means the name; of those the first that is the name itself, else the first.
    pub(crate) fn first_spellings(&self, names: &[&str]) -> Result<Vec<Option<String>>, Error> {
        let NameArrays { at, asked, own } = self.asked(names)?;
        let sql = r#"SELECT DISTINCT ON (at) at, tag FROM (
              SELECT DISTINCT ON (m.at, n.doc) m.at, m.own, n.doc, n.tag, e.path, e.start_line
              FROM unnest($3::int8[], $4::text[], $5::text[]) m(at, name, own)
              JOIN names n ON n.agent = $1 AND n.part = $2 AND n.name = m.name
              JOIN entries e ON e.agent = n.agent AND e.part = n.part AND e.doc = n.doc ORDER BY m.at, n.doc, n.ord) t
            ORDER BY at, (lower(tag COLLATE "C") = own) DESC, path, start_line, doc"#;
        let rows = self.ask(sql, &[&at, &asked, &own])?;
        let mut found = vec![None; names.len()];
        for row in &rows {
            let place = usize::try_from(row.get::<_, i64>(0)).ok().and_then(|at| found.get_mut(at));
            place.into_iter().for_each(|place| *place = Some(plain(row.get(1))));
        }
        Ok(found)
    }
}

fn entity(row: &Row) -> Entity {
    Entity { name: plain(row.get(0)), facts: count(row.get(1)) }
}

fn counted(row: &Row) -> (String, u32) {
    (plain(row.get(0)), count(row.get(1)))
}

fn count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
