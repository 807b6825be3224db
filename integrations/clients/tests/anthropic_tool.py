"""Anthropic's memory tool, through the tool runners of the real SDK, beside the SDK's own tool over a folder."""

import asyncio
import importlib.metadata
import json
import re
import tempfile

import anthropic
import httpx2 as httpx
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool
from common import COMMANDS, Claude, fresh, ok
from mindfile.anthropic import AsyncMemoryTool, MemoryTool

ASK = {"model": "claude", "max_tokens": 100, "messages": [{"role": "user", "content": "Remember."}]}


def ran(tool, commands):
    claude = Claude(commands)
    transport = httpx.MockTransport(lambda request: httpx.Response(200, text=claude.answer(json.loads(request.content)), headers={"content-type": "application/json"}))
    client = anthropic.Anthropic(api_key="k", http_client=httpx.Client(transport=transport))
    client.beta.messages.tool_runner(tools=[tool], max_iterations=len(commands) + 1, **ASK).until_done()
    return claude.results


async def ran_async(tool, commands):
    claude = Claude(commands)
    transport = httpx.MockTransport(lambda request: httpx.Response(200, text=claude.answer(json.loads(request.content)), headers={"content-type": "application/json"}))
    client = anthropic.AsyncAnthropic(api_key="k", http_client=httpx.AsyncClient(transport=transport))
    await client.beta.messages.tool_runner(tools=[tool], max_iterations=len(commands) + 1, **ASK).until_done()
    return claude.results


def told(result):
    """What the model reads. The bytes of a folder are those of its notes here, and of the folder's own list there."""
    content = result["content"]
    text = content if isinstance(content, str) else "".join(part["text"] for part in content)
    text = re.sub(r"^\S+\t(/memories(?:/\S*/)?)$", r"SIZE\t\1", text, flags=re.M)
    return bool(result.get("is_error")), text


def main():
    print("anthropic", importlib.metadata.version("anthropic"))
    with fresh() as memory, tempfile.TemporaryDirectory() as folder:
        ours = [told(one) for one in ran(MemoryTool(memory), COMMANDS)]
        theirs = [told(one) for one in ran(BetaLocalFilesystemMemoryTool(folder), COMMANDS)]
        assert len(ours) == len(theirs) == len(COMMANDS)
        for command, one, other in zip(COMMANDS, ours, theirs):
            assert one == other, f"{command}\n  ours:   {one}\n  theirs: {other}"
        ok(f"{len(COMMANDS)} commands answer word for word as the SDK's own tool")
    with fresh() as memory:
        write = [{"command": "create", "path": "/memories/ada.md", "file_text": "- W @Ada: Ada keeps a heron\n"}]
        assert not told(asyncio.run(ran_async(AsyncMemoryTool(memory), write))[0])[0]
        fact = memory.recall("who keeps a heron")["results"][0]
        assert (fact["text"], fact["origin"]) == ("Ada keeps a heron", "agent"), fact
        ok("what a model writes is found at once, as an agent's word")
        secret = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq\n-----END RSA PRIVATE KEY-----\n"
        refused = told(ran(MemoryTool(memory), [{"command": "create", "path": "/memories/key.md", "file_text": secret}])[0])
        assert refused[0] and "forbids" in refused[1], refused
        ok("a secret is refused, and the model reads why")


main()
