// The models of Claude Code, Codex and Gemini CLI on the loopback. `CALL {"name": …, "arguments": …}` in the last thing that
// a person said names a tool, whose answer is then repeated; everything else is answered with "Noted." Every request is kept,
// a line each, in the file that is the first argument; the port is printed.

import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const [log] = process.argv.slice(2);
const blocks = (content) => (Array.isArray(content) ? content : [{ type: "text", text: content ?? "" }]);
const text = (content) => blocks(content).map((block) => block.text ?? "").join("\n");
const own = (content) => text(content).replace(/<(system-reminder|hook_context)>[^]*?<\/\1>/g, "").trim();
let answers = 0;

// What a request asks for, whatever its protocol: what was said last, and what a tool answered to it.
const PROTOCOLS = [
  {
    path: /\/v1\/messages$/,
    said: ({ messages = [] }) => {
      const is = (type, one) => blocks(one.content).some((block) => block.type === type);
      const person = messages.findLastIndex((one) => one.role === "user" && !is("tool_result", one) && own(one.content));
      const results = messages.slice(person + 1).flatMap((one) => blocks(one.content)).filter((block) => block.type === "tool_result");
      return { last: own(messages[person]?.content), told: results.map((block) => text(block.content)).at(-1) };
    },
    answer: (asked, { words, call }) => {
      const block = call
        ? [{ type: "tool_use", id: `toolu_${answers}`, name: call.name, input: {} }, { type: "input_json_delta", partial_json: JSON.stringify(call.arguments) }]
        : [{ type: "text", text: "" }, { type: "text_delta", text: words }];
      const usage = { input_tokens: 10, output_tokens: 5 };
      const message = { id: `msg_${answers}`, type: "message", role: "assistant", model: asked.model, content: [], stop_reason: null, usage };
      const stop_reason = call ? "tool_use" : "end_turn";
      if (!asked.stream) return { json: { ...message, stop_reason, content: [{ type: "text", text: words }] } };
      return {
        events: [
          { type: "message_start", message },
          { type: "content_block_start", index: 0, content_block: block[0] },
          { type: "content_block_delta", index: 0, delta: block[1] },
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
          { type: "message_stop" },
        ],
      };
    },
  },
  {
    path: /\/responses$/,
    said: ({ input = [] }) => {
      const person = input.findLastIndex((one) => one.role === "user" && own(one.content));
      const told = input.slice(person + 1).findLast((one) => one.type === "function_call_output")?.output;
      return { last: own(input[person]?.content), told: typeof told === "string" || !told ? told : text(told.content ?? told) };
    },
    answer: (asked, { words, call }) => {
      const item = call
        ? { type: "function_call", id: `fc_${answers}`, call_id: `call_${answers}`, ...call, arguments: JSON.stringify(call.arguments) }
        : { type: "message", id: `m_${answers}`, role: "assistant", content: [{ type: "output_text", text: words }] };
      const usage = { input_tokens: 10, input_tokens_details: null, output_tokens: 5, output_tokens_details: null, total_tokens: 15 };
      return {
        events: [
          { type: "response.created", response: { id: `resp_${answers}` } },
          { type: "response.output_item.done", output_index: 0, item },
          { type: "response.completed", response: { id: `resp_${answers}`, usage } },
        ],
      };
    },
  },
  {
    path: /:(streamGenerateContent|generateContent)$/,
    said: ({ contents = [] }) => {
      const parts = contents.flatMap((one) => one.parts.map((part) => ({ role: one.role, ...part })));
      const person = parts.findLastIndex((part) => part.role === "user" && own(part.text));
      const told = parts.slice(person + 1).findLast((part) => part.functionResponse)?.functionResponse.response;
      return { last: own(parts[person]?.text), told: told && (told.output ?? JSON.stringify(told)) };
    },
    answer: (_, { words, call }) => {
      const part = call ? { functionCall: { name: call.name, args: call.arguments } } : { text: words };
      const candidates = [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }];
      const event = { candidates, usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 } };
      return { events: [event], json: event };
    },
  },
];

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const { pathname, searchParams } = new URL(request.url, "http://x");
    const protocol = request.method === "POST" && PROTOCOLS.find(({ path }) => path.test(pathname));
    response.setHeader("content-type", "application/json");
    if (!protocol) return response.end(JSON.stringify({ data: [], models: [], input_tokens: 10, totalTokens: 10 }));
    const asked = JSON.parse(body);
    answers += 1;
    appendFileSync(log, `${JSON.stringify(asked)}\n`);
    const { last, told } = protocol.said(asked);
    const wish = told === undefined && /CALL (\{.*\})/.exec(last)?.[1];
    const reply = protocol.answer(asked, wish ? { call: JSON.parse(wish), words: "" } : { words: told === undefined ? "Noted." : `TOLD ${told}` });
    const streams = reply.events && (asked.stream || searchParams.get("alt") === "sse");
    if (!streams && reply.json) return response.end(JSON.stringify(reply.json));
    response.setHeader("content-type", "text/event-stream");
    for (const event of reply.events) response.write(`${event.type ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
});

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
