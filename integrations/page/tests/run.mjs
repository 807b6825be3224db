// All parts, one after the other, each on a workspace of its own.
import { deeds } from "./deeds.mjs";
import { first } from "./first.mjs";
import { hostile } from "./hostile.mjs";
import { many } from "./large.mjs";
import { check, done, say } from "./report.mjs";
import { views } from "./views.mjs";
import { demo, large, World } from "./world.mjs";
import { hostileWorld } from "./corpus.mjs";

const only = process.env.PAGE_ONLY?.split(",");
const wanted = (name) => !only || only.includes(name);

async function on(make, ...parts) {
  const world = await make();
  try {
    for (const run of parts) await run(world).catch((error) => check(`${run.name} comes to its end`, false, String(error.message).split("\n")[0]));
  } finally {
    world.end();
  }
}

if (wanted("views")) await on(demo, views);
if (wanted("deeds")) await on(demo, deeds);
if (wanted("first")) await on(() => new World("empty").serve(), first);
if (wanted("hostile")) await on(hostileWorld, hostile);
if (wanted("large")) await on(() => large(Number(process.env.PAGE_NOTES ?? 10000), Number(process.env.PAGE_FACTS ?? 100000)), many);
say(new Date().toISOString().slice(0, 10));
process.exitCode = done() ? 1 : 0;
