//! What the plugin for OpenClaw says of tools is what the table of operations says.

use std::path::{Path, PathBuf};

use mindfile_operations::OPERATIONS;
use serde_json::{Map, Value, json};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/openclaw/src/tools.json")
}

/// By name: what a tool is for, and what it takes.
fn tools() -> Map<String, Value> {
    let listed = OPERATIONS.iter().filter_map(|entry| entry.tool.map(|entry| (entry.tool, (entry.takes)())));
    let described = listed.map(|(tool, asked)| {
        let required = asked.get("required").cloned().unwrap_or_else(|| json!([]));
        let about =
            json!({"description": tool.about, "properties": asked["properties"], "required": required});
        (tool.name.to_owned(), about)
    });
    described.collect()
}

/// A tool that the file lacks is one that the plugin does not offer in the table's words.
#[test]
#[expect(clippy::disallowed_methods, reason = "whoever changed a row has the file written again")]
fn the_tools_of_the_plugin_are_those_of_the_table() {
    let tools = tools();
    if std::env::var_os("UPDATE").is_some() {
        let text = serde_json::to_string_pretty(&tools).unwrap() + "\n";
        std::fs::write(file(), text).unwrap();
    }
    let told: Map<String, Value> = serde_json::from_str(&std::fs::read_to_string(file()).unwrap()).unwrap();
    for (name, tool) in &told {
        assert_eq!(Some(tool), tools.get(name), "{name}: run this test with UPDATE=1");
    }
    assert!(told.contains_key("memory_passages"));
}
