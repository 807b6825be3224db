//! The first use of a memory needs no set-up: it makes the workspace, at its default place and where there never was one.

use std::path::Path;

use crate::corpus::Corpus;
use crate::error::Error;
use crate::ingest;

impl Corpus {
    /// Makes the workspace of a memory that is new. Anything else that is missing may be on a disk that is not there: it is
    /// refused by whoever opens it.
    pub fn settle_in(&self) -> Result<(), Error> {
        if self.settings.off.is_none() && self.is_new()? {
            mindfile_workspace::init_folders(&self.settings.workspace)?;
        }
        Ok(())
    }

    /// Whether the workspace was never made: it would have its place in the state directory, and no note was ever indexed or
    /// written through this memory. A question to it leaves an index without notes.
    pub(crate) fn is_new(&self) -> Result<bool, Error> {
        let settings = &self.settings;
        let is_there = |path: &Path| path.symlink_metadata().is_ok();
        let unused = settings.is_workspace_default()
            && !is_there(&settings.workspace)
            && !is_there(self.origins.path());
        Ok(unused && (!is_there(&settings.index_path) || !ingest::has_notes(self)?))
    }
}
