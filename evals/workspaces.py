#!/usr/bin/env python3
"""What a person who keeps notes finds in them, and how often nothing comes back where they say nothing.

usage: workspaces.py FOLDER OTHER.json --bin PATH

Every folder in FOLDER has `notes`, a workspace, and `questions.jsonl` in the format of `mindfile eval truth`, in four
categories: direct and paraphrase have an answer, unrelated and near have none. They are asked of all notes of the
folder, of some of them only, and of the notes of all folders in one. Questions whose answer is not among the notes are
left out; of all folders in one, the questions of OTHER, a set like SQuAD, are those without an answer.
Prints JSON: for each size and category, and for each folder, what `unanswerable.py` counts, of lines.
"""

import argparse
import collections
import functools
import json
import pathlib
import random

from unanswerable import Counted, memory, search

# How many of a folder's notes, and how often another choice of them.
SIZES = {"5 notes": (5, 3), "12 notes": (12, 3), "all notes": (None, 1)}
TOGETHER = "all eight in one"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("other", type=pathlib.Path)
    parser.add_argument("--bin", required=True)
    arguments = parser.parse_args()
    folders = sorted(path.parent for path in arguments.folder.glob("*/questions.jsonl"))
    sizes, each = collections.defaultdict(sets), collections.defaultdict(sets)
    for folder in folders:
        for size, (count, times) in SIZES.items():
            for notes in chosen(folder, count, times):
                targets = [sizes[size]] if count else [sizes[size], each[folder.name]]
                ask(arguments.bin, notes, questions(folder), targets)
    together(arguments.bin, folders, arguments.other, sizes[TOGETHER])
    print(json.dumps({"sizes": figures(sizes), "workspaces": figures(each)}))


def sets():
    return collections.defaultdict(Lines)


def figures(counted):
    return {key: {name: one.percentages() for name, one in sets.items()} for key, sets in counted.items()}


class Lines(Counted):
    """The same, where all lines must be among the hits, and an answer has one of them."""

    def is_of(self, result, gold):
        return any(is_in(result, *place) for place in gold)

    def has(self, results, gold):
        return bool(gold) and all(any(is_in(result, *place) for result in results) for place in gold)


def is_in(result, path, line):
    return result["path"] == path and result["startLine"] <= line <= result["endLine"]


def notes_of(folder):
    root = folder / "notes"
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*.md"))}


def chosen(folder, count, times):
    """The notes, or so many of them; the same ones in every run."""
    notes, chance = notes_of(folder), random.Random(7)
    for _ in range(times):
        names = sorted(notes)
        chance.shuffle(names)
        yield {name: notes[name] for name in names[:count]}


def questions(folder, prefix=""):
    """The text, the category and the places of the answer."""
    for line in (folder / "questions.jsonl").read_text().splitlines():
        question = json.loads(line)
        gold = (place.rsplit("#L", 1) for place in question["gold"])
        yield question["question"], question["category"], [(prefix + path, int(line)) for path, line in gold]


def ask(binary, notes, asked, targets):
    with memory(binary, notes.items(), folder=".") as run:
        for text, category, gold in asked:
            if all(path in notes for path, _ in gold):
                for target in targets:
                    target[category].ask(functools.partial(search, run), text, gold)


def together(binary, folders, other, target):
    notes, asked = {}, []
    for folder in folders:
        prefix = f"memory/{folder.name}/"
        notes |= {prefix + name: text for name, text in notes_of(folder).items()}
        asked += [one for one in questions(folder, prefix) if one[2]]
    for article in json.loads(other.read_text())["data"]:
        for paragraph in article["paragraphs"]:
            asked += [(qa["question"], "unrelated", []) for qa in paragraph["qas"]]
    ask(binary, notes, asked, [target])


if __name__ == "__main__":
    main()
