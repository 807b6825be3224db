//! Removes what was forgotten from QMD: exported conversations are deleted, and its index is rebuilt from the notes.
//! This includes a home that is not in use any more.

use std::time::{Duration, Instant};

use crate::home::Home;
use crate::keeper::end_orphan;
use crate::server::ServerRecord;
use crate::trouble::Trouble;
use crate::upkeep::home_of;
use crate::{KEEPER, UPDATE, export};
use mindfile::Corpus;
use mindfile::Error;

/// How long an update under way, and a server that has the old index open, are waited for.
const PATIENCE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(50);

/// Drops what QMD has of notes and conversations. What keeps it, if anything does.
pub(crate) fn purge(corpus: &Corpus) -> Result<Option<String>, Error> {
    let home = home_of(corpus);
    if home.inode().is_none()
        && ServerRecord::read(&home).is_none()
        && !corpus.settings().qmd.sessions.folder.exists()
    {
        return Ok(None);
    }
    purged(corpus, &home).map_err(|trouble| Error::Io {
        path: home.dir().to_owned(),
        source: std::io::Error::other(trouble.to_string()),
    })
}

fn purged(corpus: &Corpus, home: &Home) -> Result<Option<String>, Trouble> {
    let Some(lock) = home.lock(UPDATE, PATIENCE)? else {
        return Ok(Some("QMD's index is being brought up to date".to_owned()));
    };
    for path in export::exported(&corpus.settings().qmd.sessions.folder)? {
        std::fs::remove_file(&path).map_err(Trouble::io(&path))?;
    }
    let open = ServerRecord::read(home).filter(|_| home.is_locked(KEEPER));
    if open.is_none() {
        // The server of a process that was killed has the old index open.
        end_orphan(home);
    }
    home.drop_index()?;
    drop(lock);
    let Some(open) = open else { return Ok(None) };
    let until = Instant::now() + PATIENCE;
    while is_open(home, &open) {
        if Instant::now() >= until {
            return Ok(Some("QMD's server has its old index open".to_owned()));
        }
        std::thread::sleep(POLL);
    }
    Ok(None)
}

/// Whether that server still runs: its keeper ends it when it sees that the index is another file.
fn is_open(home: &Home, server: &ServerRecord) -> bool {
    home.is_locked(KEEPER) && ServerRecord::read(home).as_ref() == Some(server)
}
