import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Mindfile } from "../src/process.js";

const FAKE = fileURLToPath(new URL("fake-mindfile.mjs", import.meta.url));
let folder;
let open;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "mindfile-plugin-"));
  open = [];
});

afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  rmSync(folder, { recursive: true });
});

function start({ args = [], env = {}, ...more } = {}) {
  const log = path.join(folder, "log");
  const one = new Mindfile({
    command: process.execPath,
    args: [FAKE, ...args],
    env: { ...process.env, FAKE_LOG: log, ...env },
    ...more,
  });
  open.push(one);
  one.seen = () => readFileSync(log, "utf8").trim().split("\n");
  return one;
}

const isGone = (pid) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

test("it is started at the first call, and kept", async () => {
  const one = start();
  assert.equal(one.pid, undefined);
  const first = await one.call("memory_search", { query: "a" });
  await one.call("memory_search", { query: "b" });
  assert.deepEqual(first, { name: "memory_passages", given: { query: "a" }, results: [] });
  assert.deepEqual(one.seen().filter((line) => line === "start"), ["start"]);
});

test("calls at once get their own answers", async () => {
  const one = start();
  const queries = ["slow", "b", "slow", "d"];
  const answers = await Promise.all(queries.map((query) => one.call("memory_search", { query })));
  assert.deepEqual(answers.map((answer) => answer.given.query), queries);
});

test("a tool that fails is an error with its words", async () => {
  await assert.rejects(start().call("memory_search", { query: "refuse" }), /^Error: no such luck\nhint: try again$/);
});

test("a process that dies over a question is started again and asked again", async () => {
  const one = start();
  await one.call("memory_search", { query: "a" });
  process.kill(one.pid, "SIGKILL");
  const answer = await one.call("memory_search", { query: "b" });
  assert.equal(answer.given.query, "b");
});

test("what writes is not asked twice", async () => {
  const one = start();
  await assert.rejects(one.call("memory_retain", { text: "die" }), /ended with code 9/);
  assert.deepEqual(one.seen().filter((line) => line.startsWith("memory_retain")), ["memory_retain die"]);
});

test("one that keeps failing is left alone for longer and longer", async () => {
  let now = 0;
  const warnings = [];
  const one = start({ args: ["--broken"], now: () => now, log: (why) => warnings.push(why) });
  await assert.rejects(one.call("memory_search", { query: "a" }), /ended with code 3: the disk is full/);
  await assert.rejects(one.call("memory_search", { query: "a" }), /the disk is full; the next try is in 1 s/);
  assert.equal(one.seen().length, 2, "the first restart is at once");
  now += 500;
  await assert.rejects(one.call("memory_search", { query: "a" }), /ended with code 3/);
  await assert.rejects(one.call("memory_search", { query: "a" }), /next try is in 1 s/);
  now += 1000;
  await assert.rejects(one.call("memory_search", { query: "a" }), /ended with code 3/);
  await assert.rejects(one.call("memory_search", { query: "a" }), /next try is in 2 s/);
  assert.equal(one.seen().length, 4);
  assert.equal(warnings.length, 4);
});

test("a call that takes too long is given up, and the next one is answered", async () => {
  const one = start();
  await assert.rejects(one.call("memory_search", { query: "hang" }, { timeoutMs: 50 }), /did not answer within 0.05 s/);
  await one.call("memory_search", { query: "a" });
  assert.ok(one.seen().includes("notifications/cancelled"));
});

test("an aborted call ends at once and is cancelled", async () => {
  const one = start();
  const abortedSoon = async () => {
    const stop = new AbortController();
    const call = one.call("memory_search", { query: "hang" }, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("the user left")), 1);
    await assert.rejects(call, /the user left/);
  };
  await abortedSoon();
  await one.call("memory_search", { query: "a" });
  await abortedSoon();
  await one.call("memory_search", { query: "a" });
  assert.ok(one.seen().includes("notifications/cancelled"));
});

test("what is not JSON ends the process, with the words that came", async () => {
  const one = start();
  await assert.rejects(one.call("memory_retain", { text: "nonsense" }), /not JSON: hello/);
  await one.call("memory_search", { query: "a" });
});

test("a program that is not there is named, with what to do", async () => {
  const one = new Mindfile({ command: "no-such-mindfile", args: [], env: process.env });
  await assert.rejects(one.call("memory_search", { query: "a" }), /no-such-mindfile is not found: install mindfile, or set/);
});

test("closing ends the process, and a stubborn one by force", async () => {
  const polite = start();
  await polite.call("memory_search", { query: "a" });
  const stubborn = start({ args: ["--stubborn"], limits: { endMs: 100 } });
  await stubborn.call("memory_search", { query: "a" });
  const pids = [polite.pid, stubborn.pid];
  await Promise.all([polite.close(), stubborn.close()]);
  assert.deepEqual(pids.map(isGone), [true, true]);
  await assert.rejects(polite.call("memory_search", { query: "a" }), /was closed/);
});
