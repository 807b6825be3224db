// All notes: what changed last, the daily notes by month, and the folders; the one that is open is read beside them.
import { api } from "../api.js";
import { announce, el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { button, empty, failed, field, head, load, put } from "../parts.js";
import { ago, count, many, monthOf, placeOf, titleOf } from "../words.js";
import { create, discard, edit, named, rename, today } from "./editor.js";
import { nothing, read } from "./reader.js";

const PAGE = 60;
const PAUSE = 130;

export function notes(view) {
  const { place, pane, signal, onEvent } = view;
  const tree = el("div.tree");
  const state = { view, tree, timer: 0, text: "" };
  const input = el("input.wide", { type: "search", placeholder: "Find a note by its name", autocomplete: "off", spellcheck: "false", "data-search": true,
    oninput: (event) => { state.text = event.target.value.trim(); clearTimeout(state.timer); state.timer = setTimeout(() => draw(state), PAUSE); } });
  fill(place, head("Notes", null, [button("Today", today, { symbol: "day" }), button("New note", named, { kind: "main" })], field("Find a note by its name", input, { hidden: true })), tree);
  const choose = ({ name, rest, asked }) => {
    view.opened(name === "note" && Boolean(rest));
    if (name !== "note" || !rest) put(pane, nothing("Choose a note, and it is read here."));
    else if (asked.has("edit")) edit(pane, rest, view);
    else if (asked.has("new")) create(pane, rest, `# ${rest.split("/").pop().replace(/\.md$/, "")}\n\n`, view);
    else if (asked.has("today")) daily(pane, rest, view);
    else read(pane, rest, lines(asked), signal, { tools: tools(rest) });
    mark(tree, rest);
  };
  onEvent((name) => { if (name === "indexed") draw(state); });
  draw(state).then(() => mark(tree, view.rest));
  choose(view);
  return (next) => { choose(next); return true; };
}

function tools(path) {
  return [
    el("a.button.main", { href: `${placeOf(path)}?edit`, "data-edit": true }, "Edit"),
    el("details.menu", el("summary.button", { "aria-label": "More to do with this note" }, icon("more")),
      el("div.menu-list", button("Rename …", () => rename(path)), el("button.button.danger", { type: "button", "data-remove": true, onclick: () => discard(path) }, "Remove …"))),
  ];
}

// The note of today is written on, or begun.
async function daily(pane, path, view) {
  const there = await api.blocks(path, {}, view.signal).catch(() => null);
  if (view.signal.aborted) return;
  if (there) edit(pane, path, view);
  else create(pane, path, `# ${path.split("/").pop().replace(/\.md$/, "")}\n\n`, view);
}

export function lines(asked) {
  const [from, to = from] = (asked.get("line") ?? "0").split("-").map(Number);
  return [from || 0, to || 0];
}

function mark(tree, path) {
  for (const row of tree.querySelectorAll("a[data-path]")) row.setAttribute("aria-current", String(row.dataset.path === path));
}

async function draw(state) {
  const { tree, view, text } = state;
  const { signal } = view;
  if (text) {
    return load(tree, signal, () => api.notes({ text, titles: true, limit: PAGE, newest: true }, signal), (came) => {
      announce(many(came.total, "note"));
      return came.total ? [el("p.said", el("span", many(came.total, "note"))), rows(came.notes, view, true)] : empty(`No note is called “${text}”.`, "Ask looks into the notes as well.");
    });
  }
  return load(tree, signal, () => Promise.all([api.outline(signal), api.notes({ newest: true, titles: true, limit: 6 }, signal)]), ([outline, newest]) => {
    if (!outline.total) return empty("There are no notes yet.", "A note is a file of Markdown in memory/, below your workspace.");
    return [
      unfolded("Changed last", "", () => rows(newest.notes, view, true), true),
      outline.months.length > 0 && years(outline.months, view),
      outline.folders.map((one) => folder(one.name === "." ? "Workspace" : one.name, count(one.notes), (offset) => api.notes({ folder: one.name, titles: true, offset, limit: PAGE }, signal), view, outline.folders.length < 3 || one.name === ".")),
    ];
  });
}

// The daily notes: years, and in each the months that have notes.
function years(months, view) {
  const all = [...new Set(months.map((one) => one.name.slice(0, 4)))].reverse();
  const sum = (list) => count(list.reduce((total, one) => total + one.notes, 0));
  const year = (name, open) => {
    const own = months.filter((one) => one.name.startsWith(name)).reverse();
    return unfolded(name, sum(own), () => own.map((one, index) => folder(monthOf(`${one.name}-01`), count(one.notes),
      (offset) => api.notes({ prefix: `memory/${one.name}`, titles: true, newest: false, offset, limit: PAGE }, view.signal), view, open && index === 0)), open);
  };
  return all.length === 1 ? [el("h2.sub", "Daily notes"), year(all[0], true)] : [el("h2.sub", "Daily notes"), all.map((name, index) => year(name, index === 0))];
}

// What stands under a name is made when it is opened.
function unfolded(words, counted, content, open) {
  const details = el("details", { open }, el("summary", words, counted && el("span.count", counted)));
  const build = () => { if (details.open && details.childElementCount === 1) details.append(...[content()].flat(Infinity)); };
  details.addEventListener("toggle", build);
  build();
  return details;
}

function folder(words, counted, ask, view, open) {
  return unfolded(words, counted, () => {
    const place = el("div");
    const more = async (offset) => {
      try {
        const list = await ask(offset);
        place.append(rows(list.notes, view));
        const left = list.total - offset - list.notes.length;
        if (left > 0) {
          const button = el("button.row.small", { type: "button", onclick: () => { button.remove(); more(offset + PAGE); } }, `${count(left)} more`);
          place.append(button);
        }
      } catch (error) {
        if (error.name !== "AbortError") fill(place, failed(error));
      }
    };
    more(0);
    return place;
  }, open);
}

// A daily note is called by its day; when it was changed is told only where that is asked.
const isDated = (one, always) => one.modified && (always || !one.day);

function rows(list, view, always = false) {
  const open = view.pane.querySelector(".note-head .mono")?.textContent;
  return el("ul", list.map((one) => el("li", { "data-item": true },
    el("a.row", { href: placeOf(one.path), "data-main": true, "data-path": one.path, "aria-current": String(one.path === open), title: one.path },
      el("span.title-of", titleOf(one.path, one.title)), isDated(one, always) && el("span.when", ago(one.modified))))));
}
