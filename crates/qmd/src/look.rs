//! The state of QMD for `status` and `doctor`, and an update on request. Looking starts no update and changes nothing.

use std::path::PathBuf;

use jiff::Timestamp;

use crate::run;
use crate::server::ServerRecord;
use crate::trouble::Trouble;
use crate::upkeep::{Wish, home_of, tend};
use crate::{NAME, ask};
use mindfile::backend::Outage;
use mindfile::{Corpus, collection};
use mindfile_settings::BackendName;

/// QMD as `status` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    pub home: PathBuf,
    pub mode: &'static str,
    pub collections: Vec<String>,
    /// Why other folders are not among them.
    pub problems: Vec<String>,
    /// What the program calls itself, as far as it is known.
    pub version: Option<String>,
    pub updated: Option<Timestamp>,
    pub embedded: Option<Timestamp>,
    pub models: usize,
    pub models_needed: usize,
    /// The port of the server that some process keeps.
    pub server: Option<u16>,
}

/// The program, asked for its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    Version(String),
    Failed(String),
}

/// None where QMD is not the engine.
pub fn state(corpus: &Corpus) -> Option<State> {
    if corpus.settings().backend != BackendName::Qmd {
        return None;
    }
    let settings = &corpus.settings().qmd;
    let home = home_of(corpus);
    let collections = collection::of(corpus);
    let kept = home.kept();
    let time = |ms: i64| Timestamp::from_millisecond(ms).ok().filter(|_| ms > 0);
    Some(State {
        mode: settings.mode.as_str(),
        collections: collections.all.iter().map(|collection| collection.name.clone()).collect(),
        problems: collections.problems,
        version: Some(kept.version).filter(|version| !version.is_empty()),
        updated: time(kept.updated),
        embedded: time(kept.embedded),
        models: home.model_count(),
        models_needed: ask::models_needed(settings.mode, settings.rerank),
        server: ServerRecord::running(&home, &kept.config).map(|record| record.port),
        home: home.dir().to_owned(),
    })
}

/// Asks the program what it is.
pub fn program(corpus: &Corpus) -> Program {
    let settings = &corpus.settings().qmd;
    let home = home_of(corpus);
    match run::output(&settings.command, &["--version"], &home, settings.update.command_timeout) {
        Ok(text) => match text.lines().next().map(str::trim).filter(|line| line.starts_with("qmd ")) {
            Some(version) => Program::Version(version.to_owned()),
            None => Program::Failed(format!(
                "{} is not QMD: it does not tell its version",
                settings.command.display()
            )),
        },
        Err(trouble) => Program::Failed(trouble.to_string()),
    }
}

/// Brings another engine's index up to date, due or not. None where the built-in one is in use; what went wrong is
/// remembered, and the built-in index answers.
pub fn update(corpus: &Corpus) -> Result<Option<String>, String> {
    if corpus.settings().backend != BackendName::Qmd {
        return Ok(None);
    }
    let now = || corpus.clock().now();
    match tend(corpus, Wish::Now) {
        Ok(ready) => {
            corpus.outages.answered(NAME, now());
            Ok(Some(format!(
                "{} has {} collections up to date",
                ready.kept.version,
                ready.collections.all.len()
            )))
        }
        Err(trouble) => Err(remembered(corpus, &trouble).reason),
    }
}

/// An engine is left alone for a while only for what is its own fault.
pub(crate) fn remembered(corpus: &Corpus, trouble: &Trouble) -> Outage {
    let reason = trouble.to_string();
    let now = corpus.clock().now();
    match trouble {
        Trouble::Notes(_) => Outage::of_others(NAME, reason, now),
        Trouble::Missing { .. }
        | Trouble::NotStarted { .. }
        | Trouble::Ended { .. }
        | Trouble::TimedOut { .. }
        | Trouble::TooMuch { .. }
        | Trouble::NotJson { .. }
        | Trouble::Server { .. }
        | Trouble::NoModels { .. }
        | Trouble::NoCollections { .. }
        | Trouble::Io { .. }
        | Trouble::Busy => corpus.outages.failed(NAME, &reason, now),
    }
}
