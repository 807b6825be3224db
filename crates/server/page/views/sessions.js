// Conversations, and what was said in the one that is chosen.
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { command, empty, fold, head, load, put } from "../parts.js";
import { ago, count, many, percent, size } from "../words.js";
import { lines } from "./notes.js";
import { backWay, nothing } from "./reader.js";
import { AFTER, turns } from "./talk.js";

export function sessions(view) {
  const { place, pane, signal } = view;
  const list = el("section", { "aria-label": "Conversations" });
  fill(place, head("Conversations", "Every turn is written down before a model sees it."), list);
  const choose = ({ rest, asked }) => {
    view.opened(Boolean(rest));
    for (const row of list.querySelectorAll("a[data-id]")) row.setAttribute("aria-current", String(row.dataset.id === rest));
    if (rest) talk(pane, rest, lines(asked), signal);
    else put(pane, nothing("Choose a conversation, and it is read here."));
  };
  load(list, signal, () => api.sessions(signal), (all) => (all.length ? el("ol.rows", all.slice(0, 300).map((one) => row(one, view.rest))) : none())).then(() => {});
  choose(view);
  return (next) => { choose(next); return true; };
}

function none() {
  return empty("No conversation is written down yet.", "An agent that is connected writes its turns here. To connect one, see ", el("p", el("a", { href: "#/agents" }, "Agents")), "By hand:",
    command("mindfile session append --session s1 --role user \"Hello\""));
}

function row(one, open) {
  const used = one.contextTokens && one.totalTokens ? one.totalTokens / one.contextTokens : null;
  return el("li", { "data-item": true }, el("a.row", { href: `#/sessions/${encodeURIComponent(one.sessionId)}`, "data-main": true, "data-id": one.sessionId, "aria-current": String(one.sessionId === open) },
    el("p.row-text", one.sessionId),
    el("small", one.chatType !== "direct" && el("span.badge", one.chatType), one.memoryFlushAt && el("span.badge.flush", icon("flush"), `saved ${ago(one.memoryFlushAt)}`),
      one.compactionCount > 0 && el("span.badge", icon("fold"), many(one.compactionCount, "summary", "summaries")),
      el("span", [one.totalTokens && `${count(one.totalTokens)} tokens`, used !== null && `${percent(used)} of the window`, one.bytes && size(one.bytes)].filter(Boolean).join(" · ")),
      one.updatedAt && el("span.push", ago(one.updatedAt)))));
}

function talk(pane, id, [from, to], signal) {
  const both = () => Promise.all([api.session(id, to ? to + AFTER : undefined, signal), api.candidates(id, signal).catch(() => [])]);
  load(pane, signal, both, ([came, candidates]) => [
    el("header.note-head", backWay("#/sessions"), el("div", el("h2", id), el("span.mono", many(came.entries.length + (came.earlier ?? 0), "entry", "entries"))),
      el("div.row-of-buttons", el("a.button", { href: `#/agents?session=${encodeURIComponent(id)}` }, "Its context now"), el("a.button", { href: `#/given?session=${encodeURIComponent(id)}` }, "What it was given"))),
    el("div.pane-pad",
      candidates.length > 0 && fold(`${many(candidates.length, "candidate")} for memory`, el("ul.plain-list", candidates.map((one) => el("li", one.text, " ", el("span.badge", one.rule))))),
      turns(came, from, to, (line) => api.session(id, line, signal))),
  ]).then(() => requestAnimationFrame(() => pane.querySelector(".cited")?.scrollIntoView({ block: "center" })));
}
