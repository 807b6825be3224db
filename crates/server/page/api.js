// What the page asks the server. Every request goes through `ask`, so that a lost login and a lost server are seen in
// one place.

export class Refused extends Error {
  constructor(status, wrong) {
    super(wrong?.message ?? `the server answered ${status}`);
    this.status = status;
    this.kind = wrong?.type;
    this.hint = wrong?.hint;
    this.now = wrong?.now;
  }
}

const listeners = { lost: () => {}, gone: () => {}, back: () => {} };

// `lost`: the login is not valid. `gone` and `back`: the server does not answer, and does again.
export function on(name, listener) {
  listeners[name] = listener;
}

export async function ask(path, { method = "GET", body, signal } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name !== "AbortError") listeners.gone();
    throw error.name === "AbortError" ? error : new Refused(0, { message: "the server does not answer" });
  }
  listeners.back();
  // A failure may come without JSON; an answer that is broken off is none.
  const answer = await response.json().catch((error) => { if (response.ok) throw error; return null; });
  if (response.ok) return answer;
  if (response.status === 401) listeners.lost();
  throw new Refused(response.status, answer?.error);
}

// A path with what is asked in its query; what is empty is left out.
export function query(path, asked) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) words.set(name, String(value));
  }
  const text = words.toString();
  return text ? `${path}?${text}` : path;
}

// Each segment by itself: a note's path has slashes of its own.
function segments(path) {
  return path.split("/").map(encodeURIComponent).join("/");
}

const one = encodeURIComponent;
const get = (path, asked = {}, signal) => ask(query(path, asked), { signal });
const post = (path, body) => ask(path, { method: "POST", body });

// What a person types at a terminal to reach this memory; it stays the same while the server runs.
let program = null;

export function terminal(signal) {
  program ??= get("/v1/status", {}, signal).then(([agent]) => agent.mindfile.command ?? "mindfile");
  program.catch(() => { program = null; });
  return program;
}

export const api = {
  login: (token) => post("/login", { token }),
  logout: () => post("/logout", {}),
  search: (asked, signal) => get("/v1/search", { explain: true, marks: true, ...asked }, signal),
  recall: (asked, signal) => get("/v1/recall", { explain: true, noTouch: true, ...asked }, signal),
  notes: (asked, signal) => get("/v1/notes", asked, signal),
  outline: (signal) => get("/v1/outline", {}, signal),
  blocks: (path, asked, signal) => get(`/v1/blocks/${segments(path)}`, asked, signal),
  blame: (path, signal) => get(`/v1/blame/${segments(path)}`, {}, signal),
  note: (path, asked, signal) => get(`/v1/notes/${segments(path)}`, asked, signal),
  preview: (text, signal) => ask("/v1/blocks", { method: "POST", body: { text }, signal }),
  put: (path, text, hash) => ask(`/v1/notes/${segments(path)}`, { method: "PUT", body: hash ? { text, ifMatch: hash } : { text } }),
  rename: (path, to, hash) => ask(`/v1/notes/${segments(path)}`, { method: "PATCH", body: { to, ifMatch: hash } }),
  removeNote: (path, hash) => ask(query(`/v1/notes/${segments(path)}`, { ifMatch: hash }), { method: "DELETE" }),
  disagreements: (signal) => get("/v1/disagreements", { limit: 60 }, signal),
  settle: (holds, other, both) => post("/v1/settle", both ? { holds, other, both } : { holds, other }),
  facts: (asked, signal) => get("/v1/facts", asked, signal),
  fact: (id, signal) => get(`/v1/facts/${one(id)}`, {}, signal),
  retain: (fact) => post("/v1/facts", fact),
  edit: (id, change) => ask(`/v1/facts/${one(id)}`, { method: "PATCH", body: change }),
  remove: (id, dryRun) => ask(query(`/v1/facts/${one(id)}`, { dryRun }), { method: "DELETE" }),
  forget: (what) => post("/v1/forget", what),
  diff: (span, signal) => get("/v1/diff", { span, limit: 80 }, signal),
  given: (asked, signal) => get("/v1/given", asked, signal),
  graph: (asked, signal) => get("/v1/graph", asked, signal),
  entity: (name, signal) => get(`/v1/entities/${one(name)}`, {}, signal),
  context: (asked, signal) => get("/v1/context", asked, signal),
  sessions: (signal) => get("/v1/sessions", {}, signal),
  session: (id, before, signal) => get(`/v1/sessions/${one(id)}`, { full: true, bytes: 50000, before }, signal),
  candidates: (id, signal) => get(`/v1/sessions/${one(id)}/candidates`, {}, signal),
  status: (signal) => get("/v1/status", {}, signal).then(([agent]) => agent),
  doctor: (signal) => get("/v1/doctor", {}, signal),
  indexState: (signal) => get("/v1/index", {}, signal),
  index: (force) => post("/v1/index", { force }),
  audit: (asked, signal) => get("/v1/audit", asked, signal),
  auditVerify: (signal) => get("/v1/audit/verify", {}, signal),
  policy: (signal) => get("/v1/policy", {}, signal),
  policyCheck: (text) => post("/v1/policy/check", { text }),
};

// What the server tells by itself. The browser connects again when the line breaks.
export function events(heard) {
  const source = new EventSource("/v1/events");
  for (const name of ["indexed", "progress", "failed", "degraded", "rescanned", "heartbeat"]) {
    source.addEventListener(name, (event) => heard(name, JSON.parse(event.data)));
  }
  return source;
}
