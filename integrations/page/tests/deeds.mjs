// What a person does with the page, from beginning to end, seen in the files.
import { enter, go, open, settled } from "./browser.mjs";
import { check, none, part } from "./report.mjs";

export async function deeds(world) {
  part("What a person does");
  const session = await open(world);
  const { page, seen } = session;
  page.setDefaultTimeout(15000);
  for (const deed of [login, search, keyboard, retain, edit, remove, forget, graph, timeline, policy, index, colours, leave]) await tried(deed, page, world);
  none("nothing asked of another place", seen.elsewhere);
  none("no window of the browser opened", seen.dialogs);
  none("no error in the console but the logins that were refused", seen.errors.filter((error) => !error.includes("401")));
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
  await page.goto("about:blank");
  await page.goto(world.door);
  await page.waitForSelector("#shell:not([hidden])");
  check("the token leaves the address at once", !page.url().includes(world.token));
  check("no script can read the login", !(await page.evaluate(() => document.cookie)).includes("mindfile"));
}

async function search(page) {
  await go(page, "#/search");
  const asked = [];
  page.on("request", (request) => { if (request.url().includes("/v1/search")) asked.push(request); });
  await page.locator("[data-search]").pressSequentially("restore drill", { delay: 25 });
  await page.waitForSelector(".hit");
  await settled(page);
  check("results come while one types", await page.locator(".hit").count() > 0);
  check("fewer questions than keys", asked.length > 0 && asked.length < 13, `${asked.length} requests`);
  check("what matches is marked", await page.locator(".snippet mark").count() > 0);
  check("the best passage is the note of the drill", (await page.locator(".hit .cite").first().textContent()).includes("restore-drill"));
  const parts = page.locator(".hit .fold").first();
  await parts.locator("summary").click();
  await parts.locator("td.figure").first().waitFor();
  const sum = await parts.locator("td.figure").evaluateAll((cells) => cells.reduce((all, cell) => all + Number(cell.textContent.replace("−", "-")), 0));
  const score = Number(await page.locator(".hit .measured").first().textContent());
  check("the parts of a score add up to it", Math.abs(sum - score) < 0.011, `${sum} and ${score}`);
  const cite = await page.locator(".hit .cite").first().textContent();
  await page.locator(".hit .cite").first().click();
  await page.waitForSelector(".row.cited");
  const first = Number(/#L(\d+)/.exec(cite)[1]);
  check("a citation opens the note at its line", Number(await page.locator(".row.cited .number").first().textContent()) === first);
  check("the line is in sight", await page.locator(".row.cited").first().evaluate((row) => { const box = row.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }));
  await page.goBack();
  await settled(page);
  check("going back brings the question back", await page.inputValue("[data-search]") === "restore drill");
}

async function keyboard(page) {
  await go(page, "#/facts");
  await page.evaluate(() => document.querySelector("main").focus());
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
  const ring = await page.evaluate(() => { const link = document.querySelector("main button"); link.focus(); return link.matches(":focus-visible") ? getComputedStyle(link).outlineStyle : "none"; });
  check("what has the focus is seen to have it", ring !== "none", ring);
}

async function retain(page, world) {
  await go(page, "#/facts");
  await page.click("text=New fact");
  await page.fill(".new-fact textarea", "The oven at Tre Kransar is switched on at 02:10");
  await page.fill(".new-fact input", "@oven, tre-kransar");
  await page.click(".new-fact button[type=submit]");
  await page.waitForSelector("text=Kept in");
  const { facts } = await world.ask("/v1/facts?text=Tre+Kransar+is+switched");
  check("a new fact is a line in a note", facts.length === 1 && world.read(facts[0].path).includes("@oven @tre-kransar: The oven at Tre Kransar is switched on at 02:10"));
}

async function edit(page, world) {
  await go(page, "#/facts?text=switched%20on&state=current&order=newest");
  const [{ path }] = (await world.ask("/v1/facts?text=Tre+Kransar+is+switched")).facts;
  const before = world.read(path);
  await page.locator(".fact [data-edit]").first().click();
  await page.fill(".fact textarea", "The oven at Tre Kransar is switched on at 01:50");
  await page.keyboard.press("Control+Enter");
  await page.waitForSelector("text=The line in your note is changed");
  const after = world.read(path);
  const line = (text) => text.split("\n").find((one) => one.includes("switched on at"));
  check("an edit changes what its line says, and counts the version", line(after).endsWith(line(before).replace("02:10", "01:50").split("@")[2]) && line(after).includes("v=2"), line(after));
  check("and no other line of the file", after.replace(line(after), "") === before.replace(line(before), ""));
  await page.locator(".fact [data-edit]").first().click();
  await page.keyboard.press("Escape");
  check("Esc leaves an edit without a change", await page.locator(".fact textarea").count() === 0 && world.read(path) === after);
}

async function remove(page, world) {
  await go(page, "#/facts?text=switched%20on&state=current&order=newest");
  const [{ path }] = (await world.ask("/v1/facts?text=Tre+Kransar+is+switched")).facts;
  await page.locator(".fact [data-remove]").first().click();
  await page.waitForSelector("dialog[open] .gone-list");
  check("before a deletion every line that goes is shown", (await page.textContent("dialog[open] .gone-list")).includes("01:50"));
  await page.click("dialog[open] >> text=Keep it");
  check("nothing goes without a yes", world.read(path).includes("01:50"));
  await page.locator(".fact [data-remove]").first().click();
  await page.waitForSelector("dialog[open] .gone-list");
  await page.click("dialog[open] .button.danger");
  await page.waitForSelector(".toast >> text=Deleted");
  check("a deleted fact leaves its note", !world.read(path).includes("01:50"));
  check("and is found no more", (await world.ask("/v1/facts?text=Tre+Kransar+is+switched")).total === 0);
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
  await page.waitForSelector("h2:has-text('Forgotten')");
  const left = world.read("memory/secret-place.md");
  check("what is forgotten leaves the note, the rest stays", !left.includes("flowerpot") && left.includes("The ladder is in the shed."), left);
  const { results } = await world.ask("/v1/search?query=spare+key+flowerpot&mode=keyword");
  check("and no search finds it", !JSON.stringify(results).includes("flowerpot"));
}

async function graph(page) {
  await go(page, "#/graph/Tomasz");
  await page.waitForSelector(".node.current");
  await page.waitForTimeout(1500);
  const before = await page.locator(".node").count();
  check("an entity has its neighbours around it", before > 2, String(before));
  const other = page.locator(".node:not(.current)").first();
  const name = await other.getAttribute("aria-label");
  const box = await other.locator("circle").boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(middle[0] + 60, middle[1] + 40, { steps: 6 });
  const dragged = await other.locator("circle").boundingBox();
  await page.mouse.up();
  check("a dot follows the hand", Math.abs(dragged.x - box.x - 60) < 25 && Math.abs(dragged.y - box.y - 40) < 25, `${dragged.x - box.x}, ${dragged.y - box.y}`);
  check("a drag is not a click", (await page.locator(".trail li").count()) === 1);
  await page.locator(".node.current").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  check("arrows move from dot to dot", await page.evaluate(() => document.activeElement.matches(".node")));
  await page.evaluate((wanted) => document.querySelector(`.node[aria-label="${CSS.escape(wanted)}"]`).focus(), name);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".trail li").length === 2);
  check("Enter follows the line, and the way is kept", (await page.textContent(".trail")).includes(name));
  await page.locator(".trail button").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".trail li").length === 1);
  check("the way leads back", (await page.textContent(".panel h2")).toLowerCase() === "@tomasz");
}

async function timeline(page) {
  await go(page, "#/timeline?day=2026-08-12");
  const cell = page.locator("[data-day='2026-08-12']");
  check("the day of the address is chosen", await cell.getAttribute("aria-pressed") === "true");
  await cell.focus();
  await page.keyboard.press("ArrowDown");
  await settled(page);
  check("an arrow goes to the next day that has a note", page.url().includes("day=2026-08-13"), page.url());
  await page.locator(".day .card a.title").first().click();
  await page.waitForSelector(".lines .row");
  check("a day opens its note", page.url().includes("2026-08-13"));
  check("and the note leads to the days before and after", await page.locator(".way").count() === 2);
}

async function policy(page) {
  await go(page, "#/trust");
  check("what was written is in the log, and the log is whole", await page.locator(".log tbody tr").count() > 0 && await page.locator(".notice.good").count() === 1);
  await page.fill("form textarea", `the key is ${["gh", "p_"].join("")}${"Ab3dE5".repeat(6)}`);
  await page.click("form button[type=submit]");
  await page.waitForSelector("form .finding");
  check("the policy says what would happen to a text", (await page.textContent("form .finding")).includes("never stored"));
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
  await page.evaluate(() => document.querySelector("main").focus());
  await page.keyboard.press("d");
  await page.keyboard.press("d");
  const after = await ground();
  check("light and dark can be switched", before !== after, before);
  await page.reload();
  await page.waitForSelector("#shell:not([hidden])");
  check("and the choice stays", await ground() === after);
}

async function leave(page) {
  await page.click("[aria-label='Log out']");
  await page.waitForSelector("#login form");
  check("logging out closes the door", (await page.evaluate(() => fetch("/v1/status").then((response) => response.status))) === 401);
}
