"""The additive score of a fact. The program mindfile does the sums, so that they are those of recall."""

import json
import os
import subprocess
from datetime import datetime, timezone

__all__ = ["ScoringError", "compute_retrieval_score", "explain_retrieval_score"]


class ScoringError(ValueError):
    """What the program says is wrong with a fact."""


def compute_retrieval_score(fact, query_entities=(), now=None):
    """0.4 * match + 0.35 * salience + 0.25 * access, from 0 on.

    `fact` is a dictionary; of its fields count `salience`, `last_accessed_at` (a datetime), `access_count`, `entities` and
    `match`, each of which may be missing.
    """
    return explain_retrieval_score(fact, query_entities, now)["score"]


def explain_retrieval_score(fact, query_entities=(), now=None):
    """The same with what each part adds: `score`, `match`, `salience` and `access`."""
    values = [
        ("--now", _moment(now or datetime.now(timezone.utc))),
        ("--salience", fact.get("salience")),
        ("--match", fact.get("match")),
        ("--last-accessed-at", _moment(fact.get("last_accessed_at"))),
        ("--access-count", fact.get("access_count")),
    ]
    values += [("--query-entity", name) for name in query_entities]
    values += [("--entity", name) for name in fact.get("entities") or ()]
    words = [f"{name}={value}" for name, value in values if value is not None]
    command = [os.environ.get("MINDFILE") or "mindfile", "score", "--json", *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ScoringError(_message(done))
    return json.loads(done.stdout)


def _moment(time):
    """In UTC; a time without a zone is local."""
    return None if time is None else time.astimezone(timezone.utc).isoformat()


def _message(done):
    try:
        return json.loads(done.stdout or done.stderr)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return done.stderr.strip() or f"mindfile ended with {done.returncode}"
