#!/usr/bin/env python3
"""Writes N Markdown notes of about 2 KB that look like months of an agent's memory.

The same seed gives the same bytes, names and modification times on every machine and Python 3, and the first notes of
a large set are the notes of a smaller one: only `random()` is drawn, whose sequence Python promises to keep.
"""

import sys

sys.dont_write_bytecode = True

import argparse
import bisect
import datetime
import hashlib
import itertools
import os
import pathlib
import random
import re

import words

SEED = 20240229
FIRST_DAY = datetime.date(2023, 1, 2)
DAYS = 900
SMALLEST, LARGEST = 1350, 2400
DATED_SHARE, FRONT_MATTER_SHARE, FACTS_SHARE = 0.7, 0.4, 0.25
OWN_NOUN_SHARE = 0.4
COINED = 4000


def main():
    arguments = parse_arguments()
    root = pathlib.Path(arguments.folder)
    digest, total = hashlib.sha256(), 0
    for path, text, written_at in notes(arguments.notes, arguments.seed):
        data = text.encode()
        write(root / path, data, written_at)
        digest.update(path.encode() + b"\0" + data)
        total += len(data)
    print(f"{arguments.notes} notes, {total} bytes, sha256 {digest.hexdigest()[:16]}")


def parse_arguments():
    parser = argparse.ArgumentParser(description="Write notes into FOLDER/memory.")
    parser.add_argument("folder")
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=SEED)
    return parser.parse_args()


def notes(count, seed):
    """Yields (path, text, modification time in seconds) of each note."""
    vocabulary, taken = Vocabulary(seed), set()
    for number in range(count):
        writer = Writer(vocabulary, random.Random(seed * 1_000_003 + number))
        path = unique(writer.path(), taken)
        noon = datetime.datetime.combine(writer.day, datetime.time(12), datetime.timezone.utc)
        yield path, writer.note(), int(noon.timestamp()) + writer.below(6 * 3600)


def unique(path, taken):
    stem, candidate = path.removesuffix(".md"), path
    for suffix in itertools.count(2):
        if candidate not in taken:
            taken.add(candidate)
            return candidate
        candidate = f"{stem}-{suffix}.md"


def write(path, data, written_at):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (written_at, written_at))


class Zipf:
    """Draws from a list so that the item of rank r comes with weight 1 / (r + 2.7)."""

    def __init__(self, items):
        self.items = list(dict.fromkeys(items))
        self.sums = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(self.items))))

    def draw(self, chance):
        return self.items[min(bisect.bisect(self.sums, chance * self.sums[-1]), len(self.items) - 1)]


class Vocabulary:
    def __init__(self, seed):
        self.lists = {
            "noun": Zipf(words.NOUNS),
            "verb": Zipf(words.VERBS),
            "adjective": Zipf(words.ADJECTIVES),
            "adverb": Zipf(words.ADVERBS),
            "first": Zipf(words.FIRST_NAMES),
            "last": Zipf(words.LAST_NAMES),
            "project": Zipf(words.PROJECTS),
            "tool": Zipf(words.TOOLS),
            "place": Zipf(words.PLACES),
            "coined": Zipf(coined_names(random.Random(seed))),
        }


def coined_names(chance):
    """The long tail: company and product names that stand in no dictionary."""
    return [coined_name(chance) for _ in range(COINED)]


def coined_name(chance):
    length = 2 + int(chance.random() * 3)
    return "".join(words.SYLLABLES[int(chance.random() * len(words.SYLLABLES))] for _ in range(length)).title()


SENTENCES = """
{person} {past} the {adjective} {noun} for {project} and will {verb} the {noun} {adverb}.
We {past} the {noun} {adverb}, because the {adjective} {noun} was not ready before {date}.
{person} asked whether the {noun} of {coined} needs a {adjective} {noun}; the answer was to {verb} it first.
The {noun} in {place} is {adjective}, so {first} {past} another {noun} for {date}.
Ticket {ticket} covers the {adjective} {noun} and the {noun} that {first} {past} last week.
{tool} was {adjective} after the {noun}: {number} {nouns} failed and {first} {past} the {noun} within {minutes} minutes.
Decided to {verb} the {noun} with {tool} instead of a {adjective} {noun}.
{first} prefers a {adjective} {noun} over {nouns} when it comes to the {noun}.
The {noun} cost {amount} euros at {coined}, and the {noun} is due on {date}.
If the {adjective} {noun} fails again, {verb} the {noun} and tell {person}.
While {gerund} the {noun}, {first} found that {nouns} from {place} were {adjective} and {adjective}.
Host {host} runs {tool} {release} for {project}; its {noun} is kept next to the {noun}.
Nobody had {past} the {noun}, although {coined} promised {number} {nouns} by {date}.
It took {minutes} minutes to {verb} the {noun}, mostly spent on {gerund} a {adjective} {noun}.
Remember that {coined} only accepts {adjective} {nouns}, never a {noun} from {coined}.
Lunch with {person} near {place}: talked about {gerund} {nouns}, their {adjective} {noun} and a possible {noun}.
Lesson learned: {verb} every {noun} twice, since {tool} silently drops {nouns} above {number} megabytes.
My {noun} arrived from {place} with a {adjective} {noun}; {coined} offered to {verb} it for {amount} dollars.
According to {first}, {project} stays {adjective} until {coined} has {past} its {noun}.
Please do not {verb} {nouns} on Fridays; {person} had to {verb} them by hand on {date}.
Opened {ticket} after {host} reported {number} {adjective} {nouns} during the {noun}.
{first} wants the {noun} {adverb}, {first} would rather {verb} the {adjective} {noun} and wait.
Tried {tool} {release} for {gerund} {nouns}, which felt {adjective}; going back to the {noun}.
Between {date} and {date} the {noun} belongs to {person}, afterwards to whoever {past} the {noun}.
""".strip().splitlines()

ITEMS = """
{first}: {verb} the {adjective} {noun} by {date}
{ticket} {verb} {noun} on {host}
{verb} {nouns} and {nouns} for {project}
call {person} about the {noun} in {place}
{tool} {release}: {adjective} {noun}, {number} {nouns}
{amount} euros for {coined}, {adjective} {noun}
""".strip().splitlines()

FACTS = """
W @{project}: The {noun} of {project} is a {adjective} {noun} on {host}
B(s=0.{digit}) @{first} @{project}: {first} {past} the {adjective} {noun} on {date}
O(c=0.{digit}) @{first}: Prefers a {adjective} {noun} to {nouns}
S @{tool} @{project}: {tool} {release} made the {noun} {adjective}
""".strip().splitlines()

HEADINGS = ["{adjective} {noun}", "{noun} and {noun}", "{project} {noun}", "{noun} in {place}", "{first} on the {noun}"]


class Writer:
    """One note: it keeps coming back to its own few nouns, as a note about something does."""

    def __init__(self, vocabulary, chance):
        self.lists, self.chance = vocabulary.lists, chance
        self.day = FIRST_DAY + datetime.timedelta(days=self.below(DAYS))
        self.own_nouns = [self.draw("noun") for _ in range(5)]
        self.own_people = [self.draw("first") for _ in range(2)]
        self.own_project = self.draw("project")

    def path(self):
        slug = f"{self.own_nouns[0]}-{self.draw('noun')}-{self.draw('coined')}".lower()
        if self.chance.random() < DATED_SHARE:
            return f"memory/{self.day}-{slug}.md"
        return f"memory/{self.one_of(['people', 'projects', 'topics', 'home'])}/{slug}.md"

    def note(self):
        size = SMALLEST + self.below(LARGEST - SMALLEST)
        parts = [self.opening()]
        while sum(map(len, parts)) < size:
            parts.append(self.section())
        if self.chance.random() < FACTS_SHARE:
            parts.append("## Facts\n\n" + self.lines(FACTS, 2) + "\n")
        return "\n".join(parts)

    def opening(self):
        title = f"# {self.fill(self.one_of(HEADINGS))}\n"
        if self.chance.random() >= FRONT_MATTER_SHARE:
            return title
        tags = ", ".join(self.own_nouns[:3])
        return f"---\ndate: {self.day}\nproject: {self.own_project}\ntags: [{tags}]\n---\n\n{title}"

    def section(self):
        heading = f"## {self.fill(self.one_of(HEADINGS))}\n\n" if self.chance.random() < 0.4 else ""
        if self.chance.random() < 0.3:
            return heading + self.lines(ITEMS, 2 + self.below(3)) + "\n"
        return heading + " ".join(self.fill(self.one_of(SENTENCES)) for _ in range(2 + self.below(3))) + "\n"

    def lines(self, templates, count):
        return "\n".join("- " + self.fill(self.one_of(templates)) for _ in range(count))

    def fill(self, template):
        pieces = template.split("{")
        filled = pieces[0]
        for piece in pieces[1:]:
            slot, rest = piece.split("}", 1)
            filled += self.word(slot) + rest
        filled = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", filled)
        return filled[0].upper() + filled[1:]

    def word(self, slot):
        return SLOTS[slot](self) if slot in SLOTS else self.draw(slot)

    def noun(self):
        return self.one_of(self.own_nouns) if self.chance.random() < OWN_NOUN_SHARE else self.draw("noun")

    def first(self):
        return self.one_of(self.own_people) if self.chance.random() < 0.6 else self.draw("first")

    def project(self):
        return self.own_project if self.chance.random() < 0.8 else self.draw("project")

    def date(self):
        return str(self.day + datetime.timedelta(days=self.below(60)))

    def draw(self, name):
        return self.lists[name].draw(self.chance.random())

    def one_of(self, items):
        return items[self.below(len(items))]

    def below(self, limit):
        return int(self.chance.random() * limit)


def plural(noun):
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2] not in "aeiou" else noun + "s"


def past(verb):
    irregular = {"write": "wrote", "pay": "paid", "send": "sent", "build": "built", "sell": "sold", "lend": "lent",
                 "forget": "forgot", "teach": "taught", "plan": "planned", "trim": "trimmed", "scan": "scanned"}
    if verb in irregular:
        return irregular[verb]
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + ("d" if verb.endswith("e") else "ed")


def gerund(verb):
    doubled = {"plan": "planning", "trim": "trimming", "forget": "forgetting", "scan": "scanning"}
    return doubled.get(verb) or (verb[:-1] if verb.endswith("e") else verb) + "ing"


SLOTS = {
    "noun": Writer.noun,
    "nouns": lambda writer: plural(writer.noun()),
    "past": lambda writer: past(writer.draw("verb")),
    "gerund": lambda writer: gerund(writer.draw("verb")),
    "first": Writer.first,
    "person": lambda writer: f"{writer.first()} {writer.draw('last')}",
    "project": Writer.project,
    "date": Writer.date,
    "ticket": lambda writer: f"{writer.own_project[:3].upper()}-{100 + writer.below(9000)}",
    "host": lambda writer: f"{writer.draw('tool').lower()}-{1 + writer.below(40):02}.{writer.draw('place').lower()}",
    "release": lambda writer: f"{1 + writer.below(9)}.{writer.below(20)}.{writer.below(30)}",
    "amount": lambda writer: f"{5 + writer.below(4000)}.{writer.below(100):02}",
    "number": lambda writer: str(2 + writer.below(300)),
    "minutes": lambda writer: str(5 + writer.below(115)),
    "digit": lambda writer: str(1 + writer.below(9)),
}


if __name__ == "__main__":
    main()
