//! Reflection on a workspace: reads the facts, writes the core and the bank, keeps what stood there before.

use std::borrow::Cow;
use std::path::Path;

use mindfile_fault::OutOfRange;
use mindfile_model::chat::ChatModel;
use mindfile_note::Origin;
use mindfile_note::reflected::JOURNAL;
use mindfile_note::text;
use mindfile_ranking::fact::FactRecord;
use mindfile_trust::audit::{Act, What};
use mindfile_workspace::{self as workspace, Workspace};
use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::consolidate::{Consolidated, Group, Item, consolidate, cut};
use super::edit::{self, FileEdit};
use super::line::Line;
use super::record::{self, Changes, Figures};
use super::rewrite::{self, Checked};
use super::select::{Selection, select};
use super::undo::Undo;
use super::{DEFAULT_TOKENS, LEAST_TOKENS, pages, section};
use crate::audit::Record;
use crate::chat;
use crate::clock;
use crate::corpus::Corpus;
use crate::draft::Notes;
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};

/// The core must fit into a prompt.
const MOST_TOKENS: usize = 100_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreRequest {
    /// Tokens of the core; None: the default.
    pub max_tokens: Option<usize>,
    /// Work everything out and write nothing.
    pub dry_run: bool,
}

/// What a reflection did, or would do.
#[derive(Debug, Clone, PartialEq)]
pub struct Reflected {
    pub selection: Selection,
    pub consolidated: Consolidated,
    pub figures: Figures,
    pub changes: Changes,
    pub edits: Vec<FileEdit>,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

/// Consolidates the facts that matter into the core section of MEMORY.md and the bank. A chat model may word the core. What
/// it says is checked line by line, and where it does not stand the check, the core is as it would be without one, which
/// is said. Nobody waits for the model but this call.
pub fn reflect(
    corpus: &Corpus,
    request: CoreRequest,
    model: Option<&dyn ChatModel>,
) -> Result<Reflected, Error> {
    let budget = tokens(request.max_tokens)?;
    corpus.check_on()?;
    let workspace = match corpus.workspace() {
        Err(Error::Workspace(workspace::Error::RootMissing { root })) if corpus.is_new()? => {
            return Ok(Reflected::nothing(&root));
        }
        opened => opened?,
    };
    let worded = match model {
        Some(model) => Some(word(&consolidate(&selected(corpus)?).items, budget, model)),
        None => None,
    };
    let notes = Notes::with(corpus, workspace)?;
    let mut reflected = work_out(selected(corpus)?, budget, notes.workspace(), worded)?;
    if !request.dry_run && !reflected.edits.is_empty() {
        put_in_place(&notes, &mut reflected)?;
        corpus.audit(&Record { act: Act::Reflect, what: What::Note, id: Some(pages::CORE), text: None });
    }
    drop(notes);
    reflected.notices.extend(corpus.notices());
    cover_shown(corpus, &mut reflected);
    Ok(reflected)
}

impl Reflected {
    /// Of an agent that has no workspace yet.
    fn nothing(root: &Path) -> Self {
        Self {
            selection: Selection::default(),
            consolidated: Consolidated::default(),
            figures: Figures::default(),
            changes: Changes::default(),
            edits: Vec::new(),
            notices: vec![format!("there is no workspace yet: {} does not exist", root.display())],
        }
    }
}

fn selected(corpus: &Corpus) -> Result<Selection, Error> {
    ingest::run(corpus, Scope::All, Budget::Question)?;
    let facts = corpus.facts()?.into_iter().map(|(_, fact)| fact);
    // What nobody trusts never becomes core memory, nor what was forgotten and put back by hand.
    let forgotten = corpus.forgotten()?;
    let stays = |fact: &FactRecord| fact.origin.is_trusted() && forgotten.asked(&fact.text).is_none();
    let facts: Vec<FactRecord> = facts.filter(stays).collect();
    Ok(select(&facts, corpus.clock.now(), clock::today(&*corpus.clock)))
}

fn put_in_place(notes: &Notes<'_>, reflected: &mut Reflected) -> Result<(), Error> {
    let corpus = notes.corpus();
    let now = corpus.clock.now();
    check_writable(corpus, &reflected.edits)?;
    let agents: Vec<Vec<String>> =
        reflected.edits.iter().map(|edit| agents_lines(edit, &reflected.selection)).collect();
    let (undo, at_ms) = (undo(corpus), now.as_millisecond());
    let earlier = undo.keep(&reflected.edits, at_ms)?;
    let written = edit::write(notes, &reflected.edits, &agents);
    if written.is_err() {
        undo.give_back(earlier.as_deref())?;
    }
    written?;
    undo.sweep(Some(at_ms));
    let entry = record::entry(now, &reflected.figures, &reflected.changes);
    record_in(notes, &corpus.policy.cover(&entry))?;
    if let Err(error) = notes.index() {
        reflected.notices.push(format!("written, but not indexed yet: {error}"));
    }
    Ok(())
}

/// Lines that are the agent's word: a line is no more trusted than the least of the facts it rests on.
fn agents_lines(edit: &FileEdit, selection: &Selection) -> Vec<String> {
    let origin = |line: &Line| {
        let cited = selection.chosen.iter().filter(|chosen| line.cites.contains(&chosen.fact.id));
        Origin::lowest(cited.map(|chosen| chosen.fact.origin))
    };
    let text = String::from_utf8_lossy(edit.after.as_deref().unwrap_or_default());
    let lines = text.lines().filter_map(|raw| Some((raw, Line::read(raw)?)));
    lines.filter(|(_, line)| origin(line) < Origin::Owner).map(|(raw, _)| raw.to_owned()).collect()
}

/// A place that is closed is found before anything is written anywhere.
fn check_writable(corpus: &Corpus, edits: &[FileEdit]) -> Result<(), Error> {
    let root = &corpus.settings.workspace;
    let files = edits.iter().map(|edit| root.join(&edit.path));
    for path in files.chain([root.join(JOURNAL)]) {
        let there = path.ancestors().find(|place| place.exists()).unwrap_or(root);
        let folder = if there.is_file() { there.parent().unwrap_or(root) } else { there };
        if let Err(errno) = accessat(CWD, folder, Access::WRITE_OK, AtFlags::EACCESS) {
            let workspace = root.display().to_string();
            return Err(
                super::Error::ReadOnly { workspace, path: folder.to_owned(), source: errno.into() }.into()
            );
        }
    }
    Ok(())
}

/// A file's own lines may hold what must not be seen.
fn cover_shown(corpus: &Corpus, reflected: &mut Reflected) {
    let Reflected { changes, edits, .. } = reflected;
    for line in changes.added.iter_mut().chain(&mut changes.removed) {
        *line = corpus.policy.cover(line).into_owned();
    }
    for side in edits.iter_mut().flat_map(|edit| [&mut edit.before, &mut edit.after]).flatten() {
        if let Cow::Owned(covered) = corpus.policy.cover(&text::decode(side)) {
            *side = covered.into_bytes();
        }
    }
}

/// Brings back what stood there before the last reflection. Returns the files that changed.
pub fn undo_reflection(corpus: &Corpus) -> Result<Vec<String>, Error> {
    let notes = Notes::open(corpus)?;
    let edits = undo(corpus).edits(notes.workspace())?;
    edit::write(&notes, &edits, &[])?;
    let files: Vec<String> = edits.into_iter().map(|edit| edit.path).collect();
    let entry = format!("## {}\n\nThe last reflection was undone.\n", record::moment(corpus.clock.now()));
    record_in(&notes, &entry)?;
    undo(corpus).forget()?;
    notes.finish(&Record { act: Act::Undo, what: What::Note, id: Some(pages::CORE), text: None })?;
    Ok(files)
}

fn undo(corpus: &Corpus) -> Undo {
    Undo::new(&corpus.settings.state_dir, corpus.settings.agent.as_str())
}

fn tokens(asked: Option<usize>) -> Result<usize, Error> {
    let tokens = asked.unwrap_or(DEFAULT_TOKENS);
    if (LEAST_TOKENS..=MOST_TOKENS).contains(&tokens) {
        return Ok(tokens);
    }
    Err(OutOfRange { field: "max_tokens", value: tokens.to_string(), allowed: "64 to 100000" }.into())
}

/// What a model makes of the items, unchecked, or why it made nothing.
type Worded = Result<String, String>;

/// Asks a model to word the core.
fn word(items: &[Item], budget: usize, model: &dyn ChatModel) -> Worded {
    const SYSTEM: &str =
        "You word an agent's long-term memory. You add nothing, and you cite what every line rests on.";
    if items.is_empty() {
        return Ok(String::new());
    }
    let most = (2 * budget as u64).min(model.window() / 2).max(1);
    chat::ask(model, SYSTEM, rewrite::prompt(items, budget), most).map_err(|error| error.to_string())
}

/// The core in a model's words, as far as they stand the check.
fn reworded(worded: &Worded, items: &[Item], old: &[String], budget: usize) -> Result<Checked, String> {
    let frame = pages::tokens(&pages::core(&[]).body);
    let earlier: Vec<Line> = old.iter().filter_map(|line| Line::read(line)).collect();
    let reply = worded.as_ref().map_err(Clone::clone)?;
    rewrite::check(reply, items, &earlier, budget.saturating_sub(frame))
        .map_err(|refused| refused.to_string())
}

fn work_out(
    selection: Selection,
    budget: usize,
    workspace: &Workspace,
    worded: Option<Worded>,
) -> Result<Reflected, Error> {
    let consolidated = consolidate(&selection);
    let (mut core, left_out) = core(&consolidated.items, budget)?;
    let old = old_core(workspace)?;
    let mut notices = Vec::new();
    let items = &consolidated.items;
    match worded.filter(|_| !items.is_empty()).map(|worded| reworded(&worded, items, &old, budget)) {
        None => {}
        Some(Ok(Checked { lines, dropped })) => {
            core = pages::core(&[Group { entity: String::new(), lines }]);
            if !dropped.is_empty() {
                let count = dropped.len();
                notices.push(format!("{count} lines of the model cite nothing known and were dropped"));
            }
        }
        Some(Err(why)) => notices.push(format!("the model's wording was not taken: {why}")),
    }
    let new: Vec<String> = core.body.lines().map(str::to_owned).collect();
    let mut pages = vec![core];
    pages.extend(pages::bank(&consolidated.items));
    let figures = Figures {
        processed: selection.chosen.len(),
        total: selection.total,
        folded: consolidated.folded,
        contradicted: consolidated.contradicted,
        left_out,
        tokens: pages::tokens(&pages[0].body),
        was_tokens: pages::tokens(&old.join("\n")),
    };
    Ok(Reflected {
        edits: edit::edits(workspace, &pages)?,
        changes: record::changes(&old, &new),
        figures,
        selection,
        consolidated,
        notices,
    })
}

/// The core page, and how many items did not fit. Where not even one fits, the budget is too small.
fn core(items: &[Item], budget: usize) -> Result<(pages::PageText, usize), Error> {
    let frame = pages::tokens(&pages::core(&[]).body);
    let (groups, left_out) = cut(items, budget.saturating_sub(frame));
    if groups.is_empty() && left_out > 0 {
        let tokens = frame + cut(items, usize::MAX).0.iter().map(group_tokens).min().unwrap_or(0);
        return Err(super::Error::TooBig { tokens, budget }.into());
    }
    Ok((pages::core(&groups), left_out))
}

fn group_tokens(group: &super::Group) -> usize {
    pages::tokens(&pages::core(std::slice::from_ref(group)).body)
}

/// The lines of the core as they are.
fn old_core(workspace: &Workspace) -> Result<Vec<String>, Error> {
    let path = workspace.is_memory_path(pages::CORE)?;
    let bytes = edit::read(workspace, &path)?.unwrap_or_default();
    let lines = section::lines(&bytes).map_err(edit::torn(pages::CORE))?;
    // The line end behind the marker is none of the body's.
    Ok(lines.into_iter().skip(1).collect())
}

fn record_in(notes: &Notes<'_>, entry: &str) -> Result<(), Error> {
    let path = notes.workspace().is_memory_path(JOURNAL)?;
    let title = if edit::read(notes.workspace(), &path)?.is_none() { "# Reflections\n\n" } else { "\n" };
    notes.derived(&path, &[]).append_text(&format!("{title}{entry}"), &mut || {})
}
