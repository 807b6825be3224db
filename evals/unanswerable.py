#!/usr/bin/env python3
"""How often nothing comes back when nothing is known, and what that costs.

usage: unanswerable.py locomo DATA.json --bin PATH
       unanswerable.py squad FILE.json --bin PATH
       unanswerable.py facts FILE.json --bin PATH

locomo: writes each conversation as daily notes and asks it the questions of the next one: as they are, about people that
it has never heard of; without their names; with the names of its own two people; and its own questions of category 5,
which put true words into the wrong mouth. squad: writes the paragraphs of every other article as notes and asks the
questions of the articles between them; and those of the notes themselves, whose answers an empty one would lose; then
the same with the articles between them as notes. facts: the same with every sentence as a fact, for `recall`.
Prints JSON: for each set of questions their number; the percentage that found the note, among all hits, as who asks gets
them, and among those that are more than weak; the percentage with weak hits alone; and of hits that are called answers the
percentage that are. Of facts, the percentage of empty answers and of those that have one of the note first.
"""

import argparse
import contextlib
import datetime
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ADVERSARIAL = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["locomo", "squad", "facts"])
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--bin", required=True)
    arguments = parser.parse_args()
    data = json.loads(arguments.data.read_text())
    kinds = {
        "locomo": lambda: locomo(data, arguments.bin),
        "squad": lambda: squad(data["data"], arguments.bin),
        "facts": lambda: facts(data["data"], arguments.bin),
    }
    print(json.dumps({name: counted.percentages() for name, counted in kinds[arguments.kind]().items()}))


def locomo(conversations, binary):
    sets = {name: Counted() for name in ("next", "unnamed", "renamed", "adversarial")}
    for number, conversation in enumerate(conversations):
        following = conversations[(number + 1) % len(conversations)]
        with memory(binary, conversation_notes(conversation["conversation"])) as run:
            ask = functools.partial(search, run)
            for question in answerable(following):
                sets["next"].ask(ask, question)
                sets["unnamed"].ask(ask, unnamed(question, following))
                sets["renamed"].ask(ask, renamed(question, following, people(conversation)))
            for qa in conversation["qa"]:
                if qa["category"] == ADVERSARIAL:
                    sets["adversarial"].ask(ask, qa["question"])
    return sets


def answerable(conversation):
    return [qa["question"] for qa in conversation["qa"] if qa["category"] != ADVERSARIAL and qa.get("evidence")]


def people(conversation):
    return [conversation["conversation"][speaker] for speaker in ("speaker_a", "speaker_b")]


def unnamed(question, conversation):
    for person in people(conversation):
        question = question.replace(f"{person}'s", "my").replace(person, "I")
    return question


def renamed(question, conversation, names):
    """With other names for its two people, who may have each other's."""
    for at, person in enumerate(people(conversation)):
        question = question.replace(person, f"\0{at}")
    for at, name in enumerate(names):
        question = question.replace(f"\0{at}", name)
    return question


def conversation_notes(conversation):
    """The name and the text of each session's note; a second session of a day gets a name of its own."""
    used = set()
    for number in range(1, len(conversation)):
        turns = conversation.get(f"session_{number}")
        if turns is None:
            continue
        time = datetime.datetime.strptime(conversation[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        name = f"{time.date()}-s{number}.md" if time.date() in used else f"{time.date()}.md"
        used.add(time.date())
        lines = [f"# {time.date()}", "", f"## {time:%H:%M} - Conversation", "", *map(said, turns)]
        yield name, "\n".join(lines) + "\n"


def said(turn):
    caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {' '.join(turn['text'].split())}{caption}"


def squad(articles, binary):
    sets = {"answered": Counted(), "other": Counted()}
    for paragraphs in halves(articles):
        notes = ((name, paragraph["context"] + "\n") for held, name, paragraph in paragraphs if held)
        with memory(binary, notes) as run:
            ask_all(sets, paragraphs, functools.partial(search, run))
    return sets


def facts(articles, binary):
    sets = {"answered": Recalled(), "other": Recalled()}
    for paragraphs in halves(articles):
        notes = ((name, retained(paragraph["context"])) for held, name, paragraph in paragraphs if held)
        with memory(binary, notes) as run:
            ask_all(sets, paragraphs, functools.partial(recall, run))
    return sets


def halves(articles):
    """Every paragraph with its name, and whether it is a note: half of the articles are, then the other half."""
    for half in (0, 1):
        yield [
            (article % 2 == half, f"{article:02}-{number}.md", paragraph)
            for article, whole in enumerate(articles)
            for number, paragraph in enumerate(whole["paragraphs"])
        ]


def ask_all(sets, paragraphs, ask):
    for held, name, paragraph in paragraphs:
        for qa in paragraph["qas"]:
            sets["answered" if held else "other"].ask(ask, qa["question"], name)


def retained(text):
    """Every sentence as a fact; a very short one goes with the one before it."""
    lines = []
    for sentence in re.split(r"(?<=[.!?。！？।؟])\s*(?=\S)", " ".join(text.split())):
        if lines and min(len(sentence), len(lines[-1])) < 15:
            lines[-1] += f" {sentence}"
        else:
            lines.append(sentence)
    return "## Retain\n" + "".join(f"- W: {line}\n" for line in lines)


class Counted:
    """How often the hits had the note, how often nothing was sure, and how often an answer was one."""

    def __init__(self):
        self.questions = self.silent = self.asked = self.unasked = self.called = self.right = 0

    def ask(self, search, question, note=None):
        results = search(question)
        sure = [result for result in results if result["sure"] != "weak"]
        answers = [result for result in sure if result["sure"] == "answers"]
        self.questions += 1
        self.silent += not sure
        self.asked += self.has(results, note)
        self.unasked += self.has(sure, note)
        self.called += len(answers)
        self.right += sum(self.is_of(result, note) for result in answers)

    def is_of(self, result, note):
        return result["path"] == f"memory/{note}"

    def has(self, results, note):
        return any(self.is_of(result, note) for result in results)

    def percentages(self):
        shares = {"silent": self.silent, "asked": self.asked, "unasked": self.unasked}
        shares = {name: round(100 * count / self.questions, 1) for name, count in shares.items()}
        right = round(100 * self.right / self.called, 1) if self.called else ""
        return {"questions": self.questions, **shares, "called": self.called, "right": right}


class Recalled:
    """How often nothing was recalled, and how often a fact of the note was the first."""

    def __init__(self):
        self.questions = self.empty = self.first = 0

    def ask(self, recall, question, note):
        results = recall(question)
        self.questions += 1
        self.empty += not results
        self.first += bool(results) and results[0]["path"] == f"memory/{note}"

    def percentages(self):
        shares = {"empty": self.empty, "first": self.first}
        return {"questions": self.questions, **{name: round(100 * n / self.questions, 1) for name, n in shares.items()}}


def search(run, question):
    return json.loads(run("search", "--json", "--max-results", "10", "--", question))["results"]


def recall(run, question):
    return json.loads(run("recall", "--json", "--no-touch", "--associative-depth", "0", "--", question))["results"]


@contextlib.contextmanager
def memory(binary, notes, folder="memory"):
    """Notes in an index, in a folder of the workspace; yields what runs a command on them."""
    with tempfile.TemporaryDirectory() as home:
        home = pathlib.Path(home)
        workspace = home / "workspace"
        for name, text in notes:
            path = workspace / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        environment = dict(os.environ, HOME=str(home), MINDFILE_STATE_DIR=str(home / "state"))

        def run(command, *arguments):
            line = [binary, command, "--workspace", str(workspace), *arguments]
            done = subprocess.run(line, env=environment, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"unanswerable: {command} ended with {done.returncode}: {done.stderr[-400:]}")
            return done.stdout

        run("index")
        yield run


if __name__ == "__main__":
    main()
