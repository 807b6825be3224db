"""Anthropic's memory tool over a memory: the program carries out each command, on the notes below `memory/`.

    client.beta.messages.tool_runner(..., tools=[MemoryTool(Memory("notes"))])
"""

import asyncio

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

from .client import MindfileError

__all__ = ["AsyncMemoryTool", "MemoryTool"]


def _ask(memory, command):
    try:
        return memory.memory_tool(**command.to_dict(mode="json"))["text"]
    except MindfileError as error:
        raise ToolError(error.message) from error


class MemoryTool(BetaAbstractMemoryTool):
    """`memory_20250818` for a tool runner."""

    def __init__(self, memory, **options):
        super().__init__(**options)
        self._memory = memory

    def execute(self, command):
        return _ask(self._memory, command)

    view = create = str_replace = insert = delete = rename = execute


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for an asynchronous one; the memory is an ordinary `Memory`."""

    def __init__(self, memory, **options):
        super().__init__(**options)
        self._memory = memory

    async def execute(self, command):
        return await asyncio.to_thread(_ask, self._memory, command)

    view = create = str_replace = insert = delete = rename = execute
