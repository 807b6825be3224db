#!/usr/bin/env python3
"""Whether the owner of the token is answered while strangers hold connections. Loopback only.

usage: benches/server/strangers.py PROGRAM [STRANGERS] [SECONDS]     (default: 2000 strangers, 20 seconds each)

The strangers are a process of their own. Each says half of something, says a little more each second, and comes again when it
is closed. Meanwhile the owner opens a connection for each question, and asks again on one that it keeps. The server may open
2,000 files. Fails where an answer takes a second.
"""

import asyncio
import http.client
import json
import multiprocessing
import os
import resource
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse

HEAD = b"GET /v1/search?query=dog HTTP/1.1\r\nHost: localhost\r\nX: "
BODY = b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{ "
HELLO = b"\x16\x03\x01\x02\x00\x01\x00"


def start(program, home, settings):
    os.makedirs(f"{home}/state/workspace")
    with open(f"{home}/state/workspace/MEMORY.md", "w") as note:
        note.write("# Memory\n\nThe dog is called Pixel.\n")
    with open(f"{home}/state/mindfile.json", "w") as file:
        json.dump(settings, file)
    env = {**os.environ, "HOME": home, "MINDFILE_STATE_DIR": f"{home}/state"}
    serve = ["sh", "-c", 'ulimit -S -n 2000; exec "$0" serve --port 0 --json', program]
    server = subprocess.Popen(serve, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    url = urllib.parse.urlparse(json.loads(server.stdout.readline())["url"])
    with open(f"{home}/state/server.token") as file:
        return server, (url.hostname, url.port), file.read().strip()


class Owner:
    def __init__(self, address, token, tls):
        self.address, self.tls = address, tls
        self.headers = {"Authorization": f"Bearer {token}"}

    def connect(self):
        if self.tls:
            return http.client.HTTPSConnection(*self.address, context=self.tls, timeout=5)
        return http.client.HTTPConnection(*self.address, timeout=5)

    def ask(self, connection):
        """How long an answer takes; infinitely, where there is none."""
        began = time.monotonic()
        try:
            connection.request("GET", "/v1/search?query=dog", headers=self.headers)
            answer = connection.getresponse()
            if answer.status == 200 and b"Pixel" in answer.read():
                return time.monotonic() - began
            print(f"  the owner is told {answer.status}")
        except (OSError, http.client.HTTPException) as error:
            print(f"  the owner has no answer: {error!r}")
        return float("inf")


async def stranger(counts, address, tls, first, until):
    while time.monotonic() < until:
        try:
            reader, writer = await asyncio.open_connection(*address, ssl=tls)
            counts[0] += 1
            writer.write(first)
            while time.monotonic() < until:
                try:
                    await asyncio.wait_for(reader.read(1), 1)
                    break
                except asyncio.TimeoutError:
                    writer.write(first[-1:])
            writer.close()
        except OSError:
            pass
        await asyncio.sleep(0.5)


async def crowd(counts, address, kinds, strangers, until):
    all = (stranger(counts, address, *kinds[at % len(kinds)], until) for at in range(strangers))
    await asyncio.gather(*all)


def come(counts, address, cert, kinds, strangers, until):
    tls = ssl.create_default_context(cafile=cert) if cert else None
    kinds = [(tls if handshake else None, first) for handshake, first in kinds]
    asyncio.run(crowd(counts, address, kinds, strangers, until))


def told(what, times):
    times = sorted(times)
    p50, p99 = (times[min(len(times) - 1, int(len(times) * part))] * 1000 for part in (0.5, 0.99))
    print(f"  owner, {what}: {len(times)} answers, p50 {p50:.0f} ms, p99 {p99:.0f} ms, most {times[-1] * 1000:.0f} ms")
    return times[-1]


def run(name, program, kinds, strangers, seconds, cert=None, key=None):
    settings = {"memory": {"server": {"tls": {"cert": cert, "key": key}}}} if cert else {}
    with tempfile.TemporaryDirectory() as home:
        server, address, token = start(program, home, settings)
        owner = Owner(address, token, ssl.create_default_context(cafile=cert) if cert else None)
        until, counts = time.monotonic() + seconds, multiprocessing.Array("i", 1)
        kept_one = owner.connect()
        new, kept, most_files = [], [owner.ask(kept_one)], 0
        others = multiprocessing.Process(target=come, args=(counts, address, cert, kinds, strangers, until))
        others.start()
        while time.monotonic() < until:
            one = owner.connect()
            new.append(owner.ask(one))
            one.close()
            kept.append(owner.ask(kept_one))
            most_files = max(most_files, len(os.listdir(f"/proc/{server.pid}/fd")))
            time.sleep(0.05)
        kept_one.close()
        others.join(10)
        others.kill()
        server.terminate()
        server.wait()
    print(f"{name}: {strangers} strangers for {seconds} s, {counts[0]} connections of theirs, at most {most_files} files open")
    return max(told("new connection", new), told("kept connection", kept))


def main(program, strangers=2000, seconds=20):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))
    worst = run("slow requests", program, [(False, HEAD), (False, BODY)], strangers, seconds)
    with tempfile.TemporaryDirectory() as keys:
        cert, key = f"{keys}/cert.pem", f"{keys}/key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", cert],
            check=True, capture_output=True,
        )
        # A whole handshake with half a head after it; and the first bytes of a handshake.
        kinds = [(True, HEAD), (False, HELLO)]
        worst = max(worst, run("TLS handshakes", program, kinds, strangers, seconds, cert, key))
    print("passed" if worst < 1 else "failed: the owner waited for a second or more")
    return 0 if worst < 1 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
