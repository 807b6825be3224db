//! Anthropic's memory tool, `memory_20250818`: a model's commands on files below `/memories`, which are the notes below
//! `memory/`. What it answers is what the tool of Anthropic's SDK answers over a folder, word for word; what it writes passes
//! every gate that notes have.

mod edit;
mod view;

use mindfile::{notes, workspace};
use serde_json::{Map, Value};

use crate::operation::prelude::*;
use crate::text::clean;

/// The folder as the model calls it, and where it is.
const ROOT: &str = "/memories";
const FOLDER: &str = "memory";

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryTool {
    /// What to do: view, create, str_replace, insert, delete or rename.
    #[arg(skip)]
    pub command: MemoryCommand,
    /// The file or folder below /memories.
    #[arg(skip)]
    pub path: Option<String>,
    /// view: the first line and the last, -1 for all that follow.
    #[arg(skip)]
    pub view_range: Option<Vec<i64>>,
    /// create: what the file says.
    #[arg(skip)]
    pub file_text: Option<String>,
    /// str_replace: what stands there, once.
    #[arg(skip)]
    pub old_str: Option<String>,
    /// str_replace: what stands there afterwards.
    #[arg(skip)]
    pub new_str: Option<String>,
    /// insert: the line after which it is put, 0 for the beginning.
    #[arg(skip)]
    pub insert_line: Option<i64>,
    /// insert: the text.
    #[arg(skip)]
    pub insert_text: Option<String>,
    /// rename: the path it has.
    #[arg(skip)]
    pub old_path: Option<String>,
    /// rename: the path it gets.
    #[arg(skip)]
    pub new_path: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryCommand {
    #[default]
    View,
    Create,
    StrReplace,
    Insert,
    Delete,
    Rename,
}

impl Operation for MemoryTool {
    const ROW: Row = Row::new("memoryTool", "Carry out a command of Anthropic's memory tool, as JSON on standard input")
        .typed(
            "memory-tool",
            "\
Examples:
  echo '{\"command\":\"view\",\"path\":\"/memories\"}' | mindfile memory-tool
  echo '{\"command\":\"create\",\"path\":\"/memories/plan.md\",\"file_text\":\"# Plan\\n\"}' | mindfile memory-tool",
        )
        .http(Http::post("/v1/tools/memory"));
    type Answer = Said;

    fn run(self, caller: &Caller<'_>) -> Result<Said, Failure> {
        caller.check_alone()?;
        caller.memory.check_on()?;
        let asked = self.command;
        let text = match asked {
            MemoryCommand::View => view::view(caller, &need(self.path, "path")?, self.view_range.as_deref())?,
            MemoryCommand::Create => {
                edit::create(caller, &need(self.path, "path")?, &need(self.file_text, "file_text")?)?
            }
            MemoryCommand::StrReplace => {
                let new = self.new_str.unwrap_or_default();
                edit::replace(caller, &need(self.path, "path")?, &need(self.old_str, "old_str")?, &new)?
            }
            MemoryCommand::Insert => {
                let line = need(self.insert_line, "insert_line")?;
                edit::insert(
                    caller,
                    &need(self.path, "path")?,
                    line,
                    &need(self.insert_text, "insert_text")?,
                )?
            }
            MemoryCommand::Delete => edit::delete(caller, &need(self.path, "path")?)?,
            MemoryCommand::Rename => {
                edit::rename(caller, &need(self.old_path, "old_path")?, &need(self.new_path, "new_path")?)?
            }
        };
        Ok(Said { text })
    }
}

impl MemoryTool {
    /// A command as the model gave it, where a field may be null.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let mut given: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| Failure::usage(format!("the standard input is no command in JSON: {error}")))?;
        given.retain(|_, value| !value.is_null());
        serde_json::from_value(Value::Object(given))
            .map_err(|error| Failure::usage(format!("the standard input: {error}")))
    }
}

fn need<T>(field: Option<T>, name: &str) -> Result<T, Failure> {
    field.ok_or_else(|| Failure::usage(format!("{name} is missing")))
}

/// What the model is told.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Said {
    text: String,
}

impl Answer for Said {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(format!("{}\n", clean::text(&self.text)))
    }
}

/// What a path of the model names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ToolPath {
    /// As the model wrote it.
    asked: String,
    /// Below the folder, without a slash at either end; empty for the folder itself.
    rest: String,
}

impl ToolPath {
    fn parse(asked: &str) -> Result<Self, Failure> {
        let outside = || Failure::usage(format!("Path must start with {ROOT}, got: {asked}"));
        let rest = asked.strip_prefix(ROOT).ok_or_else(outside)?;
        if !rest.is_empty() && !rest.starts_with('/') {
            return Err(outside());
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in rest.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.pop().is_none() => {
                    return Err(Failure::usage(format!("Path {asked} would escape {ROOT} directory")));
                }
                ".." => {}
                name => parts.push(name),
            }
        }
        Ok(Self { asked: asked.to_owned(), rest: parts.join("/") })
    }

    fn is_root(&self) -> bool {
        self.rest.is_empty()
    }

    /// The note that a file is: its own name where that is a note's, else the name with `.md` behind it.
    fn note(&self) -> String {
        let end = if self.rest.ends_with(".md") { "" } else { ".md" };
        format!("{FOLDER}/{}{end}", self.rest)
    }

    /// How the notes in it begin, if it is a folder.
    fn folder(&self) -> String {
        if self.is_root() { format!("{FOLDER}/") } else { format!("{FOLDER}/{}/", self.rest) }
    }
}

/// What stands at a place.
enum Stored {
    /// The text as the model may see it, with the hash by which it is changed.
    File { text: String, hash: String },
    /// The notes in it.
    Folder(Vec<notes::NoteSummary>),
}

fn find(caller: &Caller<'_>, place: &ToolPath) -> Result<Option<Stored>, Failure> {
    if !place.is_root()
        && let Some(file) = file(caller, place)?
    {
        return Ok(Some(file));
    }
    let folder = place.folder();
    let mut listed = notes::list(caller.memory, caller.viewer)?;
    listed.retain(|note| note.path.starts_with(&folder));
    Ok((place.is_root() || !listed.is_empty()).then_some(Stored::Folder(listed)))
}

fn file(caller: &Caller<'_>, place: &ToolPath) -> Result<Option<Stored>, Failure> {
    let read = match notes::read(caller.memory, caller.viewer, &place.note(), 1, None) {
        Err(mindfile::Error::Workspace(
            workspace::Error::Missing { .. } | workspace::Error::NotRegular { .. },
        )) => return Ok(None),
        read => read?,
    };
    let Some(hash) = read.hash.filter(|_| read.lines.next.is_none()) else {
        return Err(Failure::usage(format!("{} is too large to be read at once", place.asked)));
    };
    let text = String::from_utf8_lossy(&read.lines.bytes).into_owned();
    Ok(Some(Stored::File { text, hash }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(asked: &str, expected: Result<&str, &str>) {
        let place = ToolPath::parse(asked).map(|place| place.note());
        let place = place.map_err(|failure| failure.message(&crate::spelling::Program));
        assert_eq!(place.as_deref().map_err(String::as_str), expected, "{asked}");
    }

    #[test]
    fn a_path_is_a_note_below_memory_and_none_leads_out() {
        check("/memories/plan.md", Ok("memory/plan.md"));
        check("/memories/a/../b//c.txt", Ok("memory/b/c.txt.md"));
        check("/memories/../plan.md", Err("Path /memories/../plan.md would escape /memories directory"));
        check("/etc/passwd", Err("Path must start with /memories, got: /etc/passwd"));
        check("/memoriesx", Err("Path must start with /memories, got: /memoriesx"));
    }
}
