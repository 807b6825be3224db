//! Tools that a model may call. Which there are and what they answer is up to whoever runs the conversation; here a call
//! and its answer are bounded, what a model says is attributed, and a flush gets the one tool that writes.

use mindfile_model::chat::{Call, ChatModel, Tool};
use mindfile_note::Origin;
use mindfile_trust::speaker::Door;
use serde_json::{Value, json};

use super::is_echo;
use super::sandbox;
use super::save::{self, Added};
use crate::corpus::Corpus;
use crate::draft;
use crate::error::Error;
use crate::retain::{self, Retained};
use crate::viewer::Viewer;

/// The longest text that a tool takes or gives, in bytes.
const LONGEST: usize = 64 << 10;
const APPEND: &str = "memory_append";

/// Which tools there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kit {
    Conversation,
    /// For a flush: what reads, and one tool that adds to the day's note.
    Flush,
}

/// Tools, and who answers their calls.
pub trait Toolbox {
    fn tools(&self, kit: Kit) -> Vec<Tool>;
    /// The words for the model. A mistake is told as well: the model can do better.
    fn call(&self, kit: Kit, session: &str, call: &Call) -> Result<String, String>;
}

/// Nothing to call.
pub struct EmptyToolbox;

impl Toolbox for EmptyToolbox {
    fn tools(&self, _: Kit) -> Vec<Tool> {
        Vec::new()
    }

    fn call(&self, _: Kit, _: &str, call: &Call) -> Result<String, String> {
        Err(format!("there is no tool {:?}", call.name))
    }
}

/// A model, with the tools that it may call.
#[derive(Clone, Copy)]
pub struct Assistant<'a> {
    pub model: &'a dyn ChatModel,
    pub tools: &'a dyn Toolbox,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolAnswer {
    pub text: String,
    pub failed: bool,
    /// What it added to notes, in a flush.
    pub added: Vec<Added>,
}

pub(super) fn tools(toolbox: &dyn Toolbox, kit: Kit) -> Vec<Tool> {
    let mut all = toolbox.tools(kit);
    if kit == Kit::Flush {
        let text = json!({"type": "string", "description": "Markdown, best as list items"});
        all.push(Tool {
            name: APPEND.to_owned(),
            description: "Add lines to today's note. Nothing that stands there is changed.".to_owned(),
            arguments: json!({"type": "object", "properties": {"text": text}, "required": ["text"]}),
        });
    }
    all
}

/// Does what a model asks for.
pub fn call(corpus: &Corpus, toolbox: &dyn Toolbox, kit: Kit, session: &str, call: &Call) -> ToolAnswer {
    let mut added = Vec::new();
    let answer = if call.arguments.to_string().len() > LONGEST {
        Err(format!("the arguments are longer than {LONGEST} bytes"))
    } else if kit == Kit::Flush && call.name == APPEND {
        append(corpus, session, &call.arguments, &mut added)
    } else {
        toolbox.call(kit, session, call)
    };
    let failed = answer.is_err();
    ToolAnswer { text: cut(answer.unwrap_or_else(|why| why)), failed, added }
}

/// Keeps a fact that a model states in a conversation.
pub fn retain(
    corpus: &Corpus,
    viewer: Viewer,
    session: &str,
    request: &retain::Request,
) -> Result<Retained, Error> {
    sandbox::check(corpus, session)?;
    let request = retain::Request { source: Some(format!("chat:{session}")), ..request.clone() };
    let viewer = Viewer { door: door(corpus, session, &request.text)?, ..viewer };
    retain::retain_for(corpus, viewer, &request, None)
}

/// Whose word a text of a model is: where it says what a tool said to it, the tool's.
fn door(corpus: &Corpus, session: &str, text: &str) -> Result<Door, Error> {
    match corpus.sessions().read(session) {
        Ok(transcript) if is_echo(&transcript, text) => Ok(Door::Tool),
        Ok(_) | Err(super::Error::NoSession { .. }) => Ok(Door::Chat),
        Err(error) => Err(error.into()),
    }
}

fn append(corpus: &Corpus, session: &str, given: &Value, added: &mut Vec<Added>) -> Result<String, String> {
    let text = only_text(given)?;
    append_text(corpus, session, text, added).map_err(|error| error.to_string())?;
    let words = added.iter().map(|Added { note, lines }| format!("{lines} lines added to {note}"));
    Ok(words.collect::<Vec<_>>().join(", "))
}

fn only_text(given: &Value) -> Result<&str, String> {
    let fields = given.as_object().filter(|fields| fields.len() == 1);
    let text = fields.and_then(|fields| fields.get("text")).and_then(Value::as_str);
    text.ok_or_else(|| "the arguments: text, and nothing else, is wanted, and must be a text".to_owned())
}

fn append_text(corpus: &Corpus, session: &str, text: &str, added: &mut Vec<Added>) -> Result<(), Error> {
    draft::refuse_forgotten(corpus, text)?;
    let items: Vec<String> = text.lines().filter(|line| !line.trim().is_empty()).map(item).collect();
    if items.is_empty() {
        return Err(retain::Error::Empty.into());
    }
    let mut said: Vec<(&str, Origin)> = Vec::new();
    for item in &items {
        said.push((item, draft::origin_of(corpus, door(corpus, session, item)?, item)?));
    }
    // What nobody trusts is kept apart from the rest.
    let (trusted, others): (Vec<_>, Vec<_>) = said.into_iter().partition(|(_, origin)| origin.is_trusted());
    for some in [trusted, others].into_iter().filter(|some| !some.is_empty()) {
        added.push(save::add_to_day(corpus, session, &some)?);
    }
    Ok(())
}

/// A line of a flush as a list item; a heading would begin another section.
fn item(line: &str) -> String {
    let text = line.trim_start_matches(['#', ' ']).trim_end();
    if text.starts_with("- ") || text.starts_with("* ") { text.to_owned() } else { format!("- {text}") }
}

fn cut(mut text: String) -> String {
    if text.len() > LONGEST {
        let end = text.floor_char_boundary(LONGEST);
        text.truncate(end);
        text.push_str("\n[… cut off …]");
    }
    text
}
