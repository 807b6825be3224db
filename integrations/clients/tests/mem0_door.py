"""mem0's hosted client, pointed at `mindfile serve`."""

import importlib.metadata
import json
import os
import subprocess
import tempfile

os.environ["MEM0_TELEMETRY"] = "false"
import httpx
from common import ok
from mem0 import MemoryClient

print("mem0ai", importlib.metadata.version("mem0ai"))
with tempfile.TemporaryDirectory() as home:
    program = os.environ["MINDFILE"]
    options = ["--state-dir", f"{home}/state"]
    subprocess.run([program, *options, "init", f"{home}/notes"], check=True, capture_output=True)
    words = [program, *options, "--workspace", f"{home}/notes", "serve", "--json", "--attached", "--no-heartbeat", "--port", "0"]
    server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    told = json.loads(server.stdout.readline())
    token = open(told["tokenFile"]).read().strip()
    # Whatever the client would send elsewhere is not sent.
    client = MemoryClient(api_key=token, host=told["url"].rstrip("/"), client=httpx.Client(timeout=60))
    added = client.add("I am allergic to peanuts", user_id="alice")["results"]
    client.add([{"role": "user", "content": "I play the cello"}, {"role": "assistant", "content": "Nice!"}], user_id="alice")
    client.add("I am allergic to cats", user_id="Alice")
    client.add("I am allergic to nothing", user_id="bob")
    assert client.add("I am allergic to peanuts", user_id="alice")["results"][0]["event"] == "NONE"
    ok("add, and the same again is no second memory")
    mine = {one["memory"] for one in client.get_all(filters={"user_id": "alice"})["results"]}
    assert mine == {"I am allergic to peanuts", "I play the cello"}, mine
    assert client.get_all(filters={"user_id": "nobody"})["results"] == []
    ok("users are kept apart, also by the case of a letter; an unknown one has nothing")
    found = client.search("what food must be avoided", filters={"user_id": "alice"}, top_k=2)["results"]
    assert {one["memory"] for one in found} == mine, found
    assert all(one["user_id"] == "alice" for one in found)
    found = client.search("who is allergic", filters={"AND": [{"user_id": "bob"}]})["results"]
    assert [one["memory"] for one in found] == ["I am allergic to nothing"], found
    ok("search gives as many as are asked for, and nobody else's")
    one = added[0]["id"]
    assert client.get(one)["user_id"] == "alice"
    client.update(one, text="I am allergic to peanuts and soy")
    assert client.get(one)["memory"] == "I am allergic to peanuts and soy"
    client.delete(one)
    client.delete_all(user_id="bob")
    assert client.get_all(filters={"user_id": "bob"})["results"] == []
    assert len(client.get_all(filters={"user_id": "alice"})["results"]) == 1
    ok("get, update, delete and delete_all")
    wrong = httpx.get(told["url"] + "v1/ping/", headers={"Authorization": "Token wrong"})
    assert wrong.status_code == 401, wrong.status_code
    ok("a wrong key is refused")
    server.stdin.close()
    server.wait(30)
