// Forgetting in three steps: what, exactly which lines, and only then for good.
import { api } from "../api.js";
import { dialog } from "../dialog.js";
import { announce, el, fill, toast } from "../dom.js";
import { button, empty, failed, field, head, select, waiting } from "../parts.js";
import { many } from "../words.js";
import { forgetRead } from "./reader.js";
import { gone, isNothing } from "./gone.js";

const text = (name, words, placeholder) => ({ [name]: [words, { type: "text", placeholder, autocomplete: "off" }] });

const WAYS = [
  ["query", "Words", text("query", "These words, in this order", "the landlord's number")],
  ["entity", "A person or thing", text("entity", "Name", "Sarah")],
  ["last", "The last days", text("last", "How long back", "7d, 2w or 3mo")],
  ["days", "A stretch of time", { since: ["From", { type: "date" }], until: ["To", { type: "date" }] }],
  ["session", "A conversation", text("session", "Its id", "s1")],
  ["origin", "What a stranger said", { origin: ["Whose word", [["untrusted", "Untrusted text"], ["agent", "What agents wrote"]]] }],
];

export function forget(view) {
  const { place, asked } = view;
  const form = el("form.card.editing", { onsubmit: (event) => { event.preventDefault(); preview(); } });
  const result = el("section.forget-result", { "aria-label": "What would go" });
  let inputs = {};
  const way = WAYS.find(([name]) => asked.has(name)) ?? WAYS[0];
  const draw = (name) => {
    const fields = WAYS.find(([one]) => one === name)[2];
    inputs = Object.fromEntries(Object.entries(fields).map(([key, [words, how]]) => [key, { words, input: made(how, asked.get(key)) }]));
    fill(form, field("Forget", select(WAYS.map(([one, words]) => [one, words]), name, draw)),
      el("div.columns", Object.values(inputs).map(({ words, input }) => field(words, input))),
      el("div.row-of-buttons", button("Show what would go", null, { kind: "main", type: "submit" }),
        el("span.small", "Nothing is changed yet.")));
    fill(result);
  };
  const preview = () => show(result, chosen(inputs), view, () => draw(way[0]));
  draw(way[0]);
  fill(place, head("Forget", "Gone from notes, conversations, index and everything made of them, and not coming back.",
    [el("a.button", { href: "#/facts", "data-back": true }, "Back to the facts")]), el("div.body", form, result));
}

function made(how, value) {
  return Array.isArray(how) ? select(how, how[0][0]) : el("input", { ...how, value: value ?? "" });
}

function chosen(inputs) {
  return Object.fromEntries(Object.entries(inputs).map(([name, { input }]) => [name, input.value.trim()]).filter(([, value]) => value));
}

async function show(place, what, view, again) {
  if (!Object.keys(what).length) return fill(place, empty("Say what is to be forgotten."));
  fill(place, waiting());
  try {
    const preview = await api.forget({ ...what, dryRun: true });
    announce(isNothing(preview) ? "Nothing would go" : `${many(preview.lines.length, "line")} would go`);
    fill(place, el("h3", "This would go"), gone(preview), !isNothing(preview) && confirm(place, what, view, again));
  } catch (error) {
    fill(place, failed(error));
  }
}

function confirm(place, what, view, again) {
  return el("div.row-of-buttons.confirm", button("Forget it", () => carryOut(place, what, view, again), { kind: "danger" }),
    el("span.small", "This cannot be undone."));
}

async function carryOut(place, what, view, again) {
  const sure = await dialog("Forget this for good?", el("p", "What is listed here is taken out everywhere. It cannot be undone."),
    [["Keep it", false, "quiet"], ["Forget", true, "danger"]]);
  if (!sure) return;
  fill(place, waiting("Forgetting …"));
  try {
    const done = await api.forget({ ...what, dryRun: false });
    forgetRead();
    view.refresh();
    again();
    toast("Forgotten");
    fill(place, el("h3", "Forgotten"), gone(done),
      done.pending.length > 0 && el("div.notice.warn", el("p", `Still to be cleaned up: ${done.pending.join("; ")}`)));
  } catch (error) {
    fill(place, failed(error));
  }
}
