// The TypeScript client with the real Anthropic SDK and the Vercel AI SDK, each with a model that says what it is told to.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { Memory, MindfileError } from "@mindfile/client";
import { tools } from "@mindfile/client/ai";
import { memoryTool } from "@mindfile/client/anthropic";

const ok = (what) => console.log(`ok  ${what}`);
const home = mkdtempSync(join(tmpdir(), "mindfile-test-"));
const open = (name) => new Memory(join(home, name), { stateDir: join(home, `${name}.state`), create: true });
const version = (name) => JSON.parse(readFileSync(new URL(`./node_modules/${name}/package.json`, import.meta.url))).version;
console.log("@anthropic-ai/sdk", version("@anthropic-ai/sdk"), "ai", version("ai"));

const COMMANDS = JSON.parse(process.env.COMMANDS);

// What the model reads of each command. The bytes of a folder are those of its notes here, and of the folder's own list there.
async function ran(tool) {
  const left = [...COMMANDS];
  const results = [];
  const answer = async (_, { body }) => {
    const last = JSON.parse(body).messages.at(-1).content;
    if (Array.isArray(last)) results.push(...last.filter((part) => part.type === "tool_result"));
    const content = left.length
      ? [{ type: "tool_use", id: `t${left.length}`, name: "memory", input: left.shift() }]
      : [{ type: "text", text: "Done." }];
    const message = { id: "m", type: "message", role: "assistant", model: "claude", content, stop_sequence: null };
    const stop_reason = content[0].type === "text" ? "end_turn" : "tool_use";
    const body_ = JSON.stringify({ ...message, stop_reason, usage: { input_tokens: 1, output_tokens: 1 } });
    return new Response(body_, { headers: { "content-type": "application/json" } });
  };
  const client = new Anthropic({ apiKey: "k", fetch: answer });
  await client.beta.messages.toolRunner({
    model: "claude", max_tokens: 100, tools: [tool], max_iterations: COMMANDS.length + 1,
    messages: [{ role: "user", content: "Remember." }],
  }).runUntilDone();
  return results.map(({ content, is_error }) => {
    const text = typeof content === "string" ? content : content.map((part) => part.text).join("");
    return [Boolean(is_error), text.replace(/^Error: /, "").replace(/^\S+\t(\/memories(?:\/\S*\/)?)$/gm, "SIZE\t$1")];
  });
}

try {
  const memory = open("one");
  const kept = await memory.retain("Ada keeps a heron", { entities: ["Ada"] });
  assert.equal(kept.outcome, "written");
  assert.equal((await memory.recall("who keeps a heron")).results[0].text, "Ada keeps a heron");
  const put = await memory.putNote("memory/plan.md", "# Plan\n");
  await assert.rejects(memory.putNote("memory/plan.md", "# Other\n", { ifMatch: "old" }), (error) =>
    error instanceof MindfileError && error.status === 409 && error.now.hash === put.hash);
  ok("retain, recall, and a note that somebody else changed");

  const ours = await ran(memoryTool(open("two")));
  const theirs = await ran(betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(join(home, "folder"))));
  assert.equal(ours.length, COMMANDS.length);
  // Ours are the words of the Python SDK: this one refuses in others, says that it lists no node_modules, and ends no file with a line
  // end that had none, so that it has a byte less.
  const theSame = (text) => text.replace(/\n +\d+\t$/, "").replace(" and node_modules:", ":").replace(/^\d+B\t/gm, "SIZE\t");
  const alike = ([failed, text]) => (failed ? [failed] : [failed, theSame(text)]);
  COMMANDS.forEach((command, at) => assert.deepEqual(alike(ours[at]), alike(theirs[at]), JSON.stringify(command)));
  ok(`${COMMANDS.length} commands of the memory tool are answered as the SDK's own tool answers, and refused where it refuses`);

  const script = [
    { type: "tool-call", toolCallId: "c1", toolName: "searchMemory", input: JSON.stringify({ query: "who keeps a heron" }) },
    { type: "text", text: "Ada." },
  ];
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const content = [script.shift()];
      const unified = content[0].type === "text" ? "stop" : "tool-calls";
      return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
    },
  });
  const { text, steps } = await generateText({ model, tools: tools(memory), prompt: "Who keeps a heron?", stopWhen: stepCountIs(5) });
  assert.equal(text, "Ada.");
  assert.match(steps[0].toolResults[0].output, /Ada keeps a heron/);
  ok("Vercel AI SDK: a model asks the memory");
  await memory.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
