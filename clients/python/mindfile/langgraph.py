"""A store of LangGraph over a memory: each item is a note below `memory/store/`, its value kept as JSON to the letter.

    graph = builder.compile(store=MindfileStore(Memory("notes")))
"""

import asyncio
import json
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from urllib.parse import quote

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp

from .client import MindfileError

__all__ = ["MindfileStore"]

FOLDER = "memory/store/"
#: The most of a key that is the name of a file; a longer one is named by its digest.
LONGEST = 180


class MindfileStore(BaseStore):
    """`put`, `get`, `search`, `delete` and `list_namespaces`, with their awaited forms. `ttl` is in minutes."""

    supports_ttl = True

    def __init__(self, memory, *, ttl=None, now=lambda: datetime.now(timezone.utc)):
        self._memory = memory
        self._now = now
        self.ttl_config = ttl

    def batch(self, ops):
        ops = list(ops)
        answers = [self._read(op) for op in ops]
        # What is read is read before what is written, and of two values of a key the last one counts.
        for op in {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}.values():
            self._put(op)
        return answers

    async def abatch(self, ops):
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op):
        if isinstance(op, GetOp):
            found = self._load(_path(op.namespace, op.key))
            return self._touched(found, op.refresh_ttl).item() if found else None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        return None

    def _search(self, op):
        found = sorted(self._all(op.namespace_prefix), key=lambda one: one.created)
        found = [one for one in found if _matches(one.value, op.filter or {})]
        scores = {}
        if op.query:
            for hit in self._memory.search(op.query, max_results=1000, min_score=0, source="memory")["results"]:
                scores.setdefault(hit["path"], hit["score"])
            # What the question does not find comes after what it finds: a store gives as many as it is asked for.
            found.sort(key=lambda one: -scores.get(one.path, 0.0))
        chosen = found[op.offset : op.offset + op.limit]
        return [self._touched(one, op.refresh_ttl).item(SearchItem, score=scores.get(one.path)) for one in chosen]

    def _namespaces(self, op):
        all_of_them = {one.namespace for one in self._all(())}
        conditions = op.match_conditions or ()
        chosen = {one for one in all_of_them if all(_fits(condition, one) for condition in conditions)}
        if op.max_depth is not None:
            chosen = {one[: op.max_depth] for one in chosen}
        return sorted(chosen)[op.offset : op.offset + op.limit]

    def _all(self, prefix):
        listed = self._memory.list_notes(FOLDER + "".join(f"{_name(label)}/" for label in prefix))["notes"]
        loaded = (self._load(note["path"]) for note in listed)
        return [one for one in loaded if one]

    def _load(self, path):
        try:
            note = self._memory.read_note(path, raw=True)
        except MindfileError as error:
            if error.status == 404:
                return None
            raise
        one = _Kept.parse(path, note)
        if one.expires and one.expires <= self._now():
            self._memory.delete_note(path, one.hash)
            return None
        return one

    def _touched(self, one, refresh):
        if refresh and one.minutes:
            one.expires = self._now() + timedelta(minutes=one.minutes)
            one.hash = self._memory.put_note(one.path, one.text(), if_match=one.hash)["hash"]
        return one

    def _put(self, op):
        path, now = _path(op.namespace, op.key), self._now()
        while True:
            old = self._load(path)
            try:
                if op.value is None:
                    return old and self._memory.delete_note(path, old.hash)
                expires = now + timedelta(minutes=op.ttl) if op.ttl else None
                new = _Kept(path, op.namespace, op.key, op.value, old.created if old else now, now, op.ttl, expires)
                return self._memory.put_note(path, new.text(), if_match=old.hash if old else None)
            except MindfileError as error:
                # Somebody else wrote it at the same moment.
                if error.status != 409:
                    raise


class _Kept:
    def __init__(self, path, namespace, key, value, created, updated, minutes, expires, hash=None):
        self.path, self.namespace, self.key, self.value = path, tuple(namespace), key, value
        self.created, self.updated, self.minutes, self.expires, self.hash = created, updated, minutes, expires, hash

    @classmethod
    def parse(cls, path, note):
        _, head, body = note["text"].split("---\n", 2)
        head = json.loads(head.removeprefix("store: "))
        value = json.loads(body.split("```json\n", 1)[1].rsplit("\n```", 1)[0])
        times = [head[name] and datetime.fromisoformat(head[name]) for name in ("created", "updated", "expires")]
        return cls(path, head["namespace"], head["key"], value, *times[:2], head["minutes"], times[2], note["hash"])

    def text(self):
        times = {name: time and time.isoformat() for name, time in (("created", self.created), ("updated", self.updated), ("expires", self.expires))}
        head = {"namespace": self.namespace, "key": self.key, **times, "minutes": self.minutes}
        value = json.dumps(self.value, ensure_ascii=False, indent=2)
        return f"---\nstore: {json.dumps(head, ensure_ascii=False)}\n---\n\n```json\n{value}\n```\n"

    def item(self, kind=Item, **more):
        return kind(value=self.value, key=self.key, namespace=self.namespace, created_at=self.created, updated_at=self.updated, **more)


def _name(word):
    """A word as a name in a folder: no dot, no slash, no capital that another file system would not tell apart."""
    letters = (f"+{one.lower()}" if "A" <= one <= "Z" else quote(one, safe="") for one in word)
    name = "".join(letters).replace(".", "%2E") or "%"
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 65]}-{sha256(word.encode()).hexdigest()}"


def _path(namespace, key):
    return FOLDER + "".join(f"{_name(label)}/" for label in namespace) + f"{_name(key)}.md"


def _fits(condition, namespace):
    path = condition.path if condition.match_type == "prefix" else tuple(reversed(condition.path))
    own = namespace if condition.match_type == "prefix" else tuple(reversed(namespace))
    return len(own) >= len(path) and all(wanted in ("*", label) for wanted, label in zip(path, own))


def _matches(value, wanted):
    return all(_compares(value.get(name), one) for name, one in wanted.items())


def _compares(value, wanted):
    if isinstance(wanted, (list, tuple)):
        same = isinstance(value, (list, tuple)) and len(value) == len(wanted)
        return same and all(_compares(one, other) for one, other in zip(value, wanted))
    if not isinstance(wanted, dict):
        return value == wanted
    if not any(name.startswith("$") for name in wanted):
        return isinstance(value, dict) and all(_compares(value.get(name), one) for name, one in wanted.items())
    unknown = [name for name in wanted if name not in _OPERATORS]
    if unknown:
        raise ValueError(f"Unsupported operator: {unknown[0]}")
    return all(_OPERATORS[name](value, one) for name, one in wanted.items())


_OPERATORS = {
    "$eq": lambda value, wanted: value == wanted,
    "$ne": lambda value, wanted: value != wanted,
    "$gt": lambda value, wanted: float(value) > float(wanted),
    "$gte": lambda value, wanted: float(value) >= float(wanted),
    "$lt": lambda value, wanted: float(value) < float(wanted),
    "$lte": lambda value, wanted: float(value) <= float(wanted),
}
