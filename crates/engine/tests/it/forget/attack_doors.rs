//! Every way by which a text gets into a memory, and whose word it is afterwards.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use mindfile::chat::{Call, ChatModel, Reply, Request as Asked, Turn};
use mindfile::origin::{Door, Origin};
use mindfile::session::tools::{self, Assistant, EmptyToolbox, Kit};
use mindfile::session::{About, Message, Role, Trigger};
use mindfile::{draft, reflect, retain};
use mindfile_care::heartbeat;
use mindfile_hosts::host::hook;
use mindfile_hosts::host::{Call as Hook, Event, Host};
use mindfile_hosts::import::{self, Mode, Source as Program};
use mindfile_model::Error as ModelError;
use mindfile_operations::AgentTools;
use serde_json::{Value, json};

use super::owner;
use crate::world::{World, put};

/// A way in.
pub(super) struct Way {
    pub(super) name: &'static str,
    /// What comes through it is at most this.
    pub(super) origin: Origin,
    pub(super) plant: fn(&World, &[String]),
}

const fn way(name: &'static str, origin: Origin, plant: fn(&World, &[String])) -> Way {
    Way { name, origin, plant }
}

/// All of them. What a model makes of what it was given is in the list with the origin of what it was given.
pub(super) const WAYS: &[Way] = &[
    way("terminal, retain", Origin::Owner, |w, t| keep(w, Door::Terminal, t)),
    way("a note by hand", Origin::Owner, by_hand),
    way("library, retain", Origin::Agent, |w, t| keep(w, Door::Library, t)),
    way("mcp, retain", Origin::Agent, |w, t| keep(w, Door::Mcp, t)),
    way("http, retain", Origin::Agent, |w, t| keep(w, Door::Http, t)),
    way("hook, retain", Origin::Agent, |w, t| keep(w, Door::Hook, t)),
    way("chat, tool memory_retain", Origin::Agent, by_tool_call),
    way("chat, tool memory_append", Origin::Agent, by_append_call),
    way("tool result, retain", Origin::Untrusted, |w, t| keep(w, Door::Tool, t)),
    way("import, retain", Origin::Untrusted, |w, t| keep(w, Door::Import, t)),
    way("tool turn, retain under a key", Origin::Untrusted, under_a_key),
    way("import, a bound note", Origin::Untrusted, bound_note),
    way("session at the terminal, user", Origin::Owner, |w, t| talk(w, Door::Terminal, Role::User, t)),
    way("session at the terminal, assistant", Origin::Agent, |w, t| {
        talk(w, Door::Terminal, Role::Assistant, t)
    }),
    way("session at the terminal, system", Origin::Agent, |w, t| talk(w, Door::Terminal, Role::System, t)),
    way("session at the terminal, tool", Origin::Untrusted, |w, t| talk(w, Door::Terminal, Role::Tool, t)),
    way("session by http, user", Origin::Agent, |w, t| talk(w, Door::Http, Role::User, t)),
    way("session by http, assistant", Origin::Agent, |w, t| talk(w, Door::Http, Role::Assistant, t)),
    way("session by http, tool", Origin::Untrusted, |w, t| talk(w, Door::Http, Role::Tool, t)),
    way("session by import, user", Origin::Untrusted, |w, t| talk(w, Door::Import, Role::User, t)),
    way("hook prompt-submit", Origin::Agent, |w, t| hook(w, Event::PromptSubmit, "prompt", t)),
    way("hook stop", Origin::Agent, |w, t| hook(w, Event::Stop, "text", t)),
    way("hook, a transcript's tool results", Origin::Untrusted, hook_transcript),
    way("import openclaw", Origin::Untrusted, import_openclaw),
    way("import claude-code", Origin::Untrusted, import_claude),
    way("import codex", Origin::Untrusted, import_codex),
    way("import chatgpt", Origin::Untrusted, import_chatgpt),
    way("import mem0", Origin::Untrusted, import_mem0),
    way("import obsidian", Origin::Untrusted, import_obsidian),
    way("import jsonl", Origin::Untrusted, import_jsonl),
    way("flush, a model that says what a tool said", Origin::Untrusted, flush_echo),
    way("compaction, a model that sums up what a tool said", Origin::Untrusted, summary_echo),
    way("reflect, a model that adds lines", Origin::Untrusted, reflect_adds),
    way("reflect, a model that cites a fact for them", Origin::Untrusted, reflect_cites),
    way("heartbeat, a model that answers with them", Origin::Untrusted, heartbeat_answers),
];

fn keep(world: &World, door: Door, texts: &[String]) {
    let memory = world.memory().through(door);
    for text in texts {
        let text = text.replace('\n', " ");
        let request = retain::Request { salience: Some(1.0), force: true, ..retain::Request::new(&text) };
        memory.retain(&request).unwrap();
    }
}

fn under_a_key(world: &World, texts: &[String]) {
    let memory = world.memory().through(Door::Session(Role::Tool));
    for (n, text) in texts.iter().enumerate() {
        let (key, text) = (Some(format!("owner.wish{n}")), text.replace('\n', " "));
        memory.retain(&retain::Request { key, confirm: true, ..retain::Request::new(&text) }).unwrap();
    }
}

fn by_hand(world: &World, texts: &[String]) {
    world.save("memory/by-hand.md", format!("# By hand\n\n{}\n", texts.join("\n\n")).as_bytes());
}

fn bound_note(world: &World, texts: &[String]) {
    let note = format!("# Imported\n\n{}\n", texts.join("\n\n"));
    draft::bind(&world.memory().through(Door::Import), "memory/imports/bound.md", &note).unwrap();
    world.save("memory/imports/bound.md", note.as_bytes());
}

fn by_tool_call(world: &World, texts: &[String]) {
    call_tools(world, Kit::Conversation, "memory_retain", texts);
}

fn by_append_call(world: &World, texts: &[String]) {
    call_tools(world, Kit::Flush, "memory_append", texts);
}

fn call_tools(world: &World, kit: Kit, name: &str, texts: &[String]) {
    let memory = owner(world);
    say(world, Door::Terminal, "tools", Role::User, "hello");
    for text in texts {
        // Fields that nobody asked for are no way to say who one is.
        let text = text.replace('\n', " ");
        let call = |arguments: Value| Call { id: "c".to_owned(), name: name.to_owned(), arguments };
        let toolbox = AgentTools { memory: &memory };
        let posing = call(json!({"text": text, "origin": "owner", "door": "terminal"}));
        assert!(tools::call(&memory, &toolbox, kit, "tools", &posing).failed);
        tools::call(&memory, &toolbox, kit, "tools", &call(json!({"text": text})));
    }
}

fn say(world: &World, door: Door, session: &str, role: Role, text: &str) {
    let mut entry = Message::new(role, text).entry();
    entry["origin"] = json!("owner");
    world.memory().through(door).say(session, &[entry], &About::default()).unwrap();
}

fn talk(world: &World, door: Door, role: Role, texts: &[String]) {
    let session = format!("{}-{}", door, role.as_str()).replace(':', "-");
    let entries: Vec<Value> = texts.iter().map(|text| Message::new(role, text).entry()).collect();
    world.memory().through(door).say(&session, &entries, &About::default()).unwrap();
}

fn hook(world: &World, event: Event, field: &str, texts: &[String]) {
    let memory = world.memory().through(Door::Hook);
    for (n, text) in texts.iter().enumerate() {
        let told = json!({"conversation_id": "cursor", "generation_id": format!("g{n}"), field: text, "origin": "owner"});
        let call = Hook::read(Host::named("cursor").unwrap(), event, told.to_string().as_bytes()).unwrap();
        hook::run(&memory, &call).unwrap();
    }
    let end =
        Hook::read(Host::named("cursor").unwrap(), Event::SessionEnd, b"{\"conversation_id\":\"cursor\"}")
            .unwrap();
    hook::run(&memory, &end).unwrap();
}

/// Results of tools stand in lines of the user's in Claude Code's transcripts.
fn hook_transcript(world: &World, texts: &[String]) {
    let line = |(n, text): (usize, &String)| {
        let block = json!([{"type": "tool_result", "tool_use_id": "t", "content": text},
                           {"type": "tool_result", "tool_use_id": "u", "content": [{"type": "text", "text": text}]}]);
        json!({"type": "user", "uuid": format!("u{n}"), "message": {"role": "user", "content": block}})
    };
    let path = from(world, "claude/s9.jsonl", &lines(texts.iter().enumerate().map(line)));
    let told = json!({"session_id": "s9", "transcript_path": path.join("s9.jsonl")});
    for event in [Event::Stop, Event::PreCompact] {
        let call =
            Hook::read(Host::named("claude-code").unwrap(), event, told.to_string().as_bytes()).unwrap();
        hook::run(&world.memory().through(Door::Hook), &call).unwrap();
    }
}

fn lines(values: impl Iterator<Item = Value>) -> String {
    values.map(|value| format!("{value}\n")).collect()
}

/// Writes a file of another program. Returns its folder.
fn from(world: &World, path: &str, text: &str) -> PathBuf {
    let path = world.at("elsewhere").join(path);
    put(&path, text.as_bytes());
    path.parent().unwrap().to_owned()
}

fn import(world: &World, program: &str, path: &str) {
    let program = Program::named(program).unwrap();
    let path = world.at("elsewhere").join(path);
    let report = import::run(&world.memory().through(Door::Import), program, &path, Mode::Write).unwrap();
    assert!(report.notes.new + report.turns.new + report.facts.new > 0, "{program:?}: {report:?}");
}

fn import_openclaw(world: &World, texts: &[String]) {
    let message = |(n, text): (usize, &String)| json!({"type": "message", "id": format!("e{n}"), "message": {"role": "user", "content": text}});
    from(world, "claw/agents/main/sessions/t1.jsonl", &lines(texts.iter().enumerate().map(message)));
    from(world, "claw/workspace/MEMORY.md", &format!("# Memory\n\n{}\n", texts.join("\n\n")));
    from(world, "claw/workspace/memory/2050-07-14.md", &format!("{}\n", texts.join("\n")));
    import(world, "openclaw", "claw");
}

fn import_claude(world: &World, texts: &[String]) {
    let line = |(n, text): (usize, &String)| {
        let role = ["user", "assistant"][n % 2];
        json!({"type": role, "uuid": format!("u{n}"), "message": {"role": role, "content": text}})
    };
    from(world, "home/p/s1.jsonl", &lines(texts.iter().enumerate().map(line)));
    from(world, "home/p/memory/MEMORY.md", &format!("{}\n", texts.join("\n")));
    import(world, "claude-code", "home");
}

fn import_codex(world: &World, texts: &[String]) {
    let line =
        |text: &String| json!({"type": "event_msg", "payload": {"type": "user_message", "message": text}});
    from(world, "codex/rollout.jsonl", &lines(texts.iter().map(line)));
    import(world, "codex", "codex");
}

fn import_chatgpt(world: &World, texts: &[String]) {
    let conversation = |(n, text): (usize, &String)| {
        json!({"conversation_id": format!("c{n}"), "title": "t", "current_node": "a", "mapping": {
            "a": {"parent": null, "message": {"id": "m1", "author": {"role": "user"}, "recipient": "all",
                  "content": {"content_type": "text", "parts": [text]}}}}})
    };
    let all: Vec<Value> = texts.iter().enumerate().map(conversation).collect();
    from(world, "gpt/conversations.json", &json!(all).to_string());
    import(world, "chatgpt", "gpt");
}

fn import_mem0(world: &World, texts: &[String]) {
    let row = |(n, text): (usize, &String)| json!({"id": format!("r{n}"), "memory": text.replace('\n', " "), "user_id": "owner"});
    from(world, "mem0/rows.jsonl", &lines(texts.iter().enumerate().map(row)));
    import(world, "mem0", "mem0/rows.jsonl");
}

fn import_obsidian(world: &World, texts: &[String]) {
    for (n, text) in texts.iter().enumerate() {
        from(world, &format!("vault/n{n}.md"), &format!("---\norigin: owner\n---\n\n{text}\n"));
    }
    import(world, "obsidian", "vault");
}

fn import_jsonl(world: &World, texts: &[String]) {
    let row = |(n, text): (usize, &String)| json!({"type": "fact", "id": format!("j{n}"), "kind": "W", "origin": "owner", "line": format!("- W(s=1) @user: {}", text.replace('\n', " "))});
    from(world, "all/rows.jsonl", &lines(texts.iter().enumerate().map(row)));
    import(world, "jsonl", "all/rows.jsonl");
}

/// A model that says what it was told to say, whatever it is asked.
struct Parrot<F> {
    asked: AtomicUsize,
    answer: F,
}

impl<F: Fn(usize, &Asked<'_>) -> Reply + Send + Sync> ChatModel for Parrot<F> {
    fn name(&self) -> &str {
        "parrot"
    }

    fn window(&self) -> u64 {
        200_000
    }

    fn answer(&self, request: &Asked<'_>, _: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        Ok((self.answer)(self.asked.fetch_add(1, Ordering::Relaxed), request))
    }
}

fn parrot<F: Fn(usize, &Asked<'_>) -> Reply + Send + Sync>(answer: F) -> Parrot<F> {
    Parrot { asked: AtomicUsize::new(0), answer }
}

fn reply(text: String) -> Reply {
    Reply { text, ..Reply::default() }
}

fn flush_echo(world: &World, texts: &[String]) {
    talk_of_tools(world, "flushed", texts);
    let model = parrot(|asked, request| {
        let seen = format!("{:?}", request.turns);
        let shown = asked == 0 && texts.iter().any(|text| seen.contains(text.as_str()));
        assert!(!shown, "a flush is not shown what tools said: {seen}");
        let call = |text: &String| Call {
            id: "c".to_owned(),
            name: "memory_append".to_owned(),
            arguments: json!({"text": format!("- {}", text.replace('\n', " "))}),
        };
        if asked > 0 {
            Reply::default()
        } else {
            Reply { calls: texts.iter().map(call).collect(), ..Reply::default() }
        }
    });
    owner(world).flush("flushed", Some(Assistant { model: &model, tools: &EmptyToolbox })).unwrap();
}

fn summary_echo(world: &World, texts: &[String]) {
    talk_of_tools(world, "summed", texts);
    let said = texts.join("\n");
    let model = parrot(|_, _| reply(format!("The user decided:\n{said}")));
    owner(world)
        .compact("summed", Some(Assistant { model: &model, tools: &EmptyToolbox }), Trigger::Overflow)
        .unwrap();
}

/// What tools said, between a user's turns.
fn talk_of_tools(world: &World, session: &str, texts: &[String]) {
    let mut entries = vec![Message::new(Role::User, "Please read the page for me").entry()];
    entries.extend(texts.iter().map(|text| Message::new(Role::Tool, text).entry()));
    entries.push(Message::new(Role::User, "Thank you, that will do").entry());
    owner(world).say(session, &entries, &About::default()).unwrap();
}

fn reflect_adds(world: &World, texts: &[String]) {
    reflect_saying(world, &|asked| format!("{}\n{}", facts_in(asked), texts.join("\n")));
}

fn reflect_cites(world: &World, texts: &[String]) {
    reflect_saying(world, &|asked| {
        let facts = facts_in(asked);
        let id =
            facts.rsplit_once("(^").map_or("k", |(_, id)| id.trim_end().trim_end_matches(')')).to_owned();
        let lines =
            texts.iter().map(|text| format!("- {} (^{id})\n", text.replace('\n', " "))).collect::<String>();
        format!("{facts}\n{lines}")
    });
}

fn reflect_saying(world: &World, answer: &(dyn Fn(&str) -> String + Sync)) {
    let model = parrot(|_, request| match request.turns.last() {
        Some(Turn::User(text)) => reply(answer(text)),
        Some(Turn::Assistant { .. } | Turn::Tool { .. }) | None => Reply::default(),
    });
    let request = reflect::CoreRequest { max_tokens: Some(50_000), dry_run: false };
    reflect::reflect(&owner(world), request, Some(&model)).unwrap();
}

/// The lines that a reflection asks to word.
fn facts_in(prompt: &str) -> String {
    prompt.split("----\n").nth(1).unwrap_or_default().to_owned()
}

fn heartbeat_answers(world: &World, texts: &[String]) {
    let said = texts.join("\n");
    let model = parrot(|_, _| reply(format!("FIRST\n{said}")));
    world.save(
        "memory/2050-07-02.md",
        b"- O @peter: Peter likes the new office chairs ^p1\n- O @peter: Peter does not like the new office chairs ^p2\n",
    );
    heartbeat::run(&owner(world), heartbeat::Request::default(), Some(&model)).unwrap();
}
