// One fact in the pane: what it says, everything that is known of it, and the hands to change it.
import { api } from "../api.js";
import { dialog } from "../dialog.js";
import { announce, el, fill, toast } from "../dom.js";
import { button, citeLink, entityChip, failed, field, fold, kindWord, load, meter, put, select } from "../parts.js";
import { KINDS, ago, at, brief, many, whoseWord } from "../words.js";
import { gone } from "./gone.js";
import { wayOf } from "./given.js";
import { backWay, forgetRead } from "./reader.js";


export function detail(place, id, view) {
  return load(place, view.signal, () => api.fact(id, view.signal), (fact) => shown(place, fact, view));
}

function shown(place, fact, view) {
  const again = (changed) => detail(place, changed?.id ?? fact.id, view);
  return [
    el("header.note-head", backWay("#/facts"),
      el("div", el("p.row-of-buttons", kindWord(fact.kind), el(`span.badge.state-${fact.state}`, fact.state), fact.key && el("span.badge", fact.key)), el("h2", fact.text)),
      el("div.row-of-buttons",
        el("button.button", { type: "button", "data-edit": true, onclick: () => editing(place, fact, again) }, "Edit"),
        el("button.button.danger", { type: "button", "data-remove": true, onclick: () => removing(fact, view) }, "Delete"))),
    el("div.pane-pad", fact.entities.length > 0 && el("p.chips", fact.entities.map(entityChip)), known(fact)),
  ];
}

function known(fact) {
  const rows = [
    ["Stands in", citeLink(fact.path, fact.line)],
    ["Whose word", [whoseWord(fact), fact.cameAt && at(fact.cameAt)].filter(Boolean).join(", ")],
    ["Seen", fact.seen && brief(fact.seen)], ["Confirmed", fact.confirmed && brief(fact.confirmed)], ["Holds until", fact.validUntil && brief(fact.validUntil)],
    ["Superseded", fact.until && `${brief(fact.until)}${fact.by ? ` by ^${fact.by}` : ""}`],
    ["Importance", el("span", meter(fact.salience), ` ${fact.salience.toFixed(2)}`)], ["Confidence", fact.confidence], ["Source", fact.source], ["Sensitivity", fact.sensitivity],
    ["Given to agents", many(fact.accessCount ?? 0, "time") + (fact.lastAccessedAt ? `, last ${ago(fact.lastAccessedAt)}` : "")],
    ["Context of each session", fact.injected?.length > 0 && fact.injected.join("\n")],
  ].filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false);
  const version = (one) => el("li.change", el("span.meta", el(`span.badge.state-${one.state}`, one.state), one.seen && brief(one.seen), citeLink(one.path, one.line)), el("span", one.text));
  return [
    el("dl.pairs", rows.map(([name, value]) => el("div", el("dt", name), el("dd", value instanceof Node ? value : String(value))))),
    fact.history?.length > 0 && [el("h3", "History"), el("ol", fact.history.map(version))],
    fact.copies?.length > 0 && [el("h3", "The same elsewhere"), el("ul.plain-list", fact.copies.map((one) => el("li", citeLink(one.path, one.line))))],
    el("h3", "Given"), givenTimes(fact),
    fold("The line in the note", () => el("pre.given", fact.raw)),
  ];
}

// When agents were told it, as far as that is kept.
const TIMES = 60;

function givenTimes(fact) {
  const place = el("div");
  api.given({ limit: TIMES }).then(({ given }) => {
    const times = given.filter((once) => once.places.some((one) => one.fact === fact.id)).reverse();
    fill(place, times.length
      ? el("ul.plain-list", times.slice(0, 10).map((once) => el("li", el("a", { href: `#/given/${encodeURIComponent(once.at)}` }, at(once.at)), `, ${wayOf(once.by)}${once.session ? `, ${once.session}` : ""}`)))
      : el("p.small", `Not among the last ${TIMES} times that something was given.`));
  }, (error) => fill(place, failed(error)));
  return place;
}

function editing(place, fact, again) {
  const input = el("textarea", { rows: "3", value: fact.text, onkeydown: (event) => pressed(event, save, back) });
  const wrong = el("p.wrong", { role: "alert" });
  const back = () => again();
  const save = async () => {
    const text = input.value.trim();
    if (!text || text === fact.text) return back();
    try {
      const changed = await api.edit(fact.id, { text });
      forgetRead();
      await again(changed);
      toast("The line in your note is changed", "done", ["Undo", async () => { await api.edit(changed.id, { text: fact.text }); again(changed); }]);
    } catch (error) {
      fill(wrong, error.message, error.hint && ` (${error.hint})`);
    }
  };
  put(place, el("form.pane-pad.editing", { onsubmit: (event) => { event.preventDefault(); save(); } },
    field("What the fact says", input), wrong,
    el("div.row-of-buttons", button("Save", null, { kind: "main", type: "submit" }), button("Cancel", back), el("span.small", "Ctrl Enter saves, Esc leaves it"))));
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
}

export function pressed(event, save, back) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
  else if (event.key === "Escape") back();
  else return;
  event.preventDefault();
}

// First what would go, then the question, then the deed.
async function removing(fact, view) {
  try {
    const preview = await api.remove(fact.id, true);
    const sure = await dialog("Delete this fact?", [el("p", "It leaves the note, the index and what was made of it, and is not stored again."), gone(preview)],
      [["Keep it", false, "quiet"], ["Delete", true, "danger"]]);
    if (!sure) return;
    const done = await api.remove(fact.id, false);
    forgetRead();
    view.refresh();
    toast(done.pending.length ? "Deleted; something is still being cleaned up" : "Deleted");
    announce("Deleted");
    location.hash = "#/facts";
  } catch (error) {
    if (error.name !== "AbortError") toast(error.hint ? `${error.message} (${error.hint})` : error.message, "wrong");
  }
}

export function adding(place, done) {
  const text = el("textarea", { rows: "3", required: true, placeholder: "One sentence that can be understood by itself" });
  const entities = el("input", { placeholder: "Sarah, platform", autocomplete: "off" });
  const kind = select(Object.entries(KINDS), "W");
  const wrong = el("div");
  const keep = async (event) => {
    event.preventDefault();
    const names = entities.value.split(",").map((name) => name.trim().replace(/^@/, "")).filter(Boolean);
    try {
      const kept = await api.retain({ text: text.value.trim(), kind: kind.value, entities: names });
      forgetRead();
      toast(`Kept in ${kept.path}`);
      done(kept);
    } catch (error) {
      fill(wrong, failed(error));
    }
  };
  put(place, el("form.pane-pad.editing", { onsubmit: keep, "aria-label": "New fact" }, el("h2", "New fact"), field("What is so", text),
    field("About (names, with commas)", entities), field("Sort", kind), wrong,
    el("div.row-of-buttons", button("Keep", null, { kind: "main", type: "submit" }), el("a.button", { href: "#/facts" }, "Cancel"))));
  text.focus();
}

