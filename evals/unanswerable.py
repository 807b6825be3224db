#!/usr/bin/env python3
"""How often nothing comes back when nothing is known.

Writes each LoCoMo conversation as daily notes and asks it the questions of the next one, whose people it has never
heard of, and its own questions of category 5, which put true words into the wrong mouth. Prints JSON: for each set of
questions their number and the percentage of empty answers, with the default minimum score and with none.
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ADVERSARIAL = 5
MINIMUM = {"default": [], "0": ["--min-score", "0"]}


def main():
    arguments = parse_arguments()
    conversations = json.loads(pathlib.Path(arguments.data).read_text())
    counts = {name: {"questions": 0, "empty": dict.fromkeys(MINIMUM, 0)} for name in ("next", "adversarial")}
    for number, conversation in enumerate(conversations):
        following = conversations[(number + 1) % len(conversations)]
        with tempfile.TemporaryDirectory() as folder:
            memory = Memory(arguments.bin, pathlib.Path(folder), conversation)
            count(memory, answerable(following), counts["next"])
            count(memory, adversarial(conversation), counts["adversarial"])
    print(json.dumps({name: percentages(counted) for name, counted in counts.items()}))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--bin", required=True)
    return parser.parse_args()


def answerable(conversation):
    return [qa["question"] for qa in conversation["qa"] if qa["category"] != ADVERSARIAL and qa.get("evidence")]


def adversarial(conversation):
    return [qa["question"] for qa in conversation["qa"] if qa["category"] == ADVERSARIAL]


def count(memory, questions, counted):
    counted["questions"] += len(questions)
    for question in questions:
        for name, options in MINIMUM.items():
            counted["empty"][name] += not memory.search(question, options)


def percentages(counted):
    share = {name: round(100 * empty / counted["questions"], 1) for name, empty in counted["empty"].items()}
    return {"questions": counted["questions"], "empty": share}


class Memory:
    """A conversation as a workspace with an index."""

    def __init__(self, binary, folder, conversation):
        self.binary, self.workspace = binary, folder / "workspace"
        (self.workspace / "memory").mkdir(parents=True)
        for name, text in notes(conversation["conversation"]):
            (self.workspace / "memory" / name).write_text(text)
        self.environment = dict(os.environ, HOME=str(folder), MINDFILE_STATE_DIR=str(folder / "state"))
        self.run("index")

    def search(self, question, options):
        found = self.run("search", "--json", "--max-results", "10", *options, "--", question)
        return json.loads(found)["results"]

    def run(self, command, *arguments):
        line = [self.binary, command, "--workspace", str(self.workspace), *arguments]
        done = subprocess.run(line, env=self.environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"unanswerable: {command} ended with {done.returncode}: {done.stderr[-400:]}")
        return done.stdout


def notes(conversation):
    """Yields the name and the text of each session's note; a second session of a day gets a name of its own."""
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


if __name__ == "__main__":
    main()
