//! Who is told what: every operation is asked at every door, over a memory with a word of its own at each place that somebody
//! may not see. An operation that is not in the table of this test fails it.

use std::collections::{BTreeMap, BTreeSet};

use mindfile_operations::{Entry, OPERATIONS};
use serde_json::{Value, json};

use crate::home::Home;
use crate::mcp::Client;
use crate::serve::Served;

/// Where a word stands, and how the words of that place begin.
const PLACES: [(&str, &str); 9] = [
    ("core", "zqcore"),   // MEMORY.md
    ("user", "zquser"),   // USER.md
    ("open", "zqopen"),   // an ordinary note
    ("seal", "zqseal"),   // a private note
    ("web", "zqweb"),     // a note that nobody trusts
    ("label", "zqlabel"), // an entity that only such a note names
    ("turn", "zqturn"),   // a direct conversation: its id and what the person says
    ("tool", "zqtool"),   // what a tool says in it
    ("team", "zqteam"),   // a group's conversation
];

/// An operation with what it is asked, and the places of which each viewer is told.
struct Sample {
    name: &'static str,
    asked: Value,
    /// The same at the terminal.
    words: &'static str,
    /// The owner at the terminal.
    owner: &'static str,
    /// A program that holds the token, or a model.
    program: &'static str,
    /// Either of them where a group reads along.
    group: &'static str,
}

/// What reads stands first: what changes something changes what is told after it.
#[expect(clippy::too_many_lines, reason = "one table, a row an operation")]
fn samples() -> Vec<Sample> {
    let row = |name, asked, words, [owner, program, group]: [&'static str; 3]| Sample {
        name,
        asked,
        words,
        owner,
        program,
        group,
    };
    vec![
        row(
            "search",
            json!({"query": "lake house", "minScore": 0, "explain": true, "maxResults": 50}),
            "search lake house --min-score 0 --explain --max-results 50",
            ["core user open seal turn team", "core user open turn team", "user open team"],
        ),
        // Of passages it shows less each.
        row(
            "lookup",
            json!({"query": "lake house", "maxResults": 50}),
            "",
            ["", "core user open turn team", "user open team"],
        ),
        row("readNote", json!({"path": "MEMORY.md"}), "get MEMORY.md", ["core", "core", ""]),
        row(
            "recall",
            json!({"query": "lake house", "k": 50, "debug": true, "explain": true, "past": true, "noTouch": true}),
            "recall lake house --k 50 --debug --explain --past --no-touch",
            ["core open seal", "core open", "open"],
        ),
        row("listNotes", json!({}), "", ["", "", ""]),
        row("outlineNotes", json!({}), "", ["", "", ""]),
        row("readBlocks", json!({"path": "MEMORY.md"}), "", ["", "core", ""]),
        row("previewBlocks", json!({"text": "- lake house"}), "", ["", "", ""]),
        row("listFacts", json!({}), "", ["", "core open", "open"]),
        row("inspectFact", json!({"id": "zqcorefact"}), "inspect zqcorefact", ["core", "core", ""]),
        // Facts without a day came on none.
        row("diffFacts", json!({"span": "1y"}), "diff 1y", ["core seal", "core", ""]),
        row("blameNote", json!({"path": "MEMORY.md"}), "blame MEMORY.md", ["core", "core", ""]),
        row("listDisagreements", json!({}), "disagreements", ["", "", ""]),
        row("listEntities", json!({}), "entities", ["core open seal label", "core open label", "open label"]),
        row(
            "readEntity",
            json!({"name": "Vera"}),
            "entities Vera",
            ["core open seal label", "core open label", "open label"],
        ),
        row("readGraph", json!({}), "", ["", "core open", "open"]),
        row("context", json!({}), "", ["", "core user", "user"]),
        row("status", json!({"deep": true}), "status --deep", ["", "", ""]),
        row("toolStatus", json!({"deep": true}), "", ["", "", ""]),
        row("doctor", json!({}), "doctor", ["", "", ""]),
        row("indexState", json!({}), "", ["", "", ""]),
        row("embeddings", json!({"input": "lake house"}), "", ["", "", ""]),
        row("listSessions", json!({}), "session list", ["turn team", "turn team", "team"]),
        row(
            "readSession",
            json!({"id": "zqturnid"}),
            "session show --session zqturnid",
            ["turn", "turn", ""],
        ),
        row(
            "candidates",
            json!({"id": "zqturnid"}),
            "session candidates --session zqturnid",
            ["turn", "turn", ""],
        ),
        row(
            "sessionContext",
            json!({"id": "zqturnid"}),
            "session context --session zqturnid",
            ["core user turn tool", "core user turn tool", ""],
        ),
        row(
            "flushCheck",
            json!({"id": "zqturnid", "contextWindow": 200_000}),
            "session flush-check --session zqturnid --context-window 200000",
            ["", "", ""],
        ),
        // The id of a private fact says that there is one, and nothing of it.
        row(
            "audit",
            json!({"limit": 1000}),
            "audit show",
            ["core seal turn team", "core seal turn team", "team"],
        ),
        row("given", json!({}), "given", ["core turn", "core turn", ""]),
        row("verifyAudit", json!({}), "audit verify", ["", "", ""]),
        row("policy", json!({}), "policy show", ["", "", ""]),
        row("checkPolicy", json!({"text": "lake house"}), "policy check lake house", ["", "", ""]),
        row("applyPolicy", json!({}), "policy apply", ["", "", ""]),
        // What is to be kept is not compared with what the viewer may not see.
        row(
            "retain",
            json!({"text": "The zqcoretext is in the lake house", "entities": ["Vera", "zqcorename"]}),
            "retain The zqcoretext is in the lake house --entity Vera --entity zqcorename",
            ["core", "core", ""],
        ),
        row("reflect", json!({"dryRun": true}), "reflect --dry-run", ["core open", "core open", ""]),
        row(
            "forget",
            json!({"query": "lake house", "dryRun": true}),
            "forget --query lake --dry-run",
            ["core user open seal web label turn tool team", "core user open web label turn tool team", ""],
        ),
        row(
            "deleteFact",
            json!({"id": "zqcorefact", "dryRun": true}),
            "delete zqcorefact --dry-run",
            ["core", "core", ""],
        ),
        row(
            "editFact",
            json!({"id": "zqcorefact", "text": "The lake house is sold"}),
            "edit zqcorefact --text sold",
            ["core", "core", ""],
        ),
        row("trustFact", json!({"id": "zqopenfact"}), "trust zqopenfact", ["open", "open", "open"]),
        row(
            "settleFacts",
            json!({"holds": "zqcorefact", "other": "zqopenfact"}),
            "settle zqcorefact zqopenfact",
            ["core open", "", ""],
        ),
        // A note that is there already is shown to whoever would write it.
        row("putNote", json!({"path": "MEMORY.md", "text": "It rains.\n"}), "", ["", "core", ""]),
        row(
            "renameNote",
            json!({"path": "memory/open.md", "to": "memory/other.md", "ifMatch": "none"}),
            "",
            ["", "open", ""],
        ),
        // At the terminal the command is read from standard input.
        row(
            "memoryTool",
            json!({"command": "view", "path": "/memories/open.md"}),
            "memory-tool",
            ["", "open", ""],
        ),
        row("deleteNote", json!({"path": "memory/private/health.md", "ifMatch": "none"}), "", ["", "", ""]),
        row("undoReflection", json!({}), "reflect --undo", ["", "", ""]),
        row(
            "appendMessages",
            json!({"id": "zqturnid", "messages": [{"role": "user", "text": "It rains."}]}),
            "session append --session zqturnid It rains.",
            ["", "", ""],
        ),
        row("flush", json!({"id": "zqturnid"}), "session flush --session zqturnid", ["", "", ""]),
        row("compact", json!({"id": "zqturnid"}), "session compact --session zqturnid", ["", "", ""]),
        row("prune", json!({"id": "zqturnid"}), "session prune --session zqturnid", ["", "", ""]),
        row("index", json!({}), "index", ["", "", ""]),
        row("startIndex", json!({}), "", ["", "", ""]),
        row("heartbeat", json!({}), "heartbeat", ["", "", ""]),
        // At the terminal alone.
        row("backup", json!({}), "backup all.tar.zst", ["", "", ""]),
        row("restore", json!({}), "restore all.tar.zst --verify", ["", "", ""]),
        row("import", json!({}), "import jsonl none.jsonl", ["", "", ""]),
        row("encrypt", json!({}), "encrypt memory/open.md", ["", "", ""]),
        row("decrypt", json!({}), "decrypt memory/private/health.md", ["", "", ""]),
        row("rekey", json!({}), "rekey", ["", "", ""]),
        row("score", json!({"salience": 0.9}), "score --salience 0.9", ["", "", ""]),
    ]
}

fn sample<'a>(samples: &'a [Sample], name: &str) -> &'a Sample {
    let found = samples.iter().find(|sample| sample.name == name);
    found.unwrap_or_else(|| panic!("{name} is not in this table: say who is told what by it"))
}

/// What a group may see.
fn open_memory() -> Home {
    let home = Home::bare();
    home.config("{memorySearch: {sources: [\"memory\", \"sessions\"], experimental: {sessionMemory: true}}}");
    home.note("USER.md", "# User\n\nThe lake house belongs to zqusertext.\n");
    home.note(
        "memory/open.md",
        "# Open\n\n- W(s=0.9) @Vera @zqopenname: The zqopentext is in the lake house ^zqopenfact\n- O(c=0.9,key=zqopenkey.place) @user: zqopenvalue of the lake house ^zqopenvalueid\n",
    );
    home.note(
        "memory/untrusted/web.md",
        "# Page\n\n- W(s=0.9) @Vera @zqlabelname: The zqwebtext is in the lake house ^zqwebfact\n",
    );
    turn(&home, ["zqteamid", "group", "user"], "I prefer the zqteamtext in the lake house");
    home
}

/// The same with what is for its owner alone.
fn memory() -> Home {
    let home = open_memory();
    home.note(
        "MEMORY.md",
        "# Memory\n\n- W(s=0.9) @Vera @zqcorename: The zqcoretext is in the lake house ^zqcorefact\n",
    );
    let value = ["zqcorevalue", "--key", "zqcorekey.place", "--file", "MEMORY.md", "--id", "zqcorevalueid"];
    home.out(&[&["retain"], &value[..]].concat());
    home.note(
        "memory/health.md",
        "# Health\n\n- W(s=0.9) @Vera @zqsealname: The zqsealtext is in the lake house ^zqsealfact\n",
    );
    home.out(&["encrypt", "memory/health.md"]);
    let value = ["zqsealvalue", "--key", "zqsealkey.place", "--sensitivity", "high", "--id", "zqsealvalueid"];
    home.out(&[&["retain"], &value[..]].concat());
    turn(&home, ["zqturnid", "direct", "user"], "I prefer the zqturntext in the lake house");
    turn(&home, ["zqturnid", "direct", "tool"], "The zqtooltext is in the lake house");
    home
}

fn turn(home: &Home, [session, chat, role]: [&str; 3], text: &str) {
    home.out(&["session", "append", "--session", session, "--chat-type", chat, "--role", role, text]);
}

/// The words of our own in a text.
fn own_words(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric()).map(str::to_lowercase);
    words.filter(|word| word.starts_with("zq")).collect()
}

/// The places of which an answer tells; what was asked with is no news.
fn told(asked: &str, answer: &str) -> BTreeSet<&'static str> {
    let said = own_words(asked);
    let news: Vec<String> = own_words(answer).into_iter().filter(|word| !said.contains(word)).collect();
    let tells = |start: &str| news.iter().any(|word| word.starts_with(start));
    PLACES.into_iter().filter(|(_, start)| tells(start)).map(|(place, _)| place).collect()
}

/// What is told against the table, collected so that one run says everything.
#[derive(Default)]
struct Verdicts(Vec<String>);

impl Verdicts {
    fn compare(&mut self, door: &str, asked: &str, answer: &str, expected: &str) {
        let expected: BTreeSet<&str> = expected.split_whitespace().collect();
        let told = told(asked, answer);
        if told != expected {
            self.0.push(format!("{door}: {asked}\n  told {told:?}, not {expected:?}: {answer}"));
        }
    }

    fn check(self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n"));
    }
}

/// An operation as the server's document describes it.
struct Described {
    method: String,
    path: String,
    takes_chat: bool,
}

fn described(served: &Served) -> BTreeMap<String, Described> {
    let document = served.get("/openapi.json");
    let mut all = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let taken = [&operation["parameters"], &operation["requestBody"]];
            let takes_chat = taken.iter().any(|part| part.to_string().contains("chatType"));
            let one = Described { method: method.to_uppercase(), path: path.clone(), takes_chat };
            all.insert(operation["operationId"].as_str().unwrap().to_owned(), one);
        }
    }
    all
}

impl Described {
    fn ask(&self, served: &Served, asked: &Value) -> String {
        let mut fields = asked.as_object().unwrap().clone();
        let mut path = self.path.clone();
        fields.retain(|name, value| {
            let place = format!("{{{name}}}");
            let is_in_path = path.contains(&place);
            path = path.replace(&place, value.as_str().unwrap_or_default());
            !is_in_path
        });
        if self.method == "GET" || self.method == "DELETE" {
            let word =
                |(name, value): (&String, &Value)| format!("{name}={}", plain(value).replace(' ', "+"));
            let query: Vec<String> = fields.iter().map(word).collect();
            return served.ask(&self.method, &format!("{path}?{}", query.join("&")), "").body;
        }
        served.ask(&self.method, &path, &Value::Object(fields).to_string()).body
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn in_group(asked: &Value) -> Value {
    let mut asked = asked.clone();
    asked["chatType"] = json!("group");
    asked
}

fn by_http(home: &Home, flags: &[&str], in_request: bool) {
    let samples = samples();
    let served = Served::new(home, flags);
    let operations = described(&served);
    for name in operations.keys() {
        sample(&samples, name);
    }
    let mut verdicts = Verdicts::default();
    for sample in &samples {
        let Some(operation) = operations.get(sample.name) else { continue };
        if in_request && !operation.takes_chat {
            continue;
        }
        let asked = if in_request { in_group(&sample.asked) } else { sample.asked.clone() };
        let group = in_request || !flags.is_empty();
        let expected = if group { sample.group } else { sample.program };
        let answer = operation.ask(&served, &asked);
        verdicts.compare(sample.name, &asked.to_string(), &answer, expected);
    }
    verdicts.check();
}

/// A tool's operation: that of the table, or the one that is called as it is.
fn operation_of(tool: &str) -> &str {
    let listed = OPERATIONS.iter().find(|entry| entry.tool.is_some_and(|one| one.tool.name == tool));
    listed.map_or(tool.trim_start_matches("memory_"), |entry| entry.row.name)
}

fn by_mcp(home: &Home, flags: &[&str], in_request: bool) {
    let samples = samples();
    let mut client = Client::new(home, &[&["--tools", "all"], flags].concat());
    let listed = client.ask("tools/list", json!({}));
    let mut tools: Vec<&Value> = listed["result"]["tools"].as_array().unwrap().iter().collect();
    let place = |tool: &&Value| {
        let name = sample(&samples, operation_of(tool["name"].as_str().unwrap())).name;
        samples.iter().position(|sample| sample.name == name)
    };
    tools.sort_by_key(place);
    let mut verdicts = Verdicts::default();
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        let sample = sample(&samples, operation_of(name));
        if in_request && tool["inputSchema"]["properties"]["chatType"].is_null() {
            continue;
        }
        let asked = if in_request { in_group(&sample.asked) } else { sample.asked.clone() };
        let group = in_request || !flags.is_empty();
        let expected = if group { sample.group } else { sample.program };
        let answer = client.call(name, asked.clone()).to_string();
        verdicts.compare(name, &asked.to_string(), &answer, expected);
    }
    verdicts.check();
}

fn takes_chat(entry: &Entry) -> bool {
    (entry.asked)()["properties"].get("chatType").is_some()
}

fn at_terminal(home: &Home, in_group: bool) {
    let samples = samples();
    let commands = OPERATIONS.iter().filter(|entry| entry.row.command.is_some());
    let mut commands: Vec<(&Entry, &Sample)> =
        commands.map(|entry| (entry, sample(&samples, entry.row.name))).collect();
    commands.sort_by_key(|(_, one)| samples.iter().position(|sample| sample.name == one.name));
    let mut verdicts = Verdicts::default();
    for (entry, sample) in commands {
        let command = entry.row.command.unwrap();
        assert!(sample.words.starts_with(command), "{}: say how the command {command} is asked", sample.name);
        if in_group && !takes_chat(entry) {
            continue;
        }
        let flags: &[&str] = if in_group { &["--chat-type", "group"] } else { &[] };
        let words: Vec<&str> = sample.words.split(' ').collect();
        let expected = match (in_group, sample.name) {
            // The owner may look at what a group would be given.
            (true, "sessionContext") => "user turn tool",
            (true, _) => sample.group,
            (false, _) => sample.owner,
        };
        let came = home.run(&[&words[..], flags, &["--json"]].concat());
        verdicts.compare("terminal", &words.join(" "), &(came.out + &came.err), expected);
    }
    verdicts.check();
}

#[test]
fn the_owner_at_the_terminal_is_told_everything_that_is_asked_for() {
    at_terminal(&memory(), false);
}

#[test]
fn programs_and_models_are_told_nothing_private() {
    by_http(&memory(), &[], false);
    by_mcp(&memory(), &[], false);
}

#[test]
fn a_group_is_told_what_groups_may_see_at_every_door() {
    at_terminal(&memory(), true);
    let group = ["--chat-type", "group"];
    by_http(&memory(), &group, false);
    by_http(&memory(), &[], true);
    by_mcp(&memory(), &group, false);
    by_mcp(&memory(), &[], true);
}

/// Answers that count the whole memory, or number its log.
const COUNTS: [&str; 4] = ["status", "doctor", "audit", "verifyAudit"];

/// Moments and the home directory are what they are.
fn settled(home: &Home, answer: &Value) -> Value {
    match answer {
        Value::String(text) if text.parse::<jiff::Timestamp>().is_ok() => Value::Null,
        Value::String(text) => Value::from(text.replace(home.path().to_str().unwrap(), "~")),
        Value::Array(items) => items.iter().map(|item| settled(home, item)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), settled(home, value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => answer.clone(),
    }
}

/// No count, score, order or neighbour tells a group that there is more than it sees.
#[test]
fn what_a_group_may_not_see_changes_nothing_that_it_is_told() {
    let homes = [memory(), open_memory()];
    let servers = homes.each_ref().map(|home| Served::new(home, &["--chat-type", "group"]));
    let operations = described(&servers[0]);
    let samples = samples();
    let reads = samples.iter().filter(|sample| !COUNTS.contains(&sample.name));
    for sample in reads {
        let Some(operation) = operations.get(sample.name) else { continue };
        // A conversation that is not there is begun by asking for what belongs to it.
        if operation.method == "GET" && sample.name != "sessionContext" {
            let answer = |at: usize| {
                let body = operation.ask(&servers[at], &sample.asked);
                settled(&homes[at], &serde_json::from_str(&body).unwrap())
            };
            assert_eq!(answer(0), answer(1), "{}", sample.name);
        }
    }
}
