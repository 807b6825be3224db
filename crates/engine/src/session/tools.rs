//! The memory as tools that a model may call. What it asks for is data: checked, bounded, and confined to memory files.

use mindfile_model::chat::{Call, Tool};
use mindfile_note::Origin;
use mindfile_note::text;
use mindfile_ranking::recall;
use mindfile_ranking::search;
use mindfile_trust::speaker::Door;
use serde_json::{Value, json};

use super::is_echo;
use super::save;
use crate::ask;
use crate::corpus::Corpus;
use crate::draft;
use crate::error::Error;
use crate::notes;
use crate::retain;
use crate::viewer::Viewer;

/// The longest text that a tool takes or gives, in bytes.
const LONGEST: usize = 64 << 10;

/// Which tools there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kit {
    /// For a conversation: search, read, keep and recall.
    Conversation,
    /// For a flush: search and read, and add to the day's note.
    Flush,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    pub text: String,
    pub failed: bool,
}

pub fn tools(kit: Kit) -> Vec<Tool> {
    let text = |about: &str| json!({"type": "string", "description": about});
    let mut all = vec![
        tool(
            "memory_search",
            "Search the notes and past conversations by words and meaning. Returns snippets with citations.",
            json!({"query": text("what to look for"), "maxResults": {"type": "integer"}}),
            &["query"],
        ),
        tool(
            "memory_get",
            "Read exact lines of a memory file that a search cited.",
            json!({"path": text("the file"), "from": {"type": "integer"}, "lines": {"type": "integer"}}),
            &["path"],
        ),
    ];
    match kit {
        Kit::Conversation => all.extend([
            tool(
                "memory_retain",
                "Keep one fact, as one sentence that can be understood by itself.",
                json!({
                    "text": text("the fact"),
                    "entities": {"type": "array", "items": {"type": "string"}},
                    "key": text("makes it the current value of this key"),
                }),
                &["text"],
            ),
            tool(
                "memory_recall",
                "Recall facts about a question, and what is connected with them.",
                json!({"query": text("the question")}),
                &["query"],
            ),
        ]),
        Kit::Flush => all.push(tool(
            "memory_append",
            "Add lines to today's note. Nothing that stands there is changed.",
            json!({"text": text("Markdown, best as list items")}),
            &["text"],
        )),
    }
    all
}

fn tool(name: &str, description: &str, properties: Value, required: &[&str]) -> Tool {
    let arguments = json!({"type": "object", "properties": properties, "required": required});
    Tool { name: name.to_owned(), description: description.to_owned(), arguments }
}

/// Does what a model asks for. A mistake is an answer, too: the model can do better.
pub fn call(corpus: &Corpus, kit: Kit, session: &str, call: &Call) -> Answered {
    let answer = if call.arguments.to_string().len() > LONGEST {
        Err(format!("the arguments are longer than {LONGEST} bytes"))
    } else {
        called(corpus, kit, session, call)
    };
    match answer {
        Ok(text) => Answered { text: cut(text), failed: false },
        Err(text) => Answered { text: cut(text), failed: true },
    }
}

fn called(corpus: &Corpus, kit: Kit, session: &str, call: &Call) -> Result<String, String> {
    let words = |error: Error| error.to_string();
    let given = &call.arguments;
    match (call.name.as_str(), kit) {
        ("memory_search", _) => search_tool(corpus, given).map_err(words),
        ("memory_get", _) => get_tool(corpus, given).map_err(words),
        ("memory_retain", Kit::Conversation) => retain_tool(corpus, session, given).map_err(words),
        ("memory_recall", Kit::Conversation) => recall_tool(corpus, given).map_err(words),
        ("memory_append", Kit::Flush) => append_tool(corpus, session, given).map_err(words),
        (other, _) => Err(format!("there is no tool {other:?}")),
    }
}

fn search_tool(corpus: &Corpus, given: &Value) -> Result<String, Error> {
    let max_results = given["maxResults"].as_u64().and_then(|n| usize::try_from(n).ok());
    let request =
        search::Request { max_results, for_model: true, ..search::Request::new(string(given, "query")) };
    let response = ask::search(corpus, &request, None)?;
    let hit = |hit: &search::Hit| format!("{}\nSource: {}", hit.snippet, hit.citation());
    let hits: Vec<String> = response.answer.hits.iter().map(hit).collect();
    Ok(if hits.is_empty() { "Nothing relevant in the notes.".to_owned() } else { hits.join("\n\n") })
}

fn get_tool(corpus: &Corpus, given: &Value) -> Result<String, Error> {
    let number = |name: &str| given[name].as_u64().and_then(|n| u32::try_from(n).ok());
    let path = string(given, "path");
    let viewer = corpus.viewer().for_model();
    let lines = notes::read(corpus, viewer, &path, number("from").unwrap_or(1), number("lines"))?;
    corpus.shown(&path, &text::decode(&lines.bytes))
}

fn retain_tool(corpus: &Corpus, session: &str, given: &Value) -> Result<String, Error> {
    let names = given["entities"].as_array().into_iter().flatten();
    let request = retain::Request {
        entities: names.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        key: given["key"].as_str().map(str::to_owned),
        source: Some(format!("chat:{session}")),
        ..retain::Request::new(&string(given, "text"))
    };
    let door = if echoes_a_tool(corpus, session, &request.text)? { Door::Tool } else { Door::Chat };
    let kept = retain::retain_for(corpus, Viewer::through(door), &request, None)?;
    Ok(format!("Retained: {} ({}#L{})", kept.fact.shown(), kept.fact.path, kept.fact.line))
}

/// Whether a model says what a tool said to it.
fn echoes_a_tool(corpus: &Corpus, session: &str, text: &str) -> Result<bool, Error> {
    match corpus.sessions().read(session) {
        Ok(transcript) => Ok(is_echo(&transcript, text)),
        Err(super::Error::NoSession { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn recall_tool(corpus: &Corpus, given: &Value) -> Result<String, Error> {
    let request = recall::Request { for_model: true, ..recall::Request::new(string(given, "query")) };
    let recalled = ask::recall(corpus, &request, recall::Touch::Yes)?;
    let facts = recalled.answer.recalled.iter().map(|one| format!("- {}", one.fact.shown()));
    let facts: Vec<String> = facts.collect();
    Ok(if facts.is_empty() { "No fact is known about that.".to_owned() } else { facts.join("\n") })
}

fn append_tool(corpus: &Corpus, session: &str, given: &Value) -> Result<String, Error> {
    let text = string(given, "text");
    draft::refuse_forgotten(corpus, &text)?;
    let items: Vec<String> = text.lines().filter(|line| !line.trim().is_empty()).map(item).collect();
    if items.is_empty() {
        return Err(retain::Error::Empty.into());
    }
    let mut said: Vec<(&str, Origin)> = Vec::new();
    for item in &items {
        let door = if echoes_a_tool(corpus, session, item)? { Door::Tool } else { Door::Chat };
        said.push((item, draft::origin_of(corpus, door, item)?));
    }
    // What nobody trusts is kept apart from the rest.
    let (trusted, others): (Vec<_>, Vec<_>) = said.into_iter().partition(|(_, origin)| origin.is_trusted());
    let mut words = Vec::new();
    for some in [trusted, others].into_iter().filter(|some| !some.is_empty()) {
        let (note, added) = save::add_to_day(corpus, session, &some)?;
        words.push(format!("{added} lines added to {note}"));
    }
    Ok(words.join(", "))
}

/// A line of a flush as a list item; a heading would begin another section.
fn item(line: &str) -> String {
    let text = line.trim_start_matches(['#', ' ']).trim_end();
    if text.starts_with("- ") || text.starts_with("* ") { text.to_owned() } else { format!("- {text}") }
}

fn string(given: &Value, name: &str) -> String {
    given[name].as_str().unwrap_or_default().to_owned()
}

fn cut(mut text: String) -> String {
    if text.len() > LONGEST {
        let end = text.floor_char_boundary(LONGEST);
        text.truncate(end);
        text.push_str("\n[… cut off …]");
    }
    text
}
