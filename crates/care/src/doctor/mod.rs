//! Finds what is wrong with a memory, what that means for its user, and the command that mends it.
//!
//! Checks only look. Mending is a second step and does only what cannot lose anything: it rebuilds or updates the index,
//! closes private files to others, and settles what interrupted work left behind. It never touches the text of notes.

mod audit;
mod engine;
mod facts;
mod finding;
mod index;
mod locks;
mod machine;
mod mend;
mod notes;
mod privacy;
mod sealed;

use std::panic::resume_unwind;
use std::thread;

use crate::Error;
use crate::status::{
    self, Content, Drift, Facts, Fit, IndexInspection, WorkspaceInspection, drift, fit, look, survey,
};
use mindfile::Corpus;
use mindfile::fact::diagnostics::Diagnostic;
use mindfile_fault::Hint;
use mindfile_settings::{self as config, Settings, SwitchedOff};

use finding::{Diagnosis, good, warning};
pub use finding::{Finding, Fix, Severity};
pub(crate) use mend::settle;

/// Everything that the checks look at.
struct Patient<'a> {
    memory: &'a Corpus,
    seen: WorkspaceInspection,
    looked: IndexInspection,
    facts: Option<Facts>,
    /// By reading every note again; none while the workspace is away.
    content: Option<Content>,
    drift: Drift,
    fit: Fit,
    /// What is wrong with the facts as a whole.
    diagnostics: Vec<Diagnostic>,
}

/// Checks everything, the worst first. With `fix` it also does what is safe, and each finding says what came of
/// it. `warnings` are those of the configuration.
pub fn examine(corpus: &Corpus, fix: bool, warnings: &[config::Warning]) -> Result<Vec<Finding>, Error> {
    let checked = checks(corpus, warnings)?;
    let mut findings = if fix {
        mend::mend(corpus, checked)
    } else {
        checked.into_iter().map(|checked| checked.finding).collect()
    };
    findings.sort_by_key(|finding| finding.severity);
    Ok(findings)
}

fn checks(corpus: &Corpus, warnings: &[config::Warning]) -> Result<Vec<Diagnosis>, Error> {
    let patient = Patient::new(corpus);
    let mut found = configuration(corpus.settings(), warnings);
    notes::check(&patient, &mut found);
    index::check(&patient, &mut found)?;
    facts::check(&patient, &mut found);
    privacy::check(&patient, &mut found)?;
    sealed::check(&patient, &mut found);
    locks::check(&patient, &mut found);
    audit::check(&patient, &mut found);
    machine::check(&patient, &mut found)?;
    engine::check(&patient, &mut found);
    Ok(found)
}

impl<'a> Patient<'a> {
    fn new(memory: &'a Corpus) -> Self {
        let seen = status::see(memory);
        let mut looked = look(memory.settings());
        let mut facts = looked.facts();
        let compare = |known: Option<&Facts>| {
            let known = known.map_or(&[][..], |facts| &facts.notes);
            seen.both().map(|(workspace, scan)| Content::compare(workspace, scan, known))
        };
        // The notes are read while the index is verified.
        let (verified, mut content) = thread::scope(|scope| {
            let verified = scope.spawn(|| looked.open.as_ref().map(|index| index.verify()));
            let content = compare(facts.as_ref());
            (verified.join().unwrap_or_else(|panic| resume_unwind(panic)), content)
        });
        if let Some(Err(error)) = verified {
            looked.give_up(error);
            facts = None;
            content = compare(None);
        }
        let diagnostics = survey::diagnostics(memory, &mut looked, &seen, survey::MANY);
        // Its files would be listed among those that are in use.
        looked.open = None;
        let known = facts.as_ref().map_or(&[][..], |facts| &facts.notes);
        Self {
            memory,
            content,
            drift: drift::compare(seen.both(), known),
            fit: fit::compare(memory, facts.as_ref(), true),
            diagnostics,
            seen,
            looked,
            facts,
        }
    }

    fn settings(&self) -> &Settings {
        self.memory.settings()
    }

    /// An operation on the same agent.
    fn run(&self, operation: &'static str, fields: &[(&'static str, &str)]) -> Hint {
        let agent = self.settings().agent.as_str();
        let other = (agent != "main").then_some(("agent", agent));
        Hint::operation(operation, &fields.iter().copied().chain(other).collect::<Vec<_>>())
    }
}

fn configuration(settings: &Settings, warnings: &[config::Warning]) -> Vec<Diagnosis> {
    let mut found: Vec<Diagnosis> = warnings.iter().map(configured).collect();
    if let Some(SwitchedOff { on: (key, value), why }) = &settings.off {
        let what = format!("memory is switched off for agent \"{}\": {why}", settings.agent);
        found.push(warning(what, "no tool and no search answers").by(Hint::set(key, *value)));
    }
    if found.is_empty() {
        found.push(good("the configuration is understood as it is written"));
    }
    found
}

fn configured(odd: &config::Warning) -> Diagnosis {
    let effect = format!("what the file says about {} has no effect, or another one", odd.key);
    warning(odd.to_string(), effect).by(Hint::operation("config show", &[]))
}
