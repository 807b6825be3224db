// What several views are made of: headings, buttons, badges, bars, and the words for nothing, waiting and failure.
import { el, fill, toast } from "./dom.js";
import { icon } from "./icons.js";
import { KINDS, brief, citation, placeOf } from "./words.js";

// The head of a list, which stays while the list moves.
export function head(title, about, actions = [], ...rows) {
  return el("header.head", el("div.head-row", el("h2.view-title", title), actions), about && el("p.about", about), rows);
}

export function button(words, onclick, { symbol, kind = "quiet", label, type = "button", disabled } = {}) {
  const attributes = { type, onclick, disabled, "aria-label": label, title: words ? null : label };
  return el(`button.button.${kind}`, attributes, symbol && icon(symbol), words && el("span", words));
}

let named = 0;

// A label with its field. The field gets an id so that the label finds it.
export function field(words, input, { hidden = false } = {}) {
  input.id ||= `field-${++named}`;
  return el("div.field", el(hidden ? "label.unseen" : "label", { for: input.id }, words), input);
}

export function select(choices, chosen, onchange) {
  const options = choices.map(([value, words]) => el("option", { value, selected: value === chosen }, words));
  return el("select", { onchange: (event) => onchange?.(event.target.value) }, options);
}

// One of a few, side by side.
export function choices(words, list, chosen, onchange) {
  const name = `choice-${++named}`;
  const one = ([value, label]) => el("label.choice",
    el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }), el("span.chip", label));
  return el("fieldset.chips", el("legend.unseen", words), list.map(one));
}

export function chipSelect(words, list, chosen, onchange) {
  const made = select(list, chosen, onchange);
  made.classList.add("chip");
  made.setAttribute("aria-label", words);
  return made;
}

export const kindWord = (kind) => el("span.kind", KINDS[kind] ?? kind);

export function entityChip(name) {
  return el("a.ent", { href: `#/graph/${encodeURIComponent(name.toLowerCase())}` }, name);
}

export function citeLink(path, from, to) {
  return el("a.cite", { href: placeOf(path, from, to) }, from ? citation(path, from, to) : path);
}

// A share of one as a bar; the number stands beside it.
export function meter(share) {
  const inner = el("span.meter-fill");
  inner.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return el("span.meter", { "aria-hidden": "true" }, inner);
}

// A command to be copied into a terminal.
export function command(text) {
  return el("div.command", el("code", text), button("Copy", () => copied(text, "Command"), { symbol: "copy", kind: "bare" }));
}

// A list whose items are shown beside it: whatever gets the focus is shown, and shown to have it.
export function follow(list, show) {
  let current = null;
  const choose = (row, focus) => {
    if (!row || row === current) return;
    current?.classList.remove("on");
    current = row;
    row.classList.add("on");
    if (focus) row.focus();
    show(row);
  };
  list.addEventListener("focusin", (event) => choose(event.target.closest("[data-main]"), false));
  return {
    choose,
    step: (by) => {
      const rows = [...list.querySelectorAll("[data-main]")];
      const next = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(current) + by))];
      choose(next, false);
      next?.scrollIntoView({ block: "nearest" });
    },
    current: () => (current?.isConnected ? current : null),
  };
}

// On a phone the list and what it says are not seen together.
export const isNarrow = () => matchMedia("(max-width: 1000px)").matches;

const STAGES = {
  words: "Words", meaning: "Meaning", interaction: "Word by word", pairs: "Words side by side", decay: "Age", repetition: "Says the same as another",
  past: "Holds still", strength: "Strength", rest: "Other words", names: "Names", key: "Its key", sort: "Sort", association: "Association",
  salience: "Importance", use: "Use", rank: "Place in the answer",
};

// How a score came about: each part with what it gives.
export function scoreParts(parts) {
  const most = Math.max(0.0001, ...parts.map((part) => Math.abs(part.contribution)));
  const row = (part) => {
    const how = part.factor === undefined
      ? `${part.normal} × weight ${part.weight}`
      : `× ${part.factor}`;
    const inner = el(part.contribution < 0 ? "span.meter-fill.minus" : "span.meter-fill");
    inner.style.width = `${(Math.abs(part.contribution) / most) * 100}%`;
    return el("tr", el("th", { scope: "row" }, STAGES[part.stage] ?? part.stage),
      el("td.bar", el("span.meter", { "aria-hidden": "true" }, inner)),
      el("td.figure", signed(part.contribution)), el("td.how", how));
  };
  const head = el("tr.unseen", ["Part", "Share", "Gives", "How"].map((words) => el("th", { scope: "col" }, words)));
  return el("table.parts", el("thead", head), el("tbody", parts.map(row)));
}

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

// A heading that opens what stands under it.
export function fold(summary, content, open = false) {
  const details = el("details.fold", { open }, el("summary", summary));
  if (typeof content !== "function") {
    details.append(content);
    return details;
  }
  const build = () => {
    if (details.open && details.childElementCount === 1) details.append(content());
  };
  details.addEventListener("toggle", build);
  build();
  return details;
}

export function empty(title, ...advice) {
  return el("div.empty", el("p.empty-title", title), advice.map((words) => (words instanceof Node ? words : el("p", words))));
}

export function waiting(words = "One moment …") {
  return el("div.waiting", { role: "status" }, el("span.unseen", words), el("span.bone"), el("span.bone"), el("span.bone"));
}

export function failed(error, again) {
  return el("div.empty.wrong", { role: "alert" }, el("p.empty-title", error.message), error.hint && el("p", error.hint),
    again && button("Try again", again));
}

// What each place waits for: of two things that were asked for one place the later counts.
const awaited = new WeakMap();

// Shows that something is on its way, then what came, or why nothing did.
export async function load(place, signal, work, show) {
  const ticket = {};
  awaited.set(place, ticket);
  const isLatest = () => awaited.get(place) === ticket && !signal?.aborted;
  const late = setTimeout(() => { if (isLatest()) fill(place, waiting()); }, 150);
  place.setAttribute("aria-busy", "true");
  try {
    const came = await work();
    if (isLatest()) fill(place, show(came));
  } catch (error) {
    if (isLatest() && error.name !== "AbortError") fill(place, failed(error, () => load(place, signal, work, show)));
  } finally {
    clearTimeout(late);
    if (awaited.get(place) === ticket) place.removeAttribute("aria-busy");
  }
}

// What is shown at once in a place leaves nothing to wait for there.
export function put(place, ...content) {
  awaited.delete(place);
  place.removeAttribute("aria-busy");
  return fill(place, ...content);
}

export async function copied(text, words) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${words} copied`);
  } catch {
    toast(text);
  }
}

export const dated = (fact) => brief(fact.seen ?? fact.confirmed ?? "");
