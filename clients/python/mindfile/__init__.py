"""Plain-Markdown memory for AI agents, by the program mindfile."""
