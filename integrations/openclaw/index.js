// OpenClaw's memory slot, answered by one long-lived `mindfile mcp` for each agent. Everything OpenClaw gives a plugin
// comes through `api`; nothing is imported but node's own modules.

import { registerCli } from "./src/cli.js";
import { flushPlan } from "./src/flush.js";
import { Hosts } from "./src/hosts.js";
import { promptSection } from "./src/prompt.js";
import { createRuntime } from "./src/runtime.js";
import { registerTools } from "./src/tools.js";

export default {
  id: "mindfile",
  name: "mindfile",
  description: "Plain-Markdown memory, indexed and searched by mindfile",
  kind: "memory",
  register(api) {
    const hosts = new Hosts(api);
    const runtime = createRuntime(hosts, api);
    registerTools(api, hosts);
    registerCli(api, hosts);
    registerCapability(api, { promptBuilder: promptSection, flushPlanResolver: flushPlan, runtime });
    endWith(api, hosts);
  },
};

// One call since the summer of 2026; three in the versions before; in the first ones OpenClaw does these things itself.
function registerCapability(api, { promptBuilder, flushPlanResolver, runtime }) {
  if (api.registerMemoryCapability) {
    api.registerMemoryCapability({
      promptBuilder,
      flushPlanResolver,
      runtime,
      deterministicRecallToolName: "memory_search",
      supportsPrivateTranscriptRecall: false,
    });
    return;
  }
  api.registerMemoryPromptSection?.(promptBuilder);
  api.registerMemoryFlushPlan?.(flushPlanResolver);
  api.registerMemoryRuntime?.(runtime);
}

// The processes end with the gateway, and with this instance of the plugin.
function endWith(api, hosts) {
  const end = () => hosts.close();
  api.lifecycle?.registerRuntimeLifecycle?.({ id: "mindfile", description: "ends the mindfile processes", dispose: end });
  api.lifecycle?.onDispose?.(end);
  api.registerService?.({ id: "mindfile", start() {}, stop: end });
}
