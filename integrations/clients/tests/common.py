"""What the tests share: a memory of its own for each, and a server of Anthropic's that says what it is told to."""

import json
import tempfile
from contextlib import contextmanager

from mindfile import Memory


@contextmanager
def fresh(**options):
    with tempfile.TemporaryDirectory() as home, Memory(f"{home}/notes", state_dir=f"{home}/state", create=True, **options) as memory:
        memory.home = home
        yield memory


def ok(what):
    print(f"ok  {what}")


TOOLS = [{"type": "memory_20250818", "name": "memory"}]


class Claude:
    """The answers of a model, one a request, and what it was sent."""

    def __init__(self, calls):
        self.left = list(calls)
        self.results = []

    def answer(self, body):
        last = body["messages"][-1]["content"]
        if isinstance(last, list):
            self.results += [part for part in last if part.get("type") == "tool_result"]
        # The last request of a runner that has no more turns left names no tools.
        assert body.get("tools", TOOLS) == TOOLS, body["tools"]
        if self.left:
            content = [{"type": "tool_use", "id": f"t{len(self.left)}", "name": "memory", "input": self.left.pop(0)}]
        else:
            content = [{"type": "text", "text": "Done."}]
        reason = "tool_use" if content[0]["type"] == "tool_use" else "end_turn"
        return json.dumps({"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": content,
                           "stop_reason": reason, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}})


#: Commands with every answer that the tool has, as a model might give them.
COMMANDS = [
    {"command": "create", "path": "/memories/plan.md", "file_text": "# Plan\n\none\ntwo\nthree\n"},
    {"command": "create", "path": "/memories/plan.md", "file_text": "x"},
    {"command": "create", "path": "/memories/people/ada.txt", "file_text": "- W @Ada: Ada keeps a heron\nlast line without an end"},
    {"command": "view", "path": "/memories/plan.md"},
    {"command": "view", "path": "/memories/plan.md", "view_range": [3, 4]},
    {"command": "view", "path": "/memories/plan.md", "view_range": [4, -1]},
    {"command": "view", "path": "/memories/people/ada.txt"},
    {"command": "view", "path": "/memories/none.md"},
    {"command": "view", "path": "/etc/passwd"},
    {"command": "view", "path": "/memories/../../etc/passwd"},
    {"command": "str_replace", "path": "/memories/plan.md", "old_str": "two", "new_str": "2\n2b"},
    {"command": "str_replace", "path": "/memories/plan.md", "old_str": "e", "new_str": "3"},
    {"command": "str_replace", "path": "/memories/plan.md", "old_str": "absent", "new_str": "3"},
    {"command": "str_replace", "path": "/memories/people", "old_str": "a", "new_str": "b"},
    {"command": "insert", "path": "/memories/plan.md", "insert_line": 0, "insert_text": "first\n"},
    {"command": "insert", "path": "/memories/people/ada.txt", "insert_line": 2, "insert_text": "end"},
    {"command": "insert", "path": "/memories/plan.md", "insert_line": 99, "insert_text": "x"},
    {"command": "insert", "path": "/memories/none.md", "insert_line": 0, "insert_text": "x"},
    {"command": "rename", "old_path": "/memories/plan.md", "new_path": "/memories/people/ada.txt"},
    {"command": "rename", "old_path": "/memories/plan.md", "new_path": "/memories/old/plan.md"},
    {"command": "rename", "old_path": "/memories/none.md", "new_path": "/memories/none2.md"},
    {"command": "rename", "old_path": "/memories", "new_path": "/memories/x"},
    {"command": "rename", "old_path": "/memories/people", "new_path": "/memories/folk"},
    {"command": "view", "path": "/memories/folk/ada.txt"},
    {"command": "view", "path": "/memories"},
    {"command": "delete", "path": "/memories/old/plan.md"},
    {"command": "delete", "path": "/memories/folk"},
    {"command": "delete", "path": "/memories/none.md"},
    {"command": "delete", "path": "/memories"},
]
