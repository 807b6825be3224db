// Line drawings, 24 by 24, in the colour of the text around them.
import { svg } from "./dom.js";

const DRAWN = {
  ask: ["M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14z", "M20 20l-4-4"],
  notes: ["M6 3h9l4 4v14H6z", "M14 3v5h5", "M9 12h6", "M9 16h6"],
  agents: ["M7 8h10v9H7z", "M12 4v4", "M4 12v2", "M20 12v2", "M10 12h.01", "M14 12h.01"],
  given: ["M4 12h12", "M11 7l5 5-5 5", "M20 5v14"],
  history: ["M4 12a8 8 0 1 0 3-6.200", "M4 4v4h4", "M12 8v4l3 2"],
  filter: ["M4 6h16", "M7 12h10", "M10 18h4"],
  tick: ["M5 5h14v14H5z", "M8.500 12l2.500 2.500L16 9.500"],
  box: ["M5 5h14v14H5z"],
  day: ["M5 5h14v15H5z", "M5 10h14", "M9 3v4", "M15 3v4", "M12 13v4", "M10 15h4"],
  timeline: ["M5 5h14v15H5z", "M5 10h14", "M9 3v4", "M15 3v4", "M9 14h2", "M14 14h1", "M9 17h2"],
  facts: ["M5 6h1", "M5 12h1", "M5 18h1", "M10 6h10", "M10 12h10", "M10 18h7"],
  graph: ["M6 7a2 2 0 1 0 0-.01z", "M18 6a2 2 0 1 0 0-.01z", "M13 19a2 2 0 1 0 0-.01z", "M8 7l8-1", "M7 9l5 8", "M17 8l-4 9"],
  sessions: ["M4 5h16v11H10l-4 4v-4H4z", "M8 9h8", "M8 12h5"],
  trust: ["M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6z", "M9 12l2 2 4-4"],
  health: ["M3 12h4l3-7 4 14 3-7h4"],
  more: ["M6 12h.01", "M12 12h.01", "M18 12h.01"],
  sun: ["M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z", "M12 3v2", "M12 19v2", "M3 12h2", "M19 12h2", "M5.6 5.6L7 7", "M17 17l1.4 1.4", "M5.6 18.4L7 17", "M17 7l1.4-1.4"],
  moon: ["M19 14.5A8 8 0 0 1 9.500 5a7.500 7.500 0 1 0 9.500 9.500z"],
  auto: ["M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z", "M12 4v16", "M12 8h6", "M12 12h8", "M12 16h6"],
  help: ["M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z", "M9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.7.400-1 .900-1 1.700", "M12 17h.01"],
  leave: ["M10 4H5v16h5", "M14 8l4 4-4 4", "M18 12H9"],
  edit: ["M5 19l1-4L16 5l3 3L9 18z", "M14 7l3 3"],
  remove: ["M5 7h14", "M9 7V4h6v3", "M7 7l1 13h8l1-13", "M10 11v5", "M14 11v5"],
  add: ["M12 5v14", "M5 12h14"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  back: ["M15 5l-7 7 7 7"],
  forward: ["M9 5l7 7-7 7"],
  copy: ["M9 9h10v11H9z", "M15 9V5H5v11h4"],
  warn: ["M12 4l9 16H3z", "M12 10v4", "M12 17h.01"],
  flush: ["M12 4v10", "M8 10l4 4 4-4", "M5 19h14"],
  fold: ["M5 4l7 5 7-5", "M5 20l7-5 7 5", "M4 12h16"],
};

export function icon(name) {
  const paths = DRAWN[name].map((d) => svg("path", { d }));
  return svg("svg.icon", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, paths);
}
