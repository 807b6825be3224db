import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import plugin from "../index.js";
import { read, run } from "../src/cli.js";
import { flushPlan } from "../src/flush.js";
import { agentOf, agents, chatType, Hosts } from "../src/hosts.js";
import { promptSection } from "../src/prompt.js";
import { classify } from "../src/provenance.js";
import { TOOLS } from "../src/tools.js";

const AT = Date.UTC(2026, 2, 14, 23, 30);

test("agents are found in either shape of the settings", () => {
  assert.deepEqual(agents({}), ["main"]);
  assert.deepEqual(agents({ agents: { list: [{ id: "a" }, { id: "B", default: true }] } }), ["b", "a"]);
  assert.deepEqual(agents({ agents: { entries: { one: {}, two: { default: true } } } }), ["two", "one"]);
  assert.equal(agentOf({ sessionKey: "agent:ops:main", config: {} }), "ops");
  assert.equal(agentOf({ agentId: "X", sessionKey: "agent:ops:main", config: {} }), "x");
  assert.deepEqual(["main", "agent:group:main", "agent:a:x:group:7", "agent:a:slack:channel:c"].map(chatType), ["direct", "direct", "group", "group"]);
});

test("the prompt speaks of the tools there are", () => {
  assert.deepEqual(promptSection({ availableTools: new Set() }), []);
  const all = promptSection({ availableTools: new Set(TOOLS.map((tool) => tool.name)) }).join("\n");
  assert.match(all, /^## Memory Recall\n/);
  for (const name of ["memory_search", "memory_get", "memory_recall", "memory_retain"]) assert.match(all, new RegExp(name));
  const few = promptSection({ availableTools: new Set(["memory_get"]), citationsMode: "off" }).join("\n");
  assert.doesNotMatch(few, /memory_search|memory_retain/);
  assert.match(few, /Citations are disabled/);
});

test("a flush goes to the day's note where the person is", () => {
  const cfg = { agents: { defaults: { userTimezone: "Asia/Tokyo" } } };
  const plan = flushPlan({ cfg, nowMs: AT, contextWindowTokens: 200_000 });
  assert.equal(plan.relativePath, "memory/2026-03-15.md");
  assert.match(plan.prompt, /only to memory\/2026-03-15\.md .*APPENDING/s);
  assert.match(plan.prompt, /Current time: 2026-03-15 08:30 \(Asia\/Tokyo\)/);
  assert.match(plan.prompt, /NO_REPLY/);
  assert.match(plan.systemPrompt, /NO_REPLY/);
  assert.deepEqual([plan.softThresholdTokens, plan.reserveTokensFloor, plan.forceFlushTranscriptBytes], [4000, 20_000, 2 ** 21]);
});

test("a flush fits small windows, and can be tuned and switched off", () => {
  const small = flushPlan({ nowMs: AT, contextWindowTokens: 8000 });
  assert.deepEqual([small.softThresholdTokens, small.reserveTokensFloor], [3000, 2000]);
  const tuned = (memoryFlush) => flushPlan({ nowMs: AT, cfg: { agents: { defaults: { compaction: { memoryFlush } } } } });
  assert.equal(tuned({ enabled: false }), null);
  assert.equal(tuned({ forceFlushTranscriptBytes: "1.5 mb" }).forceFlushTranscriptBytes, 1.5 * 2 ** 20);
  assert.equal(tuned({ forceFlushTranscriptBytes: 0 }).forceFlushTranscriptBytes, 0);
  assert.deepEqual([tuned({ model: " m " }).model, tuned({ softThresholdTokens: 9 }).softThresholdTokens], ["m", 9]);
});

test("lines of openclaw memory become lines of mindfile", () => {
  const calls = (...words) => read(words).calls;
  assert.deepEqual(calls("search", "rent", "--max-results", "3", "--verbose"), [["search", "rent", "--max-results", "3"]]);
  assert.deepEqual(calls("status", "--index", "--json"), [["index", "--quiet"], ["status", "--json", "--deep"]]);
  assert.deepEqual(calls("status", "--fix"), [["doctor", "--fix", "--quiet"], ["status"]]);
  assert.deepEqual(calls("reset", "--yes"), [["index", "--force"]]);
  assert.deepEqual(calls("retain", "a fact", "--index"), [["retain", "a fact", "--index"]]);
  assert.deepEqual(calls(), [["--help"]]);
  assert.equal(read(["index", "--agent=ops"]).agent, "ops");
});

test("status and index speak of every agent, a search of one", async () => {
  const config = { agents: { entries: { a: {}, b: {} } } };
  const hosts = { options: { command: "mindfile" }, flags: (agent) => ["--agent", agent] };
  const seen = [];
  const start = async (_command, args, isKept) => {
    seen.push(args.join(" "));
    return { code: 0, out: isKept ? JSON.stringify([{ agentId: args.at(-1) }]) : "" };
  };
  await run(["index", "--force"], hosts, config, start);
  await run(["search", "x"], hosts, config, start);
  await run(["index", "--agent", "b"], hosts, config, start);
  assert.deepEqual(seen, ["index --force --agent a", "index --force --agent b", "search x --agent a", "index --agent b"]);
  assert.equal(await run(["promote"], hosts, config, start), 1);
  assert.equal(await run(["index"], hosts, config, async () => ({ code: 2, out: "" })), 2);
});

test("memory files are vouched for, others and what an untrusted session wrote are not", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "mindfile-plugin-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const workspaceDir = path.join(folder, "ws");
  mkdirSync(path.join(workspaceDir, "memory", "dreaming"), { recursive: true });
  for (const file of ["MEMORY.md", "USER.md", "notes.txt", "memory/a.md", "memory/dreaming/d.md"]) writeFileSync(path.join(workspaceDir, file), "x");
  writeFileSync(path.join(folder, "outside.md"), "x");
  symlinkSync(path.join(folder, "outside.md"), path.join(workspaceDir, "memory", "link.md"));
  const stateDir = path.join(folder, "state-dir");
  const relativePaths = ["MEMORY.md", "USER.md", "notes.txt", "memory/a.md", "memory/dreaming/d.md", "memory/link.md", "memory/none.md", "../outside.md"];
  const classes = async (more) => (await classify({ workspaceDir, relativePaths, stateDir, ...more })).map((one) => one.originClass);
  const usual = ["agent", "agent", "untrusted", "agent", "system", "untrusted", "untrusted", "untrusted"];
  assert.deepEqual(await classes(), usual);

  record(stateDir, workspaceDir, "USER.md", "untrusted");
  assert.deepEqual(await classes(), ["agent", "untrusted", ...usual.slice(2)]);
  const readSources = [{ relativePath: "MEMORY.md", canonicalRelativePath: "MEMORY.md" }];
  assert.deepEqual((await classes({ readSources })).slice(0, 3), ["agent", "untrusted", "untrusted"]);

  writeFileSync(path.join(stateDir, "state", "openclaw.sqlite"), "not a database at all, but long enough to be read");
  const warnings = [];
  assert.deepEqual((await classes({ warn: (what) => warnings.push(what) })).slice(0, 2), ["untrusted", "untrusted"]);
  assert.equal(warnings.length, 1);
});

// As OpenClaw notes it down.
function record(stateDir, workspaceDir, relativePath, originClass) {
  mkdirSync(path.join(stateDir, "state"), { recursive: true });
  const db = new DatabaseSync(path.join(stateDir, "state", "openclaw.sqlite"));
  db.exec("CREATE TABLE plugin_state_entries (plugin_id TEXT, namespace TEXT, entry_key TEXT, value_json TEXT, created_at INTEGER, expires_at INTEGER)");
  const sha256 = (text) => createHash("sha256").update(text).digest("hex");
  const key = `${sha256(realpathSync.native(workspaceDir))}:${sha256(relativePath)}`;
  db.prepare("INSERT INTO plugin_state_entries VALUES (?, ?, ?, ?, 0, NULL)").run(
    "core:memory-artifact-provenance",
    "workspace-files",
    key,
    JSON.stringify({ version: 1, relativePath, originClass }),
  );
  db.close();
}

test("everything is registered where OpenClaw has a place for it, and nothing starts", () => {
  const seen = { tools: [] };
  plugin.register({
    config: {},
    registerTool: (_make, { names }) => seen.tools.push(...names),
    registerCli: (_make, { commands }) => (seen.cli = commands),
    registerMemoryCapability: (capability) => (seen.capability = Object.keys(capability)),
  });
  assert.deepEqual(seen.tools, TOOLS.map((tool) => tool.name));
  assert.deepEqual(seen.cli, ["memory"]);
  assert.deepEqual(seen.capability.slice(0, 3), ["promptBuilder", "flushPlanResolver", "runtime"]);
});

test("versions with three calls, and with none, are served too", () => {
  const seen = [];
  const old = { config: {}, registerTool() {}, registerCli() {} };
  plugin.register(old);
  plugin.register({
    ...old,
    registerMemoryPromptSection: () => seen.push("prompt"),
    registerMemoryFlushPlan: () => seen.push("flush"),
    registerMemoryRuntime: () => seen.push("runtime"),
  });
  assert.deepEqual(seen, ["prompt", "flush", "runtime"]);
});

test("an agent's folders are those that OpenClaw means", () => {
  const api = {
    pluginConfig: { timeoutSeconds: 5 },
    runtime: {
      state: { resolveStateDir: () => "/state" },
      agent: { resolveAgentWorkspaceDir: (_config, id) => `/ws/${id}` },
    },
  };
  const hosts = new Hosts(api);
  assert.deepEqual(hosts.flags("main", {}), ["--agent", "main", "--state-dir", "/state", "--workspace", "/ws/main"]);
  assert.deepEqual(hosts.options, { command: "mindfile", timeoutMs: 5000, sessions: false });
});
