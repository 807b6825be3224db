// The tools a model sees. OpenClaw's two keep their names, arguments and shapes; the others are mindfile's own.

import { readFileSync } from "node:fs";

import { agentOf, chatType } from "./hosts.js";

const DEFAULT_LINES = 120;
const MOST_CHARS = 12_000;

// What mindfile's own table of operations says of each tool; `UPDATE=1 cargo test -p mindfile-cli openclaw` writes it.
const ROWS = JSON.parse(readFileSync(new URL("./tools.json", import.meta.url), "utf8"));

const flag = (description) => ({ type: "boolean", description });

// A tool by its row: some of its fields, in its words where nothing else is said here.
function row(name, fields, { like = name, ...more }) {
  const { description, properties, required } = ROWS[like];
  return {
    name,
    description,
    required: fields.filter((field) => required.includes(field)),
    ...more,
    properties: { ...Object.fromEntries(fields.map((field) => [field, properties[field]])), ...more.properties },
  };
}

export const TOOLS = [
  row("memory_search", ["query", "maxResults", "minScore"], {
    like: "memory_passages",
    description:
      "Mandatory recall step: search MEMORY.md, USER.md and the notes in memory/ and bank/ by words and by meaning before answering questions about prior work, decisions, dates, people, preferences or todos. Answers snippets with path and lines. If the answer has warning, stale or degraded, tell the user.",
    properties: {
      corpus: { type: "string", enum: ["memory", "sessions", "all"], description: "Notes, conversations, or both" },
    },
    answer: search,
  }),
  row("memory_get", ["path", "from", "lines"], {
    description:
      "Read exact lines of a memory file that memory_search cited. Only memory files can be read. status=ok: the lines; status=not_found: no such file; nextFrom says where to go on.",
    answer: get,
  }),
  row("memory_recall", ["query", "k", "entities", "since"], { required: ["query"], answer: recall }),
  row("memory_retain", ["text", "kind", "entities", "salience", "confidence", "key", "ttl"], { writes: true, answer: retain }),
  {
    name: "memory_reflect",
    description:
      "Consolidate the facts that matter most into MEMORY.md and the pages in bank/. Call it with dryRun first, and again only if the user wants the change.",
    properties: { dryRun: flag("Say what would change, and change nothing") },
    required: [],
    writes: true,
    answer: (ask, given) => ask("memory_reflect", { dryRun: given.dryRun !== false }),
  },
  row("memory_forget", ["query", "entity", "session", "last", "since", "until", "origin"], {
    description:
      "Take something out of notes, conversations and index so that it does not come back. Only when the person asks for it: call it as it is, which only says what would go, show that, and call it with dryRun false when they agree. Say one of query, entity, session, last, since and until, or origin.",
    properties: { dryRun: flag("Say what would go, and change nothing; true unless it is said") },
    writes: true,
    answer: (ask, given) => ask("memory_forget", { ...said(given), dryRun: given.dryRun !== false }),
  }),
  {
    name: "memory_context",
    description:
      "What a session begins with, part by part: the person, long-term memory, the notes of today and yesterday. Call it when the conversation was compacted and you have lost the thread.",
    properties: {},
    required: [],
    answer: context,
  },
  {
    name: "memory_status",
    description: "How many notes and facts there are, whether the index is up to date, and what is wrong with it.",
    properties: {},
    required: [],
    answer: (ask) => ask("memory_status", {}),
  },
];

export function registerTools(api, hosts) {
  for (const tool of TOOLS) {
    api.registerTool((context) => made(tool, context, hosts), { names: [tool.name] });
  }
}

function made(tool, context, hosts) {
  const config = () => context.getRuntimeConfig?.() ?? context.runtimeConfig ?? context.config;
  const turn = {
    agentId: agentOf({ agentId: context.agentId, sessionKey: context.sessionKey, config: config() }),
    chatType: chatType(context.sessionKey),
    sessionId: context.sessionId,
    citations: config()?.memory?.citations ?? "auto",
    sessions: hosts.options.sessions && context.sandboxed !== true,
  };
  if (isOff(config(), turn.agentId) || (tool.writes && !mayWrite(context, turn))) return null;
  return {
    name: tool.name,
    label: label(tool.name),
    description: tool.description,
    parameters: { type: "object", properties: tool.properties, required: tool.required, additionalProperties: false },
    async execute(_id, given, signal) {
      const ask = (name, asked) => hosts.call(turn.agentId, config(), name, asked, { signal });
      try {
        return result(await tool.answer(ask, given ?? {}, turn));
      } catch (error) {
        if (signal?.aborted) throw error;
        return result(unavailable(tool, given ?? {}, error));
      }
    },
  };
}

// memory_search: Memory Search
function label(name) {
  return name.split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join(" ");
}

// A guest in a group does not write to the owner's memory, and neither does a sandbox.
function mayWrite(context, turn) {
  if (context.sandboxed === true || context.senderIsOwner === false) return false;
  return turn.chatType === "direct" || context.senderIsOwner === true;
}

function isOff(config, agentId) {
  const own = config?.agents?.entries?.[agentId]?.memory?.search?.enabled;
  return (own ?? config?.memory?.search?.enabled) === false;
}

async function search(ask, given, turn) {
  const query = string(given.query, "query");
  const corpus = given.corpus ?? "memory";
  if (!["memory", "sessions", "all"].includes(corpus)) throw new Error("corpus must be one of: memory, sessions, all");
  const maySessions = turn.sessions && turn.chatType === "direct";
  if (corpus === "sessions" && !maySessions) {
    throw new Error("conversations are not searched here: plugins.entries.mindfile.config.sessions is off, or others read along");
  }
  const found = await ask("memory_search", {
    query,
    ...(given.maxResults ? { maxResults: given.maxResults } : {}),
    ...(typeof given.minScore === "number" ? { minScore: given.minScore } : {}),
    ...(corpus === "all" && maySessions ? {} : { source: corpus === "sessions" ? "sessions" : "memory" }),
    chatType: turn.chatType,
  });
  const { results, degraded, ...rest } = found;
  return {
    results: results.map((hit) => cited(hit, turn)),
    ...rest,
    citations: turn.citations,
    ...(degraded?.length ? { degraded, warning: `Not everything was consulted: ${degraded.join("; ")}` } : {}),
  };
}

function cited({ citation, parts, ...hit }, { citations, chatType: type }) {
  const isShown = citations === "on" || (citations !== "off" && type === "direct");
  if (!isShown) return { ...hit, corpus: hit.source };
  const source = citation ?? place(hit);
  return { ...hit, corpus: hit.source, citation: source, snippet: `${hit.snippet.trimEnd()}\n\nSource: ${source}` };
}

function place({ path, startLine, endLine }) {
  return startLine === endLine ? `${path}#L${startLine}` : `${path}#L${startLine}-L${endLine}`;
}

async function get(ask, given, turn) {
  const path = string(given.path, "path");
  return await readLines(ask, { path, from: given.from, lines: given.lines, chatType: turn.chatType });
}

// Exact lines, cut where a model has had enough. A file that is not there is an answer, not a failure.
export async function readLines(ask, { path, from = 1, lines = DEFAULT_LINES, chatType: type = "direct" }) {
  let read;
  try {
    read = await ask("memory_get", { path, from, lines, chatType: type });
  } catch (error) {
    if (error.message.startsWith(`${path} does not exist`)) return { status: "not_found", path, text: "" };
    throw error;
  }
  const shown = cut(read.text);
  const got = shown === read.text ? read.lines : shown.split("\n").length - 1;
  const isMore = read.truncated === true || shown !== read.text;
  const more = isMore ? { truncated: true, nextFrom: read.from + Math.max(1, got) } : {};
  return { status: "ok", path: read.path, text: shown, from: read.from, lines: got, ...more };
}

// At a line's end, if there is one.
function cut(text, most = MOST_CHARS) {
  if (text.length <= most) return text;
  const end = text.lastIndexOf("\n", most);
  return text.slice(0, end > 0 ? end + 1 : most);
}

async function recall(ask, given, turn) {
  return await ask("memory_recall", {
    query: string(given.query, "query"),
    ...(given.k ? { k: given.k } : {}),
    ...(given.entities?.length ? { entities: given.entities } : {}),
    ...(given.since ? { since: given.since } : {}),
    chatType: turn.chatType,
  });
}

// OpenClaw puts its own rules into the prompt: only what the memory files say is given.
async function context(ask, _given, turn) {
  const { system, withheld } = await ask("memory_context", { chatType: turn.chatType, minimal: true });
  let room = MOST_CHARS;
  const parts = system.map(({ name, text: whole, leftOut }) => {
    const shown = cut(whole, room);
    room -= shown.length;
    const missing = leftOut > 0 || shown !== whole;
    return { path: name, text: shown, ...(missing ? { truncated: true } : {}) };
  });
  return { parts, ...(withheld?.length ? { withheld } : {}) };
}

// What a model leaves empty it has not said.
function said(given) {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== ""));
}

async function retain(ask, given, turn) {
  const { text: fact, ...rest } = given;
  return await ask("memory_retain", {
    text: string(fact, "text"),
    ...said(rest),
    ...(turn.sessionId ? { source: `chat:${turn.sessionId}` } : {}),
  });
}

function unavailable(tool, given, error) {
  const failed = { error: error.message, warning: `${tool.name} did not work: ${error.message}` };
  if (tool.name === "memory_search") return { results: [], disabled: true, unavailable: true, ...failed };
  if (tool.name === "memory_get") return { status: "error", path: given.path ?? "", text: "", ...failed };
  return { ok: false, ...failed };
}

function result(details) {
  return { content: [{ type: "text", text: JSON.stringify(details, null, 2) }], details };
}

function string(value, name) {
  if (typeof value === "string" && value.trim()) return value.trim();
  throw new Error(`${name} required`);
}
