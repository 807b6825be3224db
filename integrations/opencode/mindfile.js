// mindfile in OpenCode: what is known goes with a message, and what was said is written down. `mindfile install opencode` puts this file
// here and names the server in opencode.json; a hook that fails says so in memory/hooks.log and stops nothing.
import { spawn } from "node:child_process";

export const mindfile = async () => {
  let program = ["mindfile"];
  const said = new Map();
  const answers = new Set();
  const hook = (event, call) =>
    new Promise((done) => {
      const [name, ...flags] = program;
      const child = spawn(name, ["hook", event, "--host", "opencode", ...flags], { stdio: ["pipe", "pipe", "ignore"] });
      let out = "";
      const end = () => {
        try {
          done(JSON.parse(out).hookSpecificOutput?.additionalContext);
        } catch {
          done(undefined);
        }
      };
      child.stdout.on("data", (bytes) => (out += bytes));
      child.on("error", end).on("close", end);
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(call));
    });
  const text = (parts) => parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n");
  const begun = new Set();
  return {
    // The program and its flags as the server has them: command is [program, "mcp", ...flags].
    config: async (config) => {
      const [name, , ...flags] = config.mcp?.mindfile?.command ?? [];
      if (name) program = [name, ...flags];
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = text(parts);
      const known = [];
      if (!begun.has(sessionID)) known.push(await hook("session-start", { session_id: sessionID, source: "startup" }));
      begun.add(sessionID);
      known.push(await hook("prompt-submit", { session_id: sessionID, turn_id: message.id, prompt }));
      const found = known.filter(Boolean).join("\n\n");
      if (found) parts.unshift({ id: `prt_mindfile_${message.id}`, sessionID, messageID: message.id, type: "text", text: found, synthetic: true });
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await hook("pre-compact", { session_id: sessionID });
    },
    event: async ({ event }) => {
      if (event.type === "session.compacted") await hook("post-compact", { session_id: event.properties.sessionID });
      if (event.type === "message.updated" && event.properties.info.role === "assistant") answers.add(event.properties.info.id);
      const part = event.type === "message.part.updated" ? event.properties.part : {};
      if (part.type === "text" && !part.synthetic && answers.has(part.messageID)) {
        said.set(part.sessionID, { id: part.messageID, text: part.text });
      }
      if (event.type === "session.idle") {
        const last = said.get(event.properties.sessionID);
        said.delete(event.properties.sessionID);
        answers.delete(last?.id);
        if (last) await hook("stop", { session_id: event.properties.sessionID, turn_id: last.id, last_assistant_message: last.text });
      }
    },
  };
};
