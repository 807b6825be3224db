"""Plain-Markdown memory for AI agents, by the program mindfile."""

from .client import AsyncMemory, Memory, MindfileError

__all__ = ["AsyncMemory", "Memory", "MindfileError"]
