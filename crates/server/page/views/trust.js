// What nobody trusts and where it came from; who did what, and whether that log is whole; and what may be stored.
import { api, terminal } from "../api.js";
import { dialog } from "../dialog.js";
import { el, fill, toast } from "../dom.js";
import { icon } from "../icons.js";
import { button, citeLink, command, empty, entityChip, failed, field, head, load, put } from "../parts.js";
import { at, brief, count, many, sessionOf } from "../words.js";
import { gone } from "./gone.js";
import { backWay, forgetRead } from "./reader.js";

const SHOWN = 200;
const MOST = 150;
const ROOMS = [["audit", "Audit log", "Who wrote, and who saw what is sensitive"], ["rules", "Rules", "What may be stored at all"], ["try", "Try a text", "What would happen to it"]];

export function trust(view) {
  const { place, pane, signal } = view;
  const list = el("section", { "aria-label": "Trust" });
  const state = { sources: [] };
  const mark = () => { for (const row of list.querySelectorAll("a[data-room]")) row.setAttribute("aria-current", String(row.dataset.room === view.rest)); };
  const choose = ({ rest }) => {
    view.opened(Boolean(rest));
    mark();
    const source = state.sources.find((one) => rest === `from/${one.name}`);
    if (source) return one(pane, source, view, show);
    ({ audit, rules, try: checker }[rest] ?? audit)(pane, signal);
  };
  const draw = () => load(list, signal, () => api.facts({ origin: "untrusted", limit: MOST, order: "newest" }, signal), (came) => {
    state.sources = sources(came.facts);
    return [
      el("h2.sub", came.total ? `Untrusted: ${many(came.total, "fact")}, ${came.total > MOST ? `the newest ${MOST} ` : ""}by source` : "Untrusted"),
      came.total ? el("ol.rows", state.sources.map(row)) : el("p.said", el("span", "Nothing waits. What tools and imports bring along stands here, and is given to nobody unasked.")),
      el("h2.sub", "Log and rules"), el("ul.rows", ROOMS.map(([room, words, about]) => entry(`#/trust/${room}`, room, words, el("span", about)))),
    ];
  });
  const show = () => draw().then(() => choose({ rest: view.rest }));
  fill(place, head("Trust", "Whose word it is, and what may be stored."), list);
  show();
  // Who comes back from the terminal sees what left the list; what stands beside it stays, with the way back.
  window.addEventListener("focus", () => { view.refresh(); draw().then(mark); }, { signal });
  return (next) => { view.rest = next.rest; choose(next); return true; };
}

// A source is what a fact names as such, else the note in which it stands.
function sources(facts) {
  const all = new Map();
  for (const fact of facts) {
    const name = fact.source ?? fact.path;
    all.set(name, [...(all.get(name) ?? []), fact]);
  }
  return [...all].map(([name, list]) => ({ name, list })).sort((a, b) => b.list.length - a.list.length);
}

function entry(href, room, words, ...about) {
  return el("li", { "data-item": true }, el("a.row", { href, "data-main": true, "data-room": room }, el("p.row-text", words), el("small", about)));
}

function row(source) {
  const days = source.list.map((fact) => fact.seen).filter(Boolean).sort();
  return entry(`#/trust/from/${encodeURIComponent(source.name)}`, `from/${source.name}`, source.name,
    el("span.badge.warn", many(source.list.length, "fact")), days.length > 0 && el("span.push", days[0] === days.at(-1) ? brief(days[0]) : `${brief(days[0])} to ${brief(days.at(-1))}`));
}

// Trust is given at the terminal alone: a server cannot tell its owner from a program that has its token. The line to copy names the
// facts that are shown, and no others, whatever the source says by then.
function one(pane, source, view, again) {
  const fact = (one) => el("li.change", { "data-item": true }, el("span", one.text),
    el("span.meta", one.entities.map(entityChip), one.seen && brief(one.seen), citeLink(one.path, one.line), el("a", { href: `#/facts?id=${encodeURIComponent(one.id)}` }, "all about it")));
  const lines = el("div.lines");
  put(pane, el("header.note-head", backWay("#/trust"),
    el("div", el("h2", source.name), el("span.mono", `${many(source.list.length, "fact")} that nobody trusts`)),
    button("Forget all of it", () => forgetting(source, view, again), { kind: "danger" })),
  el("div.pane-pad", el("p", "It is given to no agent unasked, and never becomes the value of a key. Forget it, or, if it is true, make it your word."), lines, el("ol", source.list.map(fact))));
  terminal(view.signal).then((program) => fill(lines, trusting(program, source.list.map((fact) => fact.id))), (error) => fill(lines, failed(error)));
}

function trusting(program, ids) {
  const all = (deed) => (ids.length === 1 ? deed(ids[0]) : `for id in ${ids.join(" ")}; do ${deed("$id")}; done`);
  return [
    el("p.small", `To trust ${ids.length === 1 ? "it" : `these ${count(ids.length)}`}, copy this into your terminal: only you can, and there.`), command(all((id) => `${program} trust ${id}`)),
    el("p.small", "To take it back afterwards:"), command(all((id) => `${program} edit ${id} --origin untrusted`)),
  ];
}

// By its conversation where that is known, else fact by fact; before it every line that goes is shown.
async function forgetting(source, view, again) {
  try {
    const session = sessionOf(source.name.replace(/^session:(.*?)(#.*)?$/, "sessions/$1.jsonl"));
    const previews = session !== null ? [await api.forget({ session, dryRun: true })] : await Promise.all(source.list.map((fact) => api.remove(fact.id, true)));
    const all = { lines: previews.flatMap((one) => one.lines), notes: [...new Set(previews.flatMap((one) => one.notes))], messages: previews.flatMap((one) => one.messages) };
    const sure = await dialog(`Forget everything from ${source.name}?`, [el("p", "It leaves notes, index and what was made of it, and is not stored again."), gone(all)], [["Keep it", false, "quiet"], ["Forget", true, "danger"]]);
    if (!sure) return;
    if (session !== null) await api.forget({ session, dryRun: false });
    else for (const fact of source.list) await api.remove(fact.id, false).catch((error) => { if (error.status !== 404) throw error; });
    forgetRead();
    view.refresh();
    toast(`Forgotten: ${source.name}`);
    location.hash = "#/trust";
    again();
  } catch (error) {
    toast(error.hint ? `${error.message} (${error.hint})` : error.message, "wrong");
  }
}

function roomHead(words, about) {
  return el("header.note-head", backWay("#/trust"), el("div", el("h2", words), el("p.about", about)));
}

function audit(pane, signal) {
  const body = el("div.pane-pad");
  put(pane, roomHead("Audit log", "Every write, and every look at something sensitive, without its content."), body);
  load(body, signal, () => Promise.all([api.auditVerify(signal), api.audit({ limit: SHOWN }, signal)]), ([log, list]) => [log.entries > 0 && verified(log), entries(list, log.entries)]);
}

function verified(came) {
  if (came.ok) return el("p.notice.good", icon("trust"), el("span", `The log is whole: ${many(came.entries, "entry", "entries")}, each signed and chained to the one before.`));
  return el("p.notice.warn", icon("warn"), el("span", `The log was changed at entry ${count(came.broken.entry)}: ${came.broken.why}.`));
}

function entries(list, total) {
  if (!list.length) return empty("Nothing is logged yet.", "Every write, and every look at something sensitive, leaves a line here, without its content.");
  const line = (one) => el("tr", el("td.figure", count(one.entry)), el("td", at(one.at)), el("td", el("span.badge", one.act)), el("td", [one.what, one.id].filter(Boolean).join(" ")), el("td", one.who), el("td", one.door));
  return [table("Audit log", ["#", "When", "What", "To what", "Whose word", "Through"], list.toReversed().map(line)),
    total > list.length && el("p.small", `The last ${count(list.length)} of ${many(total, "entry", "entries")}. All of them: `, el("code", `mindfile audit show --limit ${total}`))];
}

function table(words, heads, rows) {
  return el("div.scroll-x", { tabindex: "0", role: "region", "aria-label": words }, el(`table.log.${words === "Audit log" ? "audit" : "rules"}`, el("thead", el("tr", heads.map((one) => el("th", { scope: "col" }, one)))), el("tbody", rows)));
}

const CLASSES = { allowed: "stored and shown", masked: "stored, shown as a mask", "never-store": "never stored" };

function rules(pane, signal) {
  const body = el("div.pane-pad");
  put(pane, roomHead("Rules", "They stand in mindfile.json in the state directory; a workspace cannot change them."), body);
  const line = ([name, about, sort]) => el("tr", el("td", name), el("td.small", about), el("td", el(`span.badge.class-${sort}`, CLASSES[sort] ?? sort)));
  const all = (list) => table("Rules", ["Rule", "Finds", "What happens"], list.map(line));
  load(body, signal, () => api.policy(signal), (came) => [
    came.rules.length > 0 && [el("h3", "Your rules"), all(came.rules.map((one) => [one.name, `${one.by} ${one.value}`, one.class]))],
    el("h3", "Built in"), all(came.builtin.map((one) => [one.name, one.about, one.class])),
  ]);
}

// What would happen to a text. It is asked, and kept nowhere.
function checker(pane) {
  const text = el("textarea", { rows: "3", placeholder: "Paste a text to see what would happen to it" });
  const result = el("div", { "aria-live": "polite" });
  const check = async (event) => {
    event.preventDefault();
    if (!text.value.trim()) return fill(result);
    try {
      const came = await api.policyCheck(text.value);
      fill(result, came.findings.length ? el("ul.findings", came.findings.map(finding)) : el("p.small", "No rule finds anything in it: it would be stored and shown as it is."));
    } catch (error) {
      fill(result, failed(error));
    }
  };
  put(pane, roomHead("Try a text", "It is asked, and kept nowhere."),
    el("form.pane-pad.editing", { onsubmit: check }, field("The text", text), el("div.row-of-buttons", button("Check", null, { kind: "main", type: "submit" })), result));
}

function finding(one) {
  return el("li.finding", el("p", el("strong", one.rule), " ", el(`span.badge.class-${one.class}`, CLASSES[one.class] ?? one.class)),
    el("p.small", `line ${one.line}, column ${one.column}: `, el("code", one.preview), ` · ${one.then}`));
}
