//! The examples under each command's help.

pub(crate) const MINDFILE: &str = "\
--workspace DIR names the notes, --json prints JSON, both with any command.
`mindfile help COMMAND` explains a command; `mindfile help --all` lists all.";

pub(crate) const ALL: &str = "`mindfile memory COMMAND` means the same as `mindfile COMMAND`.";

pub(crate) const HELP: &str = "\
Examples:
  mindfile help                  the commands that people use
  mindfile help retain           one command
  mindfile help session flush    a command below another
  mindfile help --all            every command";

pub(crate) const INIT: &str = "\
Examples:
  mindfile init                  in the workspace that the settings name
  mindfile init ~/notes          in a directory of one's own";

pub(crate) const DEMO: &str = "\
Examples:
  mindfile demo
  mindfile demo --keep sample    keep the sample, to ask it further questions";

pub(crate) const WATCH: &str = "\
Examples:
  mindfile watch                 until Ctrl-C
  mindfile watch --quiet         without a line for every change";

pub(crate) const SERVE: &str = "\
Examples:
  mindfile serve                            at http://127.0.0.1:7377, for this machine
  mindfile serve --port 0 --json            at any free port; prints where
  mindfile serve --socket ~/.mindfile.sock  for processes of the same user, without a port
  curl -H \"Authorization: Bearer $(cat ~/.mindfile/server.token)\" '127.0.0.1:7377/v1/search?query=rent'

Every request shows the token; /openapi.json describes them, /mcp speaks the Model Context Protocol.";

pub(crate) const MCP: &str = "\
Examples:
  mindfile mcp                              what an agent's settings start; it speaks JSON-RPC
  mindfile mcp --workspace ~/notes          for one folder of notes
  mindfile mcp --chat-type group            for an agent in a group: never MEMORY.md";

pub(crate) const INSTALL: &str = "\
Examples:
  mindfile install claude-code --dry-run         show what would be written
  mindfile install codex                         show it, ask, write it
  mindfile install cursor --project .            for this project alone
  mindfile install openclaw                      the plugin for its memory slot
  mindfile install git                           merge the facts of two clones by their ids
  mindfile install claude-code --uninstall       the files become what they were";

pub(crate) const MERGE_DRIVER: &str = "\
Examples:
  mindfile merge-driver base.md ours.md theirs.md memory/2026-11-14.md

`mindfile install git` has git call this. The exit code is 1 where a person has to choose between lines.";

pub(crate) const HOOK: &str = "\
Examples:
  mindfile hook session-start --host claude-code < call.json
  mindfile hook stop --host codex --time-limit 500 < call.json

`mindfile install` writes these calls into a host's settings. Whatever happens, the answer is valid and the exit code 0;
what went wrong is in hooks.log in the folder memory of the state directory.";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  mindfile completions bash > ~/.local/share/bash-completion/completions/mindfile
  mindfile completions zsh > ~/.zfunc/_mindfile
  mindfile completions fish > ~/.config/fish/completions/mindfile.fish";

pub(crate) const MAN: &str = "\
Examples:
  mindfile man | man -l -
  mindfile man --out ~/.local/share/man/man1     then: man mindfile-search";

pub(crate) const EXPORT: &str = "\
Examples:
  mindfile export --jsonl --out memory.jsonl     import jsonl reads it back
  mindfile export --markdown > memory.md";

pub(crate) const CONFIG_SHOW: &str = "\
Examples:
  mindfile config show --origin";

pub(crate) const CONFIG_GET: &str = "\
Examples:
  mindfile config get query.maxResults
  mindfile config get query";

pub(crate) const CONFIG_SET: &str = "\
Examples:
  mindfile config set query.maxResults 10
  mindfile config set workspace ~/notes";

pub(crate) const CONFIG_PATH: &str = "\
Examples:
  mindfile config path --json";

pub(crate) const ENTITIES: &str = "\
Examples:
  mindfile entities                              all of them
  mindfile entities Sarah --svg sarah.svg
  mindfile entities Robert --alias Bob           Bob is Robert
  mindfile entities Bob --merge-into Robert
  mindfile entities Bob --rename Robert          in every fact";

pub(crate) const CONFIG: &str = "\
Examples:
  mindfile config show --origin
  mindfile config set query.maxResults 10
  mindfile config get query.hybrid --json";

pub(crate) const POLICY: &str = "\
Examples:
  mindfile policy show
  mindfile policy check notes.md
  mindfile policy apply --dry-run
  mindfile policy check \"the account is GB82 WEST 1234 5698 7654 32\"
  pbpaste | mindfile policy check - --json";

pub(crate) const AUDIT: &str = "\
Examples:
  mindfile audit verify
  mindfile audit show --since 7d
  mindfile audit show --limit 500 --json";

pub(crate) const EVAL: &str = "\
Examples:
  mindfile eval truth questions.jsonl
  mindfile eval truth questions.jsonl --workspace ~/notes --mode hybrid --questions";

pub(crate) const SESSION: &str = "\
Examples:
  mindfile session append --session s1 --role user \"We decided to use PostgreSQL\"
  mindfile session list
  mindfile session show --session s1
  mindfile session flush-check --session s1 --context-window 200000 --json
  mindfile session compact --session s1
  mindfile search \"which database\" --source sessions";

pub(crate) const CHAT: &str = "\
Examples:
  mindfile chat --model llama3.2 --base-url http://localhost:11434/v1 --context-window 8192
  ANTHROPIC_API_KEY=… mindfile chat --provider anthropic --model claude-sonnet-4-5 --context-window 200000
  mindfile chat --session chat-20261115-142500-123     go on where it ended";
