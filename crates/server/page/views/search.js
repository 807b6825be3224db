// Search as one types: passages of notes and conversations, or facts with what hangs together with them.
import { api } from "../api.js";
import * as banner from "../banner.js";
import { announce, el, fill, marked } from "../dom.js";
import { icon } from "../icons.js";
import { citeLink, empty, entityChip, failed, field, fold, kindBadge, meter, noteLink, scoreParts, segmented, select } from "../parts.js";
import { at, many } from "../words.js";

const PAUSE = 110;
const MODES = [["", "Words and meaning"], ["keyword", "Words only"], ["vector", "Meaning only"]];
const SOURCES = [["", "Everything"], ["memory", "Notes"], ["sessions", "Conversations"]];
const SPANS = [["", "Any time"], ["7d", "Last week"], ["30d", "Last month"], ["6mo", "Last half year"], ["1y", "Last year"]];

export function search({ place, asked, signal }) {
  const wanted = {
    query: asked.get("q") ?? "", look: asked.get("in") === "facts" ? "facts" : "notes",
    mode: asked.get("mode") ?? "", source: asked.get("source") ?? "", since: asked.get("since") ?? "",
  };
  const results = el("section.results", { "aria-label": "Results" });
  const filters = el("div.filters");
  const run = runner(wanted, results, signal);
  const changed = (name) => (value) => { wanted[name] = value; remember(wanted); run(0); };
  const input = el("input.search-input", {
    type: "search", value: wanted.query, placeholder: "Search your memory", autocomplete: "off", spellcheck: "false",
    enterkeyhint: "search", "data-search": true,
    oninput: (event) => { wanted.query = event.target.value; remember(wanted); run(PAUSE); },
    onkeydown: (event) => { if (event.key === "Enter" || event.key === "ArrowDown") toFirst(event, results); },
  });
  const look = segmented("Look in", [["notes", "Passages"], ["facts", "Facts"]], wanted.look, (value) => {
    drawFilters(filters, wanted, changed, value);
    changed("look")(value);
  });
  drawFilters(filters, wanted, changed, wanted.look);
  fill(place, el("h1.unseen", "Search"),
    el("div.search-box", { role: "search" }, icon("search"), field("Search your memory", input, { hidden: true }),
      el("kbd.hint", { "aria-hidden": "true" }, "/")),
    el("div.bar-of-filters", look, filters), results);
  run(0);
  if (matchMedia("(pointer: fine)").matches) input.focus();
}

function drawFilters(filters, wanted, changed, look) {
  const choose = (words, name, choices) => field(words, select(choices, wanted[name], changed(name)), { hidden: true });
  fill(filters, look === "notes" && [choose("How to match", "mode", MODES), choose("Where", "source", SOURCES)],
    choose("When", "since", SPANS));
}

function toFirst(event, results) {
  const first = results.querySelector("[data-main]");
  if (!first) return;
  event.preventDefault();
  first.focus();
}

// The address keeps the question, so that it can be gone back to and shared with oneself.
function remember({ query, look, mode, source, since }) {
  const words = new URLSearchParams();
  const said = { q: query.trim(), in: look === "facts" ? look : "", mode, source, since };
  for (const [name, value] of Object.entries(said)) if (value) words.set(name, value);
  const text = words.toString();
  history.replaceState(null, "", text ? `#/search?${text}` : "#/search");
}

// A later question ends an earlier one, so that answers never come in the wrong order.
function runner(wanted, results, signal) {
  let timer = 0;
  let under = null;
  signal.addEventListener("abort", () => { clearTimeout(timer); under?.abort(); });
  return (pause) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      under?.abort();
      under = new AbortController();
      answer(wanted, results, under.signal);
    }, pause);
  };
}

async function answer(wanted, results, signal) {
  const query = wanted.query.trim();
  results.setAttribute("aria-busy", "true");
  try {
    const shown = query ? await found({ ...wanted, query }, signal) : await lately(signal);
    if (!signal.aborted) fill(results, shown);
  } catch (error) {
    if (error.name !== "AbortError" && !signal.aborted) fill(results, failed(error));
  } finally {
    if (!signal.aborted) results.removeAttribute("aria-busy");
  }
}

async function found({ query, look, mode, source, since }, signal) {
  const isNotes = look === "notes";
  const came = isNotes
    ? await api.search({ query, mode, source, since, maxResults: 12 }, signal)
    : await api.recall({ query, since, k: 20 }, signal);
  banner.notice("search", banner.ofAnswer(came));
  announce(came.results.length ? many(came.results.length, "result") : "Nothing found");
  if (!came.results.length) return nothing(query, { mode, source, since });
  return el("ol.hits", came.results.map((one) => el("li", isNotes ? passage(one) : fact(one))));
}

function passage(hit) {
  const said = hit.messages?.[0];
  return el("article.hit.card", { "data-item": true },
    el("header.hit-head", noteLink(hit.path, hit.startLine, hit.endLine), hit.origin === "untrusted" && el("span.badge.warn", "untrusted"),
      meter("Score", hit.score, hit.score.toFixed(2))),
    snippet(hit),
    el("footer.hit-foot", citeLink(hit.path, hit.startLine, hit.endLine),
      said && el("span.small", [said.speaker ?? said.role, said.date && at(said.date)].filter(Boolean).join(", ")),
      hit.parts && fold("Why this score", () => scoreParts(hit.parts))));
}

// Line by line: blank ones are left out, and headings look like headings.
function snippet(hit) {
  let at = 0;
  const rows = [];
  for (const line of hit.snippet.split("\n")) {
    const length = Array.from(line).length;
    const marks = (hit.marks ?? []).filter(([start, end]) => end > at && start < at + length);
    const inside = marks.map(([start, end]) => [Math.max(0, start - at), Math.min(length, end - at)]);
    if (line.trim()) rows.push(el(/^#{1,6}\s/.test(line) ? "p.head" : "p", marked(line, inside)));
    at += length + 1;
  }
  return el(rows.length > 7 || at > 620 ? "div.snippet.long" : "div.snippet", rows);
}

function fact(one) {
  return el("article.hit.card", { "data-item": true },
    el("header.hit-head", kindBadge(one.kind),
      one.hop > 0 ? el("span.via", `${many(one.hop, "hop")} away`, one.via.length > 0 && ` · via ${one.via.map((name) => `@${name.replace(/^@/, "")}`).join(" → ")}`)
        : el("span.via", "direct match"),
      meter("Score", one.score, one.score.toFixed(2))),
    el("p.fact-text", el("a.title", { href: `#/facts?id=${encodeURIComponent(one.id)}`, "data-main": true }, one.text)),
    el("footer.hit-foot", one.entities.map(entityChip), citeLink(one.path, one.line),
      one.parts && fold("Why this score", () => scoreParts(one.parts))));
}

function nothing(query, { mode, source, since }) {
  const narrowed = mode || source || since;
  return empty(`Nothing about “${query}”.`,
    narrowed ? "The filters above leave something out: try without them." : "Try other words, or fewer of them. Meaning counts, too: a question is fine.",
    "An empty answer means that nothing is known, not that something failed.");
}

// Before anything is asked: what came last.
async function lately(signal) {
  banner.notice("search", []);
  const { facts } = await api.facts({ limit: 6, order: "newest", state: "current" }, signal);
  if (!facts.length) {
    return empty("Nothing is remembered yet.", "Write Markdown into memory/ in the workspace, or keep a first fact:",
      el("p", el("code", "mindfile retain \"Sarah leads the platform team\" --entity Sarah")));
  }
  const row = (one) => el("li", el("article.line-item", { "data-item": true }, kindBadge(one.kind),
    el("a.title", { href: `#/facts?id=${encodeURIComponent(one.id)}`, "data-main": true }, one.text), citeLink(one.path, one.line)));
  return el("div.lately", el("h2", "Lately"), el("ol.plain-list", facts.map(row)),
    el("p.small", "Ask in your own words. “Quoted words” stand together, −word must not occur. Press ", el("kbd", "?"), " for the keys."));
}
