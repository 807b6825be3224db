// What a person does with the page, from beginning to end, seen in the files.
import { enter, go, open, settled } from "./browser.mjs";
import { check, none, part } from "./report.mjs";

export async function deeds(world) {
  part("What a person does");
  const session = await open(world);
  const { page, seen } = session;
  page.setDefaultTimeout(15000);
  for (const deed of [login, ask, scored, reading, keyboard, notes, facts, retain, edit, remove, settle, forget, agents, graph, timeline, trust, index, colours, leave]) await tried(deed, page, world);
  none("nothing asked of another place", seen.elsewhere);
  none("no window of the browser opened", seen.dialogs);
  none("no error in the console but the logins and the one save that were refused", seen.errors.filter((error) => !/ 40[19] /.test(error)));
  await session.close();
}

// One that cannot be finished does not keep the others from being tried.
async function tried(deed, page, world) {
  try {
    await deed(page, world);
  } catch (error) {
    check(`${deed.name} comes to its end`, false, String(error.message).split("\n")[0]);
    await page.keyboard.press("Escape");
  }
}

async function login(page, world) {
  await page.goto(world.url);
  await page.waitForSelector("#login form");
  check("without a token there is a door, and nothing behind it", await page.evaluate(() => document.querySelector("#shell").hidden));
  await page.fill("#login input", "not the token");
  await page.click("#login button");
  await page.waitForFunction(() => document.querySelector("#login .wrong").textContent !== "");
  check("a wrong token is refused in words", (await page.textContent("#login .wrong")).includes("not the token"));
  await page.fill("#login input", world.token);
  await page.click("#login button");
  await page.waitForSelector("#shell:not([hidden])");
  check("the token opens it", true);
  await page.evaluate(() => fetch("/logout", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }));
  await page.reload();
  await page.waitForSelector("#login form");
  await page.goto(world.door);
  await page.waitForSelector("#shell:not([hidden])");
  check("the address with the token opens it where the door was shown", await page.isHidden("#login"));
  await page.goto("about:blank");
  await page.goto(world.door);
  await page.waitForSelector("#shell:not([hidden])");
  check("the token leaves the address at once", !page.url().includes(world.token));
  check("no script can read the login", !(await page.evaluate(() => document.cookie)).includes("mindfile"));
}

// How many of these elements are wholly in sight.
const countInSight = (selector) => [...document.querySelectorAll(selector)].filter((one) => { const box = one.getBoundingClientRect(); return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight; }).length;
const inSight = (page, selector) => page.evaluate(countInSight, selector);
// The page scrolls in the frame after the one that shows the text.
const comesInSight = (page, selector) => page.waitForFunction(countInSight, selector).then(() => true, () => false);

// Questions of the demo with words of their answers.
const ANSWERS = [["What is the dog scared of?", "street sweeper"], ["why was the museum rate raised", "1,150"]];

async function ask(page) {
  await go(page, "#/ask");
  const asked = [];
  page.on("request", (request) => { if (request.url().includes("/v1/search") && request.url().includes("minScore")) asked.push(request); });
  await page.locator("[data-search]").pressSequentially("restore drill", { delay: 25 });
  await page.waitForSelector(".hit");
  await settled(page);
  check("results come while one types", await page.locator(".hit").count() > 0);
  check("fewer questions than keys", asked.length > 0 && asked.length < 13, `${asked.length} requests`);
  check("what matches is marked", await page.locator(".hit mark").count() > 0);
  check("the best place is the note of the drill", (await page.locator(".hit a").first().getAttribute("data-path")).includes("restore-drill"));
  check("no Markdown stands in a hit", !/(^|\n)\s*(#|- |\*)|\*\*|\^[a-z0-9]{5,}/.test(await page.locator(".hits").first().innerText()));
  await page.waitForSelector("#pane .cited");
  check("the first hit is read beside the list, at its line", await comesInSight(page, "#pane .cited"));
  await page.keyboard.press("ArrowDown");
  const second = await page.locator(".hit a.on").getAttribute("data-path");
  await page.waitForFunction((path) => document.querySelector("#pane .mono")?.textContent === path, second);
  check("an arrow moves the choice, and the text beside it follows", await page.evaluate(() => document.activeElement.matches("[data-search]")));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.startsWith("#/note/"));
  await page.waitForSelector("#pane .cited");
  check("Enter opens the note at its line", page.url().includes(`${second}?line=`) && await comesInSight(page, "#pane .cited"), page.url());
  await page.goBack();
  await settled(page);
  check("going back brings the question back", await page.inputValue("[data-search]") === "restore drill");
  await page.fill("[data-search]", "what happened in the summer with the people and the work and the dog");
  await page.waitForTimeout(250);
  await settled(page);
  check("ten hits or more are on a screen of 800 pixels", await inSight(page, ".hit") >= 10, String(await inSight(page, ".hit")));
  await page.fill("[data-search]", "which day is the sports festival");
  await page.waitForTimeout(250);
  await settled(page);
  for (const [question, words] of ANSWERS) {
    await page.fill("[data-search]", question);
    await page.waitForTimeout(250);
    await settled(page);
    const first = page.locator(".hit").first();
    check(`the first hit is the line that answers: ${question}`, (await first.innerText()).includes(words) && await first.locator(".sure").innerText() !== "weak" && await first.locator("mark").count() > 0, await first.innerText());
    check("and it is the line that is marked beside it", (await page.locator("#pane .cited").first().innerText()).includes(words));
  }
  await page.fill("[data-search]", "which day is the sports festival");
  await page.waitForTimeout(250);
  await settled(page);
  check("where nothing answers, what is nearest stands below a rule that says so", (await page.locator(".rule").count()) === 1 && await page.locator(".hits.weak .hit").count() > 0);
}

// What a score is made of is one key away, and adds up.
async function scored(page, world) {
  await go(page, "#/ask?q=restore%20drill");
  await page.waitForSelector(".hit");
  await settled(page);
  const first = page.locator(".hit").first();
  const parts = first.locator(".parts tbody tr");
  check("what a score is made of is not in the way", await parts.count() === 0);
  await first.locator("a").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const gives = (await first.locator(".parts td.figure").allInnerTexts()).map((text) => Number(text.replace("−", "-")));
  const [best] = (await world.ask("/v1/search?query=restore+drill&explain=true&minScore=0")).results;
  const sum = gives.reduce((all, one) => all + one, 0);
  check("it is shown by keyboard, part by part, and adds up to the score", await parts.first().isVisible() && gives.length > 1 && Math.abs(sum - best.score) < 0.001 * (gives.length + 1), `${gives.join(" ")} for ${best.score}`);
  await first.locator(".why").click();
  const named = await first.locator(".parts tbody th").allInnerTexts();
  check("each part is named in words", named.every((words) => /^[A-Z]/.test(words)), named.join(", "));
  check("and goes with another click", !await parts.first().isVisible());
}

// A note shows what it says, and nothing of how it is written.
async function reading(page) {
  await go(page, "#/note/memory/pixel.md");
  await page.waitForSelector("#pane .md");
  const text = await page.locator("#pane .md").innerText();
  check("a note is called by its title", (await page.textContent("#pane h2")) === "Pixel");
  check("it is rendered: no marks of headings, lists, strong words or ids", !/(^|\n)#|\*\*|(^|\n)- |\^[a-z0-9]{4,}|W\(s=/.test(text), text.slice(0, 400));
  check("a fact is a block with its kind in words and whom it is about", await page.locator("#pane .fact .kind").count() > 0 && (await page.textContent("#pane .fact .kind")) !== "W" && await page.locator("#pane .fact .ent").count() > 0);
  await go(page, "#/note/memory/runbook.md");
  await page.waitForSelector("#pane .md");
  check("lists are lists", await page.locator("#pane .md li").count() > 0);
  check("where else it is spoken of stands below", await page.locator("#pane .side h3").count() === 2);
}

async function notes(page, world) {
  await go(page, "#/notes");
  check("notes are called by their titles", (await page.locator(".tree").innerText()).includes("Postgres") || await page.locator(".tree a").count() > 5);
  await page.fill("#main [data-search]", "saltmuseet");
  await page.waitForTimeout(300);
  await settled(page);
  await page.locator(".tree a").first().click();
  await page.waitForSelector("#pane .md");
  check("an undated note is found in the list and read", page.url().includes("projects/saltmuseet.md"));
  await page.locator("#pane [data-edit]").click();
  await page.waitForSelector("#pane .editor textarea");
  const before = world.read("memory/projects/saltmuseet.md");
  await page.locator("#pane textarea").evaluate((field) => { field.value += "\nWritten **in the page**.\n"; field.dispatchEvent(new Event("input")); });
  await page.click("#pane >> text=Preview");
  await page.waitForSelector("#pane .md strong >> text=in the page");
  check("a preview shows how it will be read", true);
  await page.keyboard.press("Control+s");
  await page.waitForSelector(".toast >> text=Saved");
  check("what is written is in the file", world.read("memory/projects/saltmuseet.md") === `${before}\nWritten **in the page**.\n`);
  await page.click(".toast >> text=Undo");
  await page.waitForSelector(".toast >> text=as it was before");
  check("it can be undone", world.read("memory/projects/saltmuseet.md") === before);
  await conflict(page, world);
  await renamed(page, world);
}

async function conflict(page, world) {
  await go(page, "#/note/memory/bakeries.md?edit");
  await page.waitForSelector("#pane .editor textarea");
  const base = world.read("memory/bakeries.md");
  await page.locator("#pane textarea").evaluate((field) => { field.value = `${field.value.trimEnd()}\n\nMine at the end.\n`; field.dispatchEvent(new Event("input")); });
  world.write("memory/bakeries.md", base.replace("\n", "\n\nTheirs at the beginning.\n"));
  await page.click("#pane button[type=submit]");
  await page.waitForSelector("#pane .three");
  check("where somebody else wrote meanwhile nothing is saved, and both changes are shown", await page.locator("#pane .diff").count() === 2 && !world.read("memory/bakeries.md").includes("Mine at the end"));
  await page.click("#pane >> text=Both changes");
  await page.waitForSelector("#pane .editor textarea");
  await page.click("#pane button[type=submit]");
  await page.waitForSelector(".toast >> text=Saved");
  const now = world.read("memory/bakeries.md");
  check("both can be kept", now.includes("Mine at the end.") && now.includes("Theirs at the beginning."), now);
}

async function renamed(page, world) {
  world.write("memory/old-plan.md", "# Plan\n\nGo north.\n");
  world.write("memory/links.md", "# Links\n\nSee [the plan](old-plan.md).\n");
  await world.ask("/v1/search?query=north");
  await go(page, "#/note/memory/old-plan.md");
  await page.click("#pane .menu summary");
  await page.click("#pane >> text=Rename …");
  await page.fill("dialog[open] input", "memory/new-plan.md");
  await page.click("dialog[open] .button.main");
  await page.waitForSelector(".toast >> text=Renamed");
  check("a note can be renamed, and links follow", world.read("memory/links.md").includes("(new-plan.md)") && world.read("memory/new-plan.md").includes("Go north"), world.read("memory/links.md"));
  await go(page, "#/note/memory/links.md");
  await page.click("#pane .md a");
  await page.waitForFunction(() => document.querySelector("#pane .mono")?.textContent === "memory/new-plan.md");
  check("a link between notes is followed", true);
}

async function keyboard(page) {
  await go(page, "#/facts");
  await page.evaluate(() => document.querySelector("#main").focus());
  await page.keyboard.press("/");
  check("/ goes to the search field of the view", await page.evaluate(() => document.activeElement.matches("[data-search]")));
  await page.keyboard.press("Escape");
  check("Esc leaves the field", await page.evaluate(() => !document.activeElement.matches("input")));
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const second = await page.evaluate(() => [...document.querySelectorAll("[data-item]")].findIndex((item) => item.contains(document.activeElement)));
  await page.keyboard.press("k");
  const firstAgain = await page.evaluate(() => [...document.querySelectorAll("[data-item]")].findIndex((item) => item.contains(document.activeElement)));
  check("j and k walk the list", second === 1 && firstAgain === 0, `${second}, ${firstAgain}`);
  await page.keyboard.press("?");
  check("? shows the keys", await page.locator("dialog[open] kbd").count() > 5);
  await page.keyboard.press("Escape");
  check("Esc closes the window", await page.locator("dialog[open]").count() === 0);
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await settled(page);
  check("g h goes to the health", page.url().endsWith("#/health"));
  const ring = await page.evaluate(() => { const link = document.querySelector("#main button"); link.focus(); return link.matches(":focus-visible") ? getComputedStyle(link).outlineStyle : "none"; });
  check("what has the focus is seen to have it", ring !== "none", ring);
}

async function facts(page) {
  await go(page, "#/facts");
  await page.waitForSelector(".facts tbody tr");
  check("fifteen facts or more are on a screen", await inSight(page, ".facts tbody tr") >= 15, String(await inSight(page, ".facts tbody tr")));
  const first = () => page.locator(".facts tbody tr .words").first().textContent();
  await page.click(".facts th >> text=Weight");
  await settled(page);
  const heaviest = await first();
  await page.click(".facts th >> text=Fact");
  await settled(page);
  check("a column sorts the table", heaviest !== await first() && await page.locator(".facts th[aria-sort=ascending]").count() === 1);
  await page.click(".facts tbody tr >> nth=0");
  await page.waitForSelector("#pane h2");
  check("a fact is read beside the table", (await page.textContent("#pane h2")) === await first());
  await page.click("label.choice:has-text('What changed')");
  await page.click("label.choice:has-text('Last half year')");
  await settled(page);
  check("what changed lately is told", await page.locator(".change").count() > 5);
}

async function retain(page, world) {
  await go(page, "#/facts?new");
  await page.fill("#pane textarea", "The oven at Tre Kransar is switched on at 02:10");
  await page.fill("#pane input", "@oven, tre-kransar");
  await page.click("#pane button[type=submit]");
  await page.waitForSelector("text=Kept in");
  const { facts: found } = await world.ask("/v1/facts?text=Tre+Kransar+is+switched");
  check("a new fact is a line in a note", found.length === 1 && world.read(found[0].path).includes("@oven @tre-kransar: The oven at Tre Kransar is switched on at 02:10"));
}

async function edit(page, world) {
  const [{ path, id }] = (await world.ask("/v1/facts?text=Tre+Kransar+is+switched")).facts;
  await go(page, `#/facts?id=${id}`);
  const before = world.read(path);
  await page.locator("#pane [data-edit]").click();
  await page.fill("#pane textarea", "The oven at Tre Kransar is switched on at 01:50");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("text=The line in your note is changed");
  const after = world.read(path);
  const line = (text) => text.split("\n").find((one) => one.includes("switched on at"));
  check("an edit changes what its line says, and counts the version", line(after).endsWith(line(before).replace("02:10", "01:50").split("@")[2]) && line(after).includes("v=2"), line(after));
  check("and no other line of the file", after.replace(line(after), "") === before.replace(line(before), ""));
  await page.locator("#pane [data-edit]").click();
  await page.keyboard.press("Escape");
  await page.waitForSelector("#pane [data-edit]");
  check("Esc leaves an edit without a change", world.read(path) === after);
}

async function remove(page, world) {
  const [{ path, id }] = (await world.ask("/v1/facts?text=Tre+Kransar+is+switched")).facts;
  await go(page, `#/facts?id=${id}`);
  await page.locator("#pane [data-remove]").click();
  await page.waitForSelector("dialog[open] .gone-list");
  check("before a deletion every line that goes is shown", (await page.textContent("dialog[open] .gone-list")).includes("01:50"));
  await page.click("dialog[open] >> text=Keep it");
  check("nothing goes without a yes", world.read(path).includes("01:50"));
  await page.locator("#pane [data-remove]").click();
  await page.waitForSelector("dialog[open] .gone-list");
  await page.click("dialog[open] .button.danger");
  await page.waitForSelector(".toast >> text=Deleted");
  check("a deleted fact leaves its note", !world.read(path).includes("01:50"));
  check("and is found no more", (await world.ask("/v1/facts?text=Tre+Kransar+is+switched")).total === 0);
}

// Two facts that do not agree are settled with one click.
async function settle(page, world) {
  world.write("memory/collar.md", "# Collar\n\n- W @Pixel @tick-collar: The tick collar of Pixel is changed every 7 months ^collarold1\n\n## Later\n\n- W @Pixel @tick-collar: The tick collar of Pixel is changed every 8 months ^collarnew1\n");
  await world.ask("/v1/search?query=collar");
  await go(page, "#/facts?tab=clash");
  await page.waitForSelector("li.clash");
  const pair = page.locator("li.clash", { hasText: "tick collar" });
  await pair.locator("text=This holds").first().click();
  await page.waitForSelector(".toast >> text=It holds");
  const { facts: left } = await world.ask("/v1/facts?text=tick+collar+of+Pixel&state=current");
  check("a contradiction is settled in one click", left.length === 1, JSON.stringify(left.map((one) => one.text)));
}

async function forget(page, world) {
  world.write("memory/secret-place.md", "# Places\n\nThe spare key lies under the blue flowerpot.\n\nThe ladder is in the shed.\n");
  await world.ask("/v1/search?query=flowerpot");
  await go(page, "#/forget");
  await page.fill("form input", "under the blue flowerpot");
  await page.click("text=Show what would go");
  await page.waitForSelector(".gone-list");
  check("the preview lists the line and its place", (await page.textContent(".gone-list")).includes("blue flowerpot") && (await page.textContent(".gone-list")).includes("memory/secret-place.md#L3"));
  check("the preview changes nothing", world.read("memory/secret-place.md").includes("flowerpot"));
  await page.click(".confirm .button.danger");
  await page.click("dialog[open] .button.danger");
  await page.waitForSelector("h3:has-text('Forgotten')");
  const left = world.read("memory/secret-place.md");
  check("what is forgotten leaves the note, the rest stays", !left.includes("flowerpot") && left.includes("The ladder is in the shed."), left);
  const { results } = await world.ask("/v1/search?query=spare+key+flowerpot&mode=keyword");
  check("and no search finds it", !JSON.stringify(results).includes("flowerpot"));
}

// How this memory is reached at a terminal.
const command = async (world) => (await world.ask("/v1/status"))[0].mindfile.command;

async function agents(page, world) {
  await go(page, "#/agents");
  await page.waitForSelector("#pane .given");
  const parts = await page.locator("#main .figure").allTextContents();
  const context = await world.ask("/v1/context");
  check("the next session's context is shown with the tokens of each part", parts.length === context.system.length && Number(parts[0].replace(/\D/g, "")) === context.system[0].tokens, parts.join(" "));
  check("and as it will be sent", (await page.textContent("#pane .given")) === context.system[0].text);
  await page.click("text=Connect an agent");
  await page.waitForSelector("#pane .command");
  check("an agent is connected with a command to copy", (await page.locator("#pane .command code").allInnerTexts()).includes(`${await command(world)} install claude-code`));
  await go(page, "#/given");
  const times = await page.locator("#main a[data-at]").count();
  const { total } = await world.ask("/v1/given?limit=1");
  check("every time something was given is there", times === total && total > 0, `${times} of ${total}`);
  check("and the rail counts them", (await page.textContent("[data-count=given]")) === String(total));
  await page.locator("#main a[data-at]").first().click();
  await page.waitForSelector("#pane .change");
  check("a replay shows the places with their tokens", (await page.textContent("#pane")).includes("tokens"));
  const { given: all } = await world.ask("/v1/given?limit=1000");
  const [used] = all.filter((once) => once.places.some((one) => one.used));
  if (used) await go(page, `#/given/${encodeURIComponent(used.at)}`);
  check("and which of it was used", used && await page.waitForSelector("#pane .change >> text=used since"));
}

async function graph(page) {
  await go(page, "#/graph");
  await page.waitForSelector(".graph .node");
  const all = await page.locator(".graph .node").count();
  check("the whole memory comes first", all > 20, String(all));
  check("clusters are named by their strongest entity", await page.locator(".cluster-name").count() > 1);
  const widths = new Set(await page.locator(".graph line").evaluateAll((lines) => lines.map((line) => line.getAttribute("stroke-width"))));
  check("weights are widths of lines", widths.size > 2, [...widths].join(" "));
  await page.locator(".graph .node[tabindex='0']").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  check("arrows move from dot to dot", await page.evaluate(() => document.activeElement.matches(".node")));
  await page.keyboard.press("Enter");
  await page.waitForSelector("#pane h2");
  check("Enter opens one, and the others step back", await page.locator(".node.is-far").count() > 0 && await page.locator("line.is-near").count() > 0);
  await go(page, "#/graph/tomasz");
  await page.waitForSelector("#pane h2");
  check("an entity is read with its neighbours and facts", (await page.textContent("#pane h2")) === "Tomasz" && await page.locator("#pane li").count() > 3);
  await go(page, "#/graph");
  await page.locator(".time input").evaluate((field) => { field.value = "3"; field.dispatchEvent(new Event("input")); });
  await page.waitForTimeout(400);
  await settled(page);
  check("on an earlier day there was less", await page.locator(".graph .node").count() < all, String(await page.locator(".graph .node").count()));
}

async function timeline(page) {
  await go(page, "#/timeline?day=2026-08-12");
  const cell = page.locator("button[data-day='2026-08-12']");
  await page.waitForFunction(() => document.querySelector("button[data-day='2026-08-12']")?.getAttribute("aria-pressed") === "true");
  check("the day of the address is chosen", true);
  await cell.focus();
  await page.keyboard.press("ArrowDown");
  await settled(page);
  check("an arrow goes to the next day that has a note", page.url().includes("day=2026-08-13"), page.url());
  await page.waitForFunction(() => document.querySelector("#pane .mono")?.textContent.includes("2026-08-13"));
  check("the day is read beside the calendar", true);
  const empty = await page.locator(".heat").evaluate((grid) => { const days = [...grid.querySelectorAll(".cell")]; return [...days.slice(0, 7), ...days.slice(-7)].filter((one) => one.matches("button")).length; });
  check("the calendar begins and ends with weeks that have notes", empty >= 2, String(empty));
}

async function trust(page, world) {
  world.write("memory/untrusted/web.md", "# Web\n\n- W @Pixel: Pixel should be given chocolate every day ^webfact001\n- W @Pixel: Pixel likes to swim in the canal ^webfact002\n");
  await world.ask("/v1/search?query=chocolate");
  await go(page, "#/trust");
  await page.locator("#main a", { hasText: "untrusted/web.md" }).click();
  await page.waitForSelector("#pane .change");
  check("what nobody trusts is listed by its source", (await page.textContent("#pane")).includes("chocolate"));
  const [give, take] = await page.locator("#pane .command code").allInnerTexts();
  const trusted = async () => (await world.ask("/v1/facts?origin=owner&text=Pixel+likes+to+swim")).total;
  world.shell(give);
  check("the line that is copied trusts the whole source", await trusted() === 1 && (await world.ask("/v1/facts?origin=untrusted")).total === 0, give);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.waitForFunction(() => !document.querySelector("#main").textContent.includes("untrusted/web.md"));
  check("it leaves the list when one comes back", (await page.textContent("#pane")).includes("chocolate"));
  world.shell(take);
  check("and the line below takes it back", await trusted() === 0 && (await world.ask("/v1/facts?origin=untrusted")).total === 2, take);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.locator("#main a", { hasText: "untrusted/web.md" }).click();
  await page.click("#pane >> text=Forget all of it");
  await page.waitForSelector("dialog[open] .gone-list");
  await page.click("dialog[open] .button.danger");
  await page.waitForSelector(".toast >> text=Forgotten: ");
  check("a source is forgotten at once", !world.read("memory/untrusted/web.md").includes("chocolate"));
  await go(page, "#/trust/audit");
  await page.waitForSelector("#pane .log");
  check("what was written is in the log, and the log is whole", await page.locator("#pane .log tbody tr").count() > 0 && await page.locator("#pane .notice.good").count() === 1);
  await go(page, "#/trust/try");
  await page.fill("#pane textarea", `the key is ${["gh", "p_"].join("")}${"Ab3dE5".repeat(6)}`);
  await page.click("#pane button[type=submit]");
  await page.waitForSelector("#pane .finding");
  check("the policy says what would happen to a text", (await page.textContent("#pane .finding")).includes("never stored"));
}

async function index(page, world) {
  await go(page, "#/health");
  const notes = Array.from({ length: 1500 }, (_, n) => [`memory/bulk/n${n}.md`, `# ${n}\n\n${`Paragraph ${n} about timber and sails. `.repeat(60)}\n`]);
  for (const [path, text] of notes) world.write(path, text);
  await page.evaluate(() => {
    globalThis.seenProgress = [];
    new MutationObserver(() => { const words = document.querySelector(".progress label")?.textContent; if (words) globalThis.seenProgress.push(words); })
      .observe(document.querySelector(".progress-place"), { childList: true, subtree: true });
  });
  await page.click("text=Rebuild");
  // The watcher may have finished something else in between.
  await page.waitForFunction(() => globalThis.seenProgress.some((words) => words.includes(" of ")), null, { timeout: 60000 });
  check("the progress of the index is seen while it is made", true);
  await page.waitForFunction(() => document.querySelector(".progress-place")?.textContent.includes("p to date"), null, { timeout: 120000 });
  check("and its end", true);
}

async function colours(page) {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const before = await ground();
  await page.evaluate(() => document.querySelector("#main").focus());
  await page.keyboard.press("d");
  await page.keyboard.press("d");
  const after = await ground();
  check("light and dark can be switched", before !== after, before);
  await page.reload();
  await page.waitForSelector("#shell:not([hidden])");
  check("and the choice stays", await ground() === after);
}

async function leave(page) {
  await page.click(".tools >> text=Log out");
  await page.waitForSelector("#login form");
  check("logging out closes the door", (await page.evaluate(() => fetch("/v1/status").then((response) => response.status))) === 401);
}
