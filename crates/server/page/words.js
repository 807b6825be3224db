// Numbers, days and names as people read them.

const number = new Intl.NumberFormat();
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const near = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
const month = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });
const monthAlone = new Intl.DateTimeFormat(undefined, { month: "short", timeZone: "UTC" });

export const KINDS = { W: "World", B: "Experience", O: "Opinion", S: "Summary" };

export const count = (value) => number.format(value);

// `3 notes`, `1 note`
export function many(value, one, several = `${one}s`) {
  return `${number.format(value)} ${value === 1 ? one : several}`;
}

export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

export const percent = (share) => `${Math.round(share * 100)} %`;

// A date without a time, such as 2026-07-14, as a moment in UTC; null if it is none.
export function dateOf(text) {
  const found = /^(\d{4})-(\d{2})-(\d{2})/.exec(text ?? "");
  if (!found) return null;
  const date = new Date(Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3])));
  return Number.isNaN(date.getTime()) ? null : date;
}

export const isoDay = (date) => date.toISOString().slice(0, 10);

const inWords = (format) => (text) => {
  const date = dateOf(text);
  return date ? format.format(date) : (text ?? "");
};

export const longDay = inWords(day);
export const nearDay = (text) => (dateOf(text)?.getUTCFullYear() === new Date().getUTCFullYear() ? inWords(near)(text) : inWords(day)(text));
export const hour = (at) => time.format(new Date(at));
export const brief = inWords(shortDay);
export const monthOf = inWords(month);
export const monthName = (index) => monthAlone.format(new Date(Date.UTC(2026, index, 1)));

export function at(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time ?? "") : moment.format(date);
}

const STEPS = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

export function ago(time, now = Date.now()) {
  const seconds = (new Date(time).getTime() - now) / 1000;
  if (Number.isNaN(seconds)) return "";
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step ? relative.format(Math.round(seconds / step[1]), step[0]) : "just now";
}

const WHO = { owner: "you", agent: "an agent", untrusted: "nobody that is trusted", system: "mindfile" };

// Whose word a fact is. What comes over HTTP may be typed in this page, or be a program's: the server cannot tell.
export function whoseWord({ origin, door }) {
  if (origin === "agent" && door === "http") return "this page, or a program";
  return [WHO[origin] ?? origin, door && door !== "terminal" && `by ${door}`].filter(Boolean).join(", ");
}

// What a note is called: what it calls itself, the day of a daily note, or the name of the file. A daily note whose title is only its
// day in figures is called by the day in words.
export function titleOf(path, title) {
  const name = path.split("/").pop().replace(/\.(md|jsonl)$/i, "");
  const daily = /^(?:.*\/)?(\d{4}-\d{2}-\d{2})(?:-(.+))?\.md$/.exec(path);
  const own = daily && title?.startsWith(daily[1]) ? title.slice(daily[1].length).replace(/^[\s·:,–—-]+/u, "") : title;
  if (own) return own === title ? title : `${brief(daily[1])} · ${own}`;
  if (daily && dateOf(daily[1])) return daily[2] ? `${brief(daily[1])} · ${daily[2].replaceAll("-", " ")}` : nearDay(daily[1]);
  return path.startsWith("sessions/") ? `Conversation ${name}` : name;
}

// The session that a path names; null if it is a note.
export function sessionOf(path) {
  return /^sessions\/(.+)\.jsonl$/.exec(path)?.[1] ?? null;
}

// Where a citation leads inside the page.
export function placeOf(path, from, to = from) {
  const session = sessionOf(path);
  const lines = from ? `?line=${to && to !== from ? `${from}-${to}` : from}` : "";
  if (session !== null) return `#/sessions/${encodeURIComponent(session)}${lines}`;
  return `#/note/${path.split("/").map(encodeURIComponent).join("/")}${lines}`;
}

export function citation(path, from, to = from) {
  return `${path}#L${from}${to && to !== from ? `-L${to}` : ""}`;
}
