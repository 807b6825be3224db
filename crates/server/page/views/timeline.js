// The daily notes by the day: the weeks that have notes, and the day that is chosen beside them.
import { api } from "../api.js";
import { announce, el, fill } from "../dom.js";
import { chipSelect, empty, head, load, put } from "../parts.js";
import { brief, dateOf, isoDay, longDay, many, monthName, monthOf, placeOf, size, titleOf } from "../words.js";
import { nothing, read } from "./reader.js";

const DAY = 86400000;
// So many weeks are seen at once.
const WEEKS = 27;
const WEEKDAYS = ["Mon", "", "Wed", "", "Fri", "", ""];
const STEPS = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };

export function timeline(view) {
  const { place, pane, signal, asked, onEvent } = view;
  const list = el("section", { "aria-label": "Daily notes" });
  const state = { view, list, day: asked.get("day"), months: [], found: new Map(), span: "" };
  const bar = el("div.filters-line");
  fill(place, head("Timeline", "Daily notes by the day. The darker, the more was written.", [], bar), list);
  put(pane, nothing("Choose a day, and it is read here."));
  const start = () => load(list, signal, () => api.outline(signal), (outline) => {
    state.months = outline.months;
    if (!state.months.length) return empty("There are no daily notes yet.", "A daily note is a file such as memory/2026-07-14.md. The first fact that is kept makes today's.");
    const last = monthEnd(state.day && dateOf(state.day) ? state.day.slice(0, 7) : state.months.at(-1).name);
    const spans = windows(state.months);
    const shown = spans.find(([value]) => value >= last) ?? spans.at(-1);
    if (spans.length > 1) fill(bar, chipSelect("Which weeks", spans, shown[0], (value) => weeks(state, value)));
    weeks(state, shown[0]);
    return el("div.waiting");
  });
  onEvent((name) => { if (name === "indexed") start(); });
  start();
  return (next) => {
    if (!next.asked.get("day")) return false;
    pick(state, next.asked.get("day"), false);
    view.opened(true);
    return true;
  };
}

const monthEnd = (month) => isoDay(new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)));
const moved = (day, by) => isoDay(new Date(dateOf(day).getTime() + by * DAY));
const monday = (day) => moved(day, -((dateOf(day).getUTCDay() + 6) % 7));

// The stretches of weeks in which there are notes, the last first; each is named by its months.
function windows(months) {
  const spans = [];
  let end = monthEnd(months.at(-1).name);
  const begin = `${months[0].name}-01`;
  while (end >= begin && spans.length < 200) {
    const from = moved(monday(end), -7 * (WEEKS - 1));
    const own = months.filter((one) => `${one.name}-31` >= from && one.name <= end.slice(0, 7));
    if (own.length) spans.push([end, own[0].name === own.at(-1).name ? monthOf(`${own[0].name}-01`) : `${monthOf(`${own[0].name}-01`)} to ${monthOf(`${own.at(-1).name}-01`)}`]);
    end = moved(from, -1);
  }
  return spans;
}

async function weeks(state, end) {
  const { view, list } = state;
  const from = moved(monday(end), -7 * (WEEKS - 1));
  await load(list, view.signal, () => api.notes({ since: from, until: end, titles: true, limit: 200 }, view.signal), (came) => {
    state.found = new Map();
    for (const note of came.notes) state.found.set(note.day, [...(state.found.get(note.day) ?? []), note]);
    const days = [...state.found.keys()].sort();
    if (!days.length) return empty("No note is of these weeks.");
    return [el("div.body.scroll-x", { tabindex: "0", role: "region", "aria-label": "Calendar" }, heat(state, days)), agenda(state, days)];
  });
  const days = [...state.found.keys()].sort();
  if (days.length) pick(state, state.found.has(state.day) ? state.day : days.at(-1), false);
}

const total = (notes) => notes.reduce((sum, note) => sum + note.bytes, 0);

// From the week of the first day that has a note to that of the last: no empty months before or after.
function heat(state, days) {
  const sizes = days.map((day) => total(state.found.get(day))).sort((a, b) => a - b);
  const level = (bytes) => 1 + Math.min(3, Math.floor((4 * sizes.findIndex((size) => size >= bytes)) / sizes.length));
  const first = monday(days[0]);
  const count = Math.round((dateOf(monday(days.at(-1))) - dateOf(first)) / DAY / 7) + 1;
  const made = WEEKDAYS.map((words, row) => words && at(el("span.label", { "aria-hidden": "true" }, words), 1, row + 2));
  for (let week = 0; week < count; week += 1) {
    for (let row = 0; row < 7; row += 1) {
      const day = moved(first, week * 7 + row);
      if (day.endsWith("-01") || (week === 0 && row === 0 && Number(day.slice(8)) < 12)) made.push(at(el("span.label", { "aria-hidden": "true" }, monthName(Number(day.slice(5, 7)) - 1)), week + 3, 1));
      made.push(at(cell(state, day, level), week + 3, row + 2));
    }
  }
  return el("div.heat", { role: "group", "aria-label": "Days", onclick: (event) => event.target.dataset?.day && choose(event.target.dataset.day), onkeydown: (event) => walked(event, state) }, made);
}

function at(element, column, row) {
  element.style.gridColumn = element.classList.contains("label") && row === 1 ? `${column} / span 4` : String(column);
  element.style.gridRow = String(row);
  return element;
}

function cell(state, day, level) {
  const notes = state.found.get(day);
  if (!notes) return el("span.cell", { title: brief(day) });
  const words = `${longDay(day)}: ${many(notes.length, "note")}, ${size(total(notes))}`;
  return el(`button.cell.level-${level(total(notes))}`, { type: "button", "data-day": day, tabindex: "-1", "aria-label": words, title: words });
}

function agenda(state, days) {
  const rows = days.toReversed().flatMap((day) => state.found.get(day).map((note) => el("li", { "data-item": true },
    el("a.row", { href: `#/timeline?day=${day}`, "data-main": true, "data-day": day }, el("span.part-row", el("span.row-text", titleOf(note.path, note.title)), el("span.figure.small", size(note.bytes)))))));
  return el("ol.rows", rows);
}

function choose(day) {
  location.hash = `#/timeline?day=${day}`;
}

function pick(state, day, focus) {
  const { view } = state;
  state.day = day;
  for (const one of state.list.querySelectorAll("button[data-day]")) {
    const is = one.dataset.day === day;
    one.tabIndex = is ? 0 : -1;
    one.setAttribute("aria-pressed", String(is));
    if (is && focus) one.focus();
  }
  for (const row of state.list.querySelectorAll("a[data-day]")) row.setAttribute("aria-current", String(row.dataset.day === day));
  const notes = state.found.get(day);
  if (!notes) return put(view.pane, nothing(`No note is of ${longDay(day)}.`));
  announce(longDay(day));
  const others = notes.slice(1).map((note) => el("a.button", { href: placeOf(note.path) }, titleOf(note.path, note.title)));
  read(view.pane, notes[0].path, [0, 0], view.signal, { back: "#/timeline", tools: [others, el("a.button", { href: placeOf(notes[0].path) }, "Open")] });
}

// To the next day that has notes, in the direction of the arrow.
function walked(event, state) {
  const from = event.target.dataset?.day;
  const by = STEPS[event.key];
  if (!from || !by) return;
  event.preventDefault();
  let day = moved(from, by);
  for (let tries = 0; tries < WEEKS * 7 && !state.found.has(day); tries += 1) day = moved(day, Math.sign(by) * (tries < WEEKS ? Math.abs(by) : 1));
  if (!state.found.has(day)) return;
  history.replaceState(null, "", `#/timeline?day=${day}`);
  pick(state, day, true);
}
