//! What `import`, `export`, `backup` and `restore` print.

use mindfile_care::backup::{Made, Places, Proof, RestoreReport};
use mindfile_hosts::import::{Report, Tally};
use serde::Serialize;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported<'a> {
    ok: bool,
    dry_run: bool,
    notes: Counted,
    turns: Counted,
    facts: Counted,
    conversations: usize,
    shown: &'a [String],
    bad: Vec<BadRow<'a>>,
    bad_rows: usize,
    notices: &'a [String],
}

#[derive(Debug, Serialize)]
struct Counted {
    new: usize,
    known: usize,
    kept: usize,
    refused: usize,
}

#[derive(Debug, Serialize)]
struct BadRow<'a> {
    path: &'a str,
    line: Option<usize>,
    what: &'a str,
}

impl<'a> Imported<'a> {
    pub fn new(report: &'a Report, dry_run: bool) -> Self {
        let counted = |tally: &Tally| Counted {
            new: tally.new,
            known: tally.known,
            kept: tally.kept,
            refused: tally.refused,
        };
        let bad = report.bad.iter().map(|bad| BadRow { path: &bad.path, line: bad.line, what: &bad.what });
        Self {
            ok: true,
            dry_run,
            notes: counted(&report.notes),
            turns: counted(&report.turns),
            facts: counted(&report.facts),
            conversations: report.conversations,
            shown: &report.shown,
            bad: bad.collect(),
            bad_rows: report.bad_rows,
            notices: &report.notices,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct ExportedTo {
    pub ok: bool,
    pub path: String,
    pub notes: usize,
    pub facts: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackedUp<'a> {
    ok: bool,
    path: String,
    files: usize,
    bytes: u64,
    size: u64,
    left_out: &'a [String],
}

impl<'a> BackedUp<'a> {
    pub fn new(path: String, made: &'a Made) -> Self {
        Self {
            ok: true,
            path,
            files: made.files,
            bytes: made.bytes,
            size: made.size,
            left_out: &made.left_out,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Proved<'a> {
    ok: bool,
    files: usize,
    bytes: u64,
    notes: usize,
    questions: usize,
    changed_since: &'a [String],
}

impl<'a> Proved<'a> {
    pub fn new(proved: &'a Proof) -> Self {
        Self {
            ok: true,
            files: proved.files,
            bytes: proved.bytes,
            notes: proved.notes,
            questions: proved.questions,
            changed_since: &proved.changed_since,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct PutBack {
    ok: bool,
    workspace: String,
    state: String,
    written: usize,
    overwritten: usize,
    already: usize,
    withheld: Vec<Withheld>,
}

#[derive(Debug, Serialize)]
struct Withheld {
    path: String,
    lines: usize,
}

impl PutBack {
    pub fn new(places: &Places, done: &RestoreReport) -> Self {
        Self {
            ok: true,
            workspace: places.workspace.display().to_string(),
            state: places.state.display().to_string(),
            written: done.written,
            overwritten: done.overwritten,
            already: done.already,
            withheld: done
                .withheld
                .iter()
                .map(|one| Withheld { path: one.name.clone(), lines: one.lines })
                .collect(),
        }
    }
}
