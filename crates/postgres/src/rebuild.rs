//! Rebuilds an agent's index beside the one in use, as rows of another part that replaces the first in one step. A session
//! lock limits this to one process, on whichever host.

use mindfile_index::{Error, Index, Rebuild, Shelf};

use crate::PostgresIndex;
use crate::codec;
use crate::error::{StepError, unavailable};
use crate::pool::{Connection, Lease};
use crate::write::Part;

/// The tables with rows of a part.
const TABLES: [&str; 10] =
    ["notes", "entries", "vectors", "postings", "names", "entities", "totals", "aliases", "meta", "uses"];

pub(crate) struct RebuildPart<'a> {
    index: &'a PostgresIndex,
    /// Holds the lock; `None` once it is dropped.
    lock: Option<Lease<'a>>,
    part: i32,
    made: PostgresIndex,
}

impl<'a> RebuildPart<'a> {
    pub(crate) fn of(index: &'a PostgresIndex, wait: bool) -> Result<Option<Self>, Error> {
        let mut lock = index.take()?;
        match take(&mut lock, &index.agent, wait).map_err(|error| error.at(&index.place))? {
            Some(part) => {
                let made = index.part(Part::Aside(part), index.exact_up_to);
                Ok(Some(Self { index, lock: Some(lock), part, made }))
            }
            None => Ok(None),
        }
    }

    fn change<T>(
        &mut self,
        work: impl FnOnce(&mut Connection, &str, i32) -> Result<T, StepError>,
    ) -> Result<T, Error> {
        let place = &self.index.place;
        let lost = || unavailable(place, "the lock of the rebuild was lost".to_owned());
        let db = self.lock.as_mut().ok_or_else(lost)?;
        let result = in_one(db, |db| work(db, &self.index.agent, self.part));
        result.map_err(|error| error.at(place))
    }
}

impl Rebuild for RebuildPart<'_> {
    fn index(&self) -> Result<&dyn Index, Error> {
        Ok(&self.made)
    }

    fn restart(&mut self) -> Result<(), Error> {
        self.change(|db, agent, part| {
            empty(db, agent, part)?;
            let floors = Shelf::ALL.map(codec::floor);
            let sql = "UPDATE parts SET generation = 0, dims = NULL, last_chunk = $3, last_fact = $4
                WHERE agent = $1 AND part = $2";
            db.run(sql, &[&agent, &part, &floors[0], &floors[1]])?;
            Ok(())
        })
    }

    fn is_mended_by_restart(&self, error: &Error) -> bool {
        error.is_damage_of(self.made.place.as_ref())
    }

    /// Nothing to do: the parts of an agent share one cache.
    fn carry_cache(&self) -> Result<(), Error> {
        Ok(())
    }

    fn replace(mut self: Box<Self>) -> Result<(), Error> {
        let old = self.change(put_in_place)?;
        self.change(|db, agent, _| remove(db, agent, old))
    }

    fn discard(mut self: Box<Self>) -> Result<(), Error> {
        self.change(|db, agent, part| {
            db.run("UPDATE agents SET aside = NULL WHERE agent = $1 AND aside = $2", &[&agent, &part])?;
            remove(db, agent, part)
        })
    }
}

impl Drop for RebuildPart<'_> {
    fn drop(&mut self) {
        if let Some(mut lock) = self.lock.take()
            && lock.batch("SELECT pg_advisory_unlock_all()").is_err()
        {
            lock.spoil();
        }
    }
}

/// Locks the rebuild and returns its part; `None` if another process holds the lock.
fn take(db: &mut Connection, agent: &str, wait: bool) -> Result<Option<i32>, StepError> {
    const KEY: &str = "hashtextextended('mindfile rebuild ' || current_schema() || ' ' || $1::text, 0)";
    if wait {
        db.batch("SET lock_timeout TO 0")?;
        db.run(&format!("SELECT pg_advisory_lock({KEY})"), &[&agent])?;
        db.batch("RESET lock_timeout")?;
    } else {
        let row = db.row(&format!("SELECT pg_try_advisory_lock({KEY})"), &[&agent])?;
        if !row.is_some_and(|row| row.get(0)) {
            return Ok(None);
        }
    }
    in_one(db, |db| begin(db, agent)).map(Some)
}

fn begin(db: &mut Connection, agent: &str) -> Result<i32, StepError> {
    let sql = "SELECT aside, last_part + 1 FROM agents WHERE agent = $1 FOR UPDATE";
    let row = db.row(sql, &[&agent])?.ok_or_else(|| Error::Moved { path: agent.into() })?;
    if let Some(part) = row.get::<_, Option<i32>>(0) {
        return Ok(part);
    }
    let part: i32 = row.get(1);
    db.run("UPDATE agents SET aside = $2, last_part = $2 WHERE agent = $1", &[&agent, &part])?;
    add(db, agent, part, 0)?;
    Ok(part)
}

fn add(db: &mut Connection, agent: &str, part: i32, generation: i64) -> Result<(), StepError> {
    let floors = Shelf::ALL.map(codec::floor);
    let sql =
        "INSERT INTO parts (agent, part, generation, last_chunk, last_fact) VALUES ($1, $2, $3, $4, $5)";
    db.run(sql, &[&agent, &part, &generation, &floors[0], &floors[1]])?;
    Ok(())
}

/// Switches to the new part and returns the old one.
fn put_in_place(db: &mut Connection, agent: &str, part: i32) -> Result<i32, StepError> {
    let sql = "SELECT a.current, p.generation FROM agents a JOIN parts p ON p.agent = a.agent AND p.part = a.current
        WHERE a.agent = $1 AND a.aside = $2 FOR UPDATE OF a";
    let row = db.row(sql, &[&agent, &part])?.ok_or_else(|| Error::Moved { path: agent.into() })?;
    let old: i32 = row.get(0);
    let newest: i64 = row.get(1);
    let sql = "UPDATE parts SET generation = greatest(generation, $3) WHERE agent = $1 AND part = $2";
    db.run(sql, &[&agent, &part, &(newest + 1)])?;
    db.run("UPDATE agents SET current = $2, aside = NULL WHERE agent = $1", &[&agent, &part])?;
    Ok(old)
}

/// Puts an empty part in place of the current one.
pub(crate) fn reset(index: &PostgresIndex) -> Result<(), Error> {
    let agent = index.agent.as_str();
    let swap = |db: &mut Connection| {
        let sql = "SELECT a.current, a.last_part + 1, p.generation + 1 FROM agents a
            JOIN parts p ON p.agent = a.agent AND p.part = a.current WHERE a.agent = $1 FOR UPDATE OF a";
        let row = db.row(sql, &[&agent])?.ok_or_else(|| Error::Moved { path: agent.into() })?;
        let old: i32 = row.get(0);
        let part: i32 = row.get(1);
        add(db, agent, part, row.get(2))?;
        db.run("UPDATE agents SET current = $2, last_part = $2 WHERE agent = $1", &[&agent, &part])?;
        remove(db, agent, old)
    };
    index.with(|db| in_one(db, swap))
}

/// Removes parts that nobody reads: a host may have died before it could do so.
pub(crate) fn sweep(db: &mut Connection, agent: &str) -> Result<(), StepError> {
    let sql = "SELECT p.part FROM parts p JOIN agents a ON a.agent = p.agent
        WHERE p.agent = $1 AND p.part <> a.current AND p.part IS DISTINCT FROM a.aside";
    let parts: Vec<i32> = db.rows(sql, &[&agent])?.iter().map(|row| row.get(0)).collect();
    parts.into_iter().try_for_each(|part| remove(db, agent, part))
}

fn remove(db: &mut Connection, agent: &str, part: i32) -> Result<(), StepError> {
    empty(db, agent, part)?;
    db.run("DELETE FROM parts WHERE agent = $1 AND part = $2", &[&agent, &part])?;
    Ok(())
}

fn empty(db: &mut Connection, agent: &str, part: i32) -> Result<(), StepError> {
    for table in TABLES {
        db.run(&format!("DELETE FROM {table} WHERE agent = $1 AND part = $2"), &[&agent, &part])?;
    }
    Ok(())
}

/// Runs `work` in a transaction.
pub(crate) fn in_one<T>(
    db: &mut Connection,
    work: impl FnOnce(&mut Connection) -> Result<T, StepError>,
) -> Result<T, StepError> {
    db.batch("BEGIN")?;
    match work(db).and_then(|done| db.batch("COMMIT").map(|()| done)) {
        Err(error) if !error.is_cut() => {
            db.batch("ROLLBACK")?;
            Err(error)
        }
        result => result,
    }
}
