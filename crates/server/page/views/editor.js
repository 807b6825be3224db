// A note is written here: plain text with a preview, saved against what was read. Where somebody else wrote meanwhile, the choice is
// among three texts, and nothing is lost.
import { api } from "../api.js";
import { dialog } from "../dialog.js";
import { el, fill, toast } from "../dom.js";
import { paper } from "../paper.js";
import { button, failed, field, load, put } from "../parts.js";
import { isoDay, placeOf, titleOf } from "../words.js";
import { changes, merged } from "./merge.js";
import { forgetRead } from "./reader.js";

const key = (path) => `mindfile.draft:${path}`;

// What was written and not yet saved stays in this tab.
const draft = {
  get: (path) => { try { return sessionStorage.getItem(key(path)); } catch { return null; } },
  set: (path, text) => { try { if (text === null) sessionStorage.removeItem(key(path)); else sessionStorage.setItem(key(path), text); } catch { /* Without storage a text lives as long as its field. */ } },
};

export function edit(pane, path, view) {
  return load(pane, view.signal, () => api.note(path, { raw: true }, view.signal), (came) => editor(pane, { path, base: came.text, hash: came.hash, text: draft.get(path) ?? came.text }, view));
}

export function create(pane, path, text, view) {
  put(pane, editor(pane, { path, base: "", hash: undefined, text: draft.get(path) ?? text }, view));
}

function editor(pane, note, view) {
  const text = el("textarea", { "aria-label": `The text of ${note.path}`, spellcheck: "true", value: note.text, oninput: () => { note.text = text.value; draft.set(note.path, note.text === note.base ? null : note.text); said(); } });
  const state = el("span.small", { role: "status" });
  const body = el("div");
  const said = () => { state.textContent = note.text === note.base ? "As it is saved" : "Not saved yet"; };
  const save = () => store(pane, note, view, body);
  const write = () => { fill(body, text); text.focus(); };
  const look = async () => {
    try {
      fill(body, paper(await api.preview(note.text, view.signal), { skipTitle: false }));
    } catch (error) {
      fill(body, failed(error));
    }
  };
  const preview = el("button.button", { type: "button", "aria-pressed": "false", onclick: () => {
    const is = preview.getAttribute("aria-pressed") !== "true";
    preview.setAttribute("aria-pressed", String(is));
    (is ? look : write)();
  } }, "Preview");
  const form = el("form.editor", { onsubmit: (event) => { event.preventDefault(); save(); }, onkeydown: (event) => {
    if ((event.key === "s" || event.key === "Enter") && (event.ctrlKey || event.metaKey)) { event.preventDefault(); save(); }
  } },
  el("div.editor-bar", el("h2", titleOf(note.path)), el("span.mono.small", note.path), el("span.push"), state, preview,
    button("Save", null, { kind: "main", type: "submit" }), button("Leave", () => { draft.set(note.path, null); leave(note); })), body);
  said();
  write();
  requestAnimationFrame(() => text.focus());
  return form;
}

function leave(note) {
  forgetRead();
  location.hash = note.hash ? `${placeOf(note.path)}?` : "#/notes";
}

async function store(pane, note, view, body) {
  try {
    const kept = await api.put(note.path, note.text, note.hash);
    const before = { text: note.base, hash: note.hash };
    draft.set(note.path, null);
    forgetRead();
    view.refresh();
    location.hash = placeOf(note.path);
    toast(note.hash ? "Saved" : `Saved as ${note.path}`, "done", ["Undo", () => undo(note.path, before, kept.hash)]);
  } catch (error) {
    if (error.now) conflict(pane, note, error.now, view);
    else fill(body, failed(error), el("textarea", { "aria-label": "Your text", value: note.text, oninput: (event) => { note.text = event.target.value; } }));
  }
}

async function undo(path, before, hash) {
  try {
    if (before.hash) await api.put(path, before.text, hash);
    else await api.removeNote(path, hash);
    forgetRead();
    toast("It is as it was before");
    location.hash = before.hash ? `${placeOf(path)}?` : "#/notes";
  } catch (error) {
    toast(error.message, "wrong");
  }
}

// Mine, theirs, or both where they touch different lines.
function conflict(pane, note, now, view) {
  const theirs = now.text ?? "";
  const both = merged(note.base, note.text, theirs);
  const take = (text) => () => { put(pane, editor(pane, { ...note, base: theirs, hash: now.hash, text }, view)); draft.set(note.path, text); };
  const shown = (words, text) => el("section", el("h3", words), el("div.diff", { tabindex: "0", role: "region", "aria-label": words }, changes(note.base, text).map(([sort, line]) => el(`div.${sort}`, `${{ plus: "+", minus: "−", same: " " }[sort]} ${line}`))));
  put(pane, el("div.three", el("h2", "Somebody else wrote here meanwhile"), el("p", now.hash ? "Nothing is saved yet. What shall the note say?" : "The note is not there any more. Nothing is saved yet."),
    el("div.row-of-buttons", both !== null && button("Both changes", take(both), { kind: "main" }), button("Mine", take(note.text)), now.hash && button("Theirs", () => { draft.set(note.path, null); leave(note); })),
    shown("What you changed", note.text), shown("What they changed", theirs)));
}

// A name for a new note, or the note of today.
export async function named() {
  const input = el("input.wide", { value: "memory/", autocomplete: "off", spellcheck: "false" });
  const sure = await dialog("New note", [field("Where it shall stand, from the workspace", input), el("p.small", "A file of Markdown, such as memory/plans.md.")], [["Cancel", false, "quiet"], ["Write it", true, "main"]]);
  const path = input.value.trim();
  if (!sure || !path || path.endsWith("/")) return;
  location.hash = `${placeOf(path.endsWith(".md") ? path : `${path}.md`)}?new`;
}

export function today() {
  const now = new Date();
  const day = isoDay(new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())));
  location.hash = `${placeOf(`memory/${day}.md`)}?today`;
}

export async function rename(path) {
  const came = await api.note(path, { raw: true }).catch((error) => { toast(error.message, "wrong"); });
  if (!came) return;
  const input = el("input.wide", { value: path, autocomplete: "off", spellcheck: "false" });
  const sure = await dialog("Rename this note?", [field("Its new path", input), el("p.small", "Links of other notes to it follow.")], [["Cancel", false, "quiet"], ["Rename", true, "main"]]);
  const to = input.value.trim();
  if (!sure || !to || to === path) return;
  try {
    const done = await api.rename(path, to, came.hash);
    forgetRead();
    toast(done.relinked.length ? `Renamed; links follow in ${done.relinked.join(", ")}` : "Renamed");
    location.hash = placeOf(done.path);
  } catch (error) {
    toast(error.hint ? `${error.message} (${error.hint})` : error.message, "wrong");
  }
}

export async function discard(path) {
  const came = await api.note(path, { raw: true }).catch((error) => { toast(error.message, "wrong"); });
  if (!came) return;
  const sure = await dialog("Remove this note?", el("p", "The file goes. It is not forgotten: the same may be written again."), [["Keep it", false, "quiet"], ["Remove", true, "danger"]]);
  if (!sure) return;
  try {
    await api.removeNote(path, came.hash);
    forgetRead();
    location.hash = "#/notes";
    toast("Removed", "done", ["Undo", async () => { await api.put(path, came.text); location.hash = placeOf(path); }]);
  } catch (error) {
    toast(error.message, "wrong");
  }
}

