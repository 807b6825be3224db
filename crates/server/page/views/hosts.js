// The hosts that can be connected, each with its command.
import { el } from "../dom.js";
import { command } from "../parts.js";

const HOSTS = [
  ["Claude Code", "claude-code"], ["Codex", "codex"], ["Cursor", "cursor"], ["VS Code", "vscode"], ["Gemini CLI", "gemini-cli"], ["OpenClaw", "openclaw"],
];

export function hosts() {
  return el("dl.hosts", HOSTS.map(([words, name]) => el("div", el("dt", words), el("dd", command(`mindfile install ${name}`)))));
}
