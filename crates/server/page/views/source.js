// Markdown as it was written, made a little easier to read. Every character of the text stays.
import { el } from "../dom.js";

// What a line is, as far as its look goes. `state` remembers whether the lines before opened a block of code.
export function looks(text, state) {
  if (/^\s*(```|~~~)/.test(text)) {
    state.fence = !state.fence;
    return "code";
  }
  if (state.fence) return "code";
  if (/^#{1,2}\s/.test(text)) return "big";
  if (/^#{3,6}\s/.test(text)) return "head";
  if (/^\s*[-*+]\s+[WBOS](\([^)]*\))?(\s+@\S+)*\s*:/.test(text)) return "factline";
  if (/^\s*>/.test(text)) return "quote";
  return text.trim() === "" ? "blank" : "prose";
}

// The parts of a line: marks of headings step back, code and strong words stand out, names of facts lead to the graph.
export function inline(text, look) {
  if (look === "blank") return "\u00a0";
  if (look === "code") return text;
  if (look === "big" || look === "head") {
    const [, marks, words] = /^(#+\s+)(.*)$/.exec(text) ?? [null, "", text];
    return [el("span.dim", marks), words];
  }
  if (look !== "factline") return spans(text);
  const colon = text.indexOf(":");
  const parts = text.slice(0, colon + 1).split(/(@[\p{L}\p{N}_./-]+)/u);
  const names = parts.map((part) => (part.startsWith("@") ? el("a.mention", { href: `#/graph/${encodeURIComponent(part.slice(1))}` }, part) : part));
  return [el("span.dim", names), spans(text.slice(colon + 1))];
}

function spans(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`") && part.length > 1) return el("code", part);
    return part.startsWith("**") && part.length > 4 ? el("strong", part) : part;
  });
}

// The first lines of a note, without those that are blank.
export function source(text) {
  const state = {};
  const lines = text.split("\n").map((line) => [line, looks(line, state)]).filter(([, look]) => look !== "blank");
  if (!lines.length) return el("p.small", "It is empty.");
  return el("div.snippet", lines.map(([line, look]) => el(look === "big" || look === "head" ? "p.head" : look === "code" ? "p.code" : "p", inline(line, look))));
}
