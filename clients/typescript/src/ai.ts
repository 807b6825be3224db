// A memory as tools of the Vercel AI SDK.
//
//   await generateText({ model, tools: tools(new Memory("notes")), prompt, stopWhen: stepCountIs(5) });

import { jsonSchema, tool, type ToolSet } from "ai";
import { MindfileError, type Memory } from "./index.js";

/** What a model needs of a memory: to search, read, keep and forget. */
export function tools(memory: Memory): ToolSet {
  return {
    searchMemory: tool({
      description: "Search long-term memory before answering about earlier work, decisions, people, dates or preferences.",
      inputSchema: asked<{ query: string }>({ query: { type: "string", description: "What to look for, in your own words" } }),
      execute: ({ query }) => said(async () => known(await memory.lookup(query))),
    }),
    readMemory: tool({
      description: "Read more of a note that searchMemory named.",
      inputSchema: asked<{ path: string; from: number; lines: number }>({
        path: { type: "string", description: "Such as memory/2026-07-14.md" },
        from: { type: "integer", minimum: 1, description: "The first line" },
        lines: { type: "integer", minimum: 1, description: "How many" },
      }),
      execute: ({ path, from, lines }) => said(async () => (await memory.readNote(path, { from, lines })).text),
    }),
    remember: tool({
      description: "Keep something worth knowing in later conversations.",
      inputSchema: asked<{ fact: string; about: string[] }>({
        fact: { type: "string", description: "One sentence that can be understood by itself" },
        about: { type: "array", items: { type: "string" }, description: "Whom and what it is about" },
      }),
      execute: ({ fact, about }) =>
        said(async () => {
          const { path, line } = await memory.retain(fact, { entities: about });
          return `Kept in ${path}#L${line}.`;
        }),
    }),
    forget: tool({
      description: "Remove every remembered line that has these words, for good, because the person asked for it.",
      inputSchema: asked<{ words: string }>({ words: { type: "string", description: "The words, in their order" } }),
      execute: ({ words }) => said(async () => `${(await memory.forget({ query: words })).facts} facts are gone.`),
    }),
  };
}

function asked<T>(properties: Record<string, object>) {
  return jsonSchema<T>({ type: "object", properties, required: Object.keys(properties), additionalProperties: false } as never);
}

function known({ hits }: { hits: { at?: string | null; says: string }[] }): string {
  const told = hits.map(({ at, says }) => (at ? `${says}\n(${at})` : says));
  return told.join("\n\n") || "Nothing is known about that.";
}

/** What a model did wrong is an answer that it can read. */
async function said(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MindfileError) return error.message;
    throw error;
  }
}
