//! One file with everything that cannot be rebuilt, and back from it.

use std::path::PathBuf;

use clap::Args;
use mindfile::clock::today;
use mindfile_care::backup::{self, Made, Places, Proof, RestoreReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Caller;
use crate::failure::Failure;
use crate::operation::{Answer, Operation, Page, Row, Shown};
use crate::text::quantity::{bytes, count};

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Backup {
    /// The archive; without it, mindfile-<agent>-<day>.tar.zst here.
    pub file: Option<PathBuf>,
}

impl Operation for Backup {
    const ROW: Row = Row::new("backup", "Write one file with everything that cannot be rebuilt").typed(
        "backup",
        "\
Examples:
  mindfile backup                                into a file of today, here
  mindfile backup /mnt/usb/memory.tar.zst
  mindfile backup memory.tar                     not compressed",
    );
    type Answer = BackedUp;

    fn run(self, caller: &Caller<'_>) -> Result<BackedUp, Failure> {
        let usual = || {
            let (agent, day) = (&caller.memory.settings().agent, today(caller.memory.clock()));
            PathBuf::from(format!("mindfile-{agent}-{day}.tar.zst"))
        };
        let file = self.file.unwrap_or_else(usual);
        let Made { files, bytes, size, left_out, .. } = backup::make(caller.memory, &file)?;
        Ok(BackedUp { ok: true, path: file.display().to_string(), files, bytes, size, left_out })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackedUp {
    ok: bool,
    path: String,
    files: usize,
    bytes: u64,
    size: u64,
    left_out: Vec<String>,
}

impl Answer for BackedUp {
    fn shown(&self, page: &Page<'_>) -> Shown {
        let (files, of, size) = (count(self.files, "file"), bytes(self.bytes), bytes(self.size));
        let proof = page.spelling.run("restore", &[("path", self.path.clone()), ("verify", String::new())]);
        Shown {
            text: format!("{}: {files}, {of} in {size}\n", self.path),
            notices: self.left_out.iter().map(|left_out| format!("not in it: {left_out}")).collect(),
            remarks: vec![format!("To prove it: {proof}")],
            ..Shown::default()
        }
    }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Restore {
    /// The archive.
    pub file: PathBuf,
    /// Prove it: restore into a temporary folder, compare every byte and the answers, write nothing here.
    #[arg(long, conflicts_with_all = ["into", "force"])]
    #[serde(default)]
    pub verify: bool,
    /// Restore into this folder instead of the places in use.
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
    /// Overwrite files that differ.
    #[arg(long)]
    #[serde(default)]
    pub force: bool,
}

impl Operation for Restore {
    const ROW: Row = Row::new("restore", "Restore a backup, or prove that it can be restored").typed(
        "restore",
        "\
Examples:
  mindfile restore memory.tar.zst --verify       prove it, and change nothing
  mindfile restore memory.tar.zst --into old     into a folder of its own
  mindfile restore memory.tar.zst                where it was; what differs stays, and is named",
    );
    type Answer = Restored;

    fn run(self, caller: &Caller<'_>) -> Result<Restored, Failure> {
        if self.verify {
            return Ok(Restored::Proof(ProvedBackup::new(backup::verify(caller.memory, &self.file)?)));
        }
        let settings = caller.memory.settings();
        let places = match &self.into {
            Some(folder) => Places::below(folder),
            None => Places { workspace: settings.workspace.clone(), state: settings.state_dir.clone() },
        };
        let report = backup::restore(caller.memory, &self.file, &places, self.force)?;
        Ok(Restored::Report(RestoredFiles::new(&places, report)))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Restored {
    Proof(ProvedBackup),
    Report(RestoredFiles),
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProvedBackup {
    ok: bool,
    files: usize,
    bytes: u64,
    notes: usize,
    questions: usize,
    changed_since: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct RestoredFiles {
    ok: bool,
    workspace: String,
    state: String,
    written: usize,
    overwritten: usize,
    already: usize,
    withheld: Vec<ForgottenLines>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ForgottenLines {
    path: String,
    lines: usize,
}

impl ProvedBackup {
    fn new(proof: Proof) -> Self {
        let Proof { files, bytes, notes, questions, changed_since } = proof;
        Self { ok: true, files, bytes, notes, questions, changed_since }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "✓ {} ({}) restored and compared, byte by byte; {} indexed\n",
            count(self.files, "file"),
            bytes(self.bytes),
            count(self.notes, "note")
        );
        text.push_str(&match self.changed_since.first() {
            None => format!("✓ {} answered as here\n", count(self.questions, "question")),
            Some(first) => format!(
                "  {} here changed since, such as {first}; answers were not compared\n",
                count(self.changed_since.len(), "file")
            ),
        });
        text
    }
}

impl RestoredFiles {
    fn new(places: &Places, report: RestoreReport) -> Self {
        let RestoreReport { written, already, overwritten, withheld } = report;
        let withheld = withheld.into_iter();
        Self {
            ok: true,
            workspace: places.workspace.display().to_string(),
            state: places.state.display().to_string(),
            written,
            overwritten,
            already,
            withheld: withheld.map(|file| ForgottenLines { path: file.name, lines: file.lines }).collect(),
        }
    }

    fn text(&self) -> String {
        let Self { overwritten, already, workspace, state, .. } = self;
        let mut text = format!(
            "{} restored, {overwritten} overwritten, {already} there already\n  notes {workspace}\n  state {state}\n",
            count(self.written, "file")
        );
        text.extend(self.withheld.iter().map(|one| {
            format!("  forgotten, and not restored: {} of {}\n", count(one.lines, "line"), one.path)
        }));
        text
    }
}

impl Answer for Restored {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(match self {
            Self::Proof(proved) => proved.text(),
            Self::Report(restored) => restored.text(),
        })
    }
}
