// Ask as one types: each hit is its answering line, and what it says stands beside the list.
import { api } from "../api.js";
import * as banner from "../banner.js";
import { announce, el, fill, marked } from "../dom.js";
import { icon } from "../icons.js";
import { plain } from "../paper.js";
import { chipSelect, choices, empty, failed, field, follow, isNarrow, kindWord, put, scoreParts } from "../parts.js";
import { ago, at, brief, many, placeOf, titleOf } from "../words.js";
import { detail } from "./fact.js";
import { first } from "./first.js";
import { nothing as idle, read } from "./reader.js";

const PAUSE = 110;
const LOOK = 70;
const MOST = 20;
const PLACES = [["", "Everything"], ["facts", "Facts"], ["memory", "Notes"], ["sessions", "Conversations"]];
const SPANS = [["", "Any time"], ["7d", "Last week"], ["30d", "Last month"], ["6mo", "Last half year"], ["1y", "Last year"]];
const MODES = [["", "Words and meaning"], ["keyword", "Words only"], ["vector", "Meaning only"]];

export function ask({ place, pane, asked, signal, onEvent }) {
  const wanted = { q: asked.get("q") ?? "", in: asked.get("in") ?? "", since: asked.get("since") ?? "", mode: asked.get("mode") ?? "" };
  const results = el("section", { "aria-label": "What was found" });
  const state = { wanted, results, list: follow(results, shower(pane, signal)) };
  results.addEventListener("click", (event) => clicked(event, state));
  const run = runner(state, signal);
  const changed = (name) => (value) => { wanted[name] = value; remember(wanted); run(0); };
  const input = el("input", {
    type: "search", value: wanted.q, placeholder: "Ask your memory", autocomplete: "off", spellcheck: "false", enterkeyhint: "search", "data-search": true,
    oninput: (event) => { wanted.q = event.target.value; remember(wanted); run(PAUSE); },
    onkeydown: (event) => moved(event, state),
  });
  const line = el("div.filters-line", choices("Look in", PLACES, wanted.in, changed("in")),
    el("span.filter-more.chips", chipSelect("When", SPANS, wanted.since, changed("since"))), el("span.filter-rare.chips", chipSelect("How to match", MODES, wanted.mode, changed("mode"))),
    el("button.chip.filter-button", { type: "button", "aria-expanded": "false", onclick: (event) => event.currentTarget.setAttribute("aria-expanded", String(line.classList.toggle("open"))) }, icon("filter"), el("span.unseen", "More filters")));
  fill(place, el("search.head", el("h2.unseen", "Ask"),
    el("div.ask-field", field("Ask your memory", input, { hidden: true }), el("kbd", { "aria-hidden": "true" }, "/")), line), results);
  put(pane, idle("Ask, and what answers is read here."));
  onEvent((name) => { if (name === "indexed" && !wanted.q.trim()) run(0); });
  run(0);
  if (matchMedia("(pointer: fine)").matches) input.focus();
}

// The keys of the field move through the list, so that nobody leaves the question to look.
function moved(event, state) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by) {
    event.preventDefault();
    state.list.step(by);
  }
  const row = state.list.current();
  if (event.key === "Enter" && row) {
    event.preventDefault();
    location.hash = row.getAttribute("href");
  }
}

// The address keeps the question, so that it can be gone back to and shared with oneself.
function remember(wanted) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value.trim()) words.set(name, value.trim());
  const text = words.toString();
  history.replaceState(null, "", text ? `#/ask?${text}` : "#/ask");
}

// A later question ends an earlier one, so that answers never come in the wrong order.
function runner(state, signal) {
  let timer = 0;
  let under = null;
  signal.addEventListener("abort", () => { clearTimeout(timer); under?.abort(); });
  return (pause) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      under?.abort();
      under = new AbortController();
      answer(state, under.signal);
    }, pause);
  };
}

async function answer(state, signal) {
  const { results, wanted } = state;
  const query = wanted.q.trim();
  results.setAttribute("aria-busy", "true");
  try {
    const shown = query ? await found({ ...wanted, q: query }, signal) : await lately(signal);
    if (signal.aborted) return;
    fill(results, shown);
    // The first hit is looked at without being asked for.
    if (query && !isNarrow()) state.list.choose(results.querySelector("[data-main]"), false);
  } catch (error) {
    if (error.name !== "AbortError" && !signal.aborted) fill(results, failed(error));
  } finally {
    if (!signal.aborted) results.removeAttribute("aria-busy");
  }
}

// On a desk a click looks, and a second one opens.
function clicked(event, state) {
  const row = event.target.closest("a[data-main]");
  if (!row || isNarrow() || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (event.detail > 1) location.hash = row.getAttribute("href");
  else state.list.choose(row, true);
}

function shower(pane, signal) {
  let timer = 0;
  let under = null;
  return (row) => {
    if (isNarrow()) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      under?.abort();
      under = new AbortController();
      signal.addEventListener("abort", () => under.abort(), { once: true });
      if (row.dataset.fact) detail(pane, row.dataset.fact, { signal: under.signal, refresh: () => {} });
      else read(pane, row.dataset.path, row.dataset.lines.split("-").map(Number), under.signal, { tools: tools(row) });
    }, LOOK);
  };
}

function tools(row) {
  const isNote = row.dataset.path.endsWith(".md");
  return [el("a.button", { href: row.getAttribute("href") }, "Open"), isNote && el("a.button", { href: `${placeOf(row.dataset.path)}?edit`, "data-edit": true }, "Edit")];
}

async function found(wanted, signal) {
  const { q: query, since, mode } = wanted;
  if (wanted.in === "facts") return facts(await api.recall({ query, since, k: MOST }, signal), query);
  const came = await api.search({ query, mode, since, source: wanted.in, maxResults: MOST, minScore: 0 }, signal);
  const hits = came.results;
  banner.notice("search", banner.ofAnswer(came));
  const strong = hits.filter((hit) => hit.sure !== "weak");
  const weak = hits.filter((hit) => hit.sure === "weak");
  announce(strong.length ? many(strong.length, "place") : "Nothing answers");
  if (!hits.length) return nothing(query, { mode, since, in: wanted.in });
  return [
    said(strong, weak.length),
    strong.length > 0 && el("ol.rows.hits", strong.map((one, index) => hit(one, index === 0))),
    weak.length > 0 && el("p.rule", strong.length ? "Nearest, but probably something else" : "Nothing answers this. Nearest, but probably something else:"),
    weak.length > 0 && el("ol.rows.hits.weak", weak.map((one) => hit(one, false))),
  ];
}

function said(strong, weak) {
  const notes = new Set(strong.map((one) => one.path)).size;
  const counted = strong.length ? `${many(strong.length, "place")} in ${many(notes, "note")}` : `${many(weak, "weak place")}`;
  return el("p.said", el("span", counted), el("span.hint", { "aria-hidden": "true" }, el("kbd", "↑"), " ", el("kbd", "↓"), " move · ", el("kbd", "↵"), " open"));
}

function hit(one, isFirst) {
  const best = answering(one, isFirst);
  const from = one.answer.line;
  const spoken = one.messages?.find((message) => message.line === from) ?? one.messages?.[0];
  const link = el("a.row", { href: placeOf(one.path, from), "data-main": true, "data-path": one.path, "data-lines": `${from}-${from}` },
    el("p", marked(best.text, best.marks)),
    el("small", el("b", titleOf(one.path, one.title)), el("span", [one.heading, `line ${from}`].filter(Boolean).join(" · ")),
      spoken && el("span", [spoken.speaker ?? spoken.role, spoken.date && at(spoken.date)].filter(Boolean).join(", ")),
      one.past && el("span.badge.warn", one.past), one.origin === "untrusted" && el("span.badge.warn", "untrusted")));
  return el("li.hit", { "data-item": true }, link, why(one, one.sure));
}

// How sure it is, in a word; what the score is made of, when it is asked for.
function why(one, words) {
  const parts = el("div.hit-why", { hidden: true });
  const open = (event) => {
    parts.hidden = !parts.hidden;
    event.currentTarget.setAttribute("aria-expanded", String(!parts.hidden));
    if (!parts.childElementCount) fill(parts, scoreParts(one.parts));
  };
  return [el("button.why", { type: "button", "aria-expanded": "false", "aria-label": `${words}: what the score is made of`, title: "What the score is made of", onclick: open }, el(`span.sure.${words}`, words)), parts];
}

// The line that answers, with what of it was looked for.
function answering(one, isFirst) {
  let start = 0;
  const rows = one.snippet.split("\n").map((text) => {
    const length = Array.from(text).length;
    const inside = (one.marks ?? []).filter(([from, to]) => from >= start && to <= start + length).map(([from, to]) => [from - start, to - start]);
    start += length + 1;
    return { text, inside };
  });
  const row = rows.find((row) => row.text.trim() === one.answer.text.trim()) ?? { text: one.answer.text, inside: [] };
  const best = plain(row.text, row.inside);
  const isSaidOtherwise = !best.marks.length && (one.sure === "answers" || isFirst);
  return { text: best.text, marks: isSaidOtherwise ? [sentence(best.text)] : best.marks };
}

// Where the line that answers, or the first that may, has no word of the question, its first sentence is marked.
function sentence(text) {
  const end = /[.!?。！？](\s|$)/u.exec(text);
  return [0, Array.from(end ? text.slice(0, end.index) : text).length];
}

function facts(came, query) {
  banner.notice("search", banner.ofAnswer(came));
  announce(many(came.results.length, "fact"));
  if (!came.results.length) return nothing(query, {});
  const row = (one) => el("li.hit", { "data-item": true },
    el("a.row", { href: `#/facts?id=${encodeURIComponent(one.id)}`, "data-main": true, "data-fact": one.id }, el("p", one.text),
      el("small", kindWord(one.kind), one.entities.slice(0, 3).map((name) => el("b", name)),
        one.hop > 0 && el("span", `over ${one.via.map((name) => name.replace(/^@/, "")).join(", ") || many(one.hop, "hop")}`),
        one.seen && el("span", brief(one.seen)))),
    why(one, "score"));
  return [el("p.said", el("span", many(came.results.length, "fact"))), el("ol.rows.hits", came.results.map(row))];
}

function nothing(query, { mode, since, in: where }) {
  const narrowed = mode || since || where;
  return empty(`Nothing about “${query}”.`,
    narrowed ? "The filters above leave something out: try without them." : "No note has a word of it, and none means the like. Try other words, or fewer.");
}

// Before anything is asked: what came last, or the first steps.
async function lately(signal) {
  banner.notice("search", []);
  const [{ facts: list }, notes] = await Promise.all([
    api.facts({ limit: 8, order: "newest" }, signal), api.notes({ newest: true, titles: true, limit: 8 }, signal),
  ]);
  if (!notes.total && !list.length) return first(signal);
  const note = (one) => el("li", { "data-item": true }, el("a.row", { href: placeOf(one.path), "data-main": true, "data-path": one.path, "data-lines": "0-0" },
    el("p.row-text", titleOf(one.path, one.title)), el("small", el("span", one.path), one.modified && el("span.push", ago(one.modified)))));
  const row = (one) => el("li", { "data-item": true }, el("a.row", { href: `#/facts?id=${encodeURIComponent(one.id)}`, "data-main": true, "data-fact": one.id },
    el("p", one.text), el("small", kindWord(one.kind), one.entities.slice(0, 3).map((name) => el("b", name)), one.seen && el("span.push", brief(one.seen)))));
  return [
    el("h2.sub", "Notes that changed last"), el("ol.rows", notes.notes.map(note)),
    list.length > 0 && [el("h2.sub", "Facts that came last"), el("ol.rows", list.map(row))],
  ];
}
