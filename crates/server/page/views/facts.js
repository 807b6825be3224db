// Facts with filters: read, change and delete them where they stand.
import { api } from "../api.js";
import { announce, el, fill } from "../dom.js";
import { button, empty, failed, field, heading, load, segmented, select } from "../parts.js";
import { many } from "../words.js";
import { adding, item } from "./fact.js";

const PAGE = 40;
const PAUSE = 150;
const KINDS = [["", "All"], ["W", "World"], ["B", "Experience"], ["O", "Opinion"], ["S", "Summary"]];
const STATES = [["", "Any state"], ["current", "Current"], ["proposed", "Proposed"], ["later", "Later"], ["expired", "Expired"], ["superseded", "Superseded"]];
const ORDERS = [["newest", "Newest first"], ["salience", "Most important first"], ["use", "Most used first"]];

export function facts(view) {
  const { place, asked, signal } = view;
  if (asked.get("id")) return single(view, asked.get("id"));
  const wanted = { state: "current", order: "newest" };
  for (const name of ["text", "kind", "entity", "state", "order", "minSalience"]) {
    if (asked.has(name)) wanted[name] = asked.get(name);
  }
  const list = el("section", { "aria-label": "Facts" });
  let under = null;
  let timer = 0;
  const run = () => {
    under?.abort();
    under = new AbortController();
    signal.addEventListener("abort", () => under.abort(), { once: true });
    remember(wanted);
    show(list, wanted, view, under.signal);
  };
  const soon = () => { clearTimeout(timer); timer = setTimeout(run, PAUSE); };
  const change = (name) => (value) => { wanted[name] = value; run(); };
  const form = el("div.new-fact");
  fill(place,
    heading("Facts", "One line of Markdown each, in your notes.",
      button("New fact", () => adding(form, run), { symbol: "add", kind: "main" }),
      el("a.button.quiet", { href: "#/forget" }, "Forget …")),
    form, filters(wanted, change, soon), list);
  run();
}

function filters(wanted, change, soon) {
  const typed = (name, words) => field(words, el("input", {
    type: "search", value: wanted[name] ?? "", placeholder: words, autocomplete: "off", spellcheck: "false",
    oninput: (event) => { wanted[name] = event.target.value.trim(); soon(); },
  }), { hidden: true });
  const text = typed("text", "Words in the fact");
  text.querySelector("input").dataset.search = "";
  const least = el("input", {
    type: "range", min: "0", max: "0.9", step: "0.1", value: wanted.minSalience ?? "0",
    oninput: (event) => { wanted.minSalience = event.target.value === "0" ? "" : event.target.value; soon(); },
  });
  return el("div.bar-of-filters.many",
    text, typed("entity", "About whom or what"),
    segmented("Sort of fact", KINDS, wanted.kind ?? "", change("kind")),
    field("State", select(STATES, wanted.state, change("state")), { hidden: true }),
    field("Order", select(ORDERS, wanted.order, change("order")), { hidden: true }),
    field("At least so important", least));
}

function remember(wanted) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value) words.set(name, value);
  history.replaceState(null, "", `#/facts?${words}`);
}

function ask(wanted, offset, signal) {
  const entity = wanted.entity?.replace(/^@/, "");
  return api.facts({ ...wanted, entity, offset, limit: PAGE }, signal);
}

async function show(list, wanted, view, signal) {
  list.setAttribute("aria-busy", "true");
  try {
    const came = await ask(wanted, 0, signal);
    if (signal.aborted) return;
    announce(many(came.total, "fact"));
    fill(list, came.total ? listed(came, wanted, view, signal) : none(wanted));
  } catch (error) {
    if (error.name !== "AbortError" && !signal.aborted) fill(list, failed(error));
  } finally {
    if (!signal.aborted) list.removeAttribute("aria-busy");
  }
}

function listed(came, wanted, view, signal) {
  const rows = el("ol.fact-list", came.facts.map((fact) => item(fact, view)));
  const counted = el("p.small", many(came.total, "fact"));
  let shown = came.facts.length;
  const more = button("Show more", async () => {
    const next = await ask(wanted, shown, signal);
    rows.append(...next.facts.map((fact) => item(fact, view)));
    shown += next.facts.length;
    more.hidden = shown >= next.total || !next.facts.length;
  });
  more.hidden = shown >= came.total;
  return [counted, rows, more];
}

function none(wanted) {
  const narrowed = ["text", "kind", "entity", "minSalience"].some((name) => wanted[name]) || wanted.state !== "current";
  return narrowed
    ? empty("No fact is like that.", "Take a filter away to see more.")
    : empty("There are no facts yet.", "A fact is one line in a note, such as:", el("p", el("code", "- W @Sarah: Sarah leads the platform team")),
      "Write one by hand, or use New fact.");
}

function single(view, id) {
  const body = el("div");
  fill(view.place, heading("A fact", null, el("a.button.quiet", { href: "#/facts", "data-back": true }, "All facts")), body);
  load(body, view.signal, () => api.fact(id, view.signal), (fact) => el("ol.fact-list", item(fact, view, fact)));
}
