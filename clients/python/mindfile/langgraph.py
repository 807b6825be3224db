"""A store of LangGraph over a memory: each item is a note below `memory/store/`, its value kept as JSON to the letter.

    graph = builder.compile(store=MindfileStore(Memory("notes")))
"""

import asyncio
import json
import re
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from urllib.parse import quote, unquote

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp
from langgraph.store.memory import InMemoryStore

from .client import MindfileError

__all__ = ["MindfileStore"]

FOLDER = "memory/store/"
#: The most of a word that is a name in a folder; a longer one is named by its digest.
LONGEST = 180


class MindfileStore(BaseStore):
    """`put`, `get`, `search`, `delete` and `list_namespaces`, with their awaited forms. `ttl` is in minutes."""

    supports_ttl = True

    def __init__(self, memory, *, ttl=None, now=lambda: datetime.now(timezone.utc)):
        self._memory, self._now, self.ttl_config = memory, now, ttl

    def batch(self, ops):
        ops = list(ops)
        reads = {GetOp: self._get, SearchOp: self._search, ListNamespacesOp: self._namespaces, PutOp: lambda _: None}
        answers = [reads[type(op)](op) for op in ops]
        # What is read is read before what is written, and of two values of a key the last one counts.
        for op in {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}.values():
            _settled(self._put, op)
        return answers

    async def abatch(self, ops):
        return await asyncio.to_thread(self.batch, list(ops))

    def _get(self, op):
        kept = _settled(self._read, _path(op.namespace, op.key), op.refresh_ttl)
        return kept and Item(**kept[1])

    def _search(self, op):
        kept = {path: one[1] for path in self._paths(op.namespace_prefix) if (one := _settled(self._read, path))}
        # Which of them fit is for LangGraph's own store to say.
        theirs = InMemoryStore()
        by_age = sorted(kept.values(), key=lambda one: one["created_at"])
        theirs.batch([PutOp(tuple(one["namespace"]), one["key"], one["value"]) for one in by_age])
        fit = theirs.batch([SearchOp(op.namespace_prefix, op.filter, len(kept))])[0]
        paths, scores = [_path(one.namespace, one.key) for one in fit], {}
        if op.query:
            for hit in self._memory.search(op.query, max_results=1000, min_score=0, source="memory")["results"]:
                scores.setdefault(hit["path"], hit["score"])
            # What the question does not find comes after what it finds: a store gives as many as it is asked for.
            paths.sort(key=lambda path: -scores.get(path, 0.0))
        chosen = paths[op.offset : op.offset + op.limit]
        for path in chosen if op.refresh_ttl else []:
            _settled(self._read, path, True)
        return [SearchItem(**kept[path], score=scores.get(path)) for path in chosen]

    def _namespaces(self, op):
        theirs, known = InMemoryStore(), {self._namespace(path) for path in self._paths(())}
        theirs.batch([PutOp(namespace, "", {}) for namespace in known if namespace])
        return theirs.batch([op])[0]

    def _namespace(self, path):
        """As the path says; where a word in it is a digest, as the note does."""
        words = path[len(FOLDER) :].split("/")[:-1]
        if not any("=" in word for word in words):
            return tuple(unquote(re.sub(r"\+(.)", lambda one: one[1].upper(), word.rstrip("%"))) for word in words)
        kept = _settled(self._read, path)
        return kept and tuple(kept[1]["namespace"])

    def _paths(self, prefix):
        return [note["path"] for note in self._memory.list_notes(FOLDER + "".join(f"{_name(word)}/" for word in prefix))["notes"]]

    def _read(self, path, refresh=False):
        """The note's hash, and the item as LangGraph makes one of it; None of one that has expired."""
        note = self._memory.read_note(path, raw=True)
        _, head, _, _, _, *value, _, _ = note["text"].split("\n")
        time, item = json.loads(head[len("store: ") :]), {"value": json.loads("\n".join(value))}
        item.update((name, time.pop(name)) for name in ("namespace", "key", "created_at", "updated_at"))
        if time["expires"] and datetime.fromisoformat(time["expires"]) <= self._now():
            return self._memory.delete_note(path, note["hash"]) and None
        if refresh and time["ttl"]:
            self._write(path, note["hash"], item, time["ttl"])
        return note["hash"], item

    def _put(self, op):
        path, now = _path(op.namespace, op.key), self._now().isoformat()
        seen, old = _settled(self._read, path) or (None, {})
        if op.value is None:
            return seen and self._memory.delete_note(path, seen)
        item = {"namespace": op.namespace, "key": op.key, "created_at": old.get("created_at", now), "updated_at": now, "value": op.value}
        return self._write(path, seen, item, op.ttl)

    def _write(self, path, seen, item, ttl):
        value = json.dumps(item["value"], ensure_ascii=False, indent=2)
        expires = (self._now() + timedelta(minutes=ttl)).isoformat() if ttl else None
        head = {**{name: item[name] for name in item if name != "value"}, "ttl": ttl, "expires": expires}
        text = f"---\nstore: {json.dumps(head, ensure_ascii=False)}\n---\n\n```json\n{value}\n```\n"
        return self._memory.put_note(path, text, if_match=seen)


def _settled(attempt, *of):
    """Tries again while somebody else writes the same note; None where there is none."""
    while True:
        try:
            return attempt(*of)
        except MindfileError as error:
            if error.status == 404:
                return None
            if error.status != 409:
                raise


def _name(word):
    """A word as a name in a folder: no dot, no slash, no capital that another file system would not tell apart."""
    letters = (f"+{one.lower()}" if "A" <= one <= "Z" else quote(one, safe="") for one in word)
    name = "".join(letters).replace(".", "%2E") or "%"
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 65]}={sha256(word.encode()).hexdigest()}"


def _path(namespace, key):
    return FOLDER + "".join(f"{_name(word)}/" for word in namespace) + f"{_name(key)}.md"
