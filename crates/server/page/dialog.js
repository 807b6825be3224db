// A box in front of the page: help, and the question before something is taken away.
import { el } from "./dom.js";
import { button } from "./parts.js";

// Opens it; the promise tells what it was closed with.
export function dialog(title, content, actions) {
  return new Promise((resolve) => {
    const id = `dialog-${Date.now()}`;
    const box = el("dialog.dialog", { "aria-labelledby": id });
    const close = (value) => { box.returnValue = ""; box.close(); resolve(value); };
    const row = el("div.dialog-actions", actions.map(([words, value, kind]) => button(words, () => close(value), { kind })));
    box.append(el("h2", { id }, title), el("div.dialog-body", content), row);
    box.addEventListener("cancel", () => resolve(null));
    box.addEventListener("close", () => box.remove());
    box.addEventListener("click", (event) => { if (event.target === box) close(null); });
    document.body.append(box);
    box.showModal();
  });
}
