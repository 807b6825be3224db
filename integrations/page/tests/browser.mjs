// A browser that nothing escapes: every error, every request to elsewhere, every dialog is kept.
import { mkdtempSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

const { chromium } = await import(process.env.PLAYWRIGHT);

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"];
const KINDS = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html", ".woff2": "font/woff2", ".txt": "text/plain" };

export const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

export async function open(world, { size = "desk", colours = "light", motion = "no-preference" } = {}) {
  const folder = mkdtempSync(join(process.env.PAGE_WORK, "browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM, args: FLAGS, headless: true, viewport: SIZES[size], colorScheme: colours,
    reducedMotion: motion, hasTouch: size === "phone", locale: "en-GB", timezoneId: "Europe/Stockholm",
  });
  const page = context.pages()[0] ?? await context.newPage();
  const seen = { errors: [], elsewhere: [], dialogs: [], refused: [] };
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) seen.errors.push(`${message.text()} (${message.location().url})`); });
  page.on("pageerror", (error) => seen.errors.push(String(error.stack ?? error)));
  page.on("dialog", (dialog) => { seen.dialogs.push(dialog.message()); dialog.dismiss(); });
  page.on("request", (request) => { if (!request.url().startsWith(world.url) && !request.url().startsWith("data:")) seen.elsewhere.push(request.url()); });
  page.on("response", (response) => { if (response.status() >= 400) seen.refused.push(`${response.status()} ${response.url()}`); });
  if (process.env.PAGE_FILES) await fromDisk(context, world);
  return { context, page, seen, close: () => context.close() };
}

// While one works on the page: its files as they are, under the rules that the server sets.
async function fromDisk(context, world) {
  const served = await fetch(world.url);
  const policy = served.headers.get("content-security-policy").replace("img-src", process.env.FONTS ? "font-src 'self'; img-src" : "img-src");
  await context.route((url) => url.pathname === "/" || url.pathname.startsWith("/page/"), (route) => {
    const path = new URL(route.request().url()).pathname.replace(/^\/page\//, "").replace(/^\/$/, "index.html");
    route.fulfill({ body: readFileSync(join(process.env.PAGE_FILES, path)), contentType: KINDS[extname(path)], headers: { "content-security-policy": policy } });
  });
}

export async function enter(session, world) {
  await session.page.goto(world.door);
  await session.page.waitForSelector("#shell:not([hidden]) #main > *");
}

export async function go(page, place) {
  await page.evaluate((hash) => { location.hash = hash; }, place);
  await settled(page);
}

// Nothing is on its way any more, and what came is drawn.
export async function settled(page) {
  await page.waitForTimeout(60);
  await page.waitForFunction(() => !document.querySelector("#main [aria-busy='true'], #main .waiting, #pane[aria-busy='true'], #pane [aria-busy='true'], #pane .waiting") && document.querySelector("#main > *"), null, { timeout: 60000 });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
