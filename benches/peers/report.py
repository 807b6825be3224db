"""The Markdown that a run prints."""

import datetime
import os
import pathlib
import platform
import re

from measure import Cost

STEPS = {
    "index": "index of everything",
    "unchanged": "nothing changed",
    "searches": "cold search, per query",
}
LIMITS = {"index": ("1/3", 1 / 3), "unchanged": ("1/10", 0.1), "searches": ("1/10", 0.1)}
PEAK_LIMIT = 150


def report(run):
    """`run` has: notes, corpus, runs, queries, versions, trials by side's name, sides, floor, load."""
    parts = [
        f"# mindfile beside QMD, {run.notes:,} notes",
        "CPU is user + system seconds with children, the median of "
        f"{run.runs} runs with fresh state. mindfile does words and vectors, QMD words alone.",
        "\n".join(comparison(run.trials)),
        "\n".join(details(run)),
        "\n".join(facts(run)),
        "\n".join(commands(run.sides)),
    ]
    return "\n\n".join(parts) + "\n"


def comparison(trials):
    yield "| step | mindfile CPU s | QMD CPU s | ratio | limit | within |"
    yield "|---|---:|---:|---:|---:|---|"
    for step, title in STEPS.items():
        ours, theirs = (field(trials.get(side), step, "cpu") for side in ("mindfile", "QMD"))
        ratio = ours / theirs if ours and theirs else None
        words, limit = LIMITS[step]
        yield row(title, number(ours), number(theirs), number(ratio), words, within(ratio, limit))
    ours, theirs = (field(trials.get(side), "index", "peak") for side in ("mindfile", "QMD"))
    limit = f"{PEAK_LIMIT} MB"
    yield row("index of everything, peak MB", whole(ours), whole(theirs), "", limit, within(ours, PEAK_LIMIT))


def field(trials, step, name):
    return getattr(median(trials, step), name) if trials else None


def details(run):
    yield "| side | step | CPU s (each run) | wall s | peak MB |"
    yield "|---|---|---|---:|---:|"
    for side, trials in run.trials.items():
        for step, title in STEPS.items():
            cost = median(trials, step)
            each = ", ".join(number(one_run(trial, step).cpu) for trial in trials)
            yield row(side, title, f"{number(cost.cpu)} ({each})", number(cost.wall), whole(cost.peak))


def facts(run):
    for name, version in run.versions.items():
        yield f"- {name}: {version.removeprefix(name.lower()).strip()}"
    yield f"- machine: {os.cpu_count()} cores, {cpu_model()}, {memory()}, {platform.system()} {platform.release()}"
    yield f"- date: {datetime.date.today()}, load when it began: {run.load:.1f}"
    yield f"- notes: {run.corpus}"
    for side, trials in run.trials.items():
        last = trials[-1]
        yield f"- {side}: {last.hits} of {len(run.queries)} queries had results, {last.state_megabytes:.0f} MB of state"
    yield f"- peak is that of the largest single process; {run.floor:.0f} MB is the least this script can see"
    yield f"- queries: {', '.join(run.queries)}"


def commands(sides):
    yield "Commands, with the notes in `$W`, a new `$T` for each run and the XDG folders below `$T/home`:\n"
    yield from (f"    {command}" for side in sides for command in side.commands)


def median(trials, step):
    return Cost.median([one_run(trial, step) for trial in trials])


def one_run(trial, step):
    value = getattr(trial, step)
    return Cost.median(value) if isinstance(value, list) else value


def row(*cells):
    return f"| {' | '.join(cells)} |"


def number(value):
    return "–" if value is None else f"{value:.3f}" if value < 10 else f"{value:.2f}"


def whole(value):
    return "–" if value is None else f"{value:.0f}"


def within(value, limit):
    return "–" if value is None else "yes" if value <= limit else "no"


def cpu_model():
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.*)", cpuinfo.read_text()) if cpuinfo.exists() else None
    return found[1] if found else platform.processor() or platform.machine()


def memory():
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"
