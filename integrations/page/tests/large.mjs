// Ten thousand notes: how soon something is seen, and whether typing ever has to wait.
import { enter, go, open, settled } from "./browser.mjs";
import { check, none, part, say } from "./report.mjs";
import { heavy } from "./views.mjs";

const PAINT = 1000;
const LONG = 100;

export async function many(world) {
  const { total } = await world.ask("/v1/notes?limit=1");
  part(`${total.toLocaleString("en")} notes (indexed in ${(world.indexed / 1000).toFixed(1)} s)`);
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
  const times = [];
  for (let round = 0; round < 3; round += 1) {
    const fresh = await context.newPage();
    if (round === 0) await (await context.newCDPSession(fresh)).send("Network.clearBrowserCache");
    await fresh.goto(world.url);
    await fresh.waitForSelector("[data-search]");
    const at = await fresh.evaluate(() => ({
      first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, ready: performance.now(),
    }));
    times.push(at);
    await fresh.close();
  }
  await page.bringToFront();
  const [cold, ...warm] = times;
  say(`first paint ${Math.round(cold.first)} ms with an empty cache, then ${warm.map((one) => `${Math.round(one.first)} ms`).join(", ")}`);
  say(`ready to type after ${times.map((one) => `${Math.round(one.ready)} ms`).join(", ")}`);
  check(`first paint within ${PAINT} ms`, times.every((one) => one.first <= PAINT));
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
  check(`typing never blocks: no task over ${LONG} ms`, long.every((one) => one <= LONG), long.join(", "));
}

async function opened({ page }) {
  for (const [words, place] of [["ask", "#/ask?q=ferry"], ["notes", "#/notes"], ["timeline", "#/timeline"], ["facts", "#/facts"], ["graph", "#/graph"], ["health", "#/health"]]) {
    const began = Date.now();
    const long = await watched(page, () => go(page, place));
    say(`${words}: ${Date.now() - began} ms until all is there, ${long.length} tasks over 50 ms${long.length ? ` (longest ${Math.round(Math.max(...long))} ms)` : ""}`);
  }
}
