import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { TOOLS, registerTools } from "../src/tools.js";

const HIT = { path: "memory/a.md", startLine: 2, endLine: 4, score: 0.8, snippet: "Rent is due.\n", source: "memory" };

// The tools that a turn is given, and what they ask of mindfile.
function turn(context = {}, { answers = {}, options = {} } = {}) {
  const asked = [];
  const hosts = {
    options: { sessions: false, ...options },
    async call(agentId, _config, tool, given) {
      asked.push({ agentId, tool, given });
      const answer = answers[tool] ?? { results: [] };
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const tools = {};
  const api = { registerTool: (make) => Object.assign(tools, named(make(context))) };
  registerTools(api, hosts);
  return { tools, asked };
}

const named = (tool) => (tool ? { [tool.name]: tool } : {});

async function search(context, given, more) {
  const { tools, asked } = turn({ sessionKey: "agent:main:main", config: {}, ...context }, more);
  const { details, content } = await tools.memory_search.execute("1", given);
  assert.deepEqual(JSON.parse(content[0].text), details);
  return { details, asked: asked[0] };
}

test("the manifest names the tools there are", () => {
  const manifest = JSON.parse(readFileSync(new URL("../openclaw.plugin.json", import.meta.url)));
  assert.deepEqual(manifest.contracts.tools, TOOLS.map((tool) => tool.name));
});

test("a search asks for notes and cites them", async () => {
  const found = { results: [HIT], provider: "embedded", model: "m", mode: "hybrid", degraded: [] };
  const { details, asked } = await search({}, { query: " rent ", maxResults: 3 }, { answers: { memory_search: found } });
  assert.deepEqual(asked, {
    agentId: "main",
    tool: "memory_search",
    given: { query: "rent", maxResults: 3, source: "memory", chatType: "direct" },
  });
  assert.deepEqual(details, {
    results: [{ ...HIT, corpus: "memory", citation: "memory/a.md#L2-L4", snippet: "Rent is due.\n\nSource: memory/a.md#L2-L4" }],
    provider: "embedded",
    model: "m",
    mode: "hybrid",
    citations: "auto",
  });
});

test("what could not be consulted is said", async () => {
  const found = { results: [], degraded: ["meaning: no provider"] };
  const { details } = await search({}, { query: "x" }, { answers: { memory_search: found } });
  assert.equal(details.warning, "Not everything was consulted: meaning: no provider");
});

test("a group is declared, and gets no citations by itself", async () => {
  const answers = { memory_search: { results: [HIT] } };
  const { details, asked } = await search({ sessionKey: "agent:ops:telegram:group:5" }, { query: "x" }, { answers });
  assert.deepEqual([asked.agentId, asked.given.chatType], ["ops", "group"]);
  assert.equal(details.results[0].citation, undefined);
});

test("conversations are searched only where that is switched on and nobody reads along", async () => {
  const refused = await search({}, { query: "x", corpus: "sessions" });
  assert.match(refused.details.error, /conversations are not searched here/);
  const on = { options: { sessions: true } };
  assert.equal((await search({}, { query: "x", corpus: "sessions" }, on)).asked.given.source, "sessions");
  assert.equal((await search({}, { query: "x", corpus: "all" }, on)).asked.given.source, undefined);
  assert.equal((await search({}, { query: "x", corpus: "all" })).asked.given.source, "memory");
  assert.equal((await search({ sandboxed: true }, { query: "x", corpus: "all" }, on)).asked.given.source, "memory");
  assert.match((await search({}, { query: "x", corpus: "wiki" }, on)).details.error, /corpus must be one of/);
});

test("a failure is an answer that says so", async () => {
  const answers = { memory_search: new Error("mindfile is not found") };
  const { details } = await search({}, { query: "x" }, { answers });
  assert.deepEqual(details, {
    results: [],
    disabled: true,
    unavailable: true,
    error: "mindfile is not found",
    warning: "memory_search did not work: mindfile is not found",
  });
});

test("lines are read in bounded pieces", async () => {
  const long = "0123456789abcde\n".repeat(1000);
  const { tools, asked } = turn({ config: {} }, { answers: { memory_get: { path: "memory/a.md", from: 5, lines: 1000, text: long } } });
  const { details } = await tools.memory_get.execute("1", { path: "memory/a.md", from: 5, lines: 1000 });
  assert.deepEqual(asked[0].given, { path: "memory/a.md", from: 5, lines: 1000, chatType: "direct" });
  assert.equal(details.text, long.slice(0, 12_000));
  assert.deepEqual([details.lines, details.truncated, details.nextFrom], [750, true, 755]);
});

test("a file that is not there is not a failure, and one that may not be read is", async () => {
  const get = async (error) => {
    const { tools } = turn({ config: {} }, { answers: { memory_get: new Error(error) } });
    return (await tools.memory_get.execute("1", { path: "memory/a.md" })).details;
  };
  assert.deepEqual(await get("memory/a.md does not exist\nhint: look"), { status: "not_found", path: "memory/a.md", text: "" });
  assert.equal((await get('"memory/a.md" is not a memory file')).status, "error");
});

test("guests and sandboxes do not write", () => {
  const writers = (context) => Object.keys(turn({ config: {}, ...context }).tools).filter((name) => /retain|reflect|forget/.test(name));
  const both = ["memory_retain", "memory_reflect", "memory_forget"];
  assert.deepEqual(writers({ sessionKey: "agent:main:main" }), both);
  assert.deepEqual(writers({ sessionKey: "agent:main:main", senderIsOwner: false }), []);
  assert.deepEqual(writers({ sessionKey: "agent:main:x:group:1" }), []);
  assert.deepEqual(writers({ sessionKey: "agent:main:x:group:1", senderIsOwner: true }), both);
  assert.deepEqual(writers({ sandboxed: true }), []);
});

test("a fact is retained with its conversation, and a reflection is only shown unless asked", async () => {
  const { tools, asked } = turn({ config: {}, sessionId: "s1" });
  await tools.memory_retain.execute("1", { text: "Anna left", kind: "B", entities: ["Anna"], key: "" });
  await tools.memory_reflect.execute("2", {});
  await tools.memory_reflect.execute("3", { dryRun: false });
  assert.deepEqual(asked.map(({ given }) => given), [
    { text: "Anna left", kind: "B", entities: ["Anna"], source: "chat:s1" },
    { dryRun: true },
    { dryRun: false },
  ]);
});

test("forgetting is only shown unless asked, and says nothing that was left empty", async () => {
  const { tools, asked } = turn({ config: {} });
  await tools.memory_forget.execute("1", { query: "the old password", entity: "" });
  await tools.memory_forget.execute("2", { entity: "Anna", dryRun: false });
  assert.deepEqual(asked.map(({ tool, given }) => [tool, given]), [
    ["memory_forget", { query: "the old password", dryRun: true }],
    ["memory_forget", { entity: "Anna", dryRun: false }],
  ]);
});

test("the context is what the files say, in bounded pieces, and declares a group", async () => {
  const system = [
    { name: "USER.md", tokens: 3, leftOut: 0, text: "Call me Ann.\n" },
    { name: "memory/2026-03-14.md", tokens: 9, leftOut: 2, text: "0123456789abcde\n".repeat(1000) },
  ];
  const answers = { memory_context: { system, withheld: ["MEMORY.md"] } };
  const { tools, asked } = turn({ config: {}, sessionKey: "agent:main:x:group:1" }, { answers });
  const { details } = await tools.memory_context.execute("1", {});
  assert.deepEqual(asked[0].given, { chatType: "group", minimal: true });
  assert.deepEqual(details.parts[0], { path: "USER.md", text: "Call me Ann.\n" });
  assert.equal(details.parts[1].truncated, true);
  assert.ok(details.parts[1].text.length <= 12_000);
  assert.deepEqual(details.withheld, ["MEMORY.md"]);
});

test("an agent whose memory is off has no tools", () => {
  const off = { memory: { search: { enabled: false } } };
  assert.deepEqual(turn({ config: off }).tools, {});
  const own = { ...off, agents: { entries: { main: { memory: { search: { enabled: true } } } } } };
  assert.equal(Object.keys(turn({ config: own }).tools).length, TOOLS.length);
});
