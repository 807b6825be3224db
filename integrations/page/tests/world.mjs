// Workspaces to look at, and a server on each.
import { spawn, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const BIN = process.env.MINDFILE_BIN;
const DEMO = join(dirname(fileURLToPath(import.meta.url)), "../../../crates/cli/demo");

let made = 0;

export class World {
  constructor(name) {
    this.root = join(process.env.PAGE_WORK, `${name}-${++made}`);
    this.state = join(this.root, "state");
    this.workspace = join(this.root, "workspace");
    mkdirSync(this.state, { recursive: true });
    mkdirSync(join(this.workspace, "memory"), { recursive: true });
  }

  write(path, text) {
    mkdirSync(dirname(join(this.workspace, path)), { recursive: true });
    writeFileSync(join(this.workspace, path), text);
  }

  read(path) {
    return readFileSync(join(this.workspace, path), "utf8");
  }

  run(...words) {
    return execFileSync(BIN, ["--workspace", this.workspace, "--state-dir", this.state, ...words], {
      encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28,
    });
  }

  // A line that a person copies into a terminal.
  shell(line) {
    return execFileSync("/bin/sh", ["-ec", line], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  // What an agent asks over MCP.
  tool(name, asked) {
    const say = (message) => JSON.stringify({ jsonrpc: "2.0", ...message });
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "page", version: "1" } };
    const lines = [say({ id: 1, method: "initialize", params: hello }), say({ method: "notifications/initialized" }), say({ id: 2, method: "tools/call", params: { name, arguments: asked } })];
    execFileSync(BIN, ["--workspace", this.workspace, "--state-dir", this.state, "mcp"], { input: `${lines.join("\n")}\n`, stdio: ["pipe", "pipe", "pipe"] });
  }

  say(session, role, text) {
    this.run("session", "append", "--session", session, "--role", role, "--", text);
  }

  async serve() {
    this.process = spawn(BIN, ["serve", "--port", "0", "--json", "--workspace", this.workspace, "--state-dir", this.state],
      { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await new Promise((resolve, reject) => {
      createInterface({ input: this.process.stdout }).once("line", (text) => resolve([text]));
      this.process.once("exit", (code) => reject(new Error(`mindfile serve ended with ${code}`)));
    });
    const told = JSON.parse(line);
    this.url = told.url;
    this.token = readFileSync(told.tokenFile, "utf8").trim();
    return this;
  }

  // The address that a person is given.
  get door() {
    return `${this.url}#token=${this.token}`;
  }

  async ask(path, options = {}) {
    const response = await fetch(new URL(path, this.url), { ...options, headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" } });
    return response.json();
  }

  end() {
    this.process?.kill("SIGINT");
  }
}

// The sample workspace that comes with the program, and a conversation that was flushed and compacted.
export async function demo() {
  const world = new World("demo");
  cpSync(DEMO, world.workspace, { recursive: true });
  const talk = [
    ["user", "We decided to move the nightly backup to 02:30, because the bakeries begin at three."],
    ["assistant", "Noted: the nightly backup runs at 02:30 from now on."],
    ["user", "I prefer the bad news first, remember that."],
    ["assistant", "I will begin with what went wrong."],
    ["user", "Tomasz will be on leave until the 20th, so Elin reviews the migration."],
    ["assistant", "Elin reviews the migration while Tomasz is away."],
  ];
  for (const [role, text] of talk) world.say("planning", role, text);
  world.run("session", "flush", "--session", "planning");
  world.say("second", "user", "Good morning");
  world.run("session", "context", "--session", "second");
  world.tool("memory_search", { query: "What is the dog scared of?" });
  world.tool("memory_recall", { query: "bad news first" });
  world.tool("memory_recall", { query: "Tomasz" });
  world.run("index");
  await world.serve();
  await compacted(world);
  return world;
}

// Long enough that old turns become a summary.
async function compacted(world) {
  const detail = "The migration moves orders, customers and pick-up slots in this order, each with a count before and after. ".repeat(60);
  const said = (role, text) => ({ role, text });
  const turns = Array.from({ length: 24 }, (_, n) => said(n % 2 ? "assistant" : "user", `Step ${n} of the migration. ${detail}`));
  const post = (path, body) => world.ask(path, { method: "POST", body: JSON.stringify(body) });
  await post("/v1/sessions/planning/messages", { messages: turns });
  await post("/v1/sessions/planning/compact", { overflow: true });
  await post("/v1/sessions/planning/messages", { messages: [said("user", "Did the restore drill work?"), said("assistant", "Yes, in eleven minutes.")] });
}

// As many notes and facts as asked for: each note a day, with prose of its own and its share of the facts.
export async function large(count, facts) {
  const world = new World("large");
  const words = "river stone lamp paper market engine garden window letter bridge copper winter signal harbour ladder orchard velvet anchor meadow lantern".split(" ");
  let seed = 7;
  const next = (of) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % of; };
  const sentence = () => Array.from({ length: 9 }, () => words[next(words.length)]).join(" ");
  const day = new Date(Date.UTC(2000, 0, 1));
  for (let note = 0; note < count; note += 1) {
    const date = day.toISOString().slice(0, 10);
    const text = [`# ${date}`, "", ...Array.from({ length: 4 + next(6) }, () => `The ${sentence()}.`), "",
      ...Array.from({ length: Math.round(facts / count) }, (_, n) => `- W @${words[next(words.length)]}${next(60)} @${words[next(words.length)]}: The ${sentence()} of number ${note}.${n}`),
      note % 97 ? "" : `\nGudrun sailed to Reykjavik with voyage ${note} and wrote about the ferry.`, ""].join("\n");
    writeFileSync(join(world.workspace, "memory", `${date}.md`), text);
    day.setUTCDate(day.getUTCDate() + 1);
  }
  const began = Date.now();
  world.run("index");
  world.indexed = Date.now() - began;
  return world.serve();
}
