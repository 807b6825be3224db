// Anthropic's memory tool over a memory: the program carries out each command, on the notes below `memory/`.
//
//   client.beta.messages.toolRunner({ …, tools: [memoryTool(new Memory("notes"))] });

import { betaMemoryTool, type MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import { MindfileError, type Memory } from "./index.js";

/** `memory_20250818` for a tool runner. */
export function memoryTool(memory: Memory, more?: Parameters<typeof betaMemoryTool>[1]) {
  const carryOut = async ({ command, ...fields }: { command: keyof MemoryToolHandlers }) => {
    try {
      return (await memory.memoryTool(command, fields)).text;
    } catch (error) {
      throw error instanceof MindfileError ? new ToolError(error.message) : error;
    }
  };
  const names = ["view", "create", "str_replace", "insert", "delete", "rename"] as const;
  return betaMemoryTool(Object.fromEntries(names.map((name) => [name, carryOut])) as unknown as MemoryToolHandlers, more);
}
