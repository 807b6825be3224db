// The door: a token that is pasted, or that came in the address.
import { api } from "./api.js";
import { el, fill } from "./dom.js";
import { button, field } from "./parts.js";

// The token of the address, which is taken out of it at once so that it stays in no history.
export function fromAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) history.replaceState(null, "", location.pathname);
  return given;
}

// Whether this browser was let in. It is no secret and opens nothing: the login is a cookie that no script sees.
const KEY = "mindfile.open";

export function remember(is) {
  try {
    if (is) localStorage.setItem(KEY, "1");
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the page asks the server first.
  }
}

export function isRemembered() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false;
  }
}

export function show(place, opened, why) {
  const input = el("input", { type: "password", autocomplete: "off", spellcheck: "false", required: true });
  const wrong = el("p.wrong", { role: "alert" }, why ?? "");
  const submit = async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      await api.login(input.value.trim());
      opened();
    } catch (error) {
      wrong.textContent = error.status === 401 ? "That is not the token of this server." : error.message;
      input.select();
    }
  };
  fill(place,
    el("form.card.login-card", { onsubmit: submit },
      el("h1", "mindfile"),
      el("p.about", "Your memory, in plain Markdown. This page is for you alone, so it asks for the token of this server."),
      field("Token", input),
      wrong,
      button("Open", null, { kind: "main", type: "submit" }),
      el("p.small", el("code", "mindfile serve"), " prints an address with the token in it; it is also in ",
        el("code", "server.token"), " in the state directory.")));
  place.hidden = false;
  input.focus();
}
