// Every view opens, says nothing in the console, and can be used by everybody; a picture of each, if wanted.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { wrongs } from "./access.mjs";
import { enter, go, open, settled } from "./browser.mjs";
import { check, none, part } from "./report.mjs";

export const VIEWS = [
  ["search-empty", "#/search"],
  ["search", "#/search?q=what%20went%20wrong%20with%20the%20card%20payments"],
  ["search-facts", "#/search?q=Tomasz&in=facts"],
  ["search-nothing", "#/search?q=zzqx%20vvkw&mode=keyword"],
  ["note", "#/note/memory/2026-08-12-inc-4471.md?line=3-5"],
  ["timeline", "#/timeline?day=2026-08-12"],
  ["facts", "#/facts"],
  ["fact", null],
  ["forget", "#/forget?entity=Tomasz"],
  ["graph", "#/graph"],
  ["context", "#/context"],
  ["sessions", "#/sessions"],
  ["session", "#/sessions/planning"],
  ["trust", "#/trust"],
  ["health", "#/health"],
];

export async function views(world) {
  const { facts } = await world.ask("/v1/facts?limit=1&order=salience");
  const places = VIEWS.map(([name, place]) => [name, place ?? `#/facts?id=${facts[0].id}`]);
  for (const [size, colours] of [["desk", "light"], ["desk", "dark"], ["phone", "light"]]) {
    part(`Every view, ${size === "phone" ? "as wide as a phone" : colours}`);
    const session = await open(world, { size, colours, motion: "reduce" });
    await enter(session, world);
    for (const [name, place] of places) {
      await go(session.page, place);
      if (name === "forget") await previewed(session.page);
      await session.page.waitForTimeout(120);
      await shot(session.page, name, size, colours);
      none(`${name}: names, labels, order, contrast`, await session.page.evaluate(wrongs));
      check(`${name}: it shows something, and no failure`, await session.page.evaluate(() => document.querySelector("main").innerText.trim().length > 20 && !document.querySelector("main .empty.wrong")));
    }
    if (size === "phone") await more(session.page);
    none("no word in the console", session.seen.errors);
    none("nothing asked of another place", session.seen.elsewhere);
    none("every request was answered", session.seen.refused);
    await session.close();
  }
}

async function previewed(page) {
  await page.click("text=Show what would go");
  await settled(page);
}

async function more(page) {
  await page.click(".more");
  await shot(page, "more", "phone");
  check("every view is in reach behind More", await page.locator(".nav li a:visible").count() === await page.locator(".nav li a").count());
}

async function shot(page, name, size, colours) {
  if (!process.env.PAGE_SHOTS) return;
  mkdirSync(process.env.PAGE_SHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.PAGE_SHOTS, `${name}-${size === "phone" ? "phone" : colours}.png`) });
}
