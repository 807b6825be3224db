// Facts as a table: sorted, filtered, what changed lately, and one of them beside it.
import { api } from "../api.js";
import { announce, el, fill, toast } from "../dom.js";
import { button, chipSelect, choices, citeLink, empty, failed, field, follow, head, isNarrow, kindWord, load } from "../parts.js";
import { KINDS, brief, count, many } from "../words.js";
import { adding, detail } from "./fact.js";
import { forgetRead } from "./reader.js";

const PAGE = 60;
const PAUSE = 130;
const SORTS = [["", "All kinds"], ...Object.entries(KINDS)];
const STATES = [["current", "Current"], ["", "Any state"], ["proposed", "Proposed"], ["later", "Later"], ["expired", "Expired"], ["superseded", "Superseded"]];
const TABS = [["", "All"], ["lately", "What changed"], ["clash", "Contradicted"]];
const SPANS = [["7d", "Last week"], ["30d", "Last month"], ["6mo", "Last half year"]];
// The orders that a column stands for: the first click, and the second.
const COLUMNS = [
  ["Fact", "words", ["text"]], ["Kind", "col-kind narrow"], ["About", "col-about narrow"], ["State", "col-state narrow"],
  ["Seen", "col-day", ["newest", "oldest"]], ["Given", "col-num num narrow", ["use"]], ["Weight", "col-num num narrow", ["salience"]],
];
const SAYS = { text: "ascending", oldest: "ascending", newest: "descending", use: "descending", salience: "descending" };

export function facts(view) {
  const { place, pane, signal } = view;
  const wanted = { tab: "", state: "current", order: "newest", span: "30d" };
  const list = el("section", { "aria-label": "Facts" });
  const state = { wanted, list, view, under: null, timer: 0, rows: null };
  const take = (asked) => { for (const name of ["text", "kind", "entity", "state", "order", "tab", "span"]) if (asked.has(name)) wanted[name] = asked.get(name); };
  take(view.asked);
  const choose = (asked) => {
    const id = asked.get("id");
    view.opened(Boolean(id) || asked.has("new"));
    if (asked.has("new")) adding(pane, (kept) => { location.hash = `#/facts?id=${encodeURIComponent(kept.id)}`; run(state); });
    else if (id) detail(pane, id, view);
    mark(list, id);
  };
  draw(state);
  run(state).then(() => mark(list, view.asked.get("id")));
  choose(view.asked);
  return ({ asked }) => {
    if ([...asked.keys()].some((name) => !["id", "new"].includes(name))) return false;
    choose(asked);
    if (!asked.has("id") && !asked.has("new")) run(state);
    return true;
  };
}

function mark(list, id) {
  for (const row of list.querySelectorAll("tr[data-id]")) row.classList.toggle("on", row.dataset.id === id);
}

function draw(state) {
  const { wanted, view, list } = state;
  const change = (name) => (value) => { wanted[name] = value; remember(wanted); draw(state); run(state); };
  const typed = (name, words) => {
    const input = el("input", { type: "search", value: wanted[name] ?? "", placeholder: words, autocomplete: "off", spellcheck: "false",
      oninput: (event) => { wanted[name] = event.target.value.trim(); remember(wanted); soon(state); } });
    if (name === "text") input.dataset.search = "";
    return field(words, input, { hidden: true });
  };
  const filters = wanted.tab === "clash" ? null : wanted.tab === "lately"
    ? el("div.filters-line", choices("Since when", SPANS, wanted.span, change("span")))
    : el("div.filters-line", typed("text", "Words in the fact"),
      el("span.filter-more.chips", typed("entity", "About"), chipSelect("Kind", SORTS, wanted.kind ?? "", change("kind")), chipSelect("State", STATES, wanted.state, change("state"))),
      el("button.chip.filter-button", { type: "button", onclick: (event) => event.currentTarget.parentElement.classList.toggle("open") }, "Filters"));
  fill(view.place, head("Facts", null,
    [choices("What is shown", TABS, wanted.tab, change("tab")), el("a.button", { href: "#/forget" }, "Forget …"), el("a.button.main", { href: "#/facts?new" }, "New fact")], filters), list);
}

function soon(state) {
  clearTimeout(state.timer);
  state.timer = setTimeout(() => run(state), PAUSE);
}

function remember(wanted) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value && !["30d"].includes(value)) words.set(name, value);
  history.replaceState(null, "", `#/facts?${words}`);
}

async function run(state) {
  const { wanted, list, view } = state;
  state.under?.abort();
  state.under = new AbortController();
  const { signal } = state.under;
  view.signal.addEventListener("abort", () => state.under.abort(), { once: true });
  if (wanted.tab === "clash") return load(list, signal, () => api.disagreements(signal), (came) => clashes(came, state));
  if (wanted.tab === "lately") return load(list, signal, () => api.diff(wanted.span, signal), lately);
  list.setAttribute("aria-busy", "true");
  try {
    const came = await page(wanted, 0, signal);
    if (signal.aborted) return;
    announce(many(came.total, "fact"));
    fill(list, came.total ? table(came, state, signal) : none(wanted));
  } catch (error) {
    if (error.name !== "AbortError" && !signal.aborted) fill(list, failed(error));
  } finally {
    if (!signal.aborted) list.removeAttribute("aria-busy");
  }
}

function page({ text, kind, entity, state, order }, offset, signal) {
  return api.facts({ text, kind, entity: entity?.replace(/^@/, ""), state, order, offset, limit: PAGE }, signal);
}

function table(came, state, signal) {
  const { wanted } = state;
  const header = ([words, look, orders]) => {
    const sorts = orders?.includes(wanted.order) ? SAYS[wanted.order] : null;
    const next = orders && (orders[(orders.indexOf(wanted.order) + 1) % orders.length]);
    const turn = () => { wanted.order = next; remember(wanted); run(state); };
    return el(`th.${look.split(" ").join(".")}`, { scope: "col", "aria-sort": sorts ?? (orders ? "none" : null) }, orders ? el("button", { type: "button", onclick: turn }, words) : words);
  };
  const body = el("tbody", came.facts.map(row));
  let shown = came.facts.length;
  const more = button("Show more", async () => {
    const next = await page(wanted, shown, signal);
    body.append(...next.facts.map(row));
    shown += next.facts.length;
    more.hidden = shown >= next.total || !next.facts.length;
  });
  more.hidden = shown >= came.total;
  const made = el("table.facts", el("thead", el("tr", COLUMNS.map(header))), body);
  follow(made, (link) => { if (!isNarrow() && link.matches(":focus-visible")) location.replace(link.getAttribute("href")); });
  made.addEventListener("click", (event) => { if (!event.target.closest("a, button")) event.target.closest("tr")?.querySelector("a")?.click(); });
  return [made, el("p.said", el("span", `${many(came.total, "fact")}`), more)];
}

function row(fact) {
  const href = `#/facts?id=${encodeURIComponent(fact.id)}`;
  return el("tr", { "data-item": true, "data-id": fact.id },
    el("td.words", { title: fact.text }, el("a", { href, "data-main": true }, fact.text)), el("td.narrow", kindWord(fact.kind)),
    el("td.narrow", { title: fact.entities.join(", ") }, fact.entities.join(", ")), el("td.narrow", el(`span.badge.state-${fact.state}`, fact.state)),
    el("td.small", brief(fact.seen)), el("td.num.narrow", fact.accessCount ? count(fact.accessCount) : "–"), el("td.num.narrow", fact.salience.toFixed(2)));
}

function none(wanted) {
  const narrowed = ["text", "kind", "entity"].some((name) => wanted[name]) || wanted.state !== "current";
  return narrowed ? empty("No fact is like that.", "Take a filter away to see more.")
    : empty("There are no facts yet.", "A fact is one line in a note, about somebody or something:", el("p", el("code", "- W @Sarah: Sarah leads the platform team")));
}

// What some days did to the facts.
function lately(came) {
  const said = (fact) => el("a.title", { href: `#/facts?id=${encodeURIComponent(fact.id)}`, "data-main": true }, fact.text);
  const meta = (one, fact) => el("span.meta", brief(one.day), fact && kindWord(fact.kind), fact && citeLink(fact.path, fact.line));
  const part = (words, name, draw) => came.total[name] > 0 && [
    el("h2.sub", came.total[name] > came[name].length ? `${words}: the last ${count(came[name].length)} of ${count(came.total[name])}` : `${words} (${count(came.total[name])})`),
    el("ol", came[name].toReversed().map((one) => el("li.change", { "data-item": true }, draw(one))))];
  const all = [
    part("Changed", "changed", (one) => [one.before && el("del", one.before.text), el("ins", said(one.after)), meta(one, one.after)]),
    part("Came", "came", (one) => [said(one), meta(one, one)]),
    part("Ended", "ended", (one) => [el("del", one.text), meta(one, one)]),
    part("Taken out", "removed", (one) => [el("span", `${one.act === "forget" ? "Forgotten" : "Deleted"} by ${one.door}${one.id ? ` (^${one.id})` : ""}`), meta(one)]),
  ].filter(Boolean);
  return all.length ? all : empty("Nothing changed.", `No fact came, changed or ended from ${brief(came.from)} to ${brief(came.to)}.`);
}

// Two facts that do not agree stand together, and are settled there.
function clashes({ disagreements: list, total }, state) {
  if (!list.length) return empty("All facts agree.", "Where two of them say different things of the same, they stand here together.");
  const settle = async (holds, other, both, words) => {
    try {
      await api.settle(holds.id, other.id, both);
      forgetRead();
      state.view.refresh();
      await run(state);
      toast(words, "done", both ? [] : ["The other one", () => settle(other, holds, false, `It holds: ${other.text}`)]);
    } catch (error) {
      toast(error.hint ? `${error.message} (${error.hint})` : error.message, "wrong");
    }
  };
  const side = (fact, other) => el("div.clash-side", el("a.title", { href: `#/facts?id=${encodeURIComponent(fact.id)}`, "data-main": true }, fact.text),
    el("span.meta", kindWord(fact.kind), fact.seen && brief(fact.seen), citeLink(fact.path, fact.line)), button("This holds", () => settle(fact, other, false, `It holds: ${fact.text}`), { label: `This holds: ${fact.text}` }));
  return [
    el("p.said", el("span", total > list.length ? `the newest ${count(list.length)} of ${many(total, "pair")}` : many(total, "pair"))),
    el("ol", list.map(({ newer, older, certain }) => el("li.clash", { "data-item": true }, side(newer, older), side(older, newer),
      el("p.row-of-buttons", el("span.badge.warn", certain ? "only one can hold" : "may both hold"), button("Both hold", () => settle(newer, older, true, "Both hold"), { label: `Both hold: ${newer.text}; ${older.text}` }))))),
  ];
}
