"""LlamaIndex, OpenAI's Agents and Pydantic AI, each with a model that says what it is told to."""

import asyncio
import importlib.metadata
import json

from common import fresh, ok


async def llamaindex():
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import Memory
    from mindfile.llamaindex import MindfileBlock

    with fresh() as store:
        store.retain("Ada keeps a heron", entities=["Ada"])
        memory = Memory.from_defaults(session_id="s1", token_limit=60, chat_history_token_ratio=0.5, token_flush_size=10,
                                      memory_blocks=[MindfileBlock(memory=store, session="talk")])
        for number in range(6):
            await memory.aput(ChatMessage(role="user", content=f"Remember that berth {number} belongs to Ines and to nobody else"))
        given = await memory.aget(input="who keeps a heron")
        assert "Ada keeps a heron" in "".join(str(one.content) for one in given), given
        known = [entry["text"] for entry in store.read_session("talk")["entries"]]
        assert any("berth 0" in text for text in known), known
        ok("LlamaIndex: the block gives what is known, and keeps what leaves the short-term memory")


async def openai_agents():
    from agents import Agent, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
    from agents.models.interface import Model
    from mindfile.openai_agents import MindfileSession
    from mindfile.tools import functions
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    set_tracing_disabled(True)

    class Scripted(Model):
        def __init__(self, says):
            self.says, self.heard = list(says), []

        async def get_response(self, system_instructions, input, *_, **__):
            self.heard.append(input)
            return ModelResponse(output=[self.says.pop(0)], usage=Usage(), response_id=None)

        def stream_response(self, *_, **__):
            raise NotImplementedError

    said = lambda text: ResponseOutputMessage(id="m", type="message", role="assistant", status="completed",
                                              content=[ResponseOutputText(type="output_text", text=text, annotations=[])])
    call = lambda name, given: ResponseFunctionToolCall(type="function_call", call_id="c1", name=name, arguments=json.dumps(given))
    with fresh() as store:
        tools = [function_tool(one) for one in functions(store)]
        model = Scripted([call("remember", {"fact": "Ada keeps a heron", "about": ["Ada"]}), said("Kept.")])
        session = MindfileSession("trip", store)
        await Runner.run(Agent(name="a", model=model, tools=tools), "Ada  keeps a heron\n", session=session)
        items = await session.get_items()
        assert [one.get("type", "message") for one in items] == ["message", "function_call", "function_call_output", "message"], items
        assert items[0]["content"] == "Ada  keeps a heron\n"
        model = Scripted([call("search_memory", {"query": "who keeps a heron"}), said("Ada.")])
        await Runner.run(Agent(name="a", model=model, tools=tools), "Who keeps a heron?", session=session)
        assert "Ada keeps a heron" in json.dumps(model.heard[1]) and len(model.heard[0]) == 5
        assert (await session.pop_item())["role"] == "assistant" and len(await session.get_items()) == 7
        await session.clear_session()
        assert await session.get_items() == []
        ok("OpenAI Agents: a session to the letter over runs, pop and clear, with tools")


async def pydantic_ai():
    from mindfile.tools import functions
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    with fresh() as store:
        script = [ToolCallPart("remember", {"fact": "Ada keeps a heron", "about": ["Ada"]}),
                  ToolCallPart("search_memory", {"query": "who keeps a heron"}), TextPart("Ada.")]
        told = []

        def model(messages, info):
            assert {tool.name for tool in info.function_tools} == {"search_memory", "read_memory", "remember", "forget"}
            told.extend(part.content for part in messages[-1].parts if isinstance(part, ToolReturnPart))
            return ModelResponse(parts=[script.pop(0)])

        result = await Agent(FunctionModel(model), tools=functions(store)).run("Who keeps a heron?")
        assert result.output == "Ada." and told[0].startswith("Kept in memory/") and "Ada keeps a heron" in told[1], told
        ok("Pydantic AI: the functions are tools")


for package in ("llama-index-core", "openai-agents", "pydantic-ai-slim"):
    print(package, importlib.metadata.version(package))
for run in (llamaindex, openai_agents, pydantic_ai):
    asyncio.run(run())
