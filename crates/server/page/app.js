// The frame: login, navigation, and which view is shown. A view is a function that fills a place; it is given what the
// address says after its name, and a signal that ends its requests when the next view comes.
import { api, events, on } from "./api.js";
import * as banner from "./banner.js";
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import * as keys from "./keys.js";
import * as login from "./login.js";
import { failed } from "./parts.js";
import * as theme from "./theme.js";
import { context } from "./views/context.js";
import { facts } from "./views/facts.js";
import { forget } from "./views/forget.js";
import { graph } from "./views/graph.js";
import { health } from "./views/health.js";
import { note } from "./views/note.js";
import { search } from "./views/search.js";
import { session, sessions } from "./views/sessions.js";
import { timeline } from "./views/timeline.js";
import { trust } from "./views/trust.js";

const VIEWS = [
  ["search", "Search"], ["timeline", "Timeline"], ["facts", "Facts"], ["graph", "Graph"],
  ["context", "Context"], ["sessions", "Conversations"], ["trust", "Trust"], ["health", "Health"],
];
// These are always in reach on a phone; the others are behind "More".
const FIRST = 4;
const ROUTES = { search, note, timeline, facts, forget, graph, context, sessions: sessionsOrOne, trust, health };
// Views that have no entry of their own, and the entry that leads to them.
const UNDER = { note: "search", forget: "facts" };

const at = (id) => document.getElementById(id);
const heard = new Set();
let shown = new AbortController();
let stream = null;
let counting = 0;

function sessionsOrOne(view) {
  return view.rest ? session(view) : sessions(view);
}

// `#/note/memory/x.md?line=3` is the view, what follows it, and what is asked of it.
function address() {
  const [path, asked = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  return { name: ROUTES[name] ? name : "search", rest: rest.map(decoded).join("/"), asked: new URLSearchParams(asked) };
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
  shown.abort();
  shown = new AbortController();
  heard.clear();
  const { name, rest, asked } = address();
  draw(UNDER[name] ?? name);
  const main = at("main");
  main.className = `view-${name}`;
  const view = { place: main, rest, asked, signal: shown.signal, onEvent: (listener) => heard.add(listener), refresh };
  document.title = `${titled(name, rest)} · mindfile`;
  try {
    ROUTES[name](view);
  } catch (error) {
    fill(main, failed(error));
  }
  if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

function titled(name, rest) {
  return rest ? rest.split("/").pop() : (VIEWS.find(([view]) => view === name)?.[1] ?? name);
}

function draw(current) {
  const nav = at("nav");
  const entry = ([name, words], index) => el(index < FIRST ? "li" : "li.later",
    el("a", { href: `#/${name}`, "aria-current": name === current ? "page" : null }, icon(name), el("span", words)));
  const more = el("button.more", { type: "button", "aria-expanded": "false", onclick: () => unfold(nav, more) },
    icon("more"), el("span", "More"));
  fill(nav,
    el("a.brand", { href: "#/search", "aria-label": "mindfile, to the search" }, el("span.dot", { "aria-hidden": "true" }), "mindfile"),
    el("ul", VIEWS.map(entry), el("li.only-phone", more)),
    el("div.tools", tool(theme.symbol(), theme.words(), turn), tool("help", "Keys", keys.help), tool("leave", "Log out", leave)));
  nav.classList.remove("open");
}

function unfold(nav, more) {
  more.setAttribute("aria-expanded", String(nav.classList.toggle("open")));
}

function tool(symbol, words, onclick) {
  return el("button.button.bare", { type: "button", "aria-label": words, title: words, onclick }, icon(symbol));
}

function turn() {
  theme.next();
  draw(UNDER[address().name] ?? address().name);
}

async function leave() {
  await api.logout().catch(() => {});
  closed();
}

// Asks for the status soon; several wishes become one.
function refresh() {
  clearTimeout(counting);
  counting = setTimeout(async () => {
    try {
      const agent = await api.status();
      banner.notice("status", banner.ofStatus(agent));
      for (const listener of heard) listener("status", agent);
    } catch {
      // What is wrong is said by the view, or by the notice that the server is gone.
    }
  }, 60);
}

function told(name, event) {
  if (name === "degraded") banner.notice("watch", [{ level: "warn", text: `Changes are noticed late: ${event.reason}`, link: ["#/health", "Look"] }]);
  if (name === "failed") banner.notice("index", [{ level: "warn", text: `The index could not be brought up to date: ${event.message}`, link: ["#/health", "Look"] }]);
  if (name === "indexed") banner.notice("index", []);
  if (name !== "progress") refresh();
  for (const listener of heard) listener(name, event);
}

// The frame is drawn at once where this browser was let in before; what a view asks then tells whether it still is.
function opened() {
  at("splash").hidden = true;
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
  shown.abort();
  stream?.close();
  at("shell").hidden = true;
  fill(at("main"));
  login.show(at("login"), opened, why);
}

// The field of the view, or that of the search once it is shown.
function focusSearch() {
  const field = document.querySelector("main [data-search]");
  if (field) {
    field.focus();
    return field.select();
  }
  window.addEventListener("hashchange", () => document.querySelector("main [data-search]")?.focus(), { once: true });
  location.hash = "#/search";
}

async function start() {
  theme.apply();
  on("lost", () => { if (!at("shell").hidden) closed("The login has ended."); });
  on("gone", () => banner.notice("server", [{ level: "warn", text: "The server does not answer. Is mindfile serve still running?" }]));
  on("back", () => banner.notice("server", []));
  keys.listen({ search: focusSearch, theme: turn });
  at("skip").addEventListener("click", (event) => { event.preventDefault(); at("main").focus(); });
  window.addEventListener("hashchange", () => (location.hash.includes("token=") ? enter() : show()));
  await enter();
}

async function enter() {
  const token = login.fromAddress();
  try {
    if (token) await api.login(token);
    else if (!login.isRemembered()) await api.indexState();
    opened();
  } catch (error) {
    closed(token ? "That is not the token of this server." : error.status === 401 ? null : error.message);
  }
}

start();
