"""A memory as plain functions, which any framework makes tools of: typed, documented, and answering with text.

    Agent(model, tools=functions(memory))                                       # Pydantic AI
    Agent(tools=[function_tool(one) for one in functions(memory)])              # OpenAI Agents
    Agent(tools=[tool(one.__name__)(one) for one in functions(memory)])         # CrewAI
"""

from .client import MindfileError

__all__ = ["functions"]


def functions(memory, *, session=None):
    """What a model needs of a memory: to search, read, keep and forget."""

    def search_memory(query: str) -> str:
        """Search long-term memory before answering about earlier work, decisions, people, dates or preferences.

        Args:
            query: What to look for, in your own words.
        """
        hits = memory.lookup(query)["hits"]
        return "\n\n".join(_hit(hit) for hit in hits) or "Nothing is known about that."

    def read_memory(path: str, first_line: int = 1, lines: int = 40) -> str:
        """Read more of a note that search_memory named.

        Args:
            path: The note, such as memory/2026-07-14.md.
            first_line: Counted from 1.
            lines: How many.
        """
        return _said(lambda: memory.read_note(path, from_=first_line, lines=lines)["text"])

    def remember(fact: str, about: list[str]) -> str:
        """Keep something worth knowing in later conversations.

        Args:
            fact: One sentence that can be understood by itself.
            about: Whom and what it is about, such as Sarah.
        """

        def keep():
            kept = memory.retain(fact, entities=about, source=source)
            return f"Kept in {kept['path']}#L{kept['line']}."

        return _said(keep)

    def forget(words: str) -> str:
        """Remove every remembered line that has these words, for good, because the person asked for it.

        Args:
            words: The words, in their order.
        """
        return _said(lambda: f"{memory.forget(query=words)['facts']} facts are gone.")

    source = f"chat:{session}" if session else None
    return [search_memory, read_memory, remember, forget]


def _hit(hit):
    return f"{hit['says']}\n({hit['at']})" if hit.get("at") else hit["says"]


def _said(work):
    """What a model did wrong is an answer that it can read."""
    try:
        return work()
    except MindfileError as error:
        return str(error)
