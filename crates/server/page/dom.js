// Elements are made here and nowhere else. Text always goes in as text, so that nothing in a note can become markup.

const SVG = "http://www.w3.org/2000/svg";

// `el("a.link", { href, onclick }, "words", child)`
export function el(spec, ...rest) {
  const [tag, ...classes] = spec.split(".");
  return filled(document.createElement(tag), classes, rest);
}

export function svg(spec, ...rest) {
  const [tag, ...classes] = spec.split(".");
  return filled(document.createElementNS(SVG, tag), classes, rest);
}

function filled(element, classes, rest) {
  if (classes.length) element.classList.add(...classes);
  const [first, ...others] = rest;
  const given = isAttributes(first);
  if (given) for (const [name, value] of Object.entries(first)) set(element, name, value);
  element.append(...children(given ? others : rest));
  return element;
}

function isAttributes(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Node);
}

function children(list) {
  return list.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") element[name] = value;
  else element.setAttribute(name, value === true ? "" : String(value));
}

// Replaces what an element holds.
export function fill(element, ...content) {
  element.replaceChildren(...children(content));
  return element;
}

// A text with some of its ranges marked. Ranges count characters, not UTF-16 units.
export function marked(text, ranges) {
  if (!ranges?.length) return [text];
  const letters = Array.from(text);
  const parts = [];
  let at = 0;
  for (const [start, end] of ranges) {
    if (start < at || end > letters.length || end <= start) continue;
    if (start > at) parts.push(letters.slice(at, start).join(""));
    parts.push(el("mark", letters.slice(start, end).join("")));
    at = end;
  }
  parts.push(letters.slice(at).join(""));
  return parts.filter((part) => part !== "");
}

// Says something to those who hear the page.
export function announce(words) {
  document.getElementById("live").textContent = words;
}

// A word that passes, in the corner; with a way back, if there is one.
export function toast(words, kind = "done", [label, deed] = []) {
  const place = document.getElementById("toasts");
  const note = el(`div.toast.${kind}`, el("p", words));
  if (label) note.append(el("button.button", { type: "button", onclick: () => { note.remove(); deed(); } }, label));
  place.append(note);
  setTimeout(() => note.remove(), kind === "wrong" || label ? 9000 : 4500);
}
