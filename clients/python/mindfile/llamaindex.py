"""A memory block of LlamaIndex: what is known about the last words comes before them, and what leaves the short-term memory
is written down.

    Memory.from_defaults(memory_blocks=[MindfileBlock(memory=mindfile.Memory("notes"), session="trip")])
"""

import asyncio
from typing import Any, List, Optional

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock

__all__ = ["MindfileBlock"]

ROLES = {"user": "user", "assistant": "assistant", "chatbot": "assistant", "model": "assistant", "tool": "tool", "function": "tool"}


class MindfileBlock(BaseMemoryBlock[str]):
    """Facts and passages for the last message; `session` is the conversation that messages are written down in."""

    name: str = "mindfile"
    memory: Any
    session: str = "llamaindex"
    results: int = 6

    async def _aget(self, messages: Optional[List[ChatMessage]] = None, **_: Any) -> str:
        asked = next((one.content for one in reversed(messages or []) if one.role.value == "user" and one.content), None)
        return await asyncio.to_thread(self._known, asked) if asked else ""

    def _known(self, asked):
        hits = self.memory.lookup(asked, max_results=self.results)["hits"]
        return "\n\n".join(f"{hit['says']}\n({hit['at']})" if hit.get("at") else hit["says"] for hit in hits)

    async def _aput(self, messages: List[ChatMessage]) -> None:
        said = [{"role": ROLES.get(one.role.value, "system"), "text": one.content} for one in messages if one.content]
        if said:
            await asyncio.to_thread(self.memory.append_messages, self.session, said)
            await asyncio.to_thread(self.memory.flush, self.session)
