// The page by keyboard. Nothing here takes a key away from a field that is being typed in.
import { dialog } from "./dialog.js";
import { el } from "./dom.js";

const GO = { a: "ask", n: "notes", f: "facts", t: "timeline", g: "graph", o: "sessions", w: "agents", i: "given", u: "trust", h: "health" };
const HELP = [
  ["/", "the field of the view"], ["↑  ↓  j  k", "previous, next in the list; the text beside it follows"], ["Enter", "open it"],
  ["Esc", "leave a field, close a window, go back"], ["g then a n f t g o w i u h", "ask, notes, facts, timeline, graph, conversations, agents, given, trust, health"],
  ["e  x", "edit, delete the note or the fact that is shown"], ["d", "light, dark, as the system"], ["?", "this help"],
];

let going = 0;

export function listen({ search, theme }) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const typing = isField(event.target);
    if (event.key === "Escape") return leave(event, typing);
    if (typing || event.defaultPrevented) return;
    const act = went(event.key) ?? acts({ search, theme })[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function went(key) {
  const waiting = Date.now() - going < 1200;
  going = !waiting && key === "g" ? Date.now() : 0;
  if (!waiting || !GO[key]) return going ? () => {} : null;
  return () => { location.hash = `#/${GO[key]}`; };
}

const acts = ({ search, theme }) => ({
  "/": search,
  "?": help,
  d: theme,
  j: () => step(1),
  k: () => step(-1),
  e: () => inItem("[data-edit]"),
  x: () => inItem("[data-remove]"),
});

function isField(target) {
  return target instanceof HTMLInputElement ? !["radio", "checkbox", "button", "range"].includes(target.type)
    : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

function leave(event, typing) {
  if (event.defaultPrevented) return;
  if (typing) return event.target.blur();
  const back = document.querySelector("#pane [data-back], #main [data-back]");
  if (back) back.click();
}

// Items of the list that is shown; the one that has the focus, or holds it, is the current one.
function step(by) {
  const items = [...document.querySelectorAll("#main [data-item]")].filter((item) => item.offsetParent !== null);
  if (!items.length) return;
  const now = items.findIndex((item) => item.contains(document.activeElement));
  const next = now < 0 ? (by > 0 ? 0 : items.length - 1) : Math.max(0, Math.min(items.length - 1, now + by));
  const item = items[next];
  (item.querySelector("[data-main]") ?? item).focus();
  item.scrollIntoView({ block: "nearest" });
}

function inItem(selector) {
  document.querySelector(`#pane ${selector}, #main ${selector}`)?.click();
}

export function help() {
  const rows = HELP.map(([keys, words]) => el("div", el("dt", keys.split("  ").map((key) => el("kbd", key))), el("dd", words)));
  dialog("Keys", el("dl.keys", rows), [["Close", true, "main"]]);
}
