// The frame: login, navigation, and which view is shown. A view is a function that fills the list and the pane beside it; it is
// given what the address says after its name, and a signal that ends its requests when the next view comes. It may return a
// function that takes the next address of the same view, so that the list stays where it is while the pane follows.
import { api, events, on } from "./api.js";
import * as banner from "./banner.js";
import { fill } from "./dom.js";
import * as keys from "./keys.js";
import * as login from "./login.js";
import { failed } from "./parts.js";
import * as rail from "./rail.js";
import * as theme from "./theme.js";
import { agents } from "./views/agents.js";
import { ask } from "./views/ask.js";
import { facts } from "./views/facts.js";
import { forget } from "./views/forget.js";
import { given } from "./views/given.js";
import { graph } from "./views/graph.js";
import { health } from "./views/health.js";
import { notes } from "./views/notes.js";
import { forgetRead } from "./views/reader.js";
import { sessions } from "./views/sessions.js";
import { timeline } from "./views/timeline.js";
import { trust } from "./views/trust.js";

// What draws a view, how its panes lie, and the entry of the rail that leads to it.
const ROUTES = {
  ask: [ask, "split"], notes: [notes, "split"], note: [notes, "split", "notes"], facts: [facts, "table"], forget: [forget, "wide", "facts"],
  timeline: [timeline, "split"], graph: [graph, "table"], sessions: [sessions, "split"], agents: [agents, "split"],
  given: [given, "split"], trust: [trust, "split"], health: [health, "wide"],
};

const at = (id) => document.getElementById(id);
const SOON = 120;
const QUIET = 1500;
const heard = new Set();
let shown = { abort: new AbortController(), draw: null, next: null };
let stream = null;
let counting = 0;

// `#/note/memory/x.md?line=3` is the view, what follows it, and what is asked of it.
function address() {
  const [, path, asked = ""] = /^#?\/?([^?]*)\??(.*)$/s.exec(location.hash);
  const [name, ...rest] = path.split("/");
  const known = Object.hasOwn(ROUTES, name) ? name : "ask";
  return { name: known, rest: rest.map(decoded).join("/"), asked: new URLSearchParams(asked) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function show() {
  if (at("shell").hidden) return;
  const { name, rest, asked } = address();
  const [draw, layout, entry = name] = ROUTES[name];
  at("title").textContent = rail.words(entry);
  document.title = `${rest ? rest.split("/").pop() : rail.words(entry)} · ${rail.workspace() || "mindfile"}`;
  if (draw === shown.draw && shown.next?.({ name, rest, asked })) return;
  shown.abort.abort();
  shown = { abort: new AbortController(), draw, next: null };
  heard.clear();
  rail.draw(entry, theme, { turn, leave, help: keys.help });
  const [main, pane] = [at("main"), at("pane")];
  at("shell").dataset.layout = layout;
  opened(false);
  main.className = `view-${name}`;
  fill(pane);
  const view = { name, place: main, pane, rest, asked, signal: shown.abort.signal, onEvent: (listener) => heard.add(listener), refresh, opened };
  try {
    shown.next = draw(view) ?? null;
  } catch (error) {
    fill(main, failed(error));
  }
  if (!main.contains(document.activeElement) && !pane.contains(document.activeElement)) main.focus({ preventScroll: true });
  main.scrollTop = 0;
}

// Whether the pane has something that was asked for: on a phone it then lies over the list.
function opened(is) {
  if (is) at("shell").dataset.open = "";
  else delete at("shell").dataset.open;
}

function turn() {
  theme.next();
  rail.draw(ROUTES[address().name][2] ?? address().name, theme, { turn, leave, help: keys.help });
}

async function leave() {
  await api.logout().catch(() => {});
  closed();
}

// Asks for the status soon; several wishes become one.
function refresh(wait = SOON) {
  clearTimeout(counting);
  counting = setTimeout(async () => {
    try {
      const agent = await api.status();
      banner.notice("status", banner.ofStatus(agent));
      rail.counted(agent);
      for (const listener of heard) listener("status", agent);
    } catch {
      // What is wrong is said by the view, or by the notice that the server is gone.
    }
  }, wait);
}

function told(name, event) {
  if (name === "degraded") banner.notice("watch", [{ level: "warn", text: `Changes are noticed late: ${event.reason}`, link: ["#/health", "Look"] }]);
  if (name === "failed") banner.notice("index", [{ level: "warn", text: `The index could not be brought up to date: ${event.message}`, link: ["#/health", "Look"] }]);
  if (name === "indexed") banner.notice("index", []);
  if (name === "indexed") forgetRead();
  rail.told(name, event);
  // A look that changed nothing ends without a word.
  refresh(name === "progress" ? QUIET : SOON);
  for (const listener of heard) listener(name, event);
}

// The frame is drawn at once where this browser was let in before; what a view asks then tells whether it still is.
function entered() {
  at("splash").hidden = true;
  fill(at("login")).hidden = true;
  at("shell").hidden = false;
  login.remember(true);
  stream?.close();
  stream = events(told);
  show();
  refresh();
}

function closed(why) {
  at("splash").hidden = true;
  login.remember(false);
  shown.abort.abort();
  shown.draw = null;
  stream?.close();
  at("shell").hidden = true;
  fill(at("main"));
  fill(at("pane"));
  login.show(at("login"), entered, why);
}

// The field of the view, or that of the first view once it is shown.
function focusField() {
  const field = document.querySelector("#main [data-search]");
  if (field) {
    field.focus();
    return field.select();
  }
  window.addEventListener("hashchange", () => document.querySelector("#main [data-search]")?.focus(), { once: true });
  location.hash = "#/ask";
}

async function start() {
  theme.apply();
  on("lost", () => { if (!at("shell").hidden) closed("The login has ended."); });
  on("gone", () => { rail.lost(true); banner.notice("server", [{ level: "warn", text: "The server does not answer. Is mindfile serve still running?" }]); });
  on("back", () => { rail.lost(false); banner.notice("server", []); });
  keys.listen({ search: focusField, theme: turn });
  at("skip").addEventListener("click", (event) => { event.preventDefault(); at("main").focus(); });
  window.addEventListener("hashchange", () => (location.hash.includes("token=") ? enter() : show()));
  await enter();
}

async function enter() {
  const token = login.fromAddress();
  try {
    if (token) await api.login(token);
    else if (!login.isRemembered()) await api.indexState();
    entered();
  } catch (error) {
    closed(token ? "That is not the token of this server." : error.status === 401 ? null : error.message);
  }
}

start();
