import assert from "node:assert/strict";
import { test } from "node:test";

import { createRuntime } from "../src/runtime.js";

const STATUS = {
  agentId: "main",
  status: { backend: "builtin", provider: "embedded", model: "m", files: 3, chunks: 4, vector: { enabled: true, available: true } },
};

function runtime(answers = {}) {
  const asked = [];
  const hosts = {
    options: { command: "mindfile" },
    stateDir: () => undefined,
    workspace: () => undefined,
    close: async (agentId) => asked.push(`close ${agentId}`),
    async call(agentId, _config, tool, given) {
      asked.push({ agentId, tool, given });
      const answer = { memory_status: STATUS, ...answers }[tool];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { made: createRuntime(hosts, {}), asked };
}

const managed = async (answers) => {
  const { made, asked } = runtime(answers);
  const { manager } = await made.getMemorySearchManager({ cfg: {}, agentId: "main" });
  return { manager, asked };
};

test("a manager searches, reads and says how it stands", async () => {
  const hit = { path: "memory/a.md", startLine: 1, endLine: 1, score: 0.5, snippet: "x", source: "memory" };
  const { manager, asked } = await managed({
    memory_search: { results: [hit], mode: "keyword" },
    memory_get: { path: "memory/a.md", from: 1, lines: 1, text: "x\n" },
  });
  assert.equal(manager.status().files, 3);
  assert.deepEqual(await manager.probeEmbeddingAvailability(), { ok: true, checked: true });
  const debug = [];
  const found = await manager.search("x", { maxResults: 2, lexicalOnly: true, sessionKey: "agent:main:x:group:1", onDebug: (one) => debug.push(one) });
  assert.deepEqual(found, [hit]);
  assert.deepEqual(asked.at(-1).given, { query: "x", source: "memory", chatType: "group", maxResults: 2, mode: "keyword" });
  assert.equal(debug[0].effectiveMode, "keyword");
  assert.deepEqual(await manager.search("x", { sources: ["sessions"] }), []);
  assert.deepEqual(await manager.readFile({ relPath: "memory/a.md" }), { status: "ok", path: "memory/a.md", text: "x\n", from: 1, lines: 1 });
});

test("a memory that cannot be asked is said to be unavailable", async () => {
  const { made } = runtime({ memory_status: new Error("mindfile is not found") });
  assert.deepEqual(await made.getMemorySearchManager({ cfg: {}, agentId: "main" }), { manager: null, error: "mindfile is not found" });
});

test("conversations are not handed out without a turn", async () => {
  const hits = [{ source: "memory" }, { source: "sessions" }];
  assert.deepEqual(await runtime().made.authorizeSearchHits({ hits }), [{ source: "memory" }]);
});

test("processes are closed for one agent or for all", async () => {
  const { made, asked } = runtime();
  await made.closeMemorySearchManager({ agentId: "main" });
  await made.closeAllMemorySearchManagers();
  await made.prepareReload().drain();
  assert.deepEqual(asked, ["close main", "close undefined", "close undefined"]);
});
