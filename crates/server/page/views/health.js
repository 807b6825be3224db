// How the index is: what is in it, what waits, what is odd, and its progress while it is made.
import { api, terminal } from "../api.js";
import { announce, el, fill, toast } from "../dom.js";
import { button, command, fold, head, load } from "../parts.js";
import { count, many, percent, size } from "../words.js";

export function health(view) {
  const { place, signal, onEvent } = view;
  const progress = el("section.progress-place", { "aria-label": "Progress" });
  const figures = el("section", { "aria-label": "Figures" });
  const checks = el("section", { "aria-label": "Checks" });
  const status = () => load(figures, signal, () => api.status(signal), drawn);
  const doctor = () => load(checks, signal, () => Promise.all([api.doctor(signal), terminal(signal)]), findings);
  const start = (force) => begin(force, progress);
  fill(place, head("Health", "What is indexed, and what is not.",
    [button("Update the index", () => start(false), { kind: "main" }), button("Rebuild", () => start(true))]), el("div.body", progress, figures, checks));
  onEvent((name, event) => {
    if (name === "status") fill(figures, drawn(event));
    if (name === "progress") fill(progress, bar(event));
    if (name === "failed") fill(progress, el("div.notice.warn", el("p", event.message)));
    if (name === "indexed") { fill(progress, done(event)); doctor(); }
  });
  status();
  doctor();
  api.indexState(signal).then((state) => { if (state.running && state.progress) fill(progress, bar(state.progress)); }, () => {});
}

async function begin(force, place) {
  try {
    const state = await api.index(force);
    if (!state.started) toast("The index is being made already");
    else fill(place, bar({ notes: 0, ofNotes: 0, embedded: 0, ofEmbedded: 0 }));
    const look = async () => {
      const now = await api.indexState();
      if (now.running) return setTimeout(look, 500);
      // Nothing was to be done: no event tells the end.
      if (place.querySelector("progress")) fill(place, el("p.small", { role: "status" }, "The index is up to date."));
    };
    setTimeout(look, 400);
  } catch (error) {
    toast(error.message, "wrong");
  }
}

function bar(now) {
  const [at, of, words] = now.ofEmbedded > now.embedded || now.notes >= now.ofNotes && now.ofEmbedded
    ? [now.embedded, now.ofEmbedded, "vectors"] : [now.notes, now.ofNotes, "notes"];
  const share = of ? at / of : 0;
  const words2 = of ? `${count(at)} of ${count(of)} ${words}` : "Looking at the notes …";
  return el("div.card.progress", el("label", { for: "progress" }, words2), el("progress", of ? { id: "progress", max: "1", value: share } : { id: "progress" }), of > 0 && el("span.figure", percent(share)));
}

function done(event) {
  announce("The index is up to date");
  const changed = event.added + event.changed + event.removed + event.renamed;
  return el("p.small", { role: "status" }, `Up to date: ${many(event.notes, "note")}, ${count(changed)} changed, in ${count(event.milliseconds)} ms.`);
}

function tile(words, value, more) {
  return el("div.tile", el("dt", words), el("dd", el("strong", value), more && el("span.small", more)));
}

function drawn(agent) {
  const { status, mindfile: own } = agent;
  const share = status.chunks ? own.embedded / status.chunks : 1;
  const sources = status.sourceCounts.map((one) => `${count(one.files)} ${one.source === "memory" ? "notes" : "conversations"}`).join(", ");
  return [
    el("dl.tiles",
      tile("Files", count(status.files), sources), tile("Passages", count(status.chunks), `${percent(share)} have a vector`),
      tile("Facts", count(own.facts), `about ${many(own.entities, "entity", "entities")}`),
      tile("Index", size(status.storage.databaseBytes), own.index === "ready" ? "ready" : own.index),
      tile("Meaning by", status.provider, status.model), tile("Vectors", status.vector.engine, status.vector.dims ? `${status.vector.dims} numbers each` : "")),
    drift(own.drift),
    agent.scan.issues.length > 0 && fold(`${many(agent.scan.issues.length, "file")} left out`, el("ul.plain-list", agent.scan.issues.map((words) => el("li", words)))),
    fold("Where things are", el("dl.pairs", [["Workspace", status.workspaceDir], ["Index", status.dbPath], ["Agent", agent.agentId], ["SQLite", own.sqlite], ["Generation", own.generation]]
      .map(([name, value]) => el("div", el("dt", name), el("dd", el("code", String(value))))))),
  ];
}

function drift(files) {
  const all = ["new", "changed", "removed", "held"].filter((sort) => files[sort].length);
  if (!all.length) return null;
  const waiting = all.reduce((sum, sort) => sum + files[sort].length, 0);
  return fold(`${many(waiting, "file")} not indexed as it is now`, el("ul.plain-list",
    all.flatMap((sort) => files[sort].slice(0, 100).map((path) => el("li", el("span.badge", sort), " ", path)))));
}

// `encrypt {"path":"memory/x.md"}` says to a program what a person reads as `encrypt memory/x.md`.
function inWords(remedy) {
  const [, name, fields] = /^([\w ]+?) (\{.*\})$/s.exec(remedy) ?? [];
  if (!fields) return remedy;
  return [name, ...Object.entries(JSON.parse(fields)).map(([field, value]) => (value === true ? field : value))].join(" ");
}

function findings([came, program]) {
  const bad = came.findings.filter((one) => one.severity !== "good");
  const good = came.findings.filter((one) => one.severity === "good");
  const one = (finding) => el(`li.finding.${finding.severity}`, { "data-item": true, tabindex: "-1" }, el("p", finding.what), el("p.small", finding.effect),
    finding.fix && el("p.small", `What helps: ${inWords(finding.fix.command)}`));
  return [
    el("h3", came.ok && !bad.length ? "All is well" : "Checks"), el("ul.findings", bad.map(one)),
    bad.length > 0 && [el("p.small", "At a terminal, with each remedy as a command:"), command(`${program} doctor`)],
    good.length > 0 && fold(`${many(good.length, "check")} passed`, el("ul.findings", good.map(one)), !bad.length),
  ];
}
