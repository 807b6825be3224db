// What is degraded or still to be done, above every view, until it is over.
import { el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { count, many } from "./words.js";

// Where notices come from; each place says all it has, again and again.
const places = new Map();
const dismissed = new Set();

// `notices`: [{ level: "warn" | "info", text, link? }]
export function notice(place, notices) {
  places.set(place, notices);
  draw();
}

function draw() {
  const all = [...places.values()].flat().filter((one) => !dismissed.has(one.text));
  const seen = new Set();
  const each = all.filter((one) => !seen.has(one.text) && seen.add(one.text));
  fill(document.getElementById("banner"), each.map(row));
}

function row(one) {
  const close = () => { dismissed.add(one.text); draw(); };
  return el(`div.notice.${one.level}`, icon(one.level === "warn" ? "warn" : "health"), el("p", one.text),
    one.link && el("a", { href: one.link[0] }, one.link[1]),
    el("button.button.bare", { type: "button", "aria-label": `Dismiss: ${one.text}`, onclick: close }, icon("close")));
}

const HEALTH = ["#/health", "Look"];

// What the status has to say to a person who did not ask.
export function ofStatus(agent) {
  const { status, mindfile: own } = agent;
  const list = [];
  const warn = (text) => list.push({ level: "warn", text, link: HEALTH });
  const info = (text) => list.push({ level: "info", text, link: HEALTH });
  if (own.workspace !== "there") warn(`The workspace is ${own.workspace}.`);
  if (agent.indexError) warn(`The index cannot be used: ${agent.indexError}`);
  if (status.fallback) warn(fallback(status.fallback));
  if (!own.fits) warn("The index was made with other settings, and is being made again.");
  if (own.pending > 0 && status.vector.enabled) {
    info(`${many(own.pending, "passage")} of ${count(status.chunks)} can be found by words only, until they have a vector.`);
  }
  const waiting = own.drift.new.length + own.drift.changed.length + own.drift.removed.length;
  if (waiting) info(`${many(waiting, "file")} changed since the index was made.`);
  if (own.drift.held.length) warn(`${many(own.drift.held.length, "file")} cannot be read, and keeps what is indexed of it.`);
  for (const words of own.notices) warn(words);
  return list;
}

function fallback(one) {
  const to = one.to ? `${one.to} answers in place of ${one.from}` : `${one.from} cannot be used`;
  return `${to}: ${one.reason}`;
}

// What a search could not consult.
export function ofAnswer(answer) {
  const words = [...(answer.degraded ?? []), ...(answer.stale ? [answer.stale] : []), ...(answer.notices ?? [])];
  return words.map((text) => ({ level: "warn", text, link: HEALTH }));
}
