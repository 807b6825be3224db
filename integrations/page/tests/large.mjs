// Ten thousand notes with a hundred thousand facts: how soon something is seen, and whether typing ever has to wait. Times are told and
// judged by who reads them, beside those of a page with nothing on it: they are the machine's as well.
import { enter, go, open, settled } from "./browser.mjs";
import { check, none, part, say } from "./report.mjs";
import { heavy } from "./views.mjs";

const ROUNDS = 5;

export async function many(world) {
  const [{ total }, { total: facts }] = [await world.ask("/v1/notes?limit=1"), await world.ask("/v1/facts?limit=1")];
  part(`${total.toLocaleString("en")} notes, ${facts.toLocaleString("en")} facts (indexed in ${(world.indexed / 1000).toFixed(1)} s)`);
  const session = await open(world);
  const large = heavy(session.page);
  await enter(session, world);
  await paint(session, world);
  await typed(session);
  await opened(session);
  none("no answer over 100 kB", large);
  await session.close();
}

// In a browser that knows nothing yet, and in one that has been here before.
async function paint({ page, context }, world) {
  const visit = async (url, ready, fresh) => {
    const tab = await context.newPage();
    if (fresh) await (await context.newCDPSession(tab)).send("Network.clearBrowserCache");
    await tab.goto(url);
    await tab.waitForFunction((selector) => document.querySelector(selector) && performance.getEntriesByName("first-contentful-paint").length, ready);
    const at = await tab.evaluate(() => ({ first: performance.getEntriesByName("first-contentful-paint")[0].startTime, ready: performance.now() }));
    await tab.close();
    return at;
  };
  const times = { empty: [], cold: [], warm: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.empty.push(await visit(new URL("/healthz", world.url).href, "body", true));
    times.cold.push(await visit(world.url, "[data-search]", true));
    times.warm.push(await visit(world.url, "[data-search]", false));
  }
  await page.bringToFront();
  const told = (list, name) => { const sorted = list.map((one) => one[name]).sort((one, other) => one - other); return `${Math.round(sorted[sorted.length >> 1])} ms (${Math.round(sorted[0])} to ${Math.round(sorted.at(-1))})`; };
  say(`first paint: ${told(times.cold, "first")} with an empty cache, ${told(times.warm, "first")} with a full one; of a page with nothing on it ${told(times.empty, "first")}`);
  say(`ready to type: ${told(times.cold, "ready")}, ${told(times.warm, "ready")}`);
}

async function watched(page, work) {
  await page.evaluate(() => {
    globalThis.long = [];
    globalThis.watcher = new PerformanceObserver((list) => { for (const entry of list.getEntries()) globalThis.long.push(entry.duration); });
    globalThis.watcher.observe({ type: "longtask" });
  });
  await work();
  return page.evaluate(() => { for (const entry of globalThis.watcher.takeRecords()) globalThis.long.push(entry.duration); globalThis.watcher.disconnect(); return globalThis.long; });
}

async function typed({ page }) {
  await go(page, "#/ask");
  const waits = [];
  const text = "when did Gudrun sail to Reykjavik by ferry";
  const long = await watched(page, async () => {
    await page.evaluate(() => {
      globalThis.waits = [];
      document.querySelector("[data-search]").addEventListener("input", (event) => {
        const at = event.timeStamp;
        requestAnimationFrame(() => globalThis.waits.push(performance.now() - at));
      });
    });
    await page.locator("[data-search]").pressSequentially(text, { delay: 45 });
    await page.waitForSelector(".hit");
    await settled(page);
  });
  waits.push(...await page.evaluate(() => globalThis.waits));
  waits.sort((a, b) => a - b);
  say(`from a key to the next picture: median ${Math.round(waits[waits.length >> 1])} ms, slowest ${Math.round(waits.at(-1))} ms, of ${waits.length} keys`);
  say(`tasks of more than 50 ms while typing: ${long.length}${long.length ? `, the longest ${Math.round(Math.max(...long))} ms` : ""}`);
  check("every key was drawn", waits.length === text.length, `${waits.length} of ${text.length}`);
}

async function opened({ page }) {
  for (const [words, place] of [["ask", "#/ask?q=ferry"], ["notes", "#/notes"], ["timeline", "#/timeline"], ["facts", "#/facts"], ["facts with a word", "#/facts?text=harbour"],
    ["what changed", "#/facts?tab=lately&span=1y"], ["contradictions", "#/facts?tab=clash"], ["a note", "#/note/memory/2000-01-01.md"], ["graph", "#/graph"], ["an entity", "#/graph/river7"],
    ["agents", "#/agents"], ["given", "#/given"], ["trust", "#/trust"], ["conversations", "#/sessions"], ["health", "#/health"]]) {
    const began = Date.now();
    const long = await watched(page, () => go(page, place));
    say(`${words}: ${Date.now() - began} ms until all is there, ${long.length} tasks over 50 ms${long.length ? ` (longest ${Math.round(Math.max(...long))} ms)` : ""}`);
  }
}
