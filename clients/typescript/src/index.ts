// A memory as an object. It asks a server of mindfile, and starts one of its own where none is named.
/// <reference lib="esnext.disposable" preserve="true" />

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Operations } from "./operations.js";

export * from "./operations.js";

/** How long a server may take until it listens, in milliseconds. */
const PATIENCE = 60_000;

export interface MemoryOptions {
  /** Where the program keeps its index and settings. */
  stateDir?: string;
  /** Whose memory it is, where there are several. */
  agent?: string;
  /** A server that runs already; else `MINDFILE_URL`, else one is started, which ends with this process. */
  url?: string;
  /** Its token; else `MINDFILE_TOKEN`. */
  token?: string;
  /** The program; else `MINDFILE`, else `mindfile` in `PATH`. */
  program?: string;
  /** Make the workspace if there is none. */
  create?: boolean;
  /** How long an answer may take, in milliseconds. */
  timeout?: number;
}

/** What the program says is wrong: `kind`, a message, and a `hint` that says what helps. */
export class MindfileError extends Error {
  constructor(
    message: string,
    readonly kind = "environment",
    readonly hint?: string,
    /** Of HTTP. */
    readonly status?: number,
    /** What stands there, where a note is not what was read. */
    readonly now?: { hash?: string; text?: string },
  ) {
    super(hint ? `${message} (${hint})` : message);
    this.name = "MindfileError";
  }
}

interface Place {
  ask(options: http.RequestOptions, answered: (answer: http.IncomingMessage) => void): http.ClientRequest;
}

/** The memory in a folder of Markdown; without a folder, the one that the program is configured with. */
export class Memory extends Operations {
  readonly #timeout: number;
  #place: Promise<Place> | undefined;
  #server: Server | undefined;

  constructor(
    readonly workspace?: string,
    readonly options: MemoryOptions = {},
  ) {
    super();
    this.#timeout = options.timeout ?? 120_000;
  }

  /** Ends the server that was started for this object. */
  async close(): Promise<void> {
    await this.#place?.catch(() => undefined);
    await this.#server?.end();
    this.#place = undefined;
    this.#server = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  protected async ask<T>(method: string, path: string, fields: object): Promise<T> {
    const given = new Map(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const word = encodeURIComponent(String(given.get(name)));
      given.delete(name);
      return name === "path" ? word.replaceAll("%2F", "/") : word;
    });
    if (method === "GET" || method === "DELETE") {
      const query = new URLSearchParams([...given].map(([name, value]) => [name, String(value)])).toString();
      return this.#send(method, query ? `${target}?${query}` : target);
    }
    return this.#send(method, target, JSON.stringify(Object.fromEntries(given)));
  }

  async #send<T>(method: string, path: string, body?: string): Promise<T> {
    this.#place ??= this.#open();
    const place = await this.#place;
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const failed = (error: Error) => reject(new MindfileError(`the server cannot be asked: ${error.message}`));
      const headers = { "Content-Type": "application/json" };
      const request = place.ask({ method, path, headers, timeout: this.#timeout }, (answer) => {
        answer.setEncoding("utf8");
        let text = "";
        answer.on("data", (part: string) => (text += part));
        answer.on("error", failed);
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      request.on("error", failed);
      request.on("timeout", () => request.destroy(new Error("it does not answer")));
      request.end(body);
    });
    const said = parsed(text);
    if (said === undefined) {
      throw new MindfileError(`the server answered ${status} without JSON`, "environment", undefined, status);
    }
    if (status >= 400) throw failure(said, status);
    return said as T;
  }

  async #open(): Promise<Place> {
    const { stateDir, agent, token, program, create } = this.options;
    const named = this.workspace ?? stateDir ?? agent;
    const url = this.options.url ?? (named === undefined ? process.env.MINDFILE_URL : undefined);
    if (url) return address(url, token ?? process.env.MINDFILE_TOKEN);
    const command = program ?? process.env.MINDFILE ?? "mindfile";
    const words = [...(stateDir ? ["--state-dir", stateDir] : []), ...(agent ? ["--agent", agent] : [])];
    const folder = this.workspace ? [this.workspace] : [];
    if (create && !(this.workspace && existsSync(this.workspace))) await run(command, [...words, "init", "--json", ...folder]);
    this.#server = new Server(command, folder.length ? [...words, "--workspace", ...folder] : words);
    await this.#server.listens();
    return this.#server;
  }
}

function address(url: string, token?: string): Place {
  const { protocol, hostname, port } = new URL(url);
  const { request } = protocol === "https:" ? https : http;
  const secret = token ? { Authorization: `Bearer ${token}` } : {};
  return {
    ask: (options, answered) =>
      request({ ...options, protocol, hostname, port, headers: { ...options.headers, ...secret } }, answered),
  };
}

/** A program that listens at a socket of its own, and ends when its input is closed: also when this process is killed. */
class Server implements Place {
  readonly #folder = mkdtempSync(join(tmpdir(), "mindfile-"));
  readonly #socket = join(this.#folder, "socket");
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #complaint = "";
  #error: Error | undefined;

  constructor(command: string, words: string[]) {
    const serve = [...words, "serve", "--json", "--attached", "--no-heartbeat", "--socket", this.#socket];
    this.#child = spawn(command, serve, { stdio: ["pipe", "pipe", "pipe"] });
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", () => resolve());
      this.#child.once("error", (error) => {
        this.#error = error;
        resolve();
      });
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      this.#complaint = (this.#complaint + part).slice(-4096);
    });
  }

  async listens(): Promise<void> {
    const patience = setTimeout(() => this.#child.kill(), PATIENCE);
    const lines: string[] = [];
    const first = new Promise<void>((resolve) => {
      createInterface({ input: this.#child.stdout! }).on("line", (line) => {
        lines.push(line);
        if (lines.length === 1 && line.startsWith('{"ok":true')) resolve();
      });
    });
    await Promise.race([first, this.#ended]);
    clearTimeout(patience);
    if (lines[0]?.startsWith('{"ok":true')) {
      // It is no reason for this process to stay.
      this.#child.unref();
      for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) (pipe as { unref?(): void }).unref?.();
      return;
    }
    await this.end();
    throw told(lines.join("\n"), this.#error?.message ?? this.#complaint.trim());
  }

  ask(options: http.RequestOptions, answered: (answer: http.IncomingMessage) => void): http.ClientRequest {
    return http.request({ ...options, socketPath: this.#socket, agent: this.#agent, host: "localhost" }, answered);
  }

  async end(): Promise<void> {
    this.#agent.destroy();
    this.#child.stdin?.end();
    const patience = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await this.#ended;
    clearTimeout(patience);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function run(command: string, words: string[]): Promise<void> {
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part: string) => (out += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (err += part));
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(told("", error.message)));
    child.once("close", (code) => (code === 0 ? resolve() : reject(told(out, err.trim()))));
  });
}

/** What a program that failed says: in JSON, or as it is. */
function told(out: string, complaint: string): MindfileError {
  const said = parsed(out);
  return said === undefined ? new MindfileError(complaint || "the program cannot be started") : failure(said);
}

function failure(said: unknown, status?: number): MindfileError {
  const error = (said as { error?: Record<string, unknown> }).error ?? {};
  const word = (name: string) => (typeof error[name] === "string" ? (error[name] as string) : undefined);
  const now = error.now as { hash?: string; text?: string } | undefined;
  return new MindfileError(word("message") ?? "no reason is given", word("type"), word("hint"), status, now);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
