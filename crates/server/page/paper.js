// A note as it is read: blocks become elements, one kind of block one kind of element. No text of a note becomes markup.
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { entityChip, kindWord } from "./parts.js";
import { placeOf } from "./words.js";

const LOOKS = { strong: "strong", emphasis: "em", struck: "s", code: "code" };
const DEEPEST = 8;
const WIDE = 6;
// What a comment at the end of a line says of it.
const NOTED = /\s*<!--\s*(importance|trigger|project):\s*([^<>]*?)\s*-->\s*$/;

// `lines` are those that are cited: [first, last]; `about` says what is known of a fact, by its line.
export function paper(came, { lines = [0, 0], about = () => null, skipTitle = true } = {}) {
  const reader = { lines, about, open: [] };
  // What is cited as a whole is marked at its side.
  const root = el(lines[1] - lines[0] > WIDE ? "div.md.wide" : "div.md");
  if (came.fields?.length) root.append(fields(came.fields));
  let quote = null;
  for (const block of came.blocks) {
    if (skipTitle && block.sort === "heading" && block.level === 1 && words(block) === came.title) continue;
    if (block.quotes && !quote) root.append(quote = el("blockquote"));
    if (!block.quotes) quote = null;
    put(reader, quote ?? root, block);
  }
  return root;
}

const words = (block) => (block.said ?? []).map((span) => span.text).join("");

function fields(list) {
  return el("dl.fields", list.flatMap((one) => [el("dt", one.name), el("dd", one.value || "–")]));
}

function put(reader, root, block) {
  const made = BLOCKS[block.sort]?.(block, reader) ?? el("p", block.text ?? words(block));
  made.dataset.line = block.line;
  if (block.untrusted) {
    made.classList.add("untrusted-block");
    made.prepend(el("span.badge.warn", "untrusted"), " ");
  }
  const [from, to] = reader.lines;
  if (from && block.last >= from && block.line <= to) {
    made.classList.add("cited");
    made.prepend(el("span.unseen", "Cited: "));
  }
  if (!block.depth) {
    reader.open = [];
    root.append(made);
    return;
  }
  listed(reader, root, block, made);
}

// Lists within lists: `open` has the list of each depth, and the item that was last put into it.
function listed(reader, root, block, made) {
  const { open } = reader;
  const isItem = ["item", "fact", "cited"].includes(block.sort);
  const depth = Math.min(block.depth, DEEPEST);
  if (open.root !== root) open.length = 0;
  open.root = root;
  if (!isItem) {
    open.length = Math.min(open.length, depth);
    (open.at(-1)?.item ?? root).append(made);
    return;
  }
  const tag = block.number === undefined ? "ul" : "ol";
  open.length = Math.min(open.length, depth);
  if (open.length === depth && open.at(-1).list.tagName.toLowerCase() !== tag) open.length -= 1;
  while (open.length < depth) {
    const list = el(tag);
    (open.at(-1)?.item ?? root).append(list);
    open.push({ list, item: null });
    if (open.length < depth) {
      const bare = el("li");
      list.append(bare);
      open.at(-1).item = bare;
    }
  }
  open.at(-1).list.append(made);
  open.at(-1).item = made;
}

const BLOCKS = {
  heading: (block) => el(`h${Math.min(6, block.level + (block.level === 1 ? 2 : 1))}`, el("span.line", spans(block.said))),
  paragraph: (block) => el("p", el("span.line", spans(block.said))),
  item,
  cited: (block) => el("li.bullet", el("span.line", spans(block.said)), " ",
    block.cites.map((id, index) => [" ", el("a.cite", { href: `#/facts?id=${encodeURIComponent(id)}`, "aria-label": `The fact it rests on, ${index + 1}` }, `[${index + 1}]`)])),
  fact,
  code: (block) => el("pre", { tabindex: "0", "aria-label": block.language ? `Code, ${block.language}` : "Code" }, block.text.replace(/\n$/, "")),
  markup: (block) => (/^<!--\s*mindfile:/.test(block.text) ? el("div", { hidden: true }) : el("pre.markup", block.text.replace(/\n$/, ""))),
  table,
  rule: () => el("hr"),
};

function item(block) {
  const said = el("span.line", spans(block.said));
  if (block.done !== undefined) {
    return el(block.done ? "li.is-done" : "li", el("span.tick", icon(block.done ? "tick" : "box")), el("span.unseen", block.done ? "Done: " : "To do: "), said);
  }
  if (block.number !== undefined) return el("li", el("span.number", `${block.number}.`), said);
  return el("li.bullet", said);
}

function fact(block, reader) {
  const known = reader.about(block) ?? {};
  const made = el(known.clash ? "li.fact.clash" : "li.fact", kindWord(block.kind), el("span.line", spans(block.said)),
    (block.entities ?? []).map(entityChip), known.why && el("span.why", known.why));
  if (block.id) made.dataset.fact = block.id;
  return made;
}

function table(block) {
  const [first, ...rest] = block.rows;
  const row = (cells, tag) => el("tr", cells.map((cell) => el(cell.length ? tag : "td", spans(cell))));
  return el("div.scroll-x", { tabindex: "0", role: "region", "aria-label": `Table in line ${block.line}` }, el("table", first.some((cell) => cell.length) && el("thead", row(first, "th")), el("tbody", rest.map((cells) => row(cells, "td")))));
}

// Each look is an element around the text; a link leads to a note, or out of the page when it is followed.
export function spans(said = []) {
  return said.map((span) => {
    const looks = (span.look ?? []).filter((look) => LOOKS[look]);
    const text = (span.look ?? []).includes("picture") ? `▣ ${span.text}` : span.text;
    const noted = NOTED.exec(text);
    if (noted) return [text.slice(0, noted.index), " ", el("span.badge", `${noted[1]} ${noted[2]}`)];
    const inner = looks.reduce((made, look) => el(LOOKS[look], made), broken(text));
    return link(span, inner);
  });
}

const broken = (text) => (text.includes("\n") ? text.split("\n").flatMap((line, index) => (index ? [el("br"), line] : [line])) : text);

function link(span, inner) {
  if (span.target === undefined) return inner;
  if (span.note) return el("a", { href: placeOf(span.note) }, inner);
  if (/^https?:\/\//i.test(span.target)) return el("a", { href: span.target, target: "_blank", rel: "noopener noreferrer" }, inner);
  return el("span.broken", { title: `No note is called so: ${span.target}` }, inner);
}

// One line of a note in plain words: what only Markdown needs is left out, and the marks move along.
export function plain(text, marks = []) {
  let letters = Array.from(text).map((letter, index) => ({ letter, index }));
  const drop = (pattern) => {
    const plain = letters.map((one) => one.letter).join("");
    for (const match of [...plain.matchAll(pattern)].reverse()) {
      const from = Array.from(plain.slice(0, match.index)).length;
      letters.splice(from, Array.from(match[0]).length);
    }
  };
  drop(/\s*<!--.*?-->\s*$/gu);
  drop(/\s+\^[\w-]+\s*$/gu);
  drop(/\s*\((?:\^[\w-]+(?:, )?)+\)\s*$/gu);
  drop(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(?:[WBOS](?:\([^)]*\))?(?:\s+@\S+)*\s*:\s+)?/gu);
  drop(/^#{1,6}\s+|^>\s+/gu);
  drop(/\*\*|__(?=\S)|`/gu);
  if (/^\s*\|/.test(text)) {
    drop(/^\s*\|\s*|\s*\|\s*$/gu);
    letters = letters.map((one) => (one.letter === "|" ? { ...one, letter: "·" } : one));
  }
  const at = new Map(letters.map((one, index) => [one.index, index]));
  const moved = marks.map(([from, to]) => {
    const inside = [...at.keys()].filter((index) => index >= from && index < to).map((index) => at.get(index));
    while (inside.length && /[.,;:!?]/u.test(letters[inside.at(-1)].letter)) inside.pop();
    return inside.length ? [inside[0], inside.at(-1) + 1] : null;
  });
  return { text: letters.map((one) => one.letter).join(""), marks: moved.filter(Boolean) };
}

// The block that holds a line, brought into sight.
export function reveal(root) {
  requestAnimationFrame(() => root.querySelector(".cited")?.scrollIntoView({ block: "center" }));
}

