// Every view opens, says nothing in the console, and can be used by everybody; a picture of each, if wanted.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { wrongs } from "./access.mjs";
import { enter, go, open, settled } from "./browser.mjs";
import { check, none, part } from "./report.mjs";

const LOOKS = [["desk", "light"], ["desk", "dark"], ["phone", "light"], ["phone", "dark"]];

export const VIEWS = [
  ["ask-empty", "#/ask"],
  ["ask", "#/ask?q=What%20is%20the%20dog%20scared%20of%3F"],
  ["ask-rate", "#/ask?q=why%20was%20the%20museum%20rate%20raised"],
  ["ask-facts", "#/ask?q=Tomasz&in=facts"],
  ["ask-weak", "#/ask?q=which%20day%20is%20the%20sports%20festival"],
  ["ask-nothing", "#/ask?q=zzqx%20vvkw&mode=keyword"],
  ["notes", "#/notes"],
  ["note", "#/note/memory/2026-08-12-inc-4471.md?line=3-5"],
  ["note-pixel", "#/note/memory/pixel.md"],
  ["facts", "#/facts"],
  ["facts-lately", "#/facts?tab=lately&span=6mo"],
  ["fact", null],
  ["fact-new", "#/facts?new"],
  ["forget", "#/forget?entity=Tomasz"],
  ["timeline", "#/timeline?day=2026-08-12"],
  ["graph", "#/graph"],
  ["graph-one", "#/graph/tomasz"],
  ["sessions", "#/sessions"],
  ["session", "#/sessions/planning"],
  ["agents", "#/agents"],
  ["agents-part", "#/agents/0"],
  ["agents-connect", "#/agents/connect"],
  ["given", "#/given"],
  ["trust", "#/trust"],
  ["trust-audit", "#/trust/audit"],
  ["trust-rules", "#/trust/rules"],
  ["trust-try", "#/trust/try"],
  ["health", "#/health"],
];

export async function views(world) {
  const { facts } = await world.ask("/v1/facts?limit=1&order=salience");
  const once = (await world.ask("/v1/given?limit=1")).given[0];
  const places = VIEWS.map(([name, place]) => [name, place ?? `#/facts?id=${facts[0].id}`]);
  if (once) places.push(["given-one", `#/given/${encodeURIComponent(once.at)}`]);
  for (const [size, colours] of LOOKS) {
    part(`Every view, ${colours}${size === "phone" ? ", as wide as a phone" : ""}`);
    const session = await open(world, { size, colours, motion: "reduce" });
    const large = heavy(session.page);
    await enter(session, world);
    for (const [name, place] of places) {
      await go(session.page, place);
      if (name === "forget") await previewed(session.page);
      await session.page.waitForTimeout(250);
      await settled(session.page);
      await shot(session.page, name, size, colours);
      none(`${name}: WCAG AA, and as wide as the window`, await wrongs(session.page));
      check(`${name}: it shows something, and no failure`, await session.page.evaluate(() => document.body.innerText.trim().length > 20 && !document.querySelector(".empty.wrong")));
    }
    if (size === "phone") await more(session.page, colours);
    none("no answer over 100 kB", large);
    none("no word in the console", session.seen.errors);
    none("nothing asked of another place", session.seen.elsewhere);
    none("every request was answered", session.seen.refused);
    await session.close();
  }
}

// The answers that are larger than a view may need.
export function heavy(page) {
  const found = [];
  page.on("response", async (response) => {
    if (!response.url().includes("/v1/") || response.url().includes("/v1/events")) return;
    const bytes = await response.body().then((body) => body.length, () => 0);
    if (bytes > 100_000) found.push(`${bytes} bytes: ${response.url()}`);
  });
  return found;
}

async function previewed(page) {
  await page.click("text=Show what would go");
  await settled(page);
}

async function more(page, colours) {
  await page.click(".more");
  await shot(page, "more", "phone", colours);
  check("every view is in reach behind More", await page.locator(".nav li a:visible").count() === await page.locator(".nav li a").count());
}

export async function shot(page, name, size, colours) {
  if (!process.env.PAGE_SHOTS) return;
  mkdirSync(process.env.PAGE_SHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.PAGE_SHOTS, `${name}-${size}-${colours}.png`) });
}
