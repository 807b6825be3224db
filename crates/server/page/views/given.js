// What agents were given, turn by turn: when, by which way, how much, and what stood there.
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { plain } from "../paper.js";
import { button, chipSelect, citeLink, empty, head, load, meter, put } from "../parts.js";
import { ago, at, count, many, placeOf } from "../words.js";
import { backWay, nothing } from "./reader.js";

const PAGE = 40;
const AROUND = 3;
const SOUL = "SOUL.md";

export function given(view) {
  const { place, pane, signal, asked } = view;
  const list = el("section", { "aria-label": "What was given" });
  const wanted = { session: asked.get("session") ?? "" };
  const state = { all: [], more: null };
  const sessions = el("div.filters-line");
  const choose = ({ rest }) => {
    view.opened(Boolean(rest));
    for (const row of list.querySelectorAll("a[data-at]")) row.setAttribute("aria-current", String(row.dataset.at === rest));
    const once = state.all.find((one) => one.at === rest);
    if (once) replay(pane, once, signal);
    else if (rest && state.more) state.more().then(() => choose({ rest }));
    else if (!rest) put(pane, nothing("Choose a time, and see what the agent was given, and in answer to what."));
  };
  const page = (offset) => api.given({ session: wanted.session, limit: PAGE, offset }, signal);
  const show = () => load(list, signal, () => page(0), (came) => {
    state.all = [];
    const rows = el("ol.rows");
    const earlier = async () => add(await page(state.all.length));
    const more = el("p.body", button("Earlier", earlier));
    const add = (next) => {
      const times = next.given.toReversed();
      state.all.push(...times);
      rows.append(...times.map(row));
      more.hidden = !times.length || state.all.length >= next.total;
      state.more = more.hidden ? null : earlier;
    };
    add(came);
    return came.total ? [el("p.said", el("span", many(came.total, "time"))), rows, more] : none(wanted.session);
  }).then(() => choose({ rest: view.rest }));
  fill(place, head("Given", "What models were told of this memory, the last first.", [], sessions), list);
  api.sessions(signal).then((all) => fill(sessions, chipSelect("Conversation", [["", "All conversations"], ...all.slice(0, 200).map((one) => [one.sessionId, one.sessionId])], wanted.session,
    (value) => { wanted.session = value; show(); })), () => {});
  show();
  return (next) => { view.rest = next.rest; choose(next); return true; };
}

function none(session) {
  return empty("Nothing was given yet.", session ? "Not in this conversation, or not among the last times." : "Once an agent is connected, each time it is told something of this memory stands here.",
    el("p", el("a", { href: "#/agents" }, "Connect an agent")));
}

function row(once) {
  return el("li", { "data-item": true }, el("a.row", { href: `#/given/${encodeURIComponent(once.at)}`, "data-main": true, "data-at": once.at },
    el("p.row-text", `${wayOf(once.by)}: ${many(once.places.length, "place")}`),
    el("small", el("b", `${count(once.tokens)} tokens`), el("span", [`by ${once.door}`, once.session].filter(Boolean).join(" · ")), el("span.push", ago(once.at)))));
}

const BY = { memory_search: "Searched", memory_recall: "Recalled facts", memory_get: "Read a note", memory_context: "Began a session", context: "Began a session" };
export const wayOf = (by) => BY[by] ?? by;

function replay(pane, once, signal) {
  const turn = el("div");
  const most = Math.max(1, ...once.places.map((one) => one.tokens));
  const one = (place) => {
    const [path, from, to] = parsed(place.citation);
    return el("li.change", { "data-item": true },
      el("span.meta", meter(place.tokens / most), el("span.figure", `${count(place.tokens)} tokens`), place.fact && el("a", { href: `#/facts?id=${encodeURIComponent(place.fact)}` }, "the fact"), place.used !== undefined && el("span", place.used ? "used since" : "not used so far"), path === SOUL ? el("span.mono", path) : citeLink(path, from, to)),
      said(path, from, to, signal));
  };
  fill(pane,
    el("header.note-head", backWay("#/given"), el("div", el("h2", `${wayOf(once.by)}, ${at(once.at)}`), el("span.mono", [`by ${once.door}`, once.session].filter(Boolean).join(" · "))),
      once.session && el("a.button", { href: `#/sessions/${encodeURIComponent(once.session)}` }, "The conversation")),
    el("div.pane-pad", turn, el("h3", `What was given: ${count(once.tokens)} tokens`), el("ol", once.places.slice(0, 60).map(one))));
  if (once.session) around(turn, once, signal);
}

function parsed(citation) {
  const [, path, from, to] = /^(.*?)(?:#L(\d+)(?:-L(\d+))?)?$/.exec(citation);
  return [path, from ? Number(from) : undefined, to ? Number(to) : undefined];
}

// What stands at the place now.
function said(path, from, to, signal) {
  const place = el("p.small", "…");
  if (path === SOUL) return el("p.small", "What the agent is told to be: a file of its own, and no note.");
  if (path.startsWith("sessions/") || !from) return el("p.small", el("a", { href: placeOf(path, from, to) }, path));
  api.note(path, { from, lines: Math.min(6, (to ?? from) - from + 1) }, signal).then((came) => { place.className = "said-text"; place.textContent = came.text.trim().split("\n").map((line) => plain(line).text).join("\n") || "(it is empty now)"; },
    () => { place.textContent = "It does not stand there any more."; });
  return place;
}

// The turns of the conversation at that time.
async function around(place, once, signal) {
  try {
    const came = await api.session(once.session, undefined, signal);
    const before = came.entries.filter((entry) => entry.type === "message" && entry.timestamp && entry.timestamp <= once.at).slice(-1);
    const after = came.entries.filter((entry) => entry.type === "message" && entry.timestamp && entry.timestamp > once.at).slice(0, AROUND);
    const turn = (entry) => el(`li.turn.role-${entry.role}`, el("p.meta", el("b", entry.speaker ?? entry.role), at(entry.timestamp)), el("p.said-text", entry.text.slice(0, 600)));
    if (before.length + after.length) fill(place, el("h3", "The turn"), el("ol.talk", [...before, ...after].map(turn)));
  } catch {
    // A conversation that is not written down here has no turns to show.
  }
}
