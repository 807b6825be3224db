// The first visit: four steps from nothing to an answer.
import { api } from "../api.js";
import { el } from "../dom.js";
import { button, command, failed, field } from "../parts.js";
import { isoDay } from "../words.js";
import { hosts } from "./hosts.js";

export async function first(signal) {
  const agent = await api.status(signal);
  const program = agent.mindfile.command;
  return el("ol.steps",
    el("li.is-done", el("h2", "Your workspace"), el("p", "A folder of Markdown. Everything that is remembered is a line in it, and yours: ", el("code", agent.status.workspaceDir)),
      el("p.small", "To use a folder that you have, such as an Obsidian vault, end the server and start it there:"), command("mindfile serve --workspace ~/vault")),
    el("li", el("h2", "Write the first note"), writing()),
    el("li", el("h2", "Connect an agent"), el("p", "Choose yours, and run its line in a terminal. It says first what it changes, and asks."), hosts(agent)),
    el("li", el("h2", "Bring along what there is"), el("p", "An export of ChatGPT, or whatever else ", el("code", "import --help"), " lists:"), command(`${program} import chatgpt conversations.json`),
      el("p.small", "It is given to no agent unasked, and stands under Conversations, Notes and Trust. With ", el("code", "--trust"), " it is your own word.")),
    el("li", el("h2", "Ask the first question"), el("p", "In the field above, in your own words.")));
}

function writing() {
  const text = el("textarea", { rows: "2", required: true, placeholder: "The dog is afraid of the street sweeper." });
  const place = el("div");
  const keep = async (event) => {
    event.preventDefault();
    try {
      const kept = await api.retain({ text: text.value.trim(), kind: "W" });
      location.hash = `#/note/${kept.path}`;
    } catch (error) {
      place.replaceChildren(failed(error));
    }
  };
  return el("form.editing", { onsubmit: keep }, field(`One sentence, kept in today's note (${isoDay(new Date())})`, text),
    el("div.row-of-buttons", button("Keep it", null, { kind: "main", type: "submit" })), place);
}
