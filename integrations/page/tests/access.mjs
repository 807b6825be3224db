// What people who hear the page, or who have no mouse, need: axe-core's rules of WCAG 2.2 AA and its best practices, and a page that
// is never wider than its window.
import { readFileSync } from "node:fs";

const AXE = readFileSync(process.env.AXE, "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export async function wrongs(page) {
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(AXE);
  const found = await page.evaluate(async (tags) => {
    const { violations } = await globalThis.axe.run(document, { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
    return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(" ")} ${node.any[0]?.message ?? ""}`.slice(0, 300)));
  }, TAGS);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return wide > 1 ? [...found, `wider than the window by ${wide}`] : found;
}
