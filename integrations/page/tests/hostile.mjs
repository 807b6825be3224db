// Texts that try to run stay texts, in every view; and if they did run, this test would know.
import { corpus } from "./corpus.mjs";
import { enter, go, open, settled } from "./browser.mjs";
import { check, none, part, say } from "./report.mjs";

export async function hostile(world) {
  part(`${corpus.length} texts that try to run, in notes, facts, names and conversations`);
  const session = await open(world, { motion: "reduce" });
  const { page, seen, context } = session;
  await page.addInitScript(() => { globalThis.hits = []; globalThis.hit = (n) => { globalThis.hits.push(n); }; });
  await enter(session, world);
  const { notes } = await world.ask("/v1/notes");
  const { facts } = await world.ask("/v1/facts?limit=400");
  const shown = new Set();
  const places = [
    ...corpus.map((text) => `#/ask?q=${encodeURIComponent(text.slice(0, 60))}`),
    "#/ask?q=payload", "#/ask?q=payload&in=facts", ...corpus.map((text) => `#/ask?q=${encodeURIComponent(text)}&in=facts`).slice(0, 12),
    ...notes.map((note) => `#/note/${note.path.split("/").map(encodeURIComponent).join("/")}`),
    ...facts.slice(0, 30).map((fact) => `#/facts?id=${encodeURIComponent(fact.id)}`),
    "#/timeline?day=2026-03-04", "#/facts", "#/facts?text=payload", "#/graph/payload", "#/graph", "#/notes", "#/agents", "#/agents/0", "#/given", "#/facts?tab=lately&span=1y", "#/sessions", "#/sessions/talk", "#/trust", "#/trust/audit", "#/health",
    ...corpus.slice(0, 25).map((text) => `#/note/${encodeURIComponent(text)}`), ...corpus.slice(0, 10).map((text) => `#/graph/${encodeURIComponent(text)}`),
    ...corpus.slice(0, 10).map((text) => `#/facts?entity=${encodeURIComponent(text)}&text=${encodeURIComponent(text)}`), ...corpus.slice(0, 5).map((text) => `#/${text}`),
  ];
  let elements = 0;
  for (const place of places) {
    await go(page, place);
    await page.waitForTimeout(90);
    await settled(page);
    await page.evaluate(() => { for (const fold of document.querySelectorAll("#main details, #pane details")) fold.open = true; });
    const { text, strange } = await page.evaluate(() => ({
      text: document.body.innerText,
      strange: [...document.querySelectorAll("script, iframe, object, embed, img, video, audio, math, marquee, style, base, meta[http-equiv], template, foreignObject, animate, [onerror], [onload], [onfocus], a[href^='javascript' i], a[href^='data' i]")]
        .filter((element) => !element.closest("head")).length,
    }));
    elements += strange;
    corpus.forEach((one, index) => { if (text.includes(one.slice(0, 40))) shown.add(index); });
  }
  await forgetting(page);
  await typing(page);
  say(`${places.length} places looked at`);
  check("every text was shown as text", shown.size === corpus.length, corpus.filter((_, index) => !shown.has(index)).join("\n        "));
  check("none became an element", elements === 0, String(elements));
  none("none ran", await page.evaluate(() => globalThis.hits));
  none("none asked another place", seen.elsewhere);
  none("none opened a window", seen.dialogs);
  check("no other page was opened", context.pages().length === 1);
  none("nothing was held back by the browser's rules, because nothing tried", seen.errors.filter((error) => error.includes("Content Security Policy")));
  none("no error of the page's own", seen.errors.filter((error) => !/40[034]/.test(error) && !error.includes("Content Security Policy")));
  await control(page, seen);
  await session.close();
}

async function forgetting(page) {
  await go(page, "#/forget");
  await page.fill("form input", "Prose payload");
  await page.click("text=Show what would go");
  await settled(page);
  check("the preview of forgetting lists such lines", await page.locator(".gone-list li").count() > 50);
}

async function typing(page) {
  await go(page, "#/ask");
  for (const text of corpus.slice(0, 12)) {
    await page.fill("[data-search]", text);
    await page.waitForTimeout(150);
  }
  await settled(page);
}

// The same texts as markup: the rules of the page must stop what the page itself never does.
async function control(page, seen) {
  const thrown = await page.evaluate(() => {
    try {
      document.querySelector("#main").innerHTML = "<img src=x onerror=hit(999)>";
      return "";
    } catch (error) {
      return String(error);
    }
  });
  check("control: markup from text is refused by the browser itself", thrown.includes("TrustedHTML"), thrown);
  const handler = await page.evaluate(() => {
    const picture = document.createElement("img");
    document.body.append(picture);
    picture.src = "http://elsewhere.invalid/x.png";
    try {
      picture.setAttribute("onerror", "hit(998)");
      return "";
    } catch (error) {
      return String(error);
    }
  });
  await page.waitForTimeout(300);
  check("control: a handler in an attribute is refused, too", handler.includes("TrustedScript") && !(await page.evaluate(() => globalThis.hits)).includes(998), handler);
  check("control: what the rules stop is seen by this test", seen.errors.some((error) => error.includes("Content Security Policy")));
  await page.evaluate(() => globalThis.hit(997));
  check("control: a hit would be counted", (await page.evaluate(() => globalThis.hits)).includes(997));
}
