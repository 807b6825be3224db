// The pane that reads: a note with what is known of its facts, or a part of a conversation.
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { paper, reveal } from "../paper.js";
import { button, citeLink, copied, empty, load, put } from "../parts.js";
import { ago, at, brief, citation, count, many, placeOf, sessionOf, titleOf, whoseWord } from "../words.js";
import { AFTER, turns } from "./talk.js";

// What was read last, so that a preview that only moves within a note asks nothing again.
const kept = { key: "", came: null };

export function forgetRead() {
  kept.key = "";
}

// `lines` are [first, last]; `tools` are buttons for a note that is opened and not only looked at.
export async function read(place, path, lines, signal, { tools = [], back } = {}) {
  const session = sessionOf(path);
  if (session !== null) return readTalk(place, session, lines, signal, back);
  if (kept.key === path && kept.came) return drawn(place, kept.came, lines, signal, { tools, back });
  await load(place, signal, () => Promise.all([api.blocks(path, start(lines), signal), api.blame(path, signal).catch(() => ({ facts: [] }))]), (came) => {
    Object.assign(kept, { key: came[0].next || lines[0] > 400 ? "" : path, came });
    return made(came, lines, signal, { tools, back });
  });
  reveal(place);
}

// A long note is read from a little above the line that is cited.
const start = ([from]) => (from > 400 ? { from: from - 40 } : {});

function drawn(place, came, lines, signal, given) {
  put(place, made(came, lines, signal, given));
  reveal(place);
}

function made([came, blamed], lines, signal, { tools, back }) {
  const title = titleOf(came.path, came.title);
  const cite = lines[0] ? citation(came.path, ...lines) : came.path;
  const facts = new Map(blamed.facts.map((fact) => [fact.line, fact]));
  const body = paper(came, { lines, about: (block) => known(facts.get(block.line)) });
  const more = came.next && el("p.md", button("Read on", async () => {
    const next = await api.blocks(came.path, { from: came.next }, signal);
    more.replaceWith(paper(next, { about: (block) => known(facts.get(block.line)) }), next.next ? el("p.md.small", `The rest, from line ${count(next.next)}, is in the file.`) : "");
  }));
  return [
    el("header.note-head", backWay(back),
      el("div", el("h2", title), el("span.mono", came.path)),
      el("div.row-of-buttons", button("Copy", () => copied(cite, "Citation"), { symbol: "copy", label: `Copy the citation ${cite}` }), tools)),
    came.blocks.length || came.fields?.length ? body : empty("This note is empty."), more,
    came.truncated && el("p.md.small", "There is more in the file than is read at once."),
    beside(came, title, blamed.facts, signal),
  ];
}

export function backWay(back = "#/notes") {
  return el("a.button.back", { href: back, "data-back": true }, icon("back"), "Back");
}

// Who said a fact, and how often it was given.

function known(fact) {
  if (!fact) return null;
  const parts = [
    whoseWord(fact), fact.seen && brief(fact.seen), fact.state !== "current" && fact.state,
    fact.accessCount > 0 && `given to agents ${many(fact.accessCount, "time")}${fact.lastAccessedAt ? `, last ${ago(fact.lastAccessedAt)}` : ""}`,
  ];
  return { why: parts.filter(Boolean).join(" · "), clash: fact.state === "proposed" };
}

// Where else the note is spoken of, and whose word its facts are.
function beside(came, title, facts, signal) {
  const mentioned = el("p.small", "…");
  api.search({ query: `"${(came.day ?? title).replaceAll('"', " ")}"`, mode: "keyword", maxResults: 8, minScore: 0 }, signal).then((found) => {
    const paths = [...new Map(found.results.filter((hit) => hit.path !== came.path && !found.phrasesRelaxed).map((hit) => [hit.path, hit])).values()];
    fill(mentioned, paths.length ? paths.flatMap((hit, index) => [index ? " · " : "", el("a", { href: placeOf(hit.path, hit.startLine, hit.endLine) }, titleOf(hit.path, hit.title))]) : "nowhere else");
  }, () => fill(mentioned, "–"));
  const by = Map.groupBy ? Map.groupBy(facts, whoseWord) : new Map();
  const wrote = [...by].map(([who, list]) => `${who}: ${many(list.length, "fact")}`);
  return el("footer.side", el("div", el("h3", "Mentioned in"), mentioned),
    el("div", el("h3", "Who wrote it"), el("p.small", [wrote.join(" · ") || "no facts", came.modified && `changed ${at(came.modified)}`].filter(Boolean).join(" · "))));
}

async function readTalk(place, session, [from, to], signal, back) {
  await load(place, signal, () => api.session(session, to ? to + AFTER : undefined, signal), (came) => [
    el("header.note-head", backWay(back ?? "#/sessions"), el("div", el("h2", `Conversation ${session}`), citeLink(`sessions/${session}.jsonl`, from || undefined, to || undefined))),
    el("div.pane-pad", turns(came, from, to, (line) => api.session(session, line, signal))),
  ]);
  reveal(place);
}

export function nothing(words) {
  return el("div.pane-empty", el("p", words));
}

