#!/usr/bin/env python3
"""How long `mindfile mcp` takes from its start to its first answers. Usage: first_answer.py PROGRAM [RUNS]"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def run(program, env):
    began = time.perf_counter()
    child = subprocess.Popen([program, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True)

    def ask(number, method, params):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        child.stdin.write(json.dumps(message) + "\n")
        child.stdin.flush()
        while json.loads(child.stdout.readline()).get("id") != number:
            pass
        return (time.perf_counter() - began) * 1e3

    client = {"name": "bench", "version": "1"}
    hello = ask(1, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    found = ask(2, "tools/call", {"name": "memory_search", "arguments": {"query": "rate limit"}})
    child.stdin.close()
    child.wait()
    return hello, found


def main():
    program, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with tempfile.TemporaryDirectory() as home:
        env = {"HOME": home, "MINDFILE_STATE_DIR": f"{home}/state", "PATH": "/usr/bin:/bin"}
        os.makedirs(f"{home}/state/workspace/memory")
        for number in range(100):
            with open(f"{home}/state/workspace/memory/note-{number}.md", "w") as note:
                note.write(f"# Note {number}\n\nThe rate limit of service {number} is {number * 10} a minute.\n")
        run(program, env)
        times = [run(program, env) for _ in range(runs)]
    for name, values in zip(("initialize", "first search"), zip(*times)):
        print(f"{name}: median {statistics.median(values):.1f} ms, longest {max(values):.1f} ms ({runs} runs)")


main()
