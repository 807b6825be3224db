// `openclaw memory …` is `mindfile …`, with the agent and the folders that OpenClaw means. OpenClaw's own flags that
// mindfile spells otherwise are translated; what only OpenClaw's built-in memory has is refused by name.

import { spawn } from "node:child_process";

import { agents } from "./hosts.js";

const DESCRIPTION = "Memory: search, index, facts (mindfile)";
const BUILT_IN_ONLY = new Set(["promote", "promote-explain", "rem-harness", "rem-backfill", "session-backfill"]);
// Without --agent these speak of every agent.
const OF_ALL = new Set(["status", "index", "reset"]);

export function registerCli(api, hosts) {
  api.registerCli?.(
    ({ program, config }) => {
      program
        .command("memory")
        .description(DESCRIPTION)
        .helpOption(false)
        .allowUnknownOption(true)
        .allowExcessArguments(true)
        .argument("[words...]")
        .action(async (_words, _options, command) => {
          process.exitCode = await run(command.args, hosts, hosts.config(config));
        });
    },
    { commands: ["memory"], descriptors: [{ name: "memory", description: DESCRIPTION, hasSubcommands: true }] },
  );
}

// Runs the calls that a line means, one after the other, and gives the exit code.
export async function run(words, hosts, config, start = inherit) {
  const line = read(words);
  if (BUILT_IN_ONLY.has(line.verb)) {
    process.stderr.write(`openclaw memory ${line.verb} belongs to OpenClaw's built-in memory; mindfile has reflect instead\n`);
    return 1;
  }
  const named = line.agent ? [line.agent] : OF_ALL.has(line.verb) ? agents(config) : agents(config).slice(0, 1);
  const isMerged = line.json && named.length > 1;
  const all = [];
  for (const agent of named) {
    for (const call of line.calls) {
      // Only the last call is what was asked for; the ones before it prepare it.
      const isKept = isMerged || call !== line.calls.at(-1);
      const { code, out } = await start(hosts.options.command, [...call, ...given(line, hosts.flags(agent, config))], isKept);
      if (code !== 0) {
        process.stdout.write(out);
        return code;
      }
      if (isMerged && call === line.calls.at(-1)) all.push(...[JSON.parse(out)].flat());
    }
  }
  // One list of all agents, as OpenClaw prints it.
  if (isMerged) process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  return 0;
}

// Help is about no agent.
function given(line, flags) {
  return line.help ? [] : flags;
}

// What a line means to mindfile.
export function read(words) {
  const line = { verb: "", agent: undefined, json: false, help: false, calls: [] };
  const rest = [];
  const wants = new Set();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === "--agent") line.agent = words[(at += 1)];
    else if (word.startsWith("--agent=")) line.agent = word.slice("--agent=".length);
    else if (word === "--verbose") continue;
    else if (["--index", "--fix", "--yes"].includes(word) && ["status", "reset"].includes(rest[0])) wants.add(word);
    else rest.push(word);
  }
  line.verb = rest[0] ?? "";
  line.json = rest.includes("--json");
  line.help = rest.length === 0 || rest.includes("--help") || rest.includes("-h");
  line.calls = calls(line.verb, rest, wants);
  return line;
}

function calls(verb, rest, wants) {
  if (verb === "reset") return [["index", "--force", ...rest.slice(1)]];
  if (verb !== "status") return [rest.length > 0 ? rest : ["--help"]];
  const before = [];
  if (wants.has("--fix")) before.push(["doctor", "--fix", "--quiet"]);
  if (wants.has("--index")) before.push(["index", "--quiet"]);
  const deep = wants.has("--index") && !rest.includes("--deep") ? ["--deep"] : [];
  return [...before, [...rest, ...deep]];
}

function inherit(command, args, isKept = false) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["inherit", isKept ? "pipe" : "inherit", "inherit"] });
    let out = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => (out += text));
    child.once("error", (error) => {
      const hint = error.code === "ENOENT" ? "; install mindfile, or set plugins.entries.mindfile.config.command" : "";
      process.stderr.write(`${command} cannot be started: ${error.message}${hint}\n`);
      resolve({ code: 1, out });
    });
    child.once("close", (code, signal) => resolve({ code: code ?? (signal === "SIGINT" ? 130 : 1), out }));
  });
}
