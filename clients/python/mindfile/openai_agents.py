"""A session of OpenAI's Agents SDK: its items, kept to the letter in a conversation of the memory, whose words are found again.

    await Runner.run(agent, "Hello", session=MindfileSession("trip", Memory("notes")))
"""

import asyncio
import json

__all__ = ["MindfileSession"]

#: Begins a message that nobody sees: an item as JSON, or what became of those before.
MARK = "openai-agents "
ROLES = {"user", "assistant", "system"}


class MindfileSession:
    """Items are only ever added: that one is taken back is an entry of its own."""

    session_settings = None

    def __init__(self, session_id, memory):
        self.session_id = session_id
        self._memory = memory

    async def get_items(self, limit=None):
        items = await asyncio.to_thread(self._items)
        return items if limit is None else items[len(items) - min(limit, len(items)) :]

    async def add_items(self, items):
        if items:
            await asyncio.to_thread(self._append, [entry for item in items for entry in _entries(item)])

    async def pop_item(self):
        items = await asyncio.to_thread(self._items)
        if items:
            await asyncio.to_thread(self._append, [_hidden({"pop": 1})])
        return items[-1] if items else None

    async def clear_session(self):
        if await asyncio.to_thread(self._items):
            await asyncio.to_thread(self._append, [_hidden({"clear": 1})])

    def _append(self, messages):
        self._memory.append_messages(self.session_id, messages)

    def _items(self):
        known = {one["sessionId"] for one in self._memory.list_sessions()}
        if self.session_id not in known:
            return []
        items = []
        for entry in self._memory.read_session(self.session_id, full=True)["entries"]:
            text = entry["text"]
            said = json.loads(text[len(MARK) :]) if text.startswith(MARK) else {}
            if "item" in said:
                items.append(said["item"])
            elif "pop" in said:
                items.pop()
            elif "clear" in said:
                items.clear()
        return items


def _hidden(said):
    return {"role": "system", "text": MARK + json.dumps(said), "hidden": True}


def _entries(item):
    """The item as it is, and what it says for whoever searches."""
    entries = [_hidden({"item": item})]
    content = item.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    text = "\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
    if item.get("role") in ROLES and text.strip():
        entries.append({"role": item["role"], "text": text})
    return entries
