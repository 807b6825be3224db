#!/usr/bin/env python3
"""mindfile through the official Python SDK (PyPI: mcp). Usage: python_sdk.py PROGRAM"""
import asyncio
import importlib.metadata
import os
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def talk(program, home, who):
    env = {"HOME": home, "MINDFILE_STATE_DIR": f"{home}/state"}
    server = StdioServerParameters(command=program, args=["mcp", "--tools", "all"], env=env)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        tools = await session.list_tools()
        for number in range(5):
            text = f"Client {who} keeps fact {number} about the lighthouse"
            kept = await session.call_tool("memory_retain", {"text": text, "force": True})
            assert not kept.is_error, kept
        return hello.server_info.name, sorted(tool.name for tool in tools.tools)


async def main(program):
    with tempfile.TemporaryDirectory() as home:
        os.makedirs(f"{home}/state/workspace/memory")
        with open(f"{home}/state/workspace/memory/api.md", "w") as note:
            note.write("# API\n\nThe rate limit is 100 requests per minute.\n")
        first, *_ = await asyncio.gather(*(talk(program, home, who) for who in range(4)))
        print("SDK:", importlib.metadata.version("mcp"))
        print("server:", first[0])
        print("tools:", ", ".join(first[1]))
        # The same notes, and no index of them yet.
        env = {"HOME": home, "MINDFILE_STATE_DIR": f"{home}/other", "MINDFILE_WORKSPACE": f"{home}/state/workspace"}
        server = StdioServerParameters(command=program, args=["mcp", "--tools", "all", "--output-schema"], env=env)
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            steps = []

            async def on_progress(done, total, message):
                steps.append((done, total, message))

            asked = {"query": "requests per minute"}
            found = await session.call_tool("memory_search", asked, progress_callback=on_progress)
            print("search:", found.content[0].text.split("\n\nHardly")[0].replace("\n", " | "))
            print("structured:", found.structured_content["hits"][0]["at"])
            facts = await session.call_tool("memory_recall", {"query": "lighthouse", "k": 100})
            print("facts kept by four clients:", len(facts.structured_content["results"]), "of 20")
            print("progress:", steps[-1] if steps else "none")
            resources = await session.list_resources()
            print("resources:", len(resources.resources))
            read_back = await session.read_resource(resources.resources[0].uri)
            print("first resource:", read_back.contents[0].mime_type)
            prompts = await session.list_prompts()
            print("prompts:", ", ".join(prompt.name for prompt in prompts.prompts))
            wrong = await session.call_tool("memory_get", {"path": "../secret"})
            print("a mistake:", wrong.is_error, wrong.content[0].text.split("\n")[0])


asyncio.run(main(sys.argv[1]))
