// A note as it stands in the file, line by line, with the cited lines marked.
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { button, copied, empty, heading, load } from "../parts.js";
import { citation, many, placeOf, titleOf } from "../words.js";
import { neighbours } from "./calendar.js";
import { inline, looks } from "./source.js";

// So many lines are drawn at a time; a long note goes on when asked.
const STEP = 1500;
const BLOCK = 100;

export function note({ place, rest: path, asked, signal }) {
  if (!path) return fill(place, empty("Which note?", "Find one by the search, or by the timeline."));
  const [from, to = from] = (asked.get("line") ?? "").split("-").map(Number);
  const body = el("div.note-body");
  const ways = el("nav.ways", { "aria-label": "Days before and after" });
  const cite = from ? citation(path, from, to) : path;
  fill(place, heading(titleOf(path), path,
    button("Copy citation", () => copied(cite, "Citation"), { symbol: "copy" }),
    el("button.button.quiet", { type: "button", onclick: () => history.back(), "data-back": true }, "Back")), ways, body);
  load(body, signal, () => api.note(path, {}, signal), (came) => lines(came, from || 0, to || 0));
  neighbours(path, signal).then(([before, after]) => fill(ways, way(before, "Before"), way(after, "After")), () => {});
}

function way(path, words) {
  return path && el("a.way", { href: placeOf(path) }, el("span.small", words), titleOf(path));
}

function lines(came, from, to) {
  const all = came.text.replace(/\n$/, "").split("\n");
  if (came.text === "") return empty("This note is empty.");
  const place = el("div.lines", { role: "group", "aria-label": many(all.length, "line") });
  const state = { fence: false };
  let drawn = 0;
  const more = button("", () => draw(drawn + STEP));
  const draw = (upTo) => {
    const end = Math.min(all.length, upTo);
    for (; drawn < end; drawn += BLOCK) {
      const rows = all.slice(drawn, Math.min(drawn + BLOCK, end));
      place.append(el("div.block", rows.map((text, index) => row(text, came.from + drawn + index, from, to, state))));
    }
    drawn = end;
    more.hidden = drawn >= all.length;
    more.replaceChildren(`Show more of ${many(all.length, "line")}`);
  };
  draw(Math.max(STEP, to + 50));
  requestAnimationFrame(() => place.querySelector(".cited")?.scrollIntoView({ block: "center" }));
  return [place, more, came.truncated && el("p.small", "There is more in the file than is given at once.")];
}

function row(text, number, from, to, state) {
  const cited = number >= from && number <= to;
  const look = looks(text, state);
  return el(cited ? "div.row.cited" : "div.row", el("span.number", { id: `L${number}`, "aria-hidden": "true" }, String(number)),
    el(`p.text.${look}`, cited && el("span.unseen", "Cited: "), inline(text, look)));
}
