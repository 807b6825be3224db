//! The key of private notes, which there must be before one is written.

use mindfile_trust::vault::KeyError;
use mindfile_workspace::PrivateForm;

use crate::corpus::Corpus;
use crate::error::Error;

fn has_encrypted(corpus: &Corpus) -> Result<bool, Error> {
    let notes = corpus.workspace()?.private_notes()?;
    Ok(notes.iter().any(|note| note.kept != PrivateForm::Clear))
}

/// Makes sure that there is a key; says so where it was just made.
pub(crate) fn key_notice(corpus: &Corpus) -> Result<Vec<String>, Error> {
    if let Err(error @ KeyError::Missing { .. }) = corpus.vault.keys()
        && has_encrypted(corpus)?
    {
        // Another key would close what the lost one opens, for whoever finds it again.
        return Err(error.into());
    }
    let (_, made) = corpus.vault.keys_or_new()?;
    let words = |path: std::path::PathBuf| {
        format!(
            "a key was made: {}. Keep a copy of it elsewhere: without it private notes are lost",
            path.display()
        )
    };
    Ok(made.map(words).into_iter().collect())
}
