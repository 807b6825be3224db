// Entities that stand together in facts. One begins somewhere and follows the lines, hop by hop.
import { api } from "../api.js";
import { announce, el, fill } from "../dom.js";
import { citeLink, empty, failed, field, heading, kindBadge, load } from "../parts.js";
import { many, placeOf } from "../words.js";
import { Picture } from "./picture.js";

// So many neighbours are drawn of one entity; the list beside the picture has them all.
const DRAWN = 14;
const OFFERED = 16;
const FACTS = 30;

export function graph({ place, rest: name, signal }) {
  const body = el("div.graph-body");
  fill(place, heading("Graph", "Who and what the facts are about. Follow a line to the next."), body);
  load(body, signal, () => api.entities(signal), (all) => (all.length ? drawn(all, name, signal) : none()));
}

function none() {
  return empty("No fact names anybody yet.", "Write @names into fact lines, and they hang together here:",
    el("p", el("code", "- W @Sarah @platform: Sarah leads the platform team")));
}

function drawn(all, name, signal) {
  const trail = el("ol.trail", { "aria-label": "The way here" });
  const panel = el("aside.panel.card", { "aria-label": "The entity" });
  const state = { all, trail: [], signal, panel, way: trail, picture: null };
  state.picture = new Picture((chosen) => go(state, chosen));
  signal.addEventListener("abort", () => state.picture.stop());
  const start = name || first(all).name;
  go(state, start);
  return [chooser(state), trail, el("div.graph-columns", state.picture.element, panel)];
}

// Somebody who is named often, but not by everything.
function first(all) {
  const plain = all.filter((one) => !one.hub);
  return (plain.length ? plain : all).reduce((best, one) => (one.factCount > best.factCount ? one : best));
}

function chooser(state) {
  const offers = el("div.offers");
  const offer = (text) => {
    const wanted = text.trim().toLowerCase().replace(/^@/, "");
    const found = state.all.filter((one) => one.name.includes(wanted) || one.spelled.toLowerCase().includes(wanted));
    found.sort((a, b) => b.factCount - a.factCount);
    fill(offers, found.slice(0, OFFERED).map((one) => el("button.chip", { type: "button", onclick: () => begin(state, one.name) }, `@${one.spelled}`,
      el("span.small", ` ${one.factCount}`), one.hub && el("span.unseen", ", a hub"))),
    found.length > OFFERED && el("span.small", `and ${many(found.length - OFFERED, "more", "more")}`), !found.length && el("span.small", "Nobody is called so."));
  };
  const input = el("input", { type: "search", placeholder: "Begin with …", autocomplete: "off", spellcheck: "false", "data-search": true, oninput: (event) => offer(event.target.value) });
  offer("");
  return el("div.chooser", field("Begin with", input, { hidden: true }), offers);
}

function begin(state, name) {
  state.picture.clear();
  state.trail = [];
  go(state, name);
}

async function go(state, name) {
  try {
    const entity = await api.entity(name, state.signal);
    const seen = state.trail.indexOf(entity.name);
    state.trail = seen < 0 ? [...state.trail, entity.name] : state.trail.slice(0, seen + 1);
    history.replaceState(null, "", `#/graph/${encodeURIComponent(entity.name)}`);
    state.picture.grow(entity, entity.neighbours.slice(0, DRAWN));
    fill(state.way, state.trail.map((one) => el("li", el("button.link", { type: "button", onclick: () => go(state, one), "aria-current": one === entity.name ? "true" : null }, `@${spelled(state.all, one)}`))));
    fill(state.panel, about(entity, state));
    announce(`${entity.spelled}: ${many(entity.factCount, "fact")}, ${many(entity.neighbours.length, "neighbour")}`);
  } catch (error) {
    if (error.name !== "AbortError") fill(state.panel, failed(error));
  }
}

const spelled = (all, name) => all.find((one) => one.name === name)?.spelled ?? name;

function about(entity, state) {
  const neighbour = (one) => el("li", { "data-item": true }, el("button.link", { type: "button", "data-main": true, onclick: () => go(state, one.name) }, `@${one.spelled}`),
    el("span.small", ` ${many(one.cooccurCount, "fact")} together`));
  const fact = (one) => el("li", { "data-item": true }, kindBadge(one.kind), el("span", el("a.title", { href: `#/facts?id=${encodeURIComponent(one.id)}`, "data-main": true }, one.text), " ", citeLink(one.path, one.line)));
  return [
    el("h2", `@${entity.spelled}`),
    el("p.small", [many(entity.factCount, "fact"), entity.hub && "a hub: it is named nearly everywhere", entity.aliases.length > 0 && `also ${entity.aliases.join(", ")}`].filter(Boolean).join(" · ")),
    el("p.row-of-buttons", entity.page && el("a.button.quiet", { href: placeOf(entity.page) }, "Its page"),
      el("a.button.quiet", { href: `#/facts?state=current&order=newest&entity=${encodeURIComponent(entity.spelled)}` }, "All its facts"),
      el("a.button.quiet.danger", { href: `#/forget?entity=${encodeURIComponent(entity.spelled)}` }, "Forget …")),
    el("h3", "Together with"), entity.neighbours.length ? el("ul.plain-list.neighbours", entity.neighbours.map(neighbour)) : el("p.small", "nobody yet"),
    el("h3", "Facts"), el("ul.plain-list.entity-facts", entity.facts.slice(0, FACTS).map(fact)),
    entity.facts.length > FACTS && el("p.small", `and ${many(entity.facts.length - FACTS, "more", "more")}`),
  ];
}
