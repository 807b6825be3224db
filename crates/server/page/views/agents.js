// What an agent sees: the context of the next session as it will be sent, and how an agent is connected.
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { chipSelect, choices, command, empty, head, load, put } from "../parts.js";
import { count, many, percent } from "../words.js";
import { hosts } from "./hosts.js";
import { backWay } from "./reader.js";

const CHATS = [["direct", "Alone"], ["group", "In a group"]];
const WINDOWS = [["8192", "8 k window"], ["32768", "32 k window"], ["128000", "128 k window"], ["200000", "200 k window"], ["1000000", "1 M window"]];
const SHADES = 6;

export function agents(view) {
  const { place, pane, signal, asked } = view;
  const wanted = { chatType: "direct", contextWindow: "200000", session: asked.get("session") ?? "" };
  const list = el("section", { "aria-label": "Context" });
  const sessions = el("span");
  const state = { parts: [], came: null };
  const choose = (rest) => {
    view.opened(Boolean(rest));
    for (const row of list.querySelectorAll("a[data-part]")) row.setAttribute("aria-current", String(row.dataset.part === (rest || "0")));
    if (rest === "connect") return connect(pane, signal);
    const part = state.parts[Number(rest) || 0];
    if (part) text(pane, part);
    else if (state.came) connect(pane, signal);
  };
  const show = () => load(list, signal, () => api.context(wanted, signal), (came) => {
    Object.assign(state, { came, parts: parts(came) });
    return drawn(came, state.parts, Number(wanted.contextWindow));
  }).then(() => choose(view.rest));
  const change = (name) => (value) => { wanted[name] = value; show(); };
  fill(place, head("What the agent sees", "The context of the next session, as it will be sent before anyone says a word.", [el("a.button.main", { href: "#/agents/connect" }, "Connect an agent")],
    el("div.filters-line", choices("Who reads along", CHATS, wanted.chatType, change("chatType")), chipSelect("Context window", WINDOWS, wanted.contextWindow, change("contextWindow")), sessions)), list);
  api.sessions(signal).then((all) => fill(sessions, chipSelect("Conversation", [["", "A new conversation"], ...all.slice(0, 100).map((one) => [one.sessionId, one.sessionId])], wanted.session, change("session"))), () => {});
  show();
  return (next) => {
    if (next.asked.has("session")) return false;
    view.rest = next.rest;
    choose(next.rest);
    return true;
  };
}

function parts(came) {
  const told = came.turns.map((turn) => `${turn.role}: ${turn.text}`).join("\n\n");
  return [
    ...came.system,
    ...(came.summary ? [{ ...came.summary, name: "Summary of what was said" }] : []),
    ...(came.turns.length ? [{ name: many(came.turns.length, "turn"), tokens: came.turns.reduce((all, turn) => all + turn.tokens, 0), text: told }] : []),
  ];
}

function drawn(came, list, window) {
  if (!list.length) return empty("Nothing would be given.", "Write MEMORY.md, or keep a fact: what matters reaches the agent from there.");
  const piece = (part, index) => {
    const made = el(`span.shade-${index % SHADES}`, { title: `${part.name}: ${count(part.tokens)} tokens` });
    made.style.flexGrow = String(Math.max(part.tokens, came.tokens * 0.004));
    return made;
  };
  const row = (part, index) => el("li", { "data-item": true }, el("a.row", { href: `#/agents/${index}`, "data-main": true, "data-part": String(index) },
    el("span.part-row", el(`span.swatch.shade-${index % SHADES}`, { "aria-hidden": "true" }), el("span.row-text", part.name), el("span.figure", count(part.tokens))),
    el("small", el("span", `${percent(part.tokens / (came.tokens || 1))} of it`), part.leftOut > 0 && el("span.badge.warn", `${count(part.leftOut)} left out`))));
  return [
    el("div.body", el("p", el("strong", count(came.tokens)), ` tokens, ${percent(came.tokens / window)} of the window`),
      el("div.strip", { role: "img", "aria-label": list.map((part) => `${part.name} ${percent(part.tokens / (came.tokens || 1))}`).join(", ") }, list.map(piece)),
      came.withheld.length > 0 && el("div.notice.info", el("p", `Not given to this conversation: ${came.withheld.join(", ")}`)),
      came.pruned.trimmed + came.pruned.cleared > 0 && el("p.small", `${many(came.pruned.trimmed + came.pruned.cleared, "tool result")} shortened.`)),
    el("ol.rows", list.map(row)),
  ];
}

function text(pane, part) {
  put(pane, el("header.note-head", backWay("#/agents"), el("div", el("h2", part.name), el("span.mono", `${count(part.tokens)} tokens, an estimate`))),
    el("div.pane-pad", el("pre.given", { tabindex: "0", "aria-label": part.name }, part.text || "(empty)")));
}

function connect(pane, signal) {
  const body = el("div.pane-pad");
  put(pane, el("header.note-head", backWay("#/agents"), el("div", el("h2", "Connect an agent"), el("p.about", "Choose yours, and run its line in a terminal. It says first what it changes, and asks."))), body);
  load(body, signal, () => api.status(signal), (agent) => [
    hosts(agent), el("h3", "Any other program"), el("p", "Over MCP, with the program that speaks it on its standard input and output:"), command(`${agent.mindfile.command} mcp`),
  ]);
}
