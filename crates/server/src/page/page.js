// The page in its smallest form: log in by the token of the address, then search as one types.
const at = (id) => document.getElementById(id);

async function ask(path, options) {
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error.message), { status: response.status });
  return answer;
}

async function login(token) {
  await ask("/login", { method: "POST", body: JSON.stringify({ token }) });
  await open();
}

async function open() {
  try {
    const [agent] = await ask("/v1/status");
    at("notice").textContent = `${agent.status.files} notes, ${agent.mindfile.facts} facts`;
    at("login").hidden = true;
    at("search").hidden = false;
    at("query").focus();
  } catch (error) {
    at("notice").textContent = error.status === 401 ? "Which token? It is in server.token." : error.message;
    at("login").hidden = error.status !== 401;
  }
}

let latest = 0;
async function search() {
  const mine = ++latest;
  const query = at("query").value.trim();
  const found = query ? await ask(`/v1/search?query=${encodeURIComponent(query)}`) : { results: [] };
  if (mine !== latest) return;
  at("results").replaceChildren(...found.results.map(shown));
}

function shown(hit) {
  const item = document.createElement("li");
  const text = document.createElement("pre");
  const place = document.createElement("cite");
  text.textContent = hit.snippet;
  place.textContent = `${hit.citation ?? hit.path} · ${hit.score}`;
  item.append(text, place);
  return item;
}

at("login").addEventListener("submit", (event) => {
  event.preventDefault();
  login(at("token").value).catch((error) => { at("notice").textContent = error.message; });
});
at("search").addEventListener("submit", (event) => event.preventDefault());
at("query").addEventListener("input", () => search().catch((error) => { at("notice").textContent = error.message; }));

const fragment = new URLSearchParams(location.hash.slice(1)).get("token");
if (fragment) {
  history.replaceState(null, "", location.pathname);
  login(fragment).catch((error) => { at("notice").textContent = error.message; at("login").hidden = false; });
} else {
  open();
}
