// The daily notes as a calendar: a year at a glance, and what was written on a day.
import { api } from "../api.js";
import { announce, el, fill } from "../dom.js";
import { empty, failed, heading, load, segmented } from "../parts.js";
import { brief, longDay, many, monthName, monthOf, placeOf, size, titleOf } from "../words.js";
import { source } from "./source.js";
import { bounds, days, moved, outdated, shade, weeks } from "./calendar.js";

const WEEKDAYS = ["Mon", "", "Wed", "", "Fri", "", ""];
const PREVIEW = 14;

export function timeline({ place, asked, signal, onEvent }) {
  const body = el("div");
  const show = () => load(body, signal, days, (found) => drawn(found, asked.get("day"), signal));
  fill(place, heading("Timeline", "Daily notes by the day. The darker, the more was written."), body);
  onEvent((name) => {
    if (name !== "indexed") return;
    outdated();
    show();
  });
  show();
}

function drawn(found, wanted, signal) {
  if (!found.size) {
    return empty("There are no daily notes yet.", "A daily note is a file such as memory/2026-07-14.md. The first fact that is kept makes today's.");
  }
  const all = [...found.keys()].sort();
  const years = [...new Set(all.map((day) => Number(day.slice(0, 4))))].sort((a, b) => b - a);
  const calendar = el("div.calendar");
  const day = el("section.day", { "aria-live": "polite" });
  const state = { day: wanted && found.has(wanted) ? wanted : all.at(-1), found, limits: bounds(totals(found)), signal };
  const pick = (chosen, focus) => {
    state.day = chosen;
    history.replaceState(null, "", `#/timeline?day=${chosen}`);
    for (const cell of calendar.querySelectorAll("[data-day]")) mark(cell, chosen, focus);
    oneDay(day, state);
  };
  const year = (chosen) => {
    fill(calendar, heat(chosen, state, pick));
    requestAnimationFrame(() => calendar.querySelector("button[tabindex='0']")?.scrollIntoView({ block: "nearest", inline: "center" }));
  };
  const first = Number(state.day.slice(0, 4));
  year(first);
  oneDay(day, state);
  const choose = years.length > 8
    ? yearSelect(years, first, year)
    : segmented("Year", years.map((one) => [String(one), String(one)]), String(first), (one) => year(Number(one)));
  return [el("div.bar-of-filters", choose, el("span.small", `${many(all.length, "day")}, ${brief(all[0])} to ${brief(all.at(-1))}`)), calendar, day];
}

function yearSelect(years, chosen, year) {
  const options = years.map((one) => el("option", { value: String(one), selected: one === chosen }, String(one)));
  return el("select", { "aria-label": "Year", onchange: (event) => year(Number(event.target.value)) }, options);
}

const total = (notes) => notes.reduce((sum, note) => sum + note.bytes, 0);
const totals = (found) => [...found.values()].map(total);

function heat(year, state, pick) {
  const columns = weeks(year);
  const inYear = state.day.startsWith(String(year)) ? state.day : [...state.found.keys()].filter((day) => day.startsWith(String(year))).sort().at(-1);
  const cells = columns.flatMap((column, week) => column.map((day, row) => day && cell(day, week, row, state, inYear)));
  const months = columns.map((column, week) => {
    const first = column.find((day) => day?.endsWith("-01"));
    return first && placed(el("span.month", { "aria-hidden": "true" }, monthName(Number(first.slice(5, 7)) - 1)), week + 2, 1);
  });
  const rows = WEEKDAYS.map((words, row) => words && placed(el("span.weekday", { "aria-hidden": "true" }, words), 1, row + 2));
  const grid = el("div.heat", { role: "group", "aria-label": `${year}, day by day`, onclick: (event) => clicked(event, pick), onkeydown: (event) => walked(event, pick) },
    months, rows, cells);
  const legend = el("p.legend.small", { "aria-hidden": "true" }, "less", [0, 1, 2, 3, 4].map((level) => el(`span.cell.level-${level}`)), "more");
  return [el("div.heat-scroll", { tabindex: "0", role: "region", "aria-label": `Calendar of ${year}` }, grid), legend];
}

function placed(element, column, row) {
  element.style.gridColumn = String(column);
  element.style.gridRow = String(row);
  return element;
}

function cell(day, week, row, state, chosen) {
  const notes = state.found.get(day);
  const level = notes ? shade(total(notes), state.limits) : 0;
  if (!notes) return placed(el("span.cell.level-0", { title: brief(day) }), week + 2, row + 2);
  const words = `${longDay(day)}: ${many(notes.length, "note")}, ${size(total(notes))}`;
  const made = el(`button.cell.level-${level}`, { type: "button", "data-day": day, "aria-label": words, title: words });
  mark(made, chosen, false);
  return placed(made, week + 2, row + 2);
}

// One cell of the grid is in the order of the tab key; the arrows move it.
function mark(cell, chosen, focus) {
  const is = cell.dataset.day === chosen;
  cell.tabIndex = is ? 0 : -1;
  cell.setAttribute("aria-pressed", String(is));
  if (is && focus) cell.focus();
}

function clicked(event, pick) {
  const day = event.target.dataset?.day;
  if (day) pick(day, true);
}

const STEPS = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };

// To the next day that has notes, in the direction of the arrow.
function walked(event, pick) {
  const from = event.target.dataset?.day;
  const by = STEPS[event.key];
  if (!from || !by) return;
  event.preventDefault();
  const there = new Set([...event.currentTarget.querySelectorAll("[data-day]")].map((cell) => cell.dataset.day));
  let day = moved(from, by);
  for (let tries = 0; tries < 370 && !there.has(day); tries += 1) day = moved(day, Math.sign(by) * (tries < 52 ? Math.abs(by) : 1));
  if (there.has(day)) pick(day, true);
}

function oneDay(place, { day, found, signal }) {
  const notes = found.get(day) ?? [];
  announce(longDay(day));
  const ofMonth = [...found.entries()].filter(([other]) => other.slice(0, 7) === day.slice(0, 7)).sort();
  fill(place, el("h2", longDay(day)), notes.map((note) => preview(note, signal)),
    el("h3", monthOf(day)), el("ol.plain-list", ofMonth.flatMap(([, list]) => list).map(listed)));
}

function listed(note) {
  return el("li", el("article.line-item", { "data-item": true },
    el("a.title", { href: placeOf(note.path), "data-main": true }, titleOf(note.path)), el("span.small", size(note.bytes))));
}

function preview(note, signal) {
  const text = el("div.preview");
  const card = el("article.card", el("h3", el("a.title", { href: placeOf(note.path) }, titleOf(note.path))), text,
    el("p.small", `${note.path} · ${size(note.bytes)}`));
  api.note(note.path, { lines: PREVIEW }, signal).then((came) => fill(text, source(came.text)),
    (error) => { if (error.name !== "AbortError") fill(text, failed(error)); });
  return card;
}
