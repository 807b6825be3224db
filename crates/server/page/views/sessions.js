// Conversations, and in each of them what was said, what was saved, and where old turns became a summary.
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { button, empty, fold, heading, load, meter } from "../parts.js";
import { ago, at, count, many, size } from "../words.js";

const STEP = 200;
// A longer text is shown in part.
const LONG = 1200;
const BEGINNING = 500;

export function sessions({ place, signal }) {
  const body = el("div");
  fill(place, heading("Conversations", "Every turn is written down before a model sees it."), body);
  load(body, signal, () => api.sessions(signal), (all) => (all.length ? el("ol.session-list", all.map(row)) : none()));
}

function none() {
  return empty("No conversation is written down yet.", "An agent that uses mindfile writes its turns here. To try it:",
    el("p", el("code", "mindfile session append --session s1 --role user \"Hello\"")));
}

function row(one) {
  const used = one.contextTokens && one.totalTokens ? one.totalTokens / one.contextTokens : null;
  return el("li", el("article.card.session", { "data-item": true },
    el("header.hit-head", el("a.title", { href: `#/sessions/${encodeURIComponent(one.sessionId)}`, "data-main": true }, one.sessionId),
      one.chatType !== "direct" && el("span.badge", one.chatType), el("span.small", one.updatedAt && ago(one.updatedAt))),
    el("footer.hit-foot",
      one.memoryFlushAt && el("span.badge.flush", icon("flush"), `saved ${ago(one.memoryFlushAt)}`),
      one.compactionCount > 0 && el("span.badge.compaction", icon("fold"), many(one.compactionCount, "compaction")),
      used !== null && meter("Window in use", used),
      el("span.small", [one.totalTokens && `${count(one.totalTokens)} tokens`, one.bytes && size(one.bytes), one.kept === "database" && "in OpenClaw's database"].filter(Boolean).join(" · ")))));
}

export function session({ place, rest: id, asked, signal }) {
  const [from, to = from] = (asked.get("line") ?? "").split("-").map(Number);
  const body = el("div");
  fill(place, heading(id, null, el("a.button.quiet", { href: `#/context?session=${encodeURIComponent(id)}` }, "Its context now"),
    el("a.button.quiet", { href: "#/sessions", "data-back": true }, "All conversations")), body);
  const both = () => Promise.all([api.session(id, signal), api.candidates(id, signal).catch(() => [])]);
  load(body, signal, both, ([came, candidates]) => told(came, candidates, from || 0, to || 0));
}

function told(came, candidates, from, to) {
  if (!came.entries.length) return empty("Nothing was said yet.");
  const list = el("ol.talk");
  const all = came.entries;
  const first = from ? Math.max(0, all.findIndex((entry) => entry.line >= from) - STEP / 2) : Math.max(0, all.length - STEP);
  const earlier = button(`Earlier (${count(first)})`, () => { list.prepend(...all.slice(0, first).map((entry) => turn(entry, from, to))); earlier.hidden = true; });
  earlier.hidden = first === 0;
  list.append(...all.slice(first).map((entry) => turn(entry, from, to)));
  requestAnimationFrame(() => list.querySelector(".cited")?.scrollIntoView({ block: "center" }));
  return [
    candidates.length > 0 && fold(`${many(candidates.length, "candidate")} for memory`,
      el("ul.plain-list", candidates.map((one) => el("li", one.text, " ", el("span.badge", one.rule))))),
    came.damagedLines.length > 0 && el("div.notice.warn", el("p", `Lines that cannot be read: ${came.damagedLines.join(", ")}`)),
    earlier, list,
  ];
}

function turn(entry, from, to) {
  const cited = entry.line >= from && entry.line <= to;
  const place = { "data-item": true, id: `L${entry.line}`, tabindex: "-1" };
  if (entry.type === "compaction") return mark("compaction", "fold", "Older turns became this summary", entry, place);
  if (entry.type === "custom") return mark("flush", "flush", "Memories were saved here", entry, place);
  if (entry.type !== "message") return mark("other", "note", entry.type.replaceAll("_", " "), entry, place);
  const who = entry.speaker ?? entry.role;
  return el(`li.turn.role-${entry.role}${cited ? ".cited" : ""}`, place,
    el("p.turn-head.small", el("strong", who), entry.timestamp && ` · ${at(entry.timestamp)}`, el("span.number", ` L${entry.line}`)),
    entry.role === "tool" && entry.text.length > 300 ? fold("What the tool answered", () => el("p.said", entry.text)) : spoken(entry.text));
}

function spoken(text) {
  if (text.length <= LONG) return el("p.said", text || "(nothing)");
  const begun = el("p.said", `${text.slice(0, BEGINNING)} …`);
  const all = button("Show all of it", () => { begun.textContent = text; all.remove(); });
  return [begun, all];
}

function mark(sort, symbol, words, entry, place) {
  return el(`li.mark.mark-${sort}`, place, el("p.mark-head", icon(symbol), el("span", words), entry.timestamp && el("span.small", at(entry.timestamp))),
    sort === "compaction" && fold("The summary", el("p.said", entry.text)));
}
