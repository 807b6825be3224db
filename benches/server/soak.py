#!/usr/bin/env python3
"""Whether a server that runs for long stays as it began: memory, files, log and CPU a request. Loopback only.

usage: benches/server/soak.py PROGRAM [MINUTES] [SECONDS]     (default: 15 minutes, a new day's note each 5 seconds)

In fast motion: each day has a note of its own, to which facts are retained and a person's hand adds lines, and a conversation;
everything of earlier days is searched, recalled and read. Prints a row for each twelfth of the time, and one after a minute
in which nothing was asked. Fails where the last twelfth takes more than 1.5 times what the first full one took, or a request fails.
"""

import datetime
import http.client
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

CLIENTS = 4
PAUSE = 0.02
WORDS = "harbour invoice ferry garden rent router attic comet bread river deploy ticket doctor window team train lamp orchid".split()


def start(program, home):
    workspace = f"{home}/state/workspace"
    os.makedirs(f"{workspace}/memory")
    with open(f"{workspace}/MEMORY.md", "w") as note:
        note.write("# Memory\n\nThe dog is called Pixel.\n")
    env = {**os.environ, "HOME": home, "MINDFILE_STATE_DIR": f"{home}/state"}
    server = subprocess.Popen(
        [program, "serve", "--port", "0", "--json"], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    url = urllib.parse.urlparse(json.loads(server.stdout.readline())["url"])
    with open(f"{home}/state/server.token") as file:
        return server, workspace, (url.hostname, url.port), file.read().strip()


class Clock:
    """Days that pass in seconds."""

    def __init__(self, seconds):
        self.began, self.seconds = time.monotonic(), seconds

    def day(self):
        days = int((time.monotonic() - self.began) / self.seconds)
        return (datetime.date(2024, 1, 1) + datetime.timedelta(days=days)).isoformat()


class Counts:
    def __init__(self):
        self.lock, self.answers, self.failures = threading.Lock(), 0, []

    def add(self, what, status, body):
        with self.lock:
            self.answers += 1
            if status >= 400 and not (status in (404, 409)):
                self.failures.append(f"{what}: {status} {body[:200]!r}")


def client(number, address, token, workspace, clock, counts, until):
    chance = random.Random(number)
    connection = http.client.HTTPConnection(*address, timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(method, path, body=None):
        connection.request(method, path, body and json.dumps(body), headers)
        answer = connection.getresponse()
        counts.add(f"{method} {path.split('?')[0]}", answer.status, answer.read())

    while time.monotonic() < until:
        day, kind = clock.day(), chance.random()
        some = " ".join(chance.sample(WORDS, 3))
        if kind < 0.2:
            text = f"On {day} the {some} was number {chance.randrange(10**9)}"
            ask("POST", "/v1/facts", {"text": text, "file": f"memory/{day}.md", "entities": [f"who{chance.randrange(50)}"]})
        elif kind < 0.3:
            ask("POST", f"/v1/sessions/{day}-{number}/messages", {"messages": [{"role": "user", "text": f"What of the {some}?"}]})
        elif kind < 0.35:
            with open(f"{workspace}/memory/{day}-hand.md", "a") as note:
                note.write(f"- {some} {chance.randrange(10**6)}\n")
        elif kind < 0.7:
            ask("GET", f"/v1/search?query={urllib.parse.quote(some)}")
        elif kind < 0.9:
            ask("GET", f"/v1/recall?query={urllib.parse.quote(some)}")
        else:
            ask("GET", "/v1/notes/MEMORY.md")
        time.sleep(PAUSE)


def seen(pid, state):
    with open(f"/proc/{pid}/status") as file:
        status = dict(line.split(":", 1) for line in file)
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    wal = sum(path.stat().st_size for path in pathlib.Path(state).glob("memory/*-wal"))
    return {
        "anon": int(status["RssAnon"].split()[0]) / 1024,
        "rss": int(status["VmRSS"].split()[0]) / 1024,
        "files": len(os.listdir(f"/proc/{pid}/fd")),
        "threads": int(status["Threads"]),
        "wal": wal / 2**20,
        "cpu": (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"),
    }


def row(name, now, answers, cpu):
    each = f"{1000 * cpu / answers:9.2f}" if answers else "        -"
    print(
        f"{name:>10} {answers:8} {each} {now['anon']:9.1f} {now['rss']:8.1f} {now['files']:6} {now['threads']:8} {now['wal']:8.1f}",
        flush=True,
    )


def main(program, minutes=15, seconds=5):
    with tempfile.TemporaryDirectory() as home:
        server, workspace, address, token = start(program, home)
        try:
            return measured(server, workspace, address, token, f"{home}/state", minutes * 60, seconds)
        finally:
            server.terminate()
            server.wait()


def measured(server, workspace, address, token, state, length, seconds):
    clock, counts = Clock(seconds), Counts()
    until = time.monotonic() + length
    clients = [
        threading.Thread(target=client, args=(number, address, token, workspace, clock, counts, until))
        for number in range(CLIENTS)
    ]
    print(f"{length / 60:.0f} minutes, {CLIENTS} clients, a day each {seconds} s")
    print("      until  answers  CPU ms/1  RssAnon MB   RSS MB  files  threads   WAL MB")
    row("start", seen(server.pid, state), 0, 0)
    for one in clients:
        one.start()
    rows, before, cpu = [], 0, seen(server.pid, state)["cpu"]
    for part in range(12):
        time.sleep(max(0, until - length * (11 - part) / 12 - time.monotonic()))
        now, answers = seen(server.pid, state), counts.answers
        rows.append({**now, "each": (now["cpu"] - cpu) / max(1, answers - before)})
        row(clock.day(), now, answers - before, now["cpu"] - cpu)
        before, cpu = answers, now["cpu"]
    for one in clients:
        one.join()
    time.sleep(60)
    after = seen(server.pid, state)
    row("idle", after, 0, 0)
    first, last = rows[1], rows[-1]
    grown = [what for what in ("each", "files", "anon") if last[what] > 1.5 * first[what]]
    for failure in counts.failures[:5]:
        print(f"failed: {failure}")
    if grown:
        print("grown by more than half: " + ", ".join(f"{what} {first[what]:.4g} to {last[what]:.4g}" for what in grown))
    print(f"{counts.answers} answers, {len(counts.failures)} failures")
    print("passed" if not grown and not counts.failures else "failed")
    return 1 if grown or counts.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(float, sys.argv[2:])))
