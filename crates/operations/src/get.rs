//! Exact lines of a memory file.

use mindfile::fault::Spelling;
use mindfile::origin::Door;
use mindfile::workspace::Start;
use mindfile::{notes, workspace};

use serde_json::Value;

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::count;
use crate::values::Chat;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Get {
    /// The file as search cites it, relative to the workspace, such as memory/2026-07-14.md.
    pub path: String,
    /// The first line, counted from 1.
    #[arg(long, value_name = "N")]
    #[schemars(range(min = 1))]
    pub from: Option<u32>,
    /// How many bytes of the first line to leave out; for the rest of a line that is too long to be given at once.
    #[arg(long, value_name = "N")]
    pub byte: Option<u64>,
    /// How many lines; all that follow if it is not said.
    #[arg(long, value_name = "N")]
    pub lines: Option<u32>,
    /// The lines as they stand, without the marks round what nobody trusts: for an editor, never for a model.
    #[arg(skip)]
    #[serde(default)]
    pub raw: bool,
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for Get {
    const ROW: Row = Row::new("readNote", "Print exact lines of a note")
        .typed(
            "get",
            "\
Examples:
  mindfile get MEMORY.md
  mindfile get memory/2026-07-14.md --from 5 --lines 5
  mindfile get memory/2026-07-14.md#L5-L9        a citation, as search prints it",
        )
        .http(Http::get("/v1/notes/{path}"));
    type Answer = Lines;

    /// A person gets the bytes as they are; for a model the lines that nobody trusts are wrapped.
    fn run(self, caller: &Caller<'_>) -> Result<Lines, Failure> {
        let viewer = caller.viewer(self.chat_type);
        let from = Start { line: self.from.unwrap_or(1), byte: self.byte.unwrap_or(0) };
        if self.raw && viewer.door != Door::Http {
            return Err(Failure::usage("raw is true; only an editor over HTTP gets lines without marks"));
        }
        let notes::Read { lines: read, hash } =
            notes::read(caller.memory, viewer, &self.path, from, self.lines)?;
        let text = String::from_utf8_lossy(&read.bytes);
        let next = read.next.map(|next| NextLines {
            from: next.line,
            byte: Some(next.byte).filter(|byte| *byte > 0),
            lines: self.lines.map(|wanted| wanted.saturating_sub(next.line - from.line)),
        });
        Ok(Lines {
            from: read.from.line,
            byte: Some(read.from.byte).filter(|byte| *byte > 0),
            lines: read.lines,
            text: match viewer.for_model && !self.raw {
                true if read.is_in_a_line() => {
                    notes::shown_part(caller.memory, viewer, &self.path, read.from.line, &text)?
                }
                true => caller.memory.shown(&self.path, &text)?,
                false => text.into_owned(),
            },
            truncated: next.is_some(),
            next,
            hash,
            path: self.path,
            read,
        })
    }
}

impl Get {
    /// What a model is told that read a part.
    pub fn more(next: Start) -> String {
        let Start { line, byte } = next;
        let within = if byte > 0 { format!(" and byte {byte}") } else { String::new() };
        format!("\n(There is more: memory_get reads on from line {line}{within}.)\n")
    }
}

impl ToolOperation for Get {
    const TOOL: Tool = Tool {
        name: "memory_get",
        title: "Read a memory file",
        about: "Read exact lines of a memory file that memory_search cited, such as memory/2026-07-14.md from line 5.",
        deed: Deed::Reads,
        fields: &["path", "from", "lines", "chatType"],
        usual: true,
    };

    fn told(lines: &Lines) -> String {
        if lines.text.is_empty() {
            return "There are no such lines.".to_owned();
        }
        lines.text.clone() + &lines.read.next.map(Self::more).unwrap_or_default()
    }

    fn lean(lines: &Lines) -> Value {
        says(Self::told(lines))
    }

    fn given(lines: &Lines) -> Vec<GivenPlace> {
        let Some(last) = lines.lines.checked_sub(1) else { return Vec::new() };
        vec![GivenPlace::lines(&lines.path, lines.from, lines.from + last, &lines.text)]
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Lines {
    path: String,
    from: u32,
    /// How many bytes of the first line were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    byte: Option<u64>,
    lines: u32,
    text: String,
    /// There is more than is given at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    /// How the rest is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextLines>,
    /// Of the whole note, for whoever changes it; none if it is too large to be changed at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    #[serde(skip)]
    read: workspace::Lines,
}

#[derive(Debug, Serialize, JsonSchema)]
struct NextLines {
    from: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u32>,
}

impl Lines {
    /// As they stand in the file.
    pub fn bytes(&self) -> &[u8] {
        &self.read.bytes
    }
}

impl Lines {
    /// What a reader of them should know.
    pub fn caveats(&self, spelling: &dyn Spelling) -> Vec<String> {
        let mut caveats = Vec::new();
        if let Some(next) = &self.next {
            let mut fields = vec![("path", self.path.clone()), ("from", next.from.to_string())];
            fields.extend(next.byte.map(|byte| ("byte", byte.to_string())));
            fields.extend(next.lines.map(|lines| ("lines", lines.to_string())));
            caveats.push(format!("there is more: {}", spelling.run("get", &fields)));
        }
        if let Some(total) = self.read.total_lines.filter(|_| self.lines == 0) {
            caveats.push(format!("{} has {}", self.path, count(total as usize, "line")));
        }
        caveats
    }
}

impl Answer for Lines {
    fn shown(&self, page: &Page<'_>) -> Shown {
        let mut text = clean::text(&self.text).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Shown { text, caveats: self.caveats(page.spelling), ..Shown::default() }
    }
}
