//! What is known of engines that fail, kept in a file beside the index: a command that answers once and ends does not wait
//! for what the one before it has waited for.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use mindfile_disk::durable;
use mindfile_disk::secret_key::Mark;
use serde::{Deserialize, Serialize};

use super::Outage;

/// Whether an engine is asked now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    Ask,
    /// It failed a moment ago: somebody else answers.
    Rest(Outage),
}

/// How the engine is reached, as the settings have it: what failed under other settings says nothing of these.
pub(crate) type Reached = Box<dyn Fn() -> Option<Mark> + Send + Sync>;

pub struct Outages {
    path: PathBuf,
    reached: Reached,
    /// What could not be written down; this process keeps to it all the same.
    unwritten: Mutex<Option<OutageFile>>,
}

/// A type with serde is a format: see FORMAT.md.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct OutageFile {
    backends: u32,
    outages: Vec<Outage>,
}

const VERSION: u32 = 1;

impl Outages {
    pub(crate) fn new(path: &Path, reached: Reached) -> Self {
        Self { path: path.to_owned(), reached, unwritten: Mutex::default() }
    }

    /// Whether `engine` may be asked. Whoever is told so after a failure is the only one until that comes to an end or the
    /// next attempt is due; the caller says what came of it by [`Self::failed`] or [`Self::answered`].
    pub fn turn(&self, engine: &str, now: Timestamp) -> Availability {
        self.change(|known| {
            let Some(outage) = self.same(known, engine).filter(|outage| outage.is_on()) else {
                return (Availability::Ask, None);
            };
            if outage.rests(now) {
                return (Availability::Rest(outage.clone()), None);
            }
            (Availability::Ask, Some(outage.clone().asked(now.as_millisecond())))
        })
    }

    /// Remembers that an engine could not answer.
    pub fn failed(&self, engine: &str, reason: &str, now: Timestamp) -> Outage {
        self.change(|known| {
            let before = self.same(known, engine);
            let outage = Outage::after(before, engine, reason.to_owned(), now.as_millisecond());
            let outage = Outage { reached: (self.reached)(), ..outage };
            (outage.clone(), Some(outage))
        })
    }

    /// What is known of an engine that was reached as it is now.
    fn same<'a>(&self, known: &'a OutageFile, engine: &str) -> Option<&'a Outage> {
        known.of(engine).filter(|outage| outage.reached == (self.reached)())
    }

    /// The engine answers: nobody is in its place any more.
    pub fn answered(&self, engine: &str, now: Timestamp) {
        self.change(|known| {
            let on = known.of(engine).filter(|outage| outage.is_on());
            ((), on.map(|outage| outage.clone().over(now.as_millisecond())))
        });
    }

    /// All that is known, also of what is over.
    pub fn known(&self) -> Vec<Outage> {
        let unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        self.read(unwritten.as_ref()).outages
    }

    /// Looks at what is known, and writes the outage down that `see` gives, if any.
    fn change<T>(&self, see: impl FnOnce(&OutageFile) -> (T, Option<Outage>)) -> T {
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = self.read(unwritten.as_ref());
        let (seen, outage) = see(&known);
        if let Some(outage) = outage {
            known.set(outage);
            *unwritten = self.write(&known).is_err().then_some(known);
        }
        seen
    }

    /// What cannot be read is not known: the engine is asked once more.
    fn read(&self, unwritten: Option<&OutageFile>) -> OutageFile {
        if let Some(known) = unwritten {
            return known.clone();
        }
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn write(&self, known: &OutageFile) -> std::io::Result<()> {
        durable::replace(&self.path, &serde_json::to_vec(known)?)
    }
}

impl OutageFile {
    fn of(&self, engine: &str) -> Option<&Outage> {
        self.outages.iter().find(|outage| outage.engine == engine)
    }

    fn set(&mut self, outage: Outage) {
        self.backends = VERSION;
        self.outages.retain(|known| known.engine != outage.engine);
        self.outages.push(outage);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QMD: &str = "qmd";

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_millisecond(ms).unwrap()
    }

    fn outages(path: &Path) -> Outages {
        Outages::new(path, Box::new(|| None))
    }

    fn rests(turn: &Availability) -> bool {
        matches!(turn, Availability::Rest(_))
    }

    #[test]
    fn another_process_knows_of_the_failure_and_of_the_return() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("memory/main.backends.json");
        let one = outages(&file);
        let other = outages(&file);
        assert_eq!(other.turn(QMD, at(5_000)), Availability::Ask);
        let outage = one.failed(QMD, "exit code 1", at(5_000));
        assert_eq!(other.turn(QMD, at(5_999)), Availability::Rest(outage));
        assert_eq!(other.turn(QMD, at(6_000)), Availability::Ask);
        other.answered(QMD, at(6_100));
        assert_eq!(one.turn(QMD, at(6_200)), Availability::Ask);
        assert_eq!(one.known().first().and_then(|outage| outage.back), Some(6_100));
    }

    #[test]
    fn one_asks_while_the_others_wait() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.backends.json");
        let one = outages(&file);
        let other = outages(&file);
        one.failed(QMD, "timed out", at(0));
        one.failed(QMD, "timed out", at(1_000));
        assert_eq!(one.turn(QMD, at(3_000)), Availability::Ask);
        assert!(rests(&other.turn(QMD, at(3_001))));
        assert!(rests(&other.turn(QMD, at(4_999))));
        assert_eq!(other.turn(QMD, at(5_000)), Availability::Ask, "who asked may have died");
    }

    #[test]
    fn engines_do_not_share_their_failures() {
        let folder = tempfile::tempdir().unwrap();
        let outages = outages(&folder.path().join("main.backends.json"));
        outages.failed(QMD, "gone", at(0));
        assert_eq!(outages.turn("postgres", at(1)), Availability::Ask);
        outages.failed("postgres", "refused", at(1));
        assert!(rests(&outages.turn(QMD, at(2))));
        assert_eq!(outages.known().len(), 2);
    }

    #[test]
    fn an_engine_that_is_reached_otherwise_now_is_asked_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("main.backends.json");
        let at_address = |url: &'static str| {
            let key = mindfile_disk::secret_key::Key::from_bytes([7; 32]);
            Outages::new(&file, Box::new(move || Some(key.mark("engine", url))))
        };
        at_address("one").failed("postgres", "refused", at(0));
        assert!(rests(&at_address("one").turn("postgres", at(10))));
        assert_eq!(at_address("other").turn("postgres", at(10)), Availability::Ask);
        let failed = at_address("other").failed("postgres", "no such host", at(20));
        assert_eq!((failed.since, failed.failures), (20, 1));
    }

    #[test]
    fn a_file_that_cannot_be_written_or_read_costs_one_attempt_and_no_answer() {
        let folder = tempfile::tempdir().unwrap();
        durable::replace(&folder.path().join("memory"), b"a file where the folder should be").unwrap();
        let outages = outages(&folder.path().join("memory/main.backends.json"));
        outages.failed(QMD, "gone", at(0));
        assert!(rests(&outages.turn(QMD, at(500))));
        outages.answered(QMD, at(600));
        assert_eq!(outages.turn(QMD, at(700)), Availability::Ask);
        let torn = folder.path().join("torn");
        durable::replace(&torn, b"{\"backends\":1,\"outa").unwrap();
        assert_eq!(super::tests::outages(&torn).turn(QMD, at(0)), Availability::Ask);
    }
}
