// Who did what, whether that log is whole, and what may be stored.
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { button, empty, failed, field, heading, load } from "../parts.js";
import { at, count, many } from "../words.js";

const SHOWN = 200;

export function trust({ place, signal }) {
  const audit = el("section", { "aria-label": "Audit" });
  const policy = el("section", { "aria-label": "Policy" });
  fill(place, heading("Trust", "Who wrote and who saw what is sensitive, and what may be stored at all."),
    el("h2", "Audit"), audit, el("h2", "Policy"), checker(), policy);
  const both = () => Promise.all([api.auditVerify(signal), api.audit({ limit: SHOWN }, signal)]);
  load(audit, signal, both, ([log, list]) => [verified(log), entries(list, log.entries)]);
  load(policy, signal, () => api.policy(signal), rules);
}

function verified(came) {
  if (came.ok) {
    return el("p.notice.good", icon("trust"), el("span", `The log is whole: ${many(came.entries, "entry", "entries")}, each signed and chained to the one before.`));
  }
  const { broken } = came;
  return el("p.notice.warn", icon("warn"), el("span", `The log was changed at entry ${count(broken.entry)}: ${broken.why}.`));
}

function entries(list, total) {
  if (!list.length) return empty("Nothing is logged yet.", "Every write, and every look at something sensitive, leaves a line here, without its content.");
  const row = (one) => el("tr", el("td.figure", count(one.entry)), el("td", at(one.at)), el("td", el("span.badge", one.act)),
    el("td", [one.what, one.id].filter(Boolean).join(" ")), el("td", one.who), el("td", one.door));
  const head = ["#", "When", "What", "To what", "Whose word", "Through"].map((words) => el("th", { scope: "col" }, words));
  return [
    el("div.table-scroll", { tabindex: "0", role: "region", "aria-label": "Audit log" },
      el("table.log", el("thead", el("tr", head)), el("tbody", list.toReversed().map(row)))),
    total > list.length && el("p.small", `The last ${count(list.length)} of ${many(total, "entry", "entries")}. All of them: `, el("code", `mindfile audit show --limit ${total}`)),
  ];
}

const CLASSES = { allowed: "stored and shown", masked: "stored, shown as a mask", "never-store": "never stored" };

function rules(came) {
  const own = came.rules.map((one) => [one.name, `${one.by} ${one.value}`, one.class]);
  const builtin = came.builtin.map((one) => [one.name, one.about, one.class]);
  const row = ([name, about, sort]) => el("tr", el("td", name), el("td.small", about), el("td", el(`span.badge.class-${sort}`, CLASSES[sort] ?? sort)));
  const table = (list) => el("div.table-scroll", { tabindex: "0", role: "region", "aria-label": "Rules" },
    el("table.log", el("thead", el("tr", ["Rule", "Finds", "What happens"].map((words) => el("th", { scope: "col" }, words)))), el("tbody", list.map(row))));
  return [
    own.length > 0 && [el("h3", "Your rules"), table(own)], el("h3", "Built in"), table(builtin),
    el("p.small", "Rules stand in mindfile.json in the state directory; a workspace cannot change them."),
  ];
}

// What would happen to a text. It is asked, and kept nowhere.
function checker() {
  const text = el("textarea", { rows: "2", placeholder: "Paste a text to see what would happen to it" });
  const result = el("div", { "aria-live": "polite" });
  const check = async (event) => {
    event.preventDefault();
    if (!text.value.trim()) return fill(result);
    try {
      const came = await api.policyCheck(text.value);
      fill(result, came.findings.length ? el("ul.findings", came.findings.map(finding)) : el("p.small", "No rule finds anything in it: it would be stored and shown as it is."));
    } catch (error) {
      fill(result, failed(error));
    }
  };
  return el("form.card.editing", { onsubmit: check }, field("Try a text", text), el("div.row-of-buttons", button("Check", null, { type: "submit" })), result);
}

function finding(one) {
  return el("li.finding", el("p", el("strong", one.rule), " ", el(`span.badge.class-${one.class}`, CLASSES[one.class] ?? one.class)),
    el("p.small", `line ${one.line}, column ${one.column}: `, el("code", one.preview), ` · ${one.then}`));
}
