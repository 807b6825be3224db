// What other parts of OpenClaw ask of the memory: a manager that searches, reads and says how it stands, and which
// workspace files may be put into a conversation unasked.

import { spawn } from "node:child_process";

import { chatType } from "./hosts.js";
import { classify } from "./provenance.js";
import { readLines } from "./tools.js";

export function createRuntime(hosts, api) {
  const warn = (what) => api.logger?.warn?.(`mindfile: ${what}`);
  return {
    supportsWorkspaceMemoryReadSources: true,
    async getMemorySearchManager({ cfg, agentId, purpose = "default" }) {
      const began = Date.now();
      try {
        const manager = await createManager(hosts, cfg, agentId, warn);
        return { manager, debug: { backend: "builtin", purpose, managerMs: Date.now() - began } };
      } catch (error) {
        return { manager: null, error: error.message };
      }
    },
    resolveMemoryBackendConfig: () => ({ backend: "builtin" }),
    // Conversations are only given to the tool of a turn, which knows who asks.
    authorizeSearchHits: async ({ hits }) => hits.filter((hit) => hit.source !== "sessions"),
    classifyWorkspaceMemoryPaths: ({ workspaceDir, relativePaths, readSources }) =>
      classify({ workspaceDir, relativePaths, readSources, stateDir: hosts.stateDir(), warn }),
    prepareReload: () => ({ drain: () => hosts.close(), resume() {} }),
    closeMemorySearchManager: ({ agentId }) => hosts.close(agentId),
    closeAllMemorySearchManagers: () => hosts.close(),
  };
}

async function createManager(hosts, cfg, agentId, warn) {
  const ask = (tool, given, more) => hosts.call(agentId, cfg, tool, given, more);
  const look = async () => statusOf(await ask("memory_status", {}));
  let last = await look();
  return {
    async search(query, { maxResults, minScore, sessionKey, lexicalOnly, signal, onDebug, sources } = {}) {
      if (sources && !sources.includes("memory")) return [];
      const given = { query, source: "memory", chatType: chatType(sessionKey) };
      if (maxResults) given.maxResults = maxResults;
      if (typeof minScore === "number") given.minScore = minScore;
      if (lexicalOnly) given.mode = "keyword";
      const found = await ask("memory_search", given, { signal });
      onDebug?.({ backend: "builtin", effectiveMode: found.mode, fallback: found.fallback?.reason });
      return await withOrigins(found.results, hosts, cfg, agentId, warn);
    },
    readFile: ({ relPath, from, lines }) => readLines(ask, { path: relPath, from, lines }),
    status: () => last,
    async sync({ force, progress } = {}) {
      progress?.({ completed: 0, total: 1, label: "Updating the index…" });
      await index(hosts, cfg, agentId, force);
      last = await look();
      progress?.({ completed: 1, total: 1, label: "Index updated" });
    },
    getCachedEmbeddingAvailability: () => embedding(last),
    probeEmbeddingAvailability: async () => embedding((last = await look())),
    probeVectorStoreAvailability: async () => last.vector?.available !== false,
    probeVectorAvailability: async () => last.vector?.available !== false,
    async close() {},
  };
}

// mindfile says its state in OpenClaw's words already.
function statusOf({ status, indexError }) {
  return { ...status, backend: "builtin", ...(indexError ? { lastSyncError: indexError } : {}) };
}

function embedding(status) {
  const ok = status.vector?.enabled !== false && status.vector?.available !== false;
  return ok ? { ok, checked: true } : { ok, checked: true, error: `no vectors: the provider is ${status.provider}` };
}

// Only what may be put into a conversation unasked says whose word it is.
async function withOrigins(hits, hosts, cfg, agentId, warn) {
  const workspaceDir = hosts.workspace(agentId, cfg);
  if (!workspaceDir || hits.length === 0) return hits;
  const relativePaths = [...new Set(hits.map((hit) => hit.path))];
  const classes = await classify({ workspaceDir, relativePaths, stateDir: hosts.stateDir(), warn });
  const origins = new Map(classes.map(({ relativePath, originClass }) => [relativePath, originClass]));
  return hits.map((hit) => ({
    ...hit,
    provenance: { originClass: origins.get(hit.path), sessionKind: "unknown", observedAt: observed(hit.path) },
  }));
}

// The day of a dated note, in milliseconds; 0 where none is known.
function observed(path) {
  const day = /(?:^|\/)(\d{4}-\d{2}-\d{2})(?:-[^/]*)?\.md$/.exec(path)?.[1];
  return (day && Date.parse(`${day}T00:00:00Z`)) || 0;
}

function index(hosts, cfg, agentId, force) {
  const args = ["index", "--quiet", ...(force ? ["--force"] : []), ...hosts.flags(agentId, cfg)];
  return new Promise((resolve, reject) => {
    const child = spawn(hosts.options.command, args, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (said = (said + text).slice(-2000)));
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(said.trim() || `mindfile index ended with code ${code}`))));
  });
}
