// The programs that can be connected, and the command that connects the one that is chosen; which are, the server knows.
import { el, fill } from "../dom.js";
import { choices, command } from "../parts.js";

export function hosts({ mindfile: own }) {
  const line = el("div");
  const show = (name) => fill(line, command(`${own.command} install ${name}`));
  const [first] = own.hosts;
  const connected = own.hosts.filter((host) => host.connected).map((host) => host.title);
  show(first.name);
  return el("div.hosts", choices("Program", own.hosts.map((host) => [host.name, host.title]), first.name, show), line,
    connected.length > 0 && el("p.small", el("span.badge.good", "connected"), ` ${connected.join(", ")}`));
}
