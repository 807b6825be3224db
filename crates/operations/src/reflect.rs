//! Consolidating the facts that matter into core memory, and undoing that.

use mindfile::reflect::{self, Chosen, CoreRequest, FileEdit, Reflected};
use mindfile_hosts::diff::diff;

use crate::explain::rounded;
use serde_json::Value;

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::{count, number};

/// How many of the facts are listed, and how many where more is asked for.
const TOP: usize = 3;
const MORE: usize = 25;

#[derive(Debug, Clone, Default, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reflect {
    /// How many tokens the core memory may have.
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true)]
    #[schemars(range(min = 64, max = 100_000))]
    pub max_tokens: Option<usize>,
    /// Say what would change, and change nothing.
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
    /// List more of the facts, and what became of them.
    #[arg(long)]
    #[serde(skip)]
    pub debug: bool,
}

impl Operation for Reflect {
    const ROW: Row = Row::new("reflect", "Consolidate the facts that matter into MEMORY.md and bank/")
        .typed(
            "reflect",
            "\
Examples:
  mindfile reflect --dry-run     what would change
  mindfile reflect --max-tokens 1500
  mindfile reflect --undo        bring the last state back",
        )
        .http(Http::post("/v1/reflect"));
    type Answer = Reflection;

    fn run(self, caller: &Caller<'_>) -> Result<Reflection, Failure> {
        caller.check_alone()?;
        let request = CoreRequest { max_tokens: self.max_tokens, dry_run: self.dry_run };
        caller.catch_up()?;
        caller.say("consolidating");
        Ok(Reflection::new(reflect::reflect(caller.memory, request, caller.model)?, &self))
    }
}

impl ToolOperation for Reflect {
    const TOOL: Tool = Tool {
        name: "memory_reflect",
        title: "Consolidate memory",
        about: "Consolidate the facts that matter most into MEMORY.md and the pages in bank/. Call it with dryRun first; \
                the last reflection can be undone by the owner.",
        deed: Deed::Rewrites,
        fields: &["dryRun"],
        usual: false,
    };

    fn told(reflection: &Reflection) -> String {
        let mut lines = vec![format!(
            "{} {} of {} facts: {} lines added, {} removed, {} kept.",
            if reflection.dry_run { "Would consolidate" } else { "Consolidated" },
            reflection.processed,
            reflection.total,
            reflection.added.len(),
            reflection.removed.len(),
            reflection.kept
        )];
        lines.extend(reflection.added.iter().map(|line| format!("+ {line}")));
        lines.extend(reflection.removed.iter().map(|line| format!("- {line}")));
        lines.join("\n")
    }

    fn lean(reflection: &Reflection) -> Value {
        says(Self::told(reflection))
    }

    fn given(_: &Reflection) -> Vec<GivenPlace> {
        Vec::new()
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reflection {
    ok: bool,
    dry_run: bool,
    processed: usize,
    total: usize,
    folded: usize,
    contradicted: usize,
    left_out: usize,
    tokens: usize,
    was_tokens: usize,
    added: Vec<String>,
    removed: Vec<String>,
    kept: usize,
    files: Vec<String>,
    facts: Vec<Priority>,
    #[serde(skip)]
    reflected: Reflected,
    #[serde(skip)]
    debug: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Priority {
    id: String,
    priority: f64,
}

impl Reflection {
    fn new(reflected: Reflected, asked: &Reflect) -> Self {
        let (figures, changes) = (&reflected.figures, &reflected.changes);
        let priority = |chosen: &Chosen| Priority {
            id: chosen.fact.id.clone(),
            priority: rounded(chosen.priority as f32),
        };
        Self {
            ok: true,
            dry_run: asked.dry_run,
            processed: figures.processed,
            total: figures.total,
            folded: figures.folded,
            contradicted: figures.contradicted,
            left_out: figures.left_out,
            tokens: figures.tokens,
            was_tokens: figures.was_tokens,
            added: changes.added.clone(),
            removed: changes.removed.clone(),
            kept: changes.kept,
            files: reflected.edits.iter().map(|edit| edit.path.clone()).collect(),
            facts: reflected.selection.chosen.iter().map(priority).collect(),
            debug: asked.debug,
            reflected,
        }
    }
}

impl Answer for Reflection {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let text = text(&self.reflected, self.dry_run, self.debug);
        Shown { text, notices: self.reflected.notices.clone(), ..Shown::default() }
    }
}

fn text(reflected: &Reflected, dry_run: bool, debug: bool) -> String {
    let figures = &reflected.figures;
    let mut lines = vec![format!(
        "Processing {} (filtered from {} total by priority)",
        count(figures.processed, "fact"),
        number(figures.total)
    )];
    lines.extend(top(reflected, if debug { MORE } else { TOP }));
    if debug {
        lines.push(format!(
            "{} folded, {} contradicted, {} left out; {} lines added, {} removed, {} kept",
            number(figures.folded),
            number(figures.contradicted),
            number(figures.left_out),
            number(reflected.changes.added.len()),
            number(reflected.changes.removed.len()),
            number(reflected.changes.kept)
        ));
    }
    let mut text: String = lines.iter().map(|line| format!("{}\n", clean::text(line))).collect();
    if dry_run {
        text.extend(reflected.edits.iter().map(shown));
    }
    text.push_str(&outcome(reflected, dry_run));
    text
}

fn top(reflected: &Reflected, most: usize) -> Vec<String> {
    let chosen = reflected.selection.chosen.iter().take(most).enumerate();
    let mut lines: Vec<String> = chosen
        .map(|(at, chosen)| format!("{}. {} (priority: {:.2})", at + 1, chosen.fact.shown(), chosen.priority))
        .collect();
    if !lines.is_empty() {
        lines.insert(0, "Top priority facts:".to_owned());
    }
    lines
}

fn outcome(reflected: &Reflected, dry_run: bool) -> String {
    let (tokens, was) = (number(reflected.figures.tokens), number(reflected.figures.was_tokens));
    let files = count(reflected.edits.len(), "file");
    if reflected.figures.total == 0 && reflected.edits.is_empty() {
        return "Nothing to reflect: there are no facts\n".to_owned();
    }
    match (reflected.edits.is_empty(), dry_run) {
        (true, _) => format!("Core memory unchanged: {tokens} tokens\n"),
        (false, true) => {
            format!("Core memory would have {tokens} tokens (has {was}); {files} would change\n")
        }
        (false, false) => format!("Core memory updated: {tokens} tokens (was {was})\n"),
    }
}

fn shown(edit: &FileEdit) -> String {
    let text = |bytes: &Option<Vec<u8>>| {
        bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    };
    clean::text(&diff(&edit.path, &text(&edit.before), &text(&edit.after))).into_owned()
}

#[derive(Debug, Clone, Copy, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoReflection {}

impl Operation for UndoReflection {
    const ROW: Row =
        Row::new("undoReflection", "Undo the last reflection").http(Http::post("/v1/reflect/undo"));
    type Answer = Undone;

    fn run(self, caller: &Caller<'_>) -> Result<Undone, Failure> {
        caller.check_alone()?;
        Ok(Undone { ok: true, files: caller.memory.undo_reflection()? })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Undone {
    ok: bool,
    files: Vec<String>,
}

impl Answer for Undone {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(format!("✓ Undone: {}\n", clean::text(&self.files.join(", "))))
    }
}
