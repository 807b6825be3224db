// Stands in for `mindfile mcp` where it must fail on command: the query of a search says what happens.

import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const log = process.env.FAKE_LOG;
const note = (what) => log && appendFileSync(log, `${what}\n`);
note("start");
if (process.argv.includes("--stubborn")) {
  process.on("SIGTERM", () => note("SIGTERM"));
  setInterval(() => {}, 1000);
}
if (process.argv.includes("--broken")) {
  process.stderr.write("the disk is full\n");
  process.exit(3);
}

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const answer = (id, value) => say({ id, result: { content: [{ type: "text", text: "…" }], structuredContent: value } });

function deed(id, name, given) {
  switch (given.query ?? given.text) {
    case "die":
      return process.exit(9);
    case "die once":
      return log && process.env.FAKE_ONCE ? (delete process.env.FAKE_ONCE, process.exit(9)) : answer(id, { name, given });
    case "hang":
      return;
    case "slow":
      return setTimeout(() => answer(id, { name, given }), 50);
    case "nonsense":
      return process.stdout.write("hello\n");
    case "refuse":
      return say({ id, result: { isError: true, content: [{ type: "text", text: "no such luck\nhint: try again" }] } });
    default:
      return answer(id, { name, given, results: [] });
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: params.protocolVersion, capabilities: {} } });
  else if (method === "tools/call") {
    note(`${params.name} ${params.arguments.query ?? params.arguments.text ?? ""}`);
    deed(id, params.name, params.arguments);
  } else note(method);
});
