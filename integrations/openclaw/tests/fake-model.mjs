// A chat model of the OpenAI protocol on the loopback, which asks for one tool and then repeats what it was told. `USAGE n`
// in a message makes it say that the prompt had n tokens. Every request is kept, a line each, in the file that is the
// first argument; the port is printed.

import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const [log] = process.argv.slice(2);

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const asked = body ? JSON.parse(body) : {};
    if (request.method === "GET") return response.end(JSON.stringify({ data: [{ id: "echo" }] }));
    appendFileSync(log, `${JSON.stringify(asked)}\n`);
    const message = answer(asked);
    const usage = used(asked);
    const choices = [{ index: 0, message, finish_reason: reason(message) }];
    if (asked.stream) stream(response, message, usage);
    else response.end(JSON.stringify({ id: "1", object: "chat.completion", choices, usage }));
  });
});

function used({ messages = [] }) {
  const said = messages.map((one) => /USAGE (\d+)/.exec(textOf(one))?.[1]).findLast(Boolean);
  const prompt = Number(said ?? 10);
  return { prompt_tokens: prompt, completion_tokens: 5, total_tokens: prompt + 5 };
}

const reason = (message) => (message.tool_calls ? "tool_calls" : "stop");

// `CALL {"name": …, "arguments": …}` in a line of the user's names the tool; OpenClaw may add messages of its own.
function answer({ messages = [] }) {
  const since = messages.slice(messages.findLastIndex((one) => one.role === "assistant" && !one.tool_calls) + 1);
  const told = since.findLast((one) => one.role === "tool");
  if (told) return { role: "assistant", content: `TOLD ${textOf(told)}` };
  const call = since.map((one) => /CALL (\{.*\})/.exec(textOf(one))?.[1]).findLast(Boolean);
  if (!call) return { role: "assistant", content: "nothing to say" };
  const { name, arguments: given } = JSON.parse(call);
  const tool = { id: "call_1", type: "function", function: { name, arguments: JSON.stringify(given) } };
  return { role: "assistant", content: null, tool_calls: [tool] };
}

function textOf({ content }) {
  return Array.isArray(content) ? content.map((part) => part.text ?? "").join("\n") : (content ?? "");
}

function stream(response, message, usage) {
  response.setHeader("content-type", "text/event-stream");
  const send = (choice, more = {}) => response.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, ...choice }], ...more })}\n\n`);
  const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
  send({ delta: { role: "assistant", content: message.content ?? "", ...(calls ? { tool_calls: calls } : {}) } });
  send({ delta: {}, finish_reason: reason(message) }, { usage });
  response.end("data: [DONE]\n\n");
}

server.listen(0, "127.0.0.1", () => console.log(server.address().port));
