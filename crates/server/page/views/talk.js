// What was said in a conversation, what was saved of it, and where older turns became a summary.
import { el } from "../dom.js";
import { icon } from "../icons.js";
import { button, empty, failed, fold } from "../parts.js";
import { at, count } from "../words.js";

// A longer text is shown in part.
const LONG = 1200;
const BEGINNING = 500;

// After the cited line so many lines are read as well.
export const AFTER = 12;

// `earlier` asks for what stands before a line.
export function turns(came, from, to, earlier) {
  if (!came.entries.length) return empty("Nothing was said yet.");
  const list = el("ol.talk", came.entries.map((entry) => turn(entry, from, to)));
  return [came.damagedLines?.length > 0 && el("div.notice.warn", el("p", `Lines that cannot be read: ${came.damagedLines.join(", ")}`)), before(came, list, earlier), list];
}

function before(came, list, earlier) {
  if (!came.earlier) return null;
  const more = button(`Earlier (${count(came.earlier)})`, async () => {
    more.disabled = true;
    try {
      const next = await earlier(came.entries[0].line);
      list.prepend(...next.entries.map((entry) => turn(entry, 0, 0)));
      more.replaceWith(before(next, list, earlier) ?? "");
    } catch (error) {
      more.replaceWith(failed(error));
    }
  });
  return more;
}

function turn(entry, from, to) {
  const cited = from && entry.line >= from && entry.line <= to;
  if (entry.type === "compaction") return mark("fold", "Older turns became this summary", entry);
  if (entry.type === "custom") return mark("flush", "Memories were saved here", entry);
  if (entry.type !== "message") return mark("notes", entry.type.replaceAll("_", " "), entry);
  const who = entry.speaker ?? entry.role;
  return el(`li.turn.role-${entry.role}${cited ? ".cited" : ""}`, { id: `L${entry.line}` },
    el("p.meta", el("b", who), entry.timestamp && at(entry.timestamp), el("span", `line ${entry.line}`)),
    entry.role === "tool" && entry.text.length > 300 ? fold("What the tool answered", () => el("p.said-text", entry.text)) : spoken(entry.text));
}

function spoken(text) {
  if (text.length <= LONG) return el("p.said-text", text || "(nothing)");
  const begun = el("p.said-text", `${text.slice(0, BEGINNING)} …`);
  const all = button("Show all of it", () => { begun.textContent = text; all.remove(); });
  return [begun, all];
}

function mark(symbol, words, entry) {
  return el("li.turn-mark", el("p", icon(symbol), el("span", words), entry.timestamp && el("span.small", at(entry.timestamp))),
    entry.type === "compaction" && fold("The summary", el("p.said-text", entry.text)));
}
