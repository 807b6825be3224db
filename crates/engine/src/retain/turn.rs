//! Whoever writes facts takes turns with the other processes and threads of a state directory, so that two of them cannot
//! write the same fact, or the same version of a keyed memory, at once.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use crate::corpus::Corpus;
use crate::error::Error;
use crate::lock;

const PATIENCE: Duration = Duration::from_secs(30);

impl Corpus {
    /// Waits until nobody else writes; nobody does as long as the file is open.
    pub(crate) fn take_turn(&self) -> Result<File, Error> {
        let path = self.turn_file();
        lock::hold(&path, PATIENCE).map_err(|source| Error::Io { path, source })
    }

    /// The same if nobody else writes now.
    pub(crate) fn try_turn(&self) -> Result<Option<File>, Error> {
        let path = self.turn_file();
        lock::try_hold(&path).map_err(|source| Error::Io { path, source })
    }

    fn turn_file(&self) -> PathBuf {
        self.settings.state_dir.join("memory").join("retain.lock")
    }
}
