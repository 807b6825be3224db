//! Links that follow a note to another path, in the notes that somebody sees.

use mindfile_note::Origin;
use mindfile_note::link::{self, Renaming};
use mindfile_note::text;
use mindfile_workspace::NotePath;

use super::write::OldNote;
use crate::corpus::Corpus;
use crate::draft::Notes;
use crate::error::Error;
use crate::viewer::Viewer;

/// A renaming with the notes whose links are to follow it.
pub(super) struct Relinking<'a> {
    corpus: &'a Corpus,
    renaming: Renaming<'a>,
    others: Vec<NotePath>,
}

impl<'a> Relinking<'a> {
    pub(super) fn new(
        corpus: &'a Corpus,
        viewer: Viewer,
        from: &'a NotePath,
        to: &'a NotePath,
    ) -> Result<Self, Error> {
        let all = corpus.workspace()?.scan()?.files;
        let audience = corpus.audience(viewer)?;
        let is_alone = |path: &NotePath| {
            let named = |found: &&NotePath| *found != from && name(found).eq_ignore_ascii_case(name(path));
            !all.iter().map(|file| &file.path).any(|found| named(&found))
        };
        let (was_only, is_only) = (is_alone(from), is_alone(to));
        let others = all.iter().map(|file| &file.path);
        let others = others.filter(|path| *path != from && audience.sees(path.as_str())).cloned().collect();
        let renaming = Renaming { from: from.as_str(), to: to.as_str(), was_only, is_only };
        Ok(Self { corpus, renaming, others })
    }

    /// The text of the note at a path with its links as they must be; none if they are so already.
    pub(super) fn links(&self, at: &str, text: &str) -> Option<String> {
        link::renamed(text, at, &self.renaming)
    }

    /// Lets the links of the other notes follow; returns those notes, and why links of others were left as they are.
    pub(super) fn follow(&self, notes: &Notes<'_>) -> Result<(Vec<String>, Vec<String>), Error> {
        let (mut relinked, mut left) = (Vec::new(), Vec::new());
        for path in &self.others {
            match self.follow_in(notes, path) {
                Ok(true) => relinked.push(path.to_string()),
                Ok(false) => {}
                // A file that cannot be changed is no reason to undo what is done.
                Err(Error::Workspace(error)) => left.push(format!("links in {path} were left: {error}")),
                Err(Error::Io { source, .. }) => left.push(format!("links in {path} were left: {source}")),
                Err(error) => return Err(error),
            }
        }
        Ok((relinked, left))
    }

    fn follow_in(&self, notes: &Notes<'_>, path: &NotePath) -> Result<bool, Error> {
        let Some(old) = OldNote::read(notes, path)? else { return Ok(false) };
        let Some(new) = self.links(path.as_str(), &old.text) else { return Ok(false) };
        let lines = with_origins(self.corpus, (path.as_str(), &old.text), &new)?;
        let mark = &old.bytes[..old.bytes.len() - old.text.len()];
        let draft = notes.derived(path, &lines);
        draft.replace(Some(&old.bytes), Some(&[mark, new.as_bytes()].concat()))?;
        Ok(true)
    }
}

/// The lines of `new`, which says line by line what `old` does, with whose word each is. What is the owner's needs no word.
pub(super) fn with_origins<'n>(
    corpus: &Corpus,
    (path, old): (&str, &str),
    new: &'n str,
) -> Result<Vec<(&'n str, Origin)>, Error> {
    let judge = corpus.judge()?;
    let lines = text::lines(old).zip(text::lines(new));
    let judged = lines.map(|(old, new)| (new, judge.line(path, old)));
    Ok(judged.filter(|(_, origin)| *origin < Origin::Owner).collect())
}

fn name(path: &NotePath) -> &str {
    let path = path.as_str();
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
