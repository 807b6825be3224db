// What several views are made of: headings, buttons, badges, bars, and the words for nothing, waiting and failure.
import { el, fill, toast } from "./dom.js";
import { icon } from "./icons.js";
import { KINDS, brief, citation, percent, placeOf, titleOf } from "./words.js";

export function heading(title, about, ...actions) {
  return el("header.heading", el("div", el("h1", title), about && el("p.about", about)), el("div.actions", actions));
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
export function segmented(words, choices, chosen, onchange) {
  const name = `choice-${++named}`;
  const one = ([value, label]) => el("label.segment",
    el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }),
    el("span", label));
  return el("fieldset.segments", el("legend.unseen", words), choices.map(one));
}

export function kindBadge(kind) {
  return el(`span.kind.kind-${kind}`, { title: KINDS[kind] ?? kind }, el("span", { "aria-hidden": "true" }, kind),
    el("span.unseen", `${KINDS[kind] ?? kind} fact`));
}

export function entityChip(name) {
  return el("a.chip", { href: `#/graph/${encodeURIComponent(name)}` }, `@${name}`);
}

export function citeLink(path, from, to) {
  return el("a.cite", { href: placeOf(path, from, to) }, from ? citation(path, from, to) : path);
}

export function noteLink(path, from, to) {
  return el("a.title", { href: placeOf(path, from, to), "data-main": true }, titleOf(path));
}

// A share of one as a bar that is read as a number.
export function meter(words, share, shown = percent(share)) {
  const inner = el("span.meter-fill");
  inner.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  const bar = el("span.meter", { role: "img", "aria-label": `${words}: ${shown}` }, inner);
  return el("span.measure", bar, el("span.measured", { "aria-hidden": "true" }, shown));
}

const STAGES = {
  words: "Words", meaning: "Meaning", interaction: "Words and meaning together", decay: "Age", repetition: "Says the same as another",
  strength: "Strength", rest: "The rest", names: "Names", sort: "Sort", association: "Association", salience: "Importance", use: "Use",
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
  return el("div.waiting", { role: "status" }, el("span.unseen", words), el("span.line"), el("span.line"), el("span.line"));
}

export function failed(error, again) {
  return el("div.empty.wrong", { role: "alert" }, el("p.empty-title", error.message), error.hint && el("p", error.hint),
    again && button("Try again", again));
}

// Shows that something is on its way, then what came, or why nothing did.
export async function load(place, signal, work, show) {
  const late = setTimeout(() => fill(place, waiting()), 150);
  place.setAttribute("aria-busy", "true");
  try {
    const came = await work();
    if (!signal?.aborted) fill(place, show(came));
  } catch (error) {
    if (!signal?.aborted && error.name !== "AbortError") fill(place, failed(error, () => load(place, signal, work, show)));
  } finally {
    clearTimeout(late);
    place.removeAttribute("aria-busy");
  }
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
