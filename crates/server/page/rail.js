// Where I am: the workspace, the views with what waits in each, and whether the index is up to date.
import { api } from "./api.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { hour } from "./words.js";

const VIEWS = [
  ["ask", "Ask"], ["notes", "Notes"], ["facts", "Facts"], ["timeline", "Timeline"], ["graph", "Graph"],
  ["sessions", "Conversations"], ["agents", "Agents"], ["given", "Given"], ["trust", "Trust"], ["health", "Health"],
];
// These are always in reach on a phone; the others are behind "More".
const FIRST = 5;
const state = { path: "", counts: {}, foot: ["busy", "Looking at the notes …"], gone: false };

export const words = (name) => VIEWS.find(([view]) => view === name)?.[1] ?? name;
export const workspace = () => state.path.split("/").filter(Boolean).pop() ?? "";

const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

export function draw(current, theme, deeds) {
  const nav = document.getElementById("nav");
  const entry = ([name, label], index) => el(`li${index < FIRST ? "" : ".later"}${index === FIRST ? ".gap" : ""}`,
    el("a", { href: `#/${name}`, "aria-current": name === current ? "page" : null }, icon(name), el("span", label), el("em", { "data-count": name })));
  const more = el(VIEWS.findIndex(([name]) => name === current) < FIRST ? "button.more" : "button.more.on", { type: "button", "aria-expanded": "false", onclick: () => unfold(nav, more) }, icon("more"), el("span", "More"));
  const tool = (symbol, label, text, onclick) => el("button.button.bare", { type: "button", title: label, onclick }, icon(symbol), text);
  fill(nav,
    el("a.place", { href: "#/health", title: "The workspace" }, el("b", { id: "workspace" }), el("span.mono", { id: "workspace-path" })),
    el("ul", VIEWS.map(entry), el("li.only-phone", more)),
    el("div.last",
      el("div.tools", tool(theme.symbol(), theme.words(), theme.brief(), deeds.turn), tool("help", "Keys", "Keys", deeds.help), tool("leave", "Log out", "Log out", deeds.leave)),
      el("p.foot", { id: "foot" })));
  nav.classList.remove("open");
  put();
}

function unfold(nav, more) {
  more.setAttribute("aria-expanded", String(nav.classList.toggle("open")));
}

function put() {
  const set = (id, text) => { const place = document.getElementById(id); if (place) place.textContent = text; };
  set("workspace", workspace() || "mindfile");
  // The end of a long path says more than its beginning: the line runs from the right, the path in it from the left.
  set("workspace-path", `\u200e${state.path}`);
  document.getElementById("workspace-path")?.setAttribute("title", state.path);
  for (const place of document.querySelectorAll("[data-count]")) {
    const [value, waits] = state.counts[place.dataset.count] ?? [0];
    place.textContent = value ? short.format(value) : "";
    place.classList.toggle("warn", Boolean(waits && value));
    place.title = waits && value ? `${value} to look at` : "";
  }
  const foot = document.getElementById("foot");
  const [sort, text] = state.gone ? ["off", "The server does not answer"] : state.foot;
  if (foot) fill(foot, el(`span.dot.${sort}`, { "aria-hidden": "true" }), text);
}

// What the status says of the rail; what nobody trusts and what was given are counted by themselves.
export function counted(agent) {
  const { status, mindfile: own } = agent;
  const files = (source) => status.sourceCounts.find((one) => one.source === source)?.files ?? 0;
  state.path = status.workspaceDir;
  Object.assign(state.counts, { notes: [files("memory")], facts: [own.facts], sessions: [files("sessions")], agents: [own.hosts.filter((host) => host.connected).length] });
  const drifted = own.drift.new.length + own.drift.changed.length + own.drift.removed.length;
  const waits = own.pending && status.vector.enabled ? own.pending : drifted;
  state.foot = own.index === "ready" && !waits ? ["on", `Up to date · ${hour(Date.now())}`] : ["busy", waits ? `${waits} still to be indexed` : "Not indexed yet"];
  put();
  api.facts({ origin: "untrusted", limit: 1 }).then(({ total }) => { state.counts.trust = [total, true]; put(); }, () => {});
  api.given({ limit: 1 }).then(({ total }) => { state.counts.given = [total]; put(); }, () => {});
}

export function told(name, event) {
  if (name === "progress") state.foot = ["busy", `Indexing ${event.notes} of ${event.ofNotes}`];
  if (name === "failed") state.foot = ["off", "The index could not be made"];
  put();
}

export function lost(is) {
  if (state.gone === is) return;
  state.gone = is;
  put();
}

