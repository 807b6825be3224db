// The drawing of a graph: dots and lines that can be dragged, moved, made larger, and walked with the arrow keys.
import { fill, svg } from "../dom.js";
import { step, towards } from "./forces.js";

const COOL = 0.985;
const LARGEST = 1.9;
const STILL = 0.02;
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Picture {
  constructor(follow) {
    this.follow = follow;
    this.nodes = new Map();
    this.links = new Map();
    this.view = { x: 0, y: 0, scale: 1 };
    this.heat = 0;
    this.frame = 0;
    [this.width, this.height] = matchMedia("(max-width: 800px)").matches ? [400, 430] : [720, 560];
    this.lines = svg("g.lines-of-graph", { "aria-hidden": "true" });
    this.dots = svg("g");
    this.world = svg("g", this.lines, this.dots);
    this.element = svg("svg.graph", {
      viewBox: `${-this.width / 2} ${-this.height / 2} ${this.width} ${this.height}`, role: "application", "aria-label": "Entities and their connections: arrows move, Enter follows",
      onkeydown: (event) => this.pressed(event), onwheel: (event) => this.zoomed(event), onpointerdown: (event) => this.grabbed(event),
    }, this.world);
  }

  clear() {
    this.nodes.clear();
    this.links.clear();
    this.view = { x: 0, y: 0, scale: 1 };
    fill(this.lines);
    fill(this.dots);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  // An entity comes into the middle of attention, with those it stands together with.
  grow(entity, neighbours) {
    const here = this.node(entity, null);
    here.facts = entity.factCount;
    neighbours.forEach((one, index) => this.link(here, this.node(one, here, index / neighbours.length), one.cooccurCount));
    for (const node of this.nodes.values()) this.mark(node, node === here);
    this.warm();
  }

  node({ name, spelled }, near, share = 0) {
    const known = this.nodes.get(name);
    if (known) return known;
    const angle = share * 2 * Math.PI;
    const node = { name, spelled, x: (near?.x ?? 0) + Math.cos(angle) * 95, y: (near?.y ?? 0) + Math.sin(angle) * 95, vx: 0, vy: 0, held: false, degree: 0 };
    if (!near) [node.x, node.y] = [0, 0];
    node.circle = svg("circle", { r: 9 });
    node.label = svg("text", { "text-anchor": "middle" }, short(spelled));
    node.drawing = svg("g.drawing", node.circle, node.label);
    node.group = svg("g.node", { tabindex: "-1", role: "button", "aria-label": spelled, "data-name": name }, svg("title", spelled), node.drawing);
    this.nodes.set(name, node);
    this.dots.append(node.group);
    return node;
  }

  link(a, b, weight) {
    const key = [a.name, b.name].sort().join("\n");
    if (this.links.has(key)) return;
    const line = svg("line", { "stroke-width": Math.min(5, 0.8 + Math.log2(1 + weight)) });
    this.lines.append(line);
    this.links.set(key, { a, b, line });
    a.degree += 1;
    b.degree += 1;
  }

  mark(node, current) {
    node.current = current;
    node.group.classList.toggle("current", current);
    node.group.setAttribute("tabindex", current ? "0" : "-1");
    const radius = Math.min(20, 7 + 1.6 * Math.sqrt(node.degree) + (current ? 4 : 0));
    node.circle.setAttribute("r", radius);
    node.label.setAttribute("dy", radius + 14);
  }

  // Lets the picture settle; without motion where the person does not want any.
  warm() {
    this.heat = 1;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      while (this.heat > STILL) this.tick();
      return this.draw();
    }
    if (!this.frame) this.frame = requestAnimationFrame(() => this.next());
  }

  next() {
    this.tick();
    this.tick();
    this.draw();
    this.frame = this.heat > STILL ? requestAnimationFrame(() => this.next()) : 0;
  }

  tick() {
    step([...this.nodes.values()], [...this.links.values()], this.heat);
    this.heat *= COOL;
  }

  draw() {
    for (const { a, b, line } of this.links.values()) {
      line.setAttribute("x1", a.x.toFixed(1));
      line.setAttribute("y1", a.y.toFixed(1));
      line.setAttribute("x2", b.x.toFixed(1));
      line.setAttribute("y2", b.y.toFixed(1));
    }
    for (const node of this.nodes.values()) node.group.setAttribute("transform", `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`);
    const { x, y, scale } = this.fitted();
    this.world.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    // Words and dots keep their size, however far away the picture is.
    this.world.style.setProperty("--near", String(1 / scale));
  }

  // Everything is in sight until the person moves the picture.
  fitted() {
    if (this.view.own) return this.view;
    const all = [...this.nodes.values()];
    const wide = (this.width / 2 - 70) / Math.max(1, ...all.map((node) => Math.abs(node.x)));
    const high = (this.height / 2 - 45) / Math.max(1, ...all.map((node) => Math.abs(node.y)));
    this.view.scale = Math.min(LARGEST, wide, high);
    return this.view;
  }

  pressed(event) {
    const from = this.nodes.get(event.target.closest?.(".node")?.dataset.name);
    if (!from) return;
    if (event.key === "Enter" || event.key === " ") this.follow(from.name);
    else if (DIRECTIONS[event.key]) this.focus(towards(this.nodes.values(), from, DIRECTIONS[event.key]) ?? from);
    else return;
    event.preventDefault();
  }

  focus(node) {
    for (const other of this.nodes.values()) other.group.setAttribute("tabindex", other === node ? "0" : "-1");
    node.group.focus();
  }

  zoomed(event) {
    event.preventDefault();
    const scale = Math.min(4, Math.max(0.3, this.view.scale * (event.deltaY < 0 ? 1.12 : 0.89)));
    this.view = { ...this.view, scale, own: true };
    this.draw();
  }

  // A dot is dragged, or the whole picture; a press that does not move is a click.
  grabbed(event) {
    const node = this.nodes.get(event.target.closest?.(".node")?.dataset.name);
    const start = { x: event.clientX, y: event.clientY, moved: false };
    const factor = this.width / this.element.clientWidth;
    this.element.setPointerCapture(event.pointerId);
    const move = (now) => {
      const [dx, dy] = [(now.clientX - start.x) * factor, (now.clientY - start.y) * factor];
      if (!start.moved && Math.hypot(dx, dy) < 4) return;
      Object.assign(start, { x: now.clientX, y: now.clientY, moved: true });
      this.shift(node, dx, dy);
    };
    const end = () => {
      this.element.removeEventListener("pointermove", move);
      if (node) node.held = false;
      if (node && !start.moved) this.follow(node.name);
    };
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener("pointerup", end, { once: true });
    this.element.addEventListener("pointercancel", end, { once: true });
  }

  shift(node, dx, dy) {
    if (!node) {
      this.view = { ...this.view, x: this.view.x + dx, y: this.view.y + dy, own: true };
      return this.draw();
    }
    node.held = true;
    node.x += dx / this.view.scale;
    node.y += dy / this.view.scale;
    this.heat = Math.max(this.heat, 0.35);
    if (!this.frame) this.frame = requestAnimationFrame(() => this.next());
  }
}

const short = (text) => (text.length > 22 ? `${text.slice(0, 21)}…` : text);
