//! Taking over what another program remembers.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mindfile_hosts::import::{self, BadRow, Mode, Report, SOURCES, Source, Tally};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::caller::Caller;
use crate::failure::Failure;
use crate::operation::{Answer, Operation, Page, Row, Shown};
use crate::text::clean;
use crate::text::quantity::count;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Import {
    /// Whose memory it is.
    #[arg(value_parser = sources())]
    #[serde(deserialize_with = "named")]
    #[schemars(with = "String")]
    pub from: &'static Source,
    /// The file or folder.
    pub path: PathBuf,
    /// Only say what would be taken over.
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
}

/// The programs by name.
fn sources() -> impl TypedValueParser<Value = &'static Source> {
    let value = |source: &Source| PossibleValue::new(source.name).help(source.about);
    let names = PossibleValuesParser::new(SOURCES.iter().map(value));
    names.try_map(|name| Source::named(&name).ok_or("no such program"))
}

fn named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Source, D::Error> {
    let name = String::deserialize(deserializer)?;
    Source::named(&name).ok_or_else(|| D::Error::custom("no such program"))
}

impl Operation for Import {
    const ROW: Row = Row::new("import", "Import from another memory; nothing is overwritten").typed(
        "import",
        "\
Examples:
  mindfile import claude-code ~/.claude/projects --dry-run
  mindfile import chatgpt ~/Downloads/chatgpt-export
  mindfile import mem0 memories.json
  mindfile import obsidian ~/vault --trust       your own notes: the owner's word",
    );
    type Answer = Imported;

    fn run(self, caller: &Caller<'_>) -> Result<Imported, Failure> {
        let mode = if self.dry_run { Mode::Preview } else { Mode::Write };
        let untrusted = !caller.memory.door().origin().is_trusted();
        let report = import::run(caller.memory, self.from, &self.path, mode)?;
        Ok(Imported::new(report, self.dry_run, untrusted))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    ok: bool,
    dry_run: bool,
    notes: ItemCount,
    turns: ItemCount,
    facts: ItemCount,
    conversations: usize,
    shown: Vec<String>,
    bad: Vec<UnreadRow>,
    bad_rows: usize,
    notices: Vec<String>,
    /// Whether it is found only where what nobody trusts is asked for.
    untrusted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
struct ItemCount {
    new: usize,
    known: usize,
    kept: usize,
    refused: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct UnreadRow {
    path: String,
    line: Option<usize>,
    what: String,
}

impl Imported {
    fn new(report: Report, dry_run: bool, untrusted: bool) -> Self {
        Self {
            ok: true,
            dry_run,
            notes: ItemCount::new(report.notes),
            turns: ItemCount::new(report.turns),
            facts: ItemCount::new(report.facts),
            conversations: report.conversations,
            shown: report.shown,
            bad: report.bad.into_iter().map(UnreadRow::new).collect(),
            bad_rows: report.bad_rows,
            notices: report.notices,
            untrusted,
        }
    }

    fn text(&self) -> String {
        let mut text: String = self.shown.iter().map(|shown| format!("  {}\n", clean::text(shown))).collect();
        let new = self.notes.new + self.conversations + self.facts.new;
        if new > self.shown.len() {
            text.push_str(&format!("  … {} more\n", new - self.shown.len()));
        }
        let verb = if self.dry_run { "would be taken over" } else { "taken over" };
        let rows = [("note", self.notes), ("turn", self.turns), ("fact", self.facts)];
        for (what, items) in rows.into_iter().filter(|(_, items)| *items != ItemCount::default()) {
            text.push_str(&format!("{} {verb}{}\n", count(items.new, what), items.rest()));
        }
        if text.is_empty() {
            text.push_str("There is nothing to take over.\n");
        }
        text
    }
}

impl ItemCount {
    fn new(tally: Tally) -> Self {
        let Tally { new, known, kept, refused } = tally;
        Self { new, known, kept, refused }
    }

    /// What was not taken over, and why.
    fn rest(self) -> String {
        let parts =
            [(self.known, "here already"), (self.kept, "kept as it is here"), (self.refused, "refused")];
        let parts = parts.into_iter().filter(|(many, _)| *many > 0);
        let told: Vec<String> = parts.map(|(many, what)| format!("{many} {what}")).collect();
        if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
    }
}

impl UnreadRow {
    fn new(bad: BadRow) -> Self {
        let BadRow { path, line, what } = bad;
        Self { path, line, what }
    }
}

impl Answer for Imported {
    fn shown(&self, page: &Page<'_>) -> Shown {
        let mut caveats = self.notices.clone();
        caveats.extend(self.bad.iter().map(|bad| {
            let line = bad.line.map(|line| format!(":{line}")).unwrap_or_default();
            format!("left out: {}{line}: {}", bad.path, bad.what)
        }));
        if self.bad_rows > self.bad.len() {
            caveats.push(format!("left out: {} more", self.bad_rows - self.bad.len()));
        }
        let mut remarks: Vec<String> =
            self.dry_run.then(|| "Nothing was written.".to_owned()).into_iter().collect();
        if self.untrusted && self.notes.new + self.facts.new > 0 {
            let field = |name| page.spelling.field(name);
            remarks.push(format!(
                "What is imported is untrusted: it is found with {} only. For notes of your own: {}",
                field("include_untrusted"),
                field("trust")
            ));
        }
        Shown { text: self.text(), caveats, remarks, ..Shown::default() }
    }
}
