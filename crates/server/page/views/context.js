// What an agent would be given at the start of its next turn, and what each part of it costs.
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { empty, field, fold, heading, load, segmented, select } from "../parts.js";
import { count, many, percent } from "../words.js";

const CHATS = [["direct", "Alone with you"], ["group", "In a group"]];
const WINDOWS = [["8192", "8 k"], ["32768", "32 k"], ["128000", "128 k"], ["200000", "200 k"], ["1000000", "1 M"]];
const SHADES = 6;

export function context({ place, asked, signal }) {
  const wanted = { chatType: "direct", contextWindow: "200000", session: asked.get("session") ?? "" };
  const body = el("div");
  const sessions = el("div");
  const show = () => load(body, signal, () => api.context(wanted, signal), (came) => drawn(came, Number(wanted.contextWindow)));
  const change = (name) => (value) => { wanted[name] = value; show(); };
  fill(place, heading("Context", "What an agent would be given now, before anyone says a word."),
    el("div.bar-of-filters", segmented("Who reads along", CHATS, wanted.chatType, change("chatType")),
      field("Context window", select(WINDOWS, wanted.contextWindow, change("contextWindow")), { hidden: true }), sessions), body);
  api.sessions(signal).then((all) => fill(sessions, choice(all, wanted, change)), () => {});
  show();
}

function choice(all, wanted, change) {
  const choices = [["", "A new conversation"], ...all.slice(0, 100).map((one) => [one.sessionId, one.sessionId])];
  return field("Conversation", select(choices, wanted.session, change("session")), { hidden: true });
}

function drawn(came, window) {
  const parts = [
    ...came.system.map((part) => ({ ...part, sort: "system" })),
    ...(came.summary ? [{ name: "Summary of what was said", ...came.summary, sort: "summary" }] : []),
    ...(came.turns.length ? [{ name: many(came.turns.length, "turn"), tokens: sum(came.turns), text: came.turns.map((turn) => `${turn.role}: ${turn.text}`).join("\n\n"), sort: "turns" }] : []),
  ];
  if (!parts.length) return empty("Nothing would be given.", "Write MEMORY.md, or keep a fact: what matters reaches the agent from there.");
  return [
    el("p.total", el("strong", count(came.tokens)), ` tokens, ${percent(came.tokens / window)} of the window`),
    strip(parts, came.tokens),
    el("div.stack", parts.map((part, index) => one(part, index, came.tokens))),
    came.withheld.length > 0 && el("div.notice.info", el("p", `Not given to this conversation: ${came.withheld.join(", ")}`)),
    came.pruned.trimmed + came.pruned.cleared > 0 && el("p.small", `${many(came.pruned.trimmed + came.pruned.cleared, "tool result")} shortened.`),
  ];
}

const sum = (turns) => turns.reduce((all, turn) => all + turn.tokens, 0);

function strip(parts, all) {
  const piece = (part, index) => {
    const made = el(`span.piece.shade-${index % SHADES}`, { title: `${part.name}: ${count(part.tokens)} tokens` });
    made.style.flexGrow = String(Math.max(part.tokens, all * 0.004));
    return made;
  };
  return el("div.strip", { role: "img", "aria-label": parts.map((part) => `${part.name} ${percent(part.tokens / (all || 1))}`).join(", ") }, parts.map(piece));
}

function one(part, index, all) {
  const head = el("span.part-head", el(`span.swatch.shade-${index % SHADES}`, { "aria-hidden": "true" }), el("span.part-name", part.name),
    el("span.figure", `${count(part.tokens)} tokens`), el("span.small", percent(part.tokens / (all || 1))),
    part.leftOut > 0 && el("span.badge.warn", `${count(part.leftOut)} left out`));
  const text = () => el("pre.given", { tabindex: "0" }, part.text || "(empty)");
  const made = fold(head, text);
  made.dataset.item = "";
  made.querySelector("summary").dataset.main = "";
  return made;
}
