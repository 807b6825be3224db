// Daily notes by their day. The list of notes is asked for once, and again when the index says that something changed.
import { api } from "../api.js";
import { dateOf, isoDay } from "../words.js";

let known = null;

export function outdated() {
  known = null;
}

// Every note, in the server's order.
export async function allNotes() {
  known ??= api.notes({}).then((came) => came.notes);
  try {
    return await known;
  } catch (error) {
    known = null;
    throw error;
  }
}

// Daily notes as a map from the day to its notes.
export async function days() {
  const found = new Map();
  for (const note of await allNotes()) {
    if (!note.day) continue;
    if (!found.has(note.day)) found.set(note.day, []);
    found.get(note.day).push(note);
  }
  return found;
}

// The daily note before and the one after; null where there is none.
export async function neighbours(path) {
  const daily = (await allNotes()).filter((note) => note.day);
  daily.sort((a, b) => a.day.localeCompare(b.day) || a.path.localeCompare(b.path));
  const here = daily.findIndex((note) => note.path === path);
  if (here < 0) return [null, null];
  return [daily[here - 1]?.path ?? null, daily[here + 1]?.path ?? null];
}

// The days of a year in columns of weeks that begin on Monday; null before the first and after the last.
export function weeks(year) {
  const columns = [];
  let column = Array(7).fill(null);
  for (const day = new Date(Date.UTC(year, 0, 1)); day.getUTCFullYear() === year; day.setUTCDate(day.getUTCDate() + 1)) {
    const row = (day.getUTCDay() + 6) % 7;
    column[row] = isoDay(day);
    if (row === 6) {
      columns.push(column);
      column = Array(7).fill(null);
    }
  }
  if (column.some(Boolean)) columns.push(column);
  return columns;
}

// Four bounds that part the days into five shades of about the same number.
export function bounds(sizes) {
  const sorted = [...sizes].sort((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((share) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
}

export const shade = (size, limits) => (size ? 1 + limits.filter((limit) => size > limit).length : 0);

export function moved(day, by) {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + by);
  return isoDay(date);
}
