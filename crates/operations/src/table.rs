//! Every operation, once. What a front end offers is made from this table.

use crate::audit::{ShowAudit, VerifyAudit};
use crate::backup::{Backup, Restore};
use crate::doctor::Doctor;
use crate::embeddings::Embeddings;
use crate::facts::{
    Blame, Delete, DiffFacts, Edit, Forget, Inspect, ListDisagreements, ListEntities, ListFacts, ReadEntity,
    ReadGraph, Retain, Settle, Trust,
};
use crate::get::Get;
use crate::given::ShowGiven;
use crate::heartbeat::Heartbeat;
use crate::import::Import;
use crate::index::{Index, IndexState, StartIndex};
use crate::lookup::Lookup;
use crate::memory_tool::MemoryTool;
use crate::notes::{DeleteNote, ListNotes, OutlineNotes, PreviewBlocks, PutNote, ReadBlocks, RenameNote};
use crate::operation::Entry;
use crate::policy::{ApplyPolicy, CheckPolicy, ShowPolicy};
use crate::private::{Decrypt, Encrypt, Rekey};
use crate::recall::Recall;
use crate::reflect::{Reflect, UndoReflection};
use crate::score::Score;
use crate::search::Search;
use crate::sessions::{
    Append, Candidates, Compact, Context, Conversations, Flush, FlushCheck, Prune, ReadSession,
    SessionContext,
};
use crate::status::{ShowStatus, ToolStatus};

pub static OPERATIONS: &[Entry] = &[
    Entry::tool::<Lookup>(),
    Entry::tool::<Search>(),
    Entry::tool::<Get>(),
    Entry::tool::<Recall>(),
    Entry::tool::<Retain>(),
    Entry::tool::<Reflect>(),
    Entry::of::<UndoReflection>(),
    Entry::tool::<Forget>(),
    Entry::tool::<Context>(),
    Entry::of::<Conversations>(),
    Entry::of::<ReadSession>(),
    Entry::of::<Append>(),
    Entry::of::<Candidates>(),
    Entry::of::<SessionContext>(),
    Entry::of::<FlushCheck>(),
    Entry::of::<Flush>(),
    Entry::of::<Compact>(),
    Entry::of::<Prune>(),
    Entry::of::<ListFacts>(),
    Entry::of::<Inspect>(),
    Entry::of::<DiffFacts>(),
    Entry::of::<Blame>(),
    Entry::of::<Edit>(),
    Entry::of::<Trust>(),
    Entry::of::<ListDisagreements>(),
    Entry::of::<Settle>(),
    Entry::of::<Delete>(),
    Entry::of::<ListEntities>(),
    Entry::of::<ReadEntity>(),
    Entry::of::<ReadGraph>(),
    Entry::of::<ListNotes>(),
    Entry::of::<OutlineNotes>(),
    Entry::of::<ReadBlocks>(),
    Entry::of::<PreviewBlocks>(),
    Entry::of::<PutNote>(),
    Entry::of::<RenameNote>(),
    Entry::of::<DeleteNote>(),
    Entry::of::<MemoryTool>(),
    Entry::of::<ShowStatus>(),
    Entry::tool::<ToolStatus>(),
    Entry::of::<Doctor>(),
    Entry::of::<Index>(),
    Entry::of::<IndexState>(),
    Entry::of::<StartIndex>(),
    Entry::of::<Embeddings>(),
    Entry::of::<ShowGiven>(),
    Entry::of::<ShowAudit>(),
    Entry::of::<VerifyAudit>(),
    Entry::of::<ShowPolicy>(),
    Entry::of::<CheckPolicy>(),
    Entry::of::<ApplyPolicy>(),
    Entry::of::<Heartbeat>(),
    Entry::of::<Backup>(),
    Entry::of::<Restore>(),
    Entry::of::<Import>(),
    Entry::of::<Encrypt>(),
    Entry::of::<Decrypt>(),
    Entry::of::<Rekey>(),
    Entry::of::<Score>(),
];

#[cfg(test)]
mod tests {
    use expect_test::expect_file;
    use serde_json::{Map, Value};

    use super::OPERATIONS;
    use crate::fact::Fact;
    use crate::operation::Entry;
    use crate::schema;

    /// When it fails, `UPDATE_EXPECT=1 cargo test -p mindfile-operations table` writes the part between the marks anew.
    #[test]
    fn the_page_of_json_says_what_every_operation_takes_and_answers() {
        const BEGIN: &str =
            "<!-- operations: made by UPDATE_EXPECT=1 cargo test -p mindfile-operations table -->\n";
        const END: &str = "<!-- end of operations -->\n";
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md");
        let page = std::fs::read_to_string(page).unwrap();
        let (before, rest) = page.split_once(BEGIN).unwrap();
        let (_, after) = rest.split_once(END).unwrap();
        let fact = format!("\nA fact is\n\n{}", block(&object(&schema::answered::<Fact>(), &Map::new())));
        let all: String = OPERATIONS.iter().map(described).collect();
        let page = format!("{before}{BEGIN}{fact}{all}\n{END}{after}");
        expect_file!["../../../docs/json.md"].assert_eq(&page);
    }

    fn described(entry: &Entry) -> String {
        let row = entry.row;
        let http =
            row.http.map(|http| format!("{} {}", format!("{:?}", http.method).to_uppercase(), http.path));
        let command = row.command.map(|words| format!("mindfile {words}"));
        let tool = entry.tool.map(|tool| tool.tool.name.to_owned());
        let doors: Vec<String> =
            [http, tool, command].into_iter().flatten().map(|door| format!("`{door}`")).collect();
        let asked = (entry.asked)();
        let names = fields(&asked, |name, _| format!("`{name}`"));
        let takes = if names.is_empty() { String::new() } else { format!(" Takes {}.", names.join(", ")) };
        let answer = shape(&Value::Object((entry.answered)()), &schema::answered::<Fact>());
        let answer = block(&answer.unwrap_or_default());
        format!("\n### {}\n\n{}: {}.{takes}\n\n{answer}", row.name, row.about, doors.join(", "))
    }

    /// What an object or a list holds; none for plain values.
    fn shape(schema: &Value, fact: &Map<String, Value>) -> Option<String> {
        if let Some(choices) = schema["anyOf"].as_array() {
            return choices.iter().find_map(|choice| shape(choice, fact));
        }
        if schema["items"].is_object() {
            return Some(format!("[{}]", shape(&schema["items"], fact).unwrap_or_else(|| "…".to_owned())));
        }
        schema["properties"].as_object()?;
        schema.as_object().map(|schema| object(schema, fact))
    }

    /// The fields of an object; those of a fact are named once for all.
    fn object(schema: &Map<String, Value>, fact: &Map<String, Value>) -> String {
        let known = fact.get("properties").and_then(Value::as_object);
        let own = schema.get("properties").and_then(Value::as_object);
        let is_fact =
            own.zip(known).is_some_and(|(own, known)| known.keys().all(|name| own.contains_key(name)));
        let mut shown = if is_fact { vec!["…a fact…".to_owned()] } else { Vec::new() };
        shown.extend(
            fields(schema, |name, field| {
                let is_known = is_fact && known.is_some_and(|known| known.contains_key(name));
                if is_known {
                    return String::new();
                }
                let inside = shape(field, fact).map(|inside| format!(": {inside}")).unwrap_or_default();
                format!("\"{name}\"{inside}")
            })
            .into_iter()
            .filter(|field| field.len() > 1),
        );
        format!("{{ {} }}", shown.join(", "))
    }

    /// Each field; a question mark follows the name of one that may be absent.
    fn fields(schema: &Map<String, Value>, shown: impl Fn(&str, &Value) -> String) -> Vec<String> {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
        let all = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let field = |(name, field): (&String, &Value)| {
            let text = shown(name, field);
            if is_required(name) || text.is_empty() {
                return text;
            }
            match text.split_once("\":") {
                Some((name, inside)) => format!("{name}\"?:{inside}"),
                None => format!("{text}?"),
            }
        };
        all.map(field).collect()
    }

    /// Indented, in lines that are not too long.
    fn block(text: &str) -> String {
        let mut lines = vec!["   ".to_owned()];
        for word in text.split(' ') {
            let last = lines.last_mut().unwrap();
            if last.chars().count() + word.chars().count() > 140 {
                lines.push(format!("      {word}"));
            } else {
                last.push_str(&format!(" {word}"));
            }
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}
