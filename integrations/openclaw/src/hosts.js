// Which agent is meant, where its notes are, and the process that answers for it.

import path from "node:path";

import { Mindfile } from "./process.js";

export class Hosts {
  #api;
  #running = new Map();

  constructor(api) {
    this.#api = api;
  }

  get options() {
    const { command = "mindfile", timeoutSeconds = 30, sessions = false } = this.#api.pluginConfig ?? {};
    return { command, timeoutMs: timeoutSeconds * 1000, sessions };
  }

  // The settings of OpenClaw as they are now.
  config(given) {
    return given ?? this.#api.runtime?.config?.current?.() ?? this.#api.config ?? {};
  }

  // The flags that name an agent's memory to mindfile.
  flags(agentId, config) {
    const flags = ["--agent", agentId];
    const state = this.stateDir();
    const workspace = this.workspace(agentId, config);
    if (state) flags.push("--state-dir", state);
    if (workspace) flags.push("--workspace", workspace);
    return flags;
  }

  stateDir() {
    return this.#api.runtime?.state?.resolveStateDir?.() ?? process.env.OPENCLAW_STATE_DIR;
  }

  workspace(agentId, config) {
    const dir = this.#api.runtime?.agent?.resolveAgentWorkspaceDir?.(this.config(config), agentId);
    return typeof dir === "string" && dir ? path.resolve(dir) : undefined;
  }

  call(agentId, config, tool, given, { signal, timeoutMs } = {}) {
    return this.#of(agentId, config).call(tool, given, { signal, timeoutMs: timeoutMs ?? this.options.timeoutMs });
  }

  // Ends one agent's process, or all of them.
  async close(agentId) {
    const ending = [];
    for (const [key, { agent, mindfile }] of this.#running) {
      if (agentId !== undefined && agent !== agentId) continue;
      this.#running.delete(key);
      ending.push(mindfile.close());
    }
    await Promise.all(ending);
  }

  // A changed program or workspace is another process; the one before it is ended.
  #of(agentId, config) {
    const { command } = this.options;
    const args = ["mcp", "--quiet", "--output-schema", ...this.flags(agentId, config)];
    const key = JSON.stringify([command, args]);
    const known = this.#running.get(key);
    if (known) return known.mindfile;
    for (const [other, { agent, mindfile }] of this.#running) {
      if (agent !== agentId) continue;
      this.#running.delete(other);
      mindfile.close().catch(() => {});
    }
    const log = (why) => this.#api.logger?.warn?.(`mindfile (${agentId}): ${why}`);
    const mindfile = new Mindfile({ command, args, env: process.env, log });
    this.#running.set(key, { agent: agentId, mindfile });
    return mindfile;
  }
}

// Every agent that the settings name, the one that is meant by default first.
export function agents(config) {
  const entries = config?.agents?.entries;
  const list = Array.isArray(config?.agents?.list)
    ? config.agents.list
    : Object.entries(entries ?? {}).map(([id, entry]) => ({ ...entry, id }));
  const known = list.filter((one) => typeof one?.id === "string" && one.id.trim());
  const first = known.find((one) => one.default === true) ?? known[0];
  const ids = [first, ...known].filter(Boolean).map((one) => one.id.trim().toLowerCase());
  return ids.length > 0 ? [...new Set(ids)] : ["main"];
}

// The agent of a turn: named, or part of the session's key, or the one that is meant by default.
export function agentOf({ agentId, sessionKey, config }) {
  const inKey = /^agent:([^:]+):/.exec(sessionKey ?? "")?.[1];
  return (agentId ?? inKey ?? agents(config)[0]).trim().toLowerCase();
}

// Whether others read along.
export function chatType(sessionKey) {
  const rest = (sessionKey ?? "").replace(/^agent:[^:]+:/, "").toLowerCase().split(":");
  return rest.includes("group") || rest.includes("channel") ? "group" : "direct";
}
