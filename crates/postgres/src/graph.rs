//! Entities: whom facts name, together with whom. What a name means is put into each question, so that an alias that is
//! declared or withdrawn changes no row.

use std::collections::BTreeMap;
use std::sync::Arc;

use mindfile_index::{Entity, Error};
use tokio_postgres::Row;

use crate::codec::{plain, stored};
use crate::read::Reader;

/// The names of facts as they are meant; `$3` and `$4` are the aliases and what they mean.
const MEANT: &str = "SELECT coalesce(m.meant, n.name) AS name, n.doc FROM names n
    LEFT JOIN unnest($3::text[], $4::text[]) m(alias, meant) ON m.alias = n.name
    WHERE n.agent = $1 AND n.part = $2";

impl Reader<'_> {
    fn meanings(&self) -> Result<(Vec<String>, Vec<String>), Error> {
        let meant = self.known()?.meant.iter();
        Ok(meant.map(|(alias, name)| (stored(alias).into_owned(), stored(name).into_owned())).unzip())
    }

    /// The name in force, and every name that means it.
    pub(crate) fn spellings(&self, name: &str) -> Result<(String, Vec<String>), Error> {
        let known = self.known()?;
        let lower = name.to_lowercase();
        let name = known.aliases.resolve(&lower).to_owned();
        let others = known.meant.iter().filter(|(alias, meant)| *meant == name && *alias != name);
        // A name that means another one is not asked for by itself.
        let own = (known.aliases.resolve(&name) == name).then_some(&name);
        let all = others.map(|(alias, _)| alias).chain(own).map(|name| stored(name).into_owned()).collect();
        Ok((name, all))
    }

    pub(crate) fn all_entities(&self) -> Result<Vec<Entity>, Error> {
        let (aliases, meant) = self.meanings()?;
        let sql = format!(
            "SELECT name, count(DISTINCT doc) FROM ({MEANT}) x GROUP BY name ORDER BY name COLLATE \"C\""
        );
        let rows = self.ask(&sql, &[&aliases, &meant])?;
        let mut all: Vec<Entity> = rows.iter().map(entity).collect();
        all.sort();
        Ok(all)
    }

    pub(crate) fn one_entity(&self, name: &str) -> Result<Option<Entity>, Error> {
        let (name, spelled) = self.spellings(name)?;
        let sql = "SELECT count(DISTINCT doc) FROM names WHERE agent = $1 AND part = $2 AND name = ANY ($3::text[])";
        let facts = self.ask(sql, &[&spelled])?.first().map_or(0, |row| count(row.get(0)));
        Ok((facts > 0).then_some(Entity { name, facts }))
    }

    /// The entities that facts name together with this one.
    pub(crate) fn met(&self, name: &str) -> Result<Arc<[(Entity, u32)]>, Error> {
        let (name, spelled) = self.spellings(name)?;
        let (aliases, meant) = self.meanings()?;
        let sql = format!(
            "SELECT x.name, count(DISTINCT x.doc) FROM ({MEANT} AND n.doc IN (
               SELECT doc FROM names WHERE agent = $1 AND part = $2 AND name = ANY ($5::text[]))) x GROUP BY x.name"
        );
        let rows = self.ask(&sql, &[&aliases, &meant, &spelled])?;
        let together: BTreeMap<String, u32> = rows
            .iter()
            .map(|row| (plain(row.get(0)), count(row.get(1))))
            .filter(|(other, _)| *other != name)
            .collect();
        let facts = self.fact_counts(together.keys())?;
        let one = |(name, together): (String, u32)| {
            let facts = facts.get(&name).copied().unwrap_or(0);
            (Entity { name, facts }, together)
        };
        Ok(together.into_iter().map(one).collect())
    }

    fn fact_counts<'n>(
        &self,
        names: impl Iterator<Item = &'n String>,
    ) -> Result<BTreeMap<String, u32>, Error> {
        let mut asked: Vec<String> = Vec::new();
        let mut meant: Vec<String> = Vec::new();
        for name in names {
            for spelled in self.spellings(name)?.1 {
                asked.push(spelled);
                meant.push(stored(name).into_owned());
            }
        }
        let sql = "SELECT m.meant, count(DISTINCT n.doc) FROM unnest($3::text[], $4::text[]) m(alias, meant)
            JOIN names n ON n.agent = $1 AND n.part = $2 AND n.name = m.alias GROUP BY m.meant";
        let rows = self.ask(sql, &[&asked, &meant])?;
        Ok(rows.iter().map(|row| (plain(row.get(0)), count(row.get(1)))).collect())
    }

    /// Of each fact the first tag that means the name; of those the first that is the name itself, else the first.
    pub(crate) fn first_spelling(&self, name: &str) -> Result<Option<String>, Error> {
        let (name, spelled) = self.spellings(name)?;
        let sql = r#"SELECT tag FROM (
              SELECT DISTINCT ON (n.doc) n.doc, n.tag, e.path, e.start_line FROM names n
              JOIN entries e ON e.agent = n.agent AND e.part = n.part AND e.doc = n.doc
              WHERE n.agent = $1 AND n.part = $2 AND n.name = ANY ($3::text[]) ORDER BY n.doc, n.ord) t
            ORDER BY (lower(tag COLLATE "C") = $4) DESC, path, start_line, doc LIMIT 1"#;
        let rows = self.ask(sql, &[&spelled, &stored(&name)])?;
        Ok(rows.first().map(|row| plain(row.get(0))))
    }
}

fn entity(row: &Row) -> Entity {
    Entity { name: plain(row.get(0)), facts: count(row.get(1)) }
}

fn count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
