"""The store of LangGraph beside its own InMemoryStore: random histories, and what the other cannot do."""

import asyncio
import importlib.metadata
import random
import sys
from datetime import datetime, timedelta, timezone

from common import fresh, ok
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from mindfile.langgraph import MindfileStore

LABELS = ["users", "Users", "ada", "a b", "ö", "a/b", "%2F", "+u", "_", "x" * 300]
KEYS = ["k", "K", "a.md", "..", "", "a/b", "snow ☃", "y" * 300, "-"]
VALUES = [
    {"text": "two  blanks\n\nand  lines \n"}, {"n": 1, "list": [1, "b", None]}, {"n": 2.5, "nested": {"deep": {"x": True}}},
    {"text": "`" * 3 + "json\n{}\n" + "`" * 3 + "\n---\n"}, {}, {"text": "  "}, {"é": "\u2028\t\r\n"}, {"n": 10, "text": "tea"},
]
FILTERS = [None, {"n": 1}, {"n": {"$gte": 2}}, {"nested": {"deep": {"x": True}}}, {"list": [1, "b", None]}, {"n": {"$ne": 1}}]


def shown(item):
    return item and (item.namespace, item.key, item.value)


def random_op(rng, root):
    """Below a root of this history's own, so that one memory holds them all."""
    namespace = (root, *rng.choices(LABELS, k=rng.choice([0, 1, 1, 2])))
    kind = rng.random()
    if kind < 0.5:
        return PutOp(namespace, rng.choice(KEYS), None if rng.random() < 0.25 else rng.choice(VALUES))
    if kind < 0.7:
        return GetOp(namespace, rng.choice(KEYS))
    if kind < 0.9:
        return SearchOp(namespace[: rng.choice([1, 2, 3])], rng.choice(FILTERS), rng.choice([1, 3, 50]), rng.choice([0, 0, 1]))
    conditions = rng.choice([None, (MatchCondition("prefix", (root, "*")),), (MatchCondition("suffix", ("ada",)),)])
    return ListNamespacesOp(conditions, rng.choice([None, 1, 2]), 100_000, 0)


def listed(op, store, root):
    """Namespaces that hold something: the other store also lists those that were only looked at."""
    all_of_them = {ns for ns, items in store._data.items() if items and ns[0] == root}
    fits = lambda one, path: len(one) >= len(path) and all(a in ("*", b) for a, b in zip(path, one))
    for condition in op.match_conditions or ():
        turn = (lambda x: x) if condition.match_type == "prefix" else (lambda x: tuple(reversed(x)))
        all_of_them = {ns for ns in all_of_them if fits(turn(ns), turn(condition.path))}
    return sorted({ns[: op.max_depth] if op.max_depth else ns for ns in all_of_them})


def differential(histories, steps=8):
    compared, refused = 0, 0
    with fresh() as memory:
        ours = MindfileStore(memory)
        for seed in range(histories):
            rng, theirs, root = random.Random(seed), InMemoryStore(), f"h{seed}"
            for _ in range(steps):
                ops = [random_op(rng, root) for _ in range(rng.choice([1, 1, 2]))]
                # What is read in a batch is read before what it writes.
                namespaces = [listed(op, theirs, root) for op in ops if isinstance(op, ListNamespacesOp)]
                spread = {id(op): {ns for ns, items in theirs._data.items() if items and ns[: len(op.namespace_prefix)] == op.namespace_prefix}
                          for op in ops if isinstance(op, SearchOp)}
                try:
                    expected = theirs.batch(ops)
                except (TypeError, ValueError) as error:
                    try:
                        ours.batch(ops)
                    except type(error):
                        refused += 1
                        continue
                    raise AssertionError(f"seed {seed}: {ops} is refused by one only")
                for op, one, other in zip(ops, ours.batch(ops), expected):
                    compared += 1
                    if isinstance(op, SearchOp):
                        one, other = [shown(item) for item in one], [shown(item) for item in other]
                        if len(spread[id(op)]) > 1:
                            # Between namespaces the other goes by when each was first touched; ours by the items' age.
                            assert len(one) == len(other), f"seed {seed}: {op}"
                            if op.limit == 50 and not op.offset:
                                one, other = sorted(one, key=repr), sorted(other, key=repr)
                            else:
                                continue
                    elif isinstance(op, GetOp):
                        one, other = shown(one), shown(other)
                    elif isinstance(op, ListNamespacesOp):
                        one = [ns for ns in one if ns[0] == root]
                        other = namespaces.pop(0)
                    assert one == other, f"seed {seed}: {op}\n  ours:   {one}\n  theirs: {other}"
    ok(f"{histories} random histories, {compared} answers as InMemoryStore's, {refused} refusals alike")


def large_and_timed():
    now = [datetime(2026, 5, 1, 12, 0, 0, tzinfo=timezone.utc)]
    with fresh() as memory:
        store = MindfileStore(memory, now=lambda: now[0])
        big = {"text": "a  b\n" * 13_107}
        store.put(("docs",), "big", big)
        assert store.get(("docs",), "big").value == big
        ok("64 KiB come back to the letter")
        now[0] += timedelta(seconds=1)
        store.put(("docs",), "big", {"text": "small"})
        item = store.get(("docs",), "big")
        assert (item.updated_at - item.created_at) == timedelta(seconds=1)
        ok("times are to the second, and a second value keeps the first one's")
        store.put(("docs",), "short", {"text": "gone soon"}, ttl=2)
        now[0] += timedelta(minutes=1)
        assert store.get(("docs",), "short", refresh_ttl=True)
        now[0] += timedelta(minutes=1, seconds=30)
        assert store.get(("docs",), "short", refresh_ttl=False)
        now[0] += timedelta(minutes=1)
        assert store.get(("docs",), "short") is None and len(store.search(("docs",))) == 1
        ok("a ttl of minutes, refreshed by reading where that is asked for")


def questions_and_a_graph():
    with fresh() as memory:
        store = MindfileStore(memory)
        for number in range(8):
            store.put(("notes",), str(number), {"text": f"Berth {number} is free"})
        store.put(("notes",), "tea", {"text": "I like tea"})
        found = store.search(("notes",), query="what does she drink", limit=5)
        assert len(found) == 5, found
        first = store.search(("notes",), query="who likes tea", limit=3)[0]
        assert first.key == "tea" and first.score > 0, first
        ok("a question gives as many as are asked for, the best first")

        def node(state, *, store):
            store.put(("seen",), "last", {"text": state["text"]})
            return {"text": store.get(("seen",), "last").value["text"] + "!"}

        graph = StateGraph(dict)
        graph.add_node("keep", node)
        graph.add_edge(START, "keep")
        graph.add_edge("keep", END)
        assert graph.compile(store=store).invoke({"text": "hello"})["text"] == "hello!"
        assert asyncio.run(store.aget(("seen",), "last")).value == {"text": "hello"}
        assert memory.search("hello")["results"][0]["path"].startswith("memory/store/seen/")
        ok("in a graph, awaited, and found by the program's own search")


print("langgraph", importlib.metadata.version("langgraph"), "checkpoint", importlib.metadata.version("langgraph-checkpoint"))
differential(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
large_and_timed()
questions_and_a_graph()
