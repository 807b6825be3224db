#!/usr/bin/env python3
"""Draws growth.svg from the tables in last.md: what an index of more and more chunks costs, engine by engine."""

import math
import re
import sys
from pathlib import Path

COLOURS = {"SQLite": "#1f6f8b", "PostgreSQL": "#c8553d", "LanceDB": "#6b8e23"}
DASHES = {"hybrid": "", "keyword": "6 4", "vector": "2 3"}
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 380, 300, 62, 44, 46


def tables(text):
    """Engine, columns and rows of each table; an engine's name is the heading of the first level above it."""
    engine, columns = None, None
    for line in text.splitlines():
        if heading := re.match(r"# (\S+)", line):
            engine = heading[1]
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else None
        if cells is None:
            columns = None
        elif columns is None:
            columns = cells
        elif not set(line) <= set("|-: "):
            yield engine, dict(zip(columns, cells))


def series(rows):
    """Points of each panel: {panel: {(engine, mode): [(chunks, value)]}}."""
    panels = {"making it, seconds": {}, "its size, MB": {}, "a question, p50 in ms": {}}
    add = lambda panel, line, chunks, value: panels[panel].setdefault(line, []).append((chunks, float(value)))
    for engine, row in rows:
        chunks = float(row["chunks"])
        if "wall s" in row:
            add("making it, seconds", (engine, ""), chunks, row["wall s"])
            add("its size, MB", (engine, ""), chunks, row["index MB"])
        else:
            add("a question, p50 in ms", (engine, row["mode"]), chunks, row["p50 ms"])
    return panels


def scale(values, low, high):
    """A logarithmic axis over whole decades."""
    first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    last = max(last, first + 1)
    place = lambda value: low + (math.log10(value) - first) / (last - first) * (high - low)
    return place, [10.0**power for power in range(first, last + 1)]


def number(value):
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def panel(title, lines, left):
    points = [point for line in lines.values() for point in line]
    x, x_marks = scale([chunks for chunks, _ in points], left + LEFT, left + WIDTH - 12)
    y, y_marks = scale([max(value, 1e-3) for _, value in points], HEIGHT - BOTTOM, TOP)
    drawn = [f'<text x="{left + LEFT}" y="26" font-weight="bold">{title}</text>']
    for mark in x_marks:
        drawn.append(f'<line x1="{x(mark):.1f}" y1="{TOP}" x2="{x(mark):.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        drawn.append(f'<text x="{x(mark):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{number(mark)}</text>')
    for mark in y_marks:
        drawn.append(f'<line x1="{left + LEFT}" y1="{y(mark):.1f}" x2="{left + WIDTH - 12}" y2="{y(mark):.1f}" stroke="#ddd"/>')
        drawn.append(f'<text x="{left + LEFT - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{number(mark)}</text>')
    for (engine, mode), line in lines.items():
        places = [(x(chunks), y(max(value, 1e-3))) for chunks, value in sorted(line)]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        colour = COLOURS.get(engine, "#555")
        drawn.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{DASHES.get(mode, "")}"/>'
        )
        drawn += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in places]
    return "\n".join(drawn)


def legend(panels):
    engines = sorted({engine for lines in panels.values() for engine, _ in lines}, reverse=True)
    entries = [(engine, COLOURS.get(engine, "#555"), "") for engine in engines]
    entries += [(mode, "#333", dash) for mode, dash in DASHES.items()]
    drawn, left = [], LEFT
    for name, colour, dash in entries:
        y = HEIGHT + 14
        drawn.append(
            f'<line x1="{left}" y1="{y - 4}" x2="{left + 28}" y2="{y - 4}" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
        )
        drawn.append(f'<text x="{left + 34}" y="{y}">{name}</text>')
        left += 60 + 8 * len(name)
    drawn.append(f'<text x="{3 * WIDTH - 12}" y="{HEIGHT + 14}" text-anchor="end">chunks from left to right, both axes logarithmic</text>')
    return "\n".join(drawn)


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    panels = {title: lines for title, lines in series(tables((folder / "last.md").read_text())).items() if lines}
    body = [panel(title, lines, WIDTH * at) for at, (title, lines) in enumerate(panels.items())]
    size = f'width="{3 * WIDTH}" height="{HEIGHT + 28}"'
    style = 'font-family="sans-serif" font-size="12" fill="#222"'
    drawing = "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', '<rect width="100%" height="100%" fill="#fff"/>', *body, legend(panels), "</svg>", ""])
    (folder / "growth.svg").write_text(drawing)


if __name__ == "__main__":
    main()
