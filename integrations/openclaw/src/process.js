// A `mindfile mcp` that is started at the first question and kept. It speaks JSON-RPC, a message a line. What can happen
// to a process happens here: it may be missing, die, hang, or talk nonsense; each of it ends the calls that wait, with
// words, and the next call starts it again, later and later while that fails.

import { spawn as nodeSpawn } from "node:child_process";

const PROTOCOL = "2025-06-18";
const LONGEST_MESSAGE = 16 * 1024 * 1024;
const KEPT_STDERR = 2000;
// Tools that may be asked again when the process died over them.
// OpenClaw's search gives passages alone.
const ASKED = { memory_search: "memory_passages" };
const READS = new Set(["memory_search", "memory_get", "memory_status", "memory_context"]);

export const LIMITS = {
  startMs: 15_000,
  callMs: 30_000,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  endMs: 2_000,
};

export class Mindfile {
  #how;
  #running = null;
  #failures = 0;
  #notBefore = 0;
  #closed = false;

  // `how`: { command, args, env, cwd, log, limits?, spawn?, now? }
  constructor(how) {
    this.#how = { spawn: nodeSpawn, now: Date.now, log: () => {}, ...how, limits: { ...LIMITS, ...how.limits } };
  }

  // What a tool answers: its structured content. A tool that failed is an Error with its words.
  async call(tool, given, { signal, timeoutMs } = {}) {
    try {
      return await this.#ask(tool, given, signal, timeoutMs);
    } catch (error) {
      if (!(error instanceof Died) || !READS.has(tool) || this.#closed || this.#mustWait() > 0) throw error;
      return await this.#ask(tool, given, signal, timeoutMs);
    }
  }

  // Ends the process: asks it by closing its input, then with signals.
  async close() {
    this.#closed = true;
    const running = this.#running;
    this.#running = null;
    if (running) await running.end(this.#how.limits.endMs);
  }

  get pid() {
    return this.#running?.child.pid;
  }

  async #ask(tool, given, signal, timeoutMs = this.#how.limits.callMs) {
    signal?.throwIfAborted();
    const running = this.#start();
    await orAborted(running.ready, signal);
    const params = { name: ASKED[tool] ?? tool, arguments: given };
    const result = await running.request("tools/call", params, timeoutMs, signal);
    this.#failures = 0;
    if (result.isError) throw new Error(words(result) || `${tool} failed`);
    return result.structuredContent ?? { text: words(result) };
  }

  #start() {
    if (this.#closed) throw new Error("mindfile was closed");
    if (this.#running) return this.#running;
    const wait = this.#mustWait();
    if (wait > 0) throw new Error(`${this.lastWords}; the next try is in ${Math.ceil(wait / 1000)} s`);
    const running = new Running(this.#how);
    this.#running = running;
    running.ended.then((why) => this.#ended(running, why));
    return running;
  }

  #mustWait() {
    return this.#notBefore - this.#how.now();
  }

  #ended(running, why) {
    if (this.#running !== running) return;
    this.#running = null;
    const { firstPauseMs, longestPauseMs } = this.#how.limits;
    // The first restart is at once: a process that was updated or killed is nothing to wait for.
    const pause = this.#failures === 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - 1));
    this.#failures += 1;
    this.#notBefore = this.#how.now() + pause;
    this.lastWords = why;
    this.#how.log(why);
  }
}

// The process died while a call waited for it.
class Died extends Error {}

// One process, from its start to its end.
class Running {
  #next = 1;
  #waiting = new Map();
  #rest = "";
  #stderr = "";
  #why = null;
  #useless;

  constructor({ spawn, command, args, env, cwd, limits }) {
    this.command = command;
    this.child = spawn(command, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    // Of no use any more, and why; it may still have to be ended.
    this.ended = new Promise((resolve) => (this.#useless = resolve));
    this.gone = new Promise((resolve) => {
      this.child.once("error", (error) => resolve(this.#fail(cannotStart(command, error))));
      this.child.once("close", (code, signal) => resolve(this.#fail(this.#lastWords(code, signal))));
    });
    this.child.stdout?.setEncoding("utf8").on("data", (text) => this.#read(text));
    this.child.stderr?.setEncoding("utf8").on("data", (text) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
    });
    // Writing to a process that is gone: its end is told by `close`.
    this.child.stdin?.on("error", () => {});
    this.#letGo();
    this.ready = this.#shakeHands(limits.startMs);
    this.ready.catch(() => {});
  }

  request(method, params, timeoutMs, signal) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.#why) return reject(new Died(this.#why));
      if (signal?.aborted) return reject(reasonOf(signal));
      const settle = (done) => (value) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", aborted);
        this.#waiting.delete(id);
        done(value);
      };
      const give = (error) => {
        this.#send({ method: "notifications/cancelled", params: { requestId: id, reason: error.message } });
        settle(reject)(error);
      };
      const timer = setTimeout(
        () => give(new Error(`mindfile did not answer within ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      const aborted = () => give(reasonOf(signal));
      signal?.addEventListener("abort", aborted, { once: true });
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#send({ id, method, params });
    });
  }

  async end(patienceMs) {
    const { gone } = this;
    this.child.stdin?.end();
    if (await within(gone, patienceMs)) return;
    this.child.kill("SIGTERM");
    if (await within(gone, patienceMs)) return;
    this.child.kill("SIGKILL");
    await within(gone, patienceMs);
  }

  async #shakeHands(timeoutMs) {
    const client = { name: "openclaw-mindfile", version: "0.1.0" };
    const hello = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: client };
    try {
      await this.request("initialize", hello, timeoutMs);
    } catch (error) {
      this.child.kill("SIGKILL");
      throw error;
    }
    this.#send({ method: "notifications/initialized" });
  }

  #send(message) {
    if (this.child.stdin?.writable) this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #read(text) {
    this.#rest += text;
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop();
    if (this.#rest.length > LONGEST_MESSAGE) {
      this.#fail("mindfile sent a message without end");
      this.child.kill("SIGKILL");
      return;
    }
    for (const line of lines) this.#take(line);
  }

  #take(line) {
    if (!line.trim()) return;
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.#fail(`mindfile said what is not JSON: ${line.slice(0, 200)}`);
      this.child.kill("SIGKILL");
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (!waiting || message.method) return;
    if (message.error) waiting.reject(new Error(message.error.message ?? "mindfile refused"));
    else waiting.resolve(message.result ?? {});
  }

  // Ends what waits; the first reason counts.
  #fail(why) {
    this.#why ??= why;
    // First, so that whoever asks again on being rejected finds a new process.
    this.#useless(this.#why);
    for (const { reject } of [...this.#waiting.values()]) reject(new Died(this.#why));
  }

  #lastWords(code, signal) {
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    const from = Math.max(0, this.#stderr.lastIndexOf("error:"));
    const said = this.#stderr.slice(from).replace(/\s+/g, " ").trim().slice(0, 300);
    return `${this.command} ${how}${said ? `: ${said}` : ""}`;
  }

  // A command line that has answered need not wait for us; the end of its input ends the process.
  #letGo() {
    this.child.unref?.();
    for (const stream of this.child.stdio ?? []) stream?.unref?.();
  }
}

function cannotStart(command, error) {
  if (error.code !== "ENOENT") return `${command} cannot be started: ${error.message}`;
  return `${command} is not found: install mindfile, or set plugins.entries.mindfile.config.command`;
}

function words(result) {
  return (result.content ?? []).map((part) => part.text ?? "").join("\n").trim();
}

function reasonOf(signal) {
  return signal.reason instanceof Error ? signal.reason : new Error("aborted");
}

async function orAborted(done, signal) {
  if (!signal) return await done;
  let stop;
  const aborted = new Promise((_, reject) => signal.addEventListener("abort", (stop = () => reject(reasonOf(signal))), { once: true }));
  try {
    return await Promise.race([done, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function within(done, ms) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const came = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return came;
}
