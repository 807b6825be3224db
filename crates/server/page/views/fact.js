// One fact: its line, everything that is known about it, and the hands to change it.
import { api } from "../api.js";
import { dialog } from "../dialog.js";
import { announce, el, fill, toast } from "../dom.js";
import { button, citeLink, dated, entityChip, failed, field, fold, kindBadge, load, meter, select } from "../parts.js";
import { KINDS, ago, brief, many } from "../words.js";
import { outdated } from "./calendar.js";
import { gone } from "./gone.js";

export function item(fact, view, inspected) {
  const place = el("li.fact.card", { "data-item": true });
  fill(place, shown(fact, place, view, inspected));
  return place;
}

function shown(fact, place, view, inspected) {
  const again = (changed) => fill(place, shown({ ...fact, ...changed }, place, view));
  return [
    el("div.fact-head", kindBadge(fact.kind),
      el("a.fact-text.title", { href: `#/facts?id=${encodeURIComponent(fact.id)}`, "data-main": true }, fact.text)),
    el("div.fact-foot", fact.entities.map(entityChip), marks(fact), citeLink(fact.path, fact.line),
      fact.seen && el("span.small", dated(fact)), meter("Importance", fact.salience, fact.salience.toFixed(2))),
    el("div.fact-last", fold("Everything about it", () => details(fact, view, inspected), Boolean(inspected)),
      el("span.fact-actions",
        el("button.button.bare", { type: "button", "data-edit": true, onclick: () => editing(fact, place, again) }, "Edit", el("span.unseen", `: ${fact.text}`)),
        el("button.button.bare.danger", { type: "button", "data-remove": true, onclick: () => removing(fact, place, view) }, "Delete", el("span.unseen", `: ${fact.text}`)))),
  ];
}

function marks(fact) {
  return [
    fact.state && fact.state !== "current" && el(`span.badge.state-${fact.state}`, fact.state),
    fact.key && el("span.badge", `${fact.key}${fact.version ? ` v${fact.version}` : ""}`),
    fact.sensitivity && fact.sensitivity !== "low" && el("span.badge.warn", `${fact.sensitivity} sensitivity`),
    fact.origin && fact.origin !== "owner" && el(fact.origin === "untrusted" ? "span.badge.warn" : "span.badge", fact.origin),
  ];
}

function details(fact, view, inspected) {
  const place = el("div.details");
  load(place, view.signal, () => inspected ?? api.fact(fact.id, view.signal), known);
  return place;
}

function known(fact) {
  const rows = [
    ["Line in the note", el("code", fact.raw)], ["Id", el("code", fact.id)], ["Sort", KINDS[fact.kind]], ["State", fact.state],
    ["Whose word", fact.origin], ["Confidence", fact.confidence], ["Source", fact.source], ["Seen", brief(fact.seen)],
    ["Confirmed", brief(fact.confirmed)], ["Holds until", brief(fact.validUntil)], ["Superseded on", brief(fact.until)],
    ["Superseded by", fact.by], ["Recalled", many(fact.accessCount ?? 0, "time") + (fact.lastAccessedAt ? `, last ${ago(fact.lastAccessedAt)}` : "")],
  ].filter(([, value]) => value !== undefined && value !== null && value !== "");
  const version = (one) => el("li", el(`span.badge.state-${one.state}`, one.state), " ", one.text, " ", citeLink(one.path, one.line));
  return [
    el("dl.pairs", rows.map(([name, value]) => el("div", el("dt", name), el("dd", value instanceof Node ? value : String(value))))),
    fact.history?.length > 0 && [el("h3", "History"), el("ol.plain-list", fact.history.map(version))],
    fact.copies?.length > 0 && [el("h3", "The same elsewhere"), el("ul.plain-list", fact.copies.map((one) => el("li", citeLink(one.path, one.line))))],
  ];
}

// In place: the text becomes a field, and comes back as text.
function editing(fact, place, again) {
  const input = el("textarea", { rows: "2", value: fact.text, onkeydown: (event) => pressed(event, save, back) });
  const wrong = el("p.wrong", { role: "alert" });
  const back = () => { again({}); place.querySelector("[data-main]").focus(); };
  const save = async () => {
    const text = input.value.trim();
    if (!text || text === fact.text) return back();
    try {
      const changed = await api.edit(fact.id, { text });
      outdated();
      again(changed);
      toast("The line in your note is changed");
      place.querySelector("[data-main]").focus();
    } catch (error) {
      fill(wrong, error.message, error.hint && ` (${error.hint})`);
    }
  };
  fill(place, el("form.editing", { onsubmit: (event) => { event.preventDefault(); save(); } },
    field("What the fact says", input), wrong,
    el("div.row-of-buttons", button("Save", null, { kind: "main", type: "submit" }), button("Cancel", back),
      el("span.small", "Ctrl Enter saves, Esc leaves it"))));
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
}

function pressed(event, save, back) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
  else if (event.key === "Escape") back();
  else return;
  event.preventDefault();
}

// First what would go, then the question, then the deed.
async function removing(fact, place, view) {
  try {
    const preview = await api.remove(fact.id, true);
    const sure = await dialog("Delete this fact?", [el("p", "It leaves the note, the index and what was made of it, and is not stored again."), gone(preview)],
      [["Keep it", false, "quiet"], ["Delete", true, "danger"]]);
    if (!sure) return;
    const done = await api.remove(fact.id, false);
    outdated();
    view.refresh();
    toast(done.pending.length ? "Deleted; something is still being cleaned up" : "Deleted");
    announce("Deleted");
    removed(place);
  } catch (error) {
    if (error.name !== "AbortError") toast(error.hint ? `${error.message} (${error.hint})` : error.message, "wrong");
  }
}

function removed(place) {
  const next = place.nextElementSibling ?? place.previousElementSibling;
  place.remove();
  if (next) next.querySelector("[data-main]")?.focus();
  else location.hash = "#/facts";
}

export function adding(place, done) {
  if (place.childElementCount) return fill(place);
  const text = el("textarea", { rows: "2", required: true, placeholder: "One sentence that can be understood by itself" });
  const entities = el("input", { placeholder: "Sarah, platform", autocomplete: "off" });
  const kind = select(Object.entries(KINDS), "W");
  const wrong = el("p.wrong", { role: "alert" });
  const keep = async (event) => {
    event.preventDefault();
    const names = entities.value.split(",").map((name) => name.trim().replace(/^@/, "")).filter(Boolean);
    try {
      const kept = await api.retain({ text: text.value.trim(), kind: kind.value, entities: names });
      toast(`Kept in ${kept.path}`);
      outdated();
      fill(place);
      done();
    } catch (error) {
      fill(wrong, failed(error));
    }
  };
  fill(place, el("form.card.editing", { onsubmit: keep }, field("Fact", text),
    el("div.columns", field("About (names, with commas)", entities), field("Sort", kind)), wrong,
    el("div.row-of-buttons", button("Keep", null, { kind: "main", type: "submit" }), button("Cancel", () => fill(place)))));
  text.focus();
}
