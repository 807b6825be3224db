// A memory in which there is nothing yet: the page leads from there to the first answer.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { wrongs } from "./access.mjs";
import { enter, go, open, settled } from "./browser.mjs";
import { shot } from "./views.mjs";
import { check, none, part } from "./report.mjs";

export async function first(world) {
  part("The first visit");
  const session = await open(world);
  const { page, seen } = session;
  page.setDefaultTimeout(15000);
  await enter(session, world);
  await page.waitForSelector(".steps");
  check("an empty memory shows the steps, with the path of the workspace", (await page.textContent(".steps")).includes(world.workspace) && await page.locator(".steps > li").count() === 5);
  await connected(page, world);
  none("WCAG AA", await wrongs(page));
  await shot(page, "first", "desk", "light");
  for (const [name, place] of [["notes", "#/notes"], ["facts", "#/facts"], ["timeline", "#/timeline"], ["graph", "#/graph"], ["conversations", "#/sessions"], ["given", "#/given"], ["trust", "#/trust"]]) {
    await go(page, place);
    const text = await page.locator("#main").innerText();
    check(`${name}: empty is said in words, without a failure`, text.length > 30 && await page.locator(".empty.wrong").count() === 0);
  }
  await go(page, "#/ask");
  await page.fill(".steps textarea", "The dog is afraid of the street sweeper");
  await page.click(".steps >> text=Keep it");
  await page.waitForSelector("#pane .fact");
  await shot(page, "first-note", "desk", "light");
  check("the first sentence is a line in a note, and read there", (await page.textContent("#pane .fact")).includes("afraid of the street sweeper"));
  await go(page, "#/ask");
  await page.fill("[data-search]", "What is the dog afraid of?");
  await page.waitForSelector(".hit");
  await settled(page);
  await shot(page, "first-answer", "desk", "light");
  check("and answers the first question", (await page.locator(".hit").first().innerText()).includes("street sweeper"));
  check("and the rail says when it is up to date", await page.waitForFunction(() => document.querySelector("#foot").textContent.startsWith("Up to date"), null, { timeout: 20000 }).then(() => true, () => false), await page.textContent("#foot"));
  none("no word in the console", seen.errors);
  await session.close();
}

// The line that is copied connects this memory and no other, and the page knows it.
async function connected(page, world) {
  await page.click(".steps .choice:has-text('Codex')");
  const line = (await page.locator(".steps .hosts code").innerText()).trim();
  world.shell(`HOME='${world.root}' ${line} --yes`);
  check("an agent is connected with the line that is copied", readFileSync(join(world.root, ".codex/config.toml"), "utf8").includes(world.workspace), line);
  await go(page, "#/agents/connect");
  await page.waitForSelector("#pane .badge.good");
  check("and the page says so", (await page.textContent("#pane .hosts .small")) === "connected Codex");
  await page.reload();
  await page.waitForFunction(() => document.querySelector("[data-count=agents]")?.textContent === "1");
  await go(page, "#/ask");
  await page.waitForSelector(".steps");
}
