// What goes, or went, line by line, so that nobody has to trust a number.
import { el } from "../dom.js";
import { plain } from "../paper.js";
import { citeLink, empty } from "../parts.js";
import { many, placeOf, titleOf } from "../words.js";

const WHY = { asked: "", cites: "rests on it", quotes: "says the same" };
const SHOWN = 300;

export const isNothing = (preview) => preview.lines.length + preview.notes.length + preview.messages.length === 0;

export function gone(preview) {
  if (isNothing(preview)) return empty("Nothing would go.", "Nothing in the memory is like that.");
  return el("div.gone",
    el("p", [many(preview.lines.length, "line"), preview.notes.length && many(preview.notes.length, "whole note"),
      preview.messages.length && many(preview.messages.length, "message")].filter(Boolean).join(", ")),
    preview.notes.length > 0 && el("ul.gone-list", preview.notes.map((path) => el("li", el("a", { href: placeOf(path) }, titleOf(path)), " ", el("span.small", path)))),
    preview.lines.length > 0 && el("ul.gone-list", preview.lines.slice(0, SHOWN).map((one) => entry(one, citeLink(one.path, one.line)))),
    preview.messages.length > 0 && el("ul.gone-list", preview.messages.slice(0, SHOWN).map((one) => entry(one, citeLink(`sessions/${one.session}.jsonl`, one.line)))),
    preview.lines.length > SHOWN && el("p.small", `and ${many(preview.lines.length - SHOWN, "more line")}`),
    preview.files?.length > 0 && el("p.small", `Also cleaned: ${preview.files.join(", ")}`));
}

function entry(one, link) {
  return el("li", el("del", plain(one.text).text), " ", WHY[one.why] && el("span.badge", WHY[one.why]), " ", link);
}
