"""The two programs under measurement: the same three steps, each checked to have done its work."""

import dataclasses
import json
import re

from measure import StepFailed, measure


@dataclasses.dataclass(frozen=True)
class Trial:
    """What one run with fresh state cost."""

    index: object
    unchanged: object
    searches: list
    hits: int
    state_megabytes: float


class Mindfile:
    name = "mindfile"
    commands = [
        "HOME=$T/home MINDFILE_STATE_DIR=$T/state mindfile index --workspace $W",
        "HOME=$T/home MINDFILE_STATE_DIR=$T/state mindfile index --workspace $W   # nothing changed",
        'HOME=$T/home MINDFILE_STATE_DIR=$T/state mindfile search --json --workspace $W -- "QUERY"',
    ]

    def __init__(self, program):
        self.program = str(program)

    def versions(self, folder):
        return {"mindfile": measure([self.program, "--version"], environment(folder), folder)[1].strip()}

    def trial(self, workspace, folder, notes, queries):
        env = environment(folder)
        index = [self.program, "index", "--workspace", str(workspace)]
        first = measure(index, env, folder)[0]
        unchanged = measure(index, env, folder)[0]
        self.check_files(workspace, env, folder, notes)
        answers = [self.search(query, workspace, env, folder) for query in queries]
        return Trial(first, unchanged, [cost for cost, _ in answers], hits(answers), megabytes(folder))

    def check_files(self, workspace, env, folder, notes):
        agent = asked([self.program, "status", "--json", "--workspace", str(workspace)], env, folder)[1][0]
        files = agent.get("status", agent).get("files")
        if files != notes:
            raise StepFailed(f"mindfile indexed {files} of {notes} notes")

    def search(self, query, workspace, env, folder):
        command = [self.program, "search", "--json", "--workspace", str(workspace), "--", query]
        cost, found = asked(command, env, folder)
        if found.get("mode") != "hybrid" or found.get("degraded"):
            raise StepFailed(
                f"mindfile answered {query!r} in mode {found.get('mode')}, degraded {found.get('degraded')}; "
                "only a whole hybrid search may be compared"
            )
        return cost, found["results"]


class Qmd:
    name = "QMD"
    commands = [
        "HOME=$T/home qmd collection add $W --name notes",
        "HOME=$T/home qmd update   # nothing changed",
        'HOME=$T/home qmd search --json "QUERY"',
    ]

    def __init__(self, program, node):
        self.program, self.node = str(program), str(node)

    def environment(self, folder):
        env = environment(folder)
        return env | {"PATH": f"{self.node}:{env['PATH']}"}

    def versions(self, folder):
        env = self.environment(folder)
        ask = lambda program: measure([program, "--version"], env, folder)[1].strip()
        return {"QMD": ask(self.program), "Node": ask(f"{self.node}/node")}

    def trial(self, workspace, folder, notes, queries):
        env = self.environment(folder)
        add = [self.program, "collection", "add", str(workspace), "--name", "notes"]
        first = self.indexing(add, env, folder, f"{notes} new, 0 updated, 0 unchanged")
        unchanged = self.indexing([self.program, "update"], env, folder, f"0 new, 0 updated, {notes} unchanged")
        answers = [self.search(query, env, folder) for query in queries]
        return Trial(first, unchanged, [cost for cost, _ in answers], hits(answers), megabytes(folder))

    def indexing(self, command, env, folder, expected):
        cost, answer = measure(command, env, folder)
        if expected not in answer:
            said = re.findall(r"Indexed:.*", answer) or [answer[-500:]]
            raise StepFailed(f"`qmd {' '.join(command[1:])}` was to say `{expected}`, but said: {said[-1]}")
        return cost

    def search(self, query, env, folder):
        return asked([self.program, "search", "--json", query], env, folder)


def environment(folder):
    """Nothing of the user's own: settings, caches and state are all in the trial's folder."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "HOME": str(folder / "home"),
        "XDG_CONFIG_HOME": str(folder / "home/.config"),
        "XDG_CACHE_HOME": str(folder / "home/.cache"),
        "XDG_DATA_HOME": str(folder / "home/.local/share"),
        "XDG_STATE_HOME": str(folder / "home/.local/state"),
        "MINDFILE_STATE_DIR": str(folder / "state"),
    }


def asked(command, env, folder):
    """The cost and the JSON that the command answered."""
    cost, answer = measure(command, env, folder)
    try:
        return cost, json.loads(answer)
    except ValueError as error:
        raise StepFailed(f"`{' '.join(command)}` did not answer JSON ({error}): {answer[:200]!r}") from error


def hits(answers):
    return sum(1 for _, results in answers if results)


def megabytes(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
