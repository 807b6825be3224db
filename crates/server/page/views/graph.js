// The whole memory first: its strongest entities in clusters. Then one of them with its hops, and what is known of it beside the picture.
import { api } from "../api.js";
import { announce, el, fill, svg } from "../dom.js";
import { citeLink, empty, field, head, kindWord, load, meter } from "../parts.js";
import { brief, count, dateOf, isoDay, many, placeOf } from "../words.js";
import { rest, towards } from "./forces.js";
import { backWay } from "./reader.js";

const DAY = 86400000;
const PAUSE = 160;
const MOST = 70;
const MOST_NARROW = 34;
const FACTS = 40;
const COLOURS = 8;
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function graph(view) {
  const { place, pane, signal } = view;
  const stage = el("section", { "aria-label": "The picture" });
  const time = el("div.time");
  const state = { view, stage, time, day: "", came: null, nodes: [], chosen: view.rest, timer: 0 };
  const names = el("datalist", { id: "entities" });
  const input = el("input", { type: "search", list: "entities", placeholder: "Go to …", autocomplete: "off", spellcheck: "false", "data-search": true,
    onchange: (event) => { if (event.target.value.trim()) location.hash = `#/graph/${encodeURIComponent(event.target.value.trim().replace(/^@/, "").toLowerCase())}`; } });
  fill(place, el("div.graph-place", head("Graph", null, [field("Go to a person or a thing", input, { hidden: true }), names, el("a.button", { href: "#/graph" }, "Everything")]), stage, time));
  const choose = (name) => {
    state.chosen = name;
    view.opened(Boolean(name));
    light(state);
    requestAnimationFrame(() => fitted(state));
    if (name) about(pane, name, state);
  };
  const show = () => load(stage, signal, () => api.graph({ limit: matchMedia("(max-width: 1000px)").matches ? MOST_NARROW : MOST, asOf: state.day }, signal), (came) => {
    state.came = came;
    fill(names, came.entities.map((one) => el("option", { value: one.spelled })));
    if (!time.childElementCount && came.from !== came.to) fill(time, slider(state, show));
    return came.entities.length ? picture(state) : none(state);
  }).then(() => light(state));
  show();
  choose(view.rest);
  return (next) => { choose(next.rest); return true; };
}

// Beside an open pane the picture is drawn anew, so that its words stay as large as they were.
function fitted(state) {
  const { stage, came, drawn } = state;
  if (!drawn || !came?.entities.length || Math.abs(stage.clientWidth - drawn) < 8 || !stage.clientWidth) return;
  const focused = stage.contains(document.activeElement);
  fill(stage, picture(state));
  light(state);
  if (focused) stage.querySelector(".node.is-on")?.focus();
}

function none(state) {
  return state.day ? empty(`Nothing was known on ${brief(state.day)}.`)
    : empty("No fact names anybody yet.", "Write @names into fact lines, and they hang together here:", el("p", el("code", "- W @Sarah @platform: Sarah leads the platform team")));
}

// What held on a day, from the first on which something was seen.
function slider(state, show) {
  const [from, to] = [dateOf(state.came.from).getTime(), Math.max(dateOf(state.came.to).getTime(), Date.now())];
  const days = Math.max(1, Math.round((to - from) / DAY));
  const said = el("output", "Today");
  const input = el("input", { type: "range", min: "0", max: String(days), step: "1", value: String(days), "aria-label": "What was known on a day",
    oninput: (event) => {
      const day = isoDay(new Date(from + Number(event.target.value) * DAY));
      state.day = Number(event.target.value) >= days ? "" : day;
      said.textContent = state.day ? brief(day) : "Today";
      clearTimeout(state.timer);
      state.timer = setTimeout(show, PAUSE);
    } });
  return [el("span.small", brief(state.came.from)), input, said];
}

function picture(state) {
  const { came, stage } = state;
  const box = stage.getBoundingClientRect();
  const [width, height] = [Math.max(320, box.width || 700), Math.max(320, box.height || 560)];
  state.drawn = stage.clientWidth;
  const largest = Math.max(...came.entities.map((one) => one.factCount));
  const nodes = came.entities.map((one, index) => ({ ...one, index, r: 4 + 12 * Math.sqrt(one.factCount / largest) }));
  rest(nodes, came.pairs, width, height);
  state.nodes = nodes;
  const heads = [...new Set(nodes.map((node) => node.cluster))];
  const sizes = new Map(heads.map((place) => [place, nodes.filter((node) => node.cluster === place).length]));
  const colour = (node) => (sizes.get(node.cluster) > 1 ? `cluster-${heads.indexOf(node.cluster) % COLOURS}` : "cluster-5");
  const heaviest = Math.max(...came.pairs.map((pair) => pair.weight), 1e-6);
  const line = (pair) => svg("line", { x1: nodes[pair.a].x, y1: nodes[pair.a].y, x2: nodes[pair.b].x, y2: nodes[pair.b].y, "stroke-width": (0.6 + 5.4 * (pair.weight / heaviest)).toFixed(2), "data-a": pair.a, "data-b": pair.b });
  const dot = (node) => svg("g.node", { transform: `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`, tabindex: node.index ? "-1" : "0", role: "link", "data-name": node.name, "data-index": node.index,
    "aria-label": `${node.spelled}, ${many(node.factCount, "fact")}` }, svg(`circle.${colour(node)}`, { r: node.r.toFixed(1) }), name(node, nodes, sizes));
  const element = svg("svg.graph", { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, role: "group", "aria-label": `${many(nodes.length, "entity", "entities")} of ${count(came.total)} and what connects them: arrows move, Enter opens`,
    onclick: (event) => go(event.target.closest(".node")), onkeydown: (event) => pressed(event, state) }, svg("g", { "aria-hidden": "true" }, came.pairs.map(line)), svg("g", nodes.map(dot)));
  announce(many(nodes.length, "entity", "entities"));
  return element;
}

// The strongest of a cluster gives it its name; others are named where there is room.
function name(node, nodes, sizes) {
  const isHead = nodes[node.cluster] === node && sizes.get(node.cluster) > 1;
  const crowded = nodes.some((other) => other.index < node.index && Math.abs(other.y - node.y) < 14 && Math.abs(other.x - node.x) < 66);
  if (crowded && !isHead) return svg("title", node.spelled);
  const text = svg(isHead ? "text.cluster-name" : "text", { y: -node.r - 4, "text-anchor": "middle" });
  text.textContent = node.spelled.length > 20 ? `${node.spelled.slice(0, 19)}…` : node.spelled;
  return text;
}

function go(node) {
  if (node) location.hash = `#/graph/${encodeURIComponent(node.dataset.name)}`;
}

function pressed(event, state) {
  const node = event.target.closest(".node");
  if (!node) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    return go(node);
  }
  const next = DIRECTIONS[event.key] && towards(state.nodes, state.nodes[Number(node.dataset.index)], DIRECTIONS[event.key]);
  if (!DIRECTIONS[event.key]) return;
  event.preventDefault();
  const element = next && state.stage.querySelector(`[data-index="${next.index}"]`);
  if (!element) return;
  node.setAttribute("tabindex", "-1");
  element.setAttribute("tabindex", "0");
  element.focus();
}

// The one that is chosen with its neighbours stands out; two hops away is still seen, the rest steps back.
function light(state) {
  const { stage, nodes, came, chosen } = state;
  const center = nodes.find((node) => node.name === chosen);
  const near = new Set(center ? [center.index] : []);
  for (const pair of came?.pairs ?? []) {
    if (center && pair.a === center.index) near.add(pair.b);
    if (center && pair.b === center.index) near.add(pair.a);
  }
  for (const element of stage.querySelectorAll(".node")) {
    element.classList.toggle("is-far", Boolean(center) && !near.has(Number(element.dataset.index)));
    element.classList.toggle("is-on", element.dataset.name === chosen);
  }
  for (const line of stage.querySelectorAll("line")) {
    const [a, b] = [Number(line.dataset.a), Number(line.dataset.b)];
    const isNear = center && (a === center.index || b === center.index);
    line.classList.toggle("is-near", Boolean(isNear));
    line.classList.toggle("is-far", Boolean(center) && !isNear && !(near.has(a) && near.has(b)));
  }
}

function about(pane, name, { view }) {
  load(pane, view.signal, () => api.entity(name, view.signal), (entity) => {
    const neighbours = entity.neighbours.toSorted((a, b) => b.cooccurCount - a.cooccurCount || b.cooccurWeight - a.cooccurWeight);
    const most = neighbours[0]?.cooccurCount;
    const neighbour = (one) => el("li.beside", { "data-item": true }, el("a", { href: `#/graph/${encodeURIComponent(one.name)}` }, one.spelled), meter(one.cooccurCount / most), el("span.small", many(one.cooccurCount, "fact")));
    const fact = (one) => el("li.change", { "data-item": true }, el("a.title", { href: `#/facts?id=${encodeURIComponent(one.id)}` }, one.text), el("span.meta", kindWord(one.kind), one.seen && brief(one.seen), citeLink(one.path, one.line)));
    return [
      el("header.note-head", backWay("#/graph"), el("div", el("h2", entity.spelled),
        el("span.small", [many(entity.factCount, "fact"), entity.hub && "named nearly everywhere", entity.aliases.length > 0 && `also ${entity.aliases.join(", ")}`].filter(Boolean).join(" · ")))),
      el("div.pane-pad",
        el("p.row-of-buttons", entity.page && el("a.button", { href: placeOf(entity.page) }, "Its page"), el("a.button", { href: `#/facts?state=current&order=newest&entity=${encodeURIComponent(entity.spelled)}` }, "Its facts"),
          el("a.button.danger", { href: `#/forget?entity=${encodeURIComponent(entity.spelled)}` }, "Forget …")),
        el("h3", "Together with"), neighbours.length ? el("ul.plain-list", neighbours.slice(0, 20).map(neighbour)) : el("p.small", "nobody yet"),
        el("h3", "Facts"), el("ol", entity.facts.slice(0, FACTS).map(fact)), entity.facts.length > FACTS && el("p.small", `and ${many(entity.facts.length - FACTS, "more", "more")}`)),
    ];
  });
}
