//! Surveys the facts as a whole, without changing anything.

use mindfile_index::{Error as IndexError, FactQuery, Filter, Index};
use mindfile_note::chunk::weight;
use mindfile_note::text;

use super::{IndexInspection, WorkspaceInspection};
use crate::Error;
use mindfile::Corpus;
use mindfile::clock;
use mindfile::fact::diagnostics::{self, CoreTokens, Diagnostic, Survey};
use mindfile::fact::{FactRecord, load};
use mindfile::reflect::{LEAST_TOKENS, section};
use mindfile_workspace::NOTE_LIMIT;

/// What core memory may have, in tokens.
const CORE_BUDGET: usize = 2048;
/// Of a larger memory the first so many facts are looked at: by the doctor, and by the status, for which somebody waits.
pub(crate) const MANY: usize = 20_000;
pub(crate) const SOME: usize = 2_000;
/// A note's weight is counted in quarters of a token.
const QUARTERS: usize = 4;

pub(crate) fn diagnostics(
    memory: &Corpus,
    looked: &mut IndexInspection,
    seen: &WorkspaceInspection,
    most: usize,
) -> Vec<Diagnostic> {
    let Some(facts) = facts(memory, looked, most) else { return Vec::new() };
    diagnostics::survey(&Survey {
        facts: &facts,
        core: core_tokens(seen),
        core_budget: CORE_BUDGET,
        least_core: LEAST_TOKENS,
        decay: &memory.settings().hybrid.decay,
        today: clock::today(memory.clock()),
    })
}

/// None where there is no index to read, which the status says already.
fn facts(memory: &Corpus, looked: &mut IndexInspection, most: usize) -> Option<Vec<FactRecord>> {
    match read(memory, &**looked.open.as_ref()?, most) {
        Ok(facts) => Some(facts),
        Err(Error::Memory(mindfile::Error::Index(error @ IndexError::Damaged { .. }))) => {
            looked.give_up(error);
            None
        }
        Err(_) => None,
    }
}

fn read(memory: &Corpus, index: &dyn Index, most: usize) -> Result<Vec<FactRecord>, Error> {
    let snapshot = index.snapshot()?;
    let docs = snapshot.find_facts(FactQuery::All, &Filter::default(), most)?.concat();
    Ok(load::records(&*snapshot, &docs, &*memory.uses()?)?)
}

fn core_tokens(seen: &WorkspaceInspection) -> Option<CoreTokens> {
    let (workspace, _) = seen.both()?;
    let path = workspace.is_memory_path("MEMORY.md").ok()?;
    let bytes = workspace.read(&path, NOTE_LIMIT).ok()?.bytes;
    let all = text::lines(&text::decode(&bytes)).map(weight).sum::<usize>() / QUARTERS;
    // Where the markers are torn, all of it is a person's.
    let section = section::lines(&bytes).unwrap_or_default();
    let reflected = section.iter().map(|line| weight(line)).sum::<usize>() / QUARTERS;
    Some(CoreTokens { written: all.saturating_sub(reflected), reflected })
}
